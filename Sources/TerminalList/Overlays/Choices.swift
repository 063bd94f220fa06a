// A box over the list with entries to pick, or to switch on and off.

/// A box over the list with entries to choose from.
///
/// With check boxes, Space switches the entry at the cursor, `a` all on and `n` all off, and Enter
/// or Esc closes the box. Without them, Enter or Space picks the entry, and Esc picks none. Entries
/// may be replaced at any time: the cursor stays at its entry.
///
/// In a box in which one types, every character but a space narrows the entries to those with the text
/// in their labels, whatever its case. Tab switches all of these, and Esc first removes the text.
///
/// ```swift
/// view.choices = Choices("Types", types.map { .init($0.name, $0.title, isOn: true) }) {
///     types, isOn in …
/// }
/// ```
public struct Choices {
    /// An entry.
    public struct Entry: Hashable, Sendable {
        /// The identifier, unique in the box.
        public var id: String
        /// The text at the left.
        public var label: String
        /// The text at the right.
        public var detail: String
        /// Whether the entry is on; `nil` for an entry without a check box.
        public var isOn: Bool?

        /// Creates an entry.
        public init(_ id: String, _ label: String, detail: String = "", isOn: Bool? = nil) {
            self.id = id
            self.label = label
            self.detail = detail
            self.isOn = isOn
        }
    }

    /// The number of columns of a box that are not available for a label and its detail: the borders,
    /// the cursor, and the space between label and detail.
    package static let margin = 8
    /// The maximum size of the text that is typed, in bytes.
    private static let textLimit = 255

    /// The effect of a key or a click; its callback is called after the box has changed or closed.
    struct Effect {
        var response = KeyResponse.handled
        var closes = false
        var callback: () -> Void = {}
    }

    /// The title of the box.
    public var title: String
    /// The entries.
    public var entries: [Entry] { didSet { keepCursor(from: oldValue) } }

    /// The text that was typed; `nil` if characters are not text.
    private var text: String?

    private let onSwitch: ([String], Bool) -> Void
    private let onPick: (String) -> Void
    private let onEnd: () -> Void
    /// The index of the entry at the cursor.
    private var cursor = 0

    /// Creates a box with the cursor at the first entry. It calls `onSwitch` when it shows the new
    /// state of switched entries, `onPick` after it has closed with a picked entry, and `onEnd`
    /// after it has closed without a picked entry. With `isTyped`, one types in it.
    public init(
        _ title: String, _ entries: [Entry], isTyped: Bool = false,
        onSwitch: @escaping (_ ids: [String], _ isOn: Bool) -> Void = { _, _ in },
        onPick: @escaping (_ id: String) -> Void = { _ in }, onEnd: @escaping () -> Void = {}
    ) {
        self.title = title
        self.entries = entries
        text = isTyped ? "" : nil
        self.onSwitch = onSwitch
        self.onPick = onPick
        self.onEnd = onEnd
    }

    /// The identifier of the entry at the cursor.
    package var selectedID: String? {
        entries.indices.contains(cursor) ? entries[cursor].id : nil
    }

    /// Moves the cursor to its former entry. If that is gone, moves it to the nearest entry that
    /// remains: after the former entry, else before it.
    private mutating func keepCursor(from old: [Entry]) {
        let indices = Dictionary(
            entries.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        let position = min(cursor, old.count)
        let former = old[position...] + old[..<position].reversed()
        cursor = former.lazy.compactMap { indices[$0.id] }.first ?? 0
        move(by: 0)
    }

    /// The indices of the entries that are shown.
    private var shown: [Int] {
        guard let text = text?.lowercased(), !text.isEmpty else { return Array(entries.indices) }
        return entries.indices.filter { entries[$0].label.lowercased().contains(text) }
    }

    /// Handles a key as text; returns `false` for a key that is none.
    private mutating func type(_ key: Key) -> Bool {
        guard let old = text else { return false }
        switch key {
        case .character(" "): return false
        case .character(let character):
            if old.utf8.count < Self.textLimit { text?.append(character) }
        case .backspace: text = String(old.dropLast())
        case .escape where !old.isEmpty: text = ""
        default: return false
        }
        move(by: 0)
        return true
    }

    private var hasCheckBoxes: Bool { entries.contains { $0.isOn != nil } }

    /// Moves the cursor by a number of the entries that are shown.
    mutating func move(by count: Int) {
        let shown = shown
        let position = shown.firstIndex { $0 >= cursor } ?? shown.count - 1
        cursor = shown.isEmpty ? 0 : shown[max(0, min(position + count, shown.count - 1))]
    }

    /// Handles a key with an action in the list; a page key moves by `page` entries.
    mutating func handle(_ key: Key, _ action: KeyAction?, page: Int) -> Effect {
        if type(key) { return Effect() }
        switch (key, action) {
        case (.enter, _) where hasCheckBoxes: return Effect(closes: true, callback: onEnd)
        case (.enter, _), (.character(" "), _): return choose()
        case (.tab, _) where hasCheckBoxes && text != nil:
            return switchAll(shown.contains { entries[$0].isOn == false })
        case (.character("a"), _) where hasCheckBoxes: return switchAll(true)
        case (.character("n"), _) where hasCheckBoxes: return switchAll(false)
        case (.control("c"), .quit): return Effect(response: .quit)
        case (.escape, _), (_, .quit): return Effect(closes: true, callback: onEnd)
        case (_, .redraw): return Effect(response: .redraw)
        default:
            guard let distance = action?.distance(page: page) else {
                return Effect(response: .unknown)
            }
            move(by: distance)
            return Effect()
        }
    }

    /// Handles a click on a line: moves the cursor to the entry and switches or picks it.
    mutating func handleClick(onLine line: Int?) -> Effect {
        guard let line, shown.indices.contains(line) else { return Effect() }
        cursor = shown[line]
        return choose()
    }

    private mutating func choose() -> Effect {
        guard shown.contains(cursor) else { return Effect() }
        let (id, isOn) = (entries[cursor].id, entries[cursor].isOn)
        guard let isOn else { return Effect(closes: true) { [onPick] in onPick(id) } }
        entries[cursor].isOn = !isOn
        return Effect { [onSwitch] in onSwitch([id], !isOn) }
    }

    private mutating func switchAll(_ isOn: Bool) -> Effect {
        let switched = shown.filter { entries[$0].isOn == !isOn }
        let changed = switched.map { entries[$0].id }
        for index in switched { entries[index].isOn = isOn }
        return changed.isEmpty ? Effect() : Effect { [onSwitch] in onSwitch(changed, isOn) }
    }

    /// Draws the box with an entry at its top, or with another entry there if the cursor would not
    /// be visible.
    func draw(from top: Int, in frame: inout Frame) -> Box {
        func width(_ text: String) -> Int { frame.safe(text, upTo: frame.size.columns).width }
        let widest = entries.map { width($0.label) + width($0.detail) + 8 }.max() ?? 0
        let shown = shown
        let position = shown.firstIndex(of: cursor) ?? 0
        let title = text.map { "\(self.title): \($0.isEmpty ? "type to search" : $0)" } ?? title
        let box = Box(
            in: frame.size, width: max(36, widest, width(title) + 4),
            lines: max(1, shown.count), top: top, showing: position)
        let isCut = box.height < shown.count
        let counts = isCut ? "\(position + 1) of \(shown.count)  " : ""
        let all = text == nil ? ("a all  n none", "a n") : ("Tab all", "Tab")
        let keys = hasCheckBoxes ? "Space on/off  \(all.0)  Enter" : "Enter picks  Esc back"
        let isShort = hasCheckBoxes && counts.count + keys.count > box.width - 2
        box.draw(top: title, bottom: counts + (isShort ? "Space \(all.1) Enter" : keys), in: &frame)
        if shown.isEmpty {
            frame.write(
                entries.isEmpty ? "nothing to choose from" : "no match", row: box.row,
                column: box.column)
        }
        for (line, index) in shown.dropFirst(box.top).prefix(box.height).enumerated() {
            let (entry, isAtCursor) = (entries[index], box.top + line == position)
            let row = box.row + line
            let checkBox = entry.isOn.map { $0 ? "[x] " : "[ ] " } ?? ""
            let start = box.column + 2 + checkBox.count
            let room = box.width - checkBox.count - 4
            let detailRoom = max(box.width / 2, room - width(entry.label))
            let detail = frame.safe(entry.detail, upTo: detailRoom).cut(to: detailRoom)
            let end = box.column + box.width
            frame.write((isAtCursor ? "> " : "  ") + checkBox, row: row, column: box.column)
            frame.write(entry.label, row: row, column: start, upTo: room - detail.width)
            frame.write(detail, row: row, column: end - detail.width)
            if isAtCursor { frame.select(row: row, columns: box.column..<end) }
        }
        (frame.cursorRow, frame.cursorColumn) = (box.row + position - box.top, box.column)
        return box
    }
}
