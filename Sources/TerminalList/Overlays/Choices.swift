// A box over the list with entries to pick, or to switch on and off.

/// The effect of a key or a click on a part of the screen; its callback is called after that has changed or closed.
struct InputEffect {
    var response = KeyResponse.handled
    var closes = false
    var callback: () -> Void = {}
}

/// A box over the list with entries to choose from.
///
/// A key that an entry shows picks the entry. Every other character is text, and only entries that
/// contain the text, whatever its case, are shown; after the first one, or after `/`, all characters are text.
/// Esc removes the text, then closes the box.
///
/// With check boxes, Space switches the entry at the cursor, Tab all that are shown, and Enter closes
/// the box; if nothing was switched, Enter leaves only the entry at the cursor on. Without them, Enter
/// picks the entry. Entries may be replaced at any time: the cursor stays at its entry.
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
        /// The key that picks the entry, shown at the right in place of the detail; `nil` for none, and
        /// for a key of the box itself, such as Enter.
        public let key: Key?

        /// Creates an entry.
        public init(
            _ id: String, _ label: String, detail: String = "", isOn: Bool? = nil, key: Key? = nil
        ) {
            self.id = id
            self.label = label
            self.detail = detail
            self.isOn = isOn
            self.key = key.flatMap { Choices.keys.contains($0) ? nil : $0 }
        }

        /// Whether the label or the detail contains a text in lower case.
        fileprivate func contains(_ text: String) -> Bool {
            label.lowercased().contains(text) || detail.lowercased().contains(text)
        }

        /// Whether the label or the detail starts with a text in lower case; a `_` before it is ignored.
        fileprivate func starts(with text: String) -> Bool {
            [label, detail].contains { $0.lowercased().drop { $0 == "_" }.hasPrefix(text) }
        }
    }

    /// The number of columns of a box that are not available for a label and its detail: the borders,
    /// the cursor, and the space between label and detail.
    package static let margin = 8
    /// The keys that have the same effect in every box.
    private static let keys: Set<Key> = [
        .enter, .escape, .backspace, .up, .down, .pageUp, .pageDown, .character("/"),
    ]
    /// The number of entries above which the title says that one can type.
    private static let fewEntries = 4
    /// The maximum size of the text that is typed, in bytes.
    private static let textLimit = 255

    /// The title of the box.
    public var title: String
    /// The entries.
    public var entries: [Entry] { didSet { keepCursor(from: oldValue) } }

    /// The text that was typed, with a `/` before it; empty until something is typed, and `nil` if
    /// characters are not text.
    private var text: String?

    private let onSwitch: ([String], Bool) -> Void
    private let onOnly: ((String) -> Void)?
    private let onPick: (String) -> Void
    private let onEnd: () -> Void
    /// The index of the entry at the cursor.
    private var cursor = 0
    /// Whether an entry was switched.
    private var hasSwitched = false

    /// Creates a box with the cursor at the first entry. It calls `onSwitch` when it shows the new
    /// state of switched entries, `onOnly` when one entry alone is to be on, or else `onSwitch` for the others and then
    /// for that one, `onPick` after it has closed with a picked entry, and `onEnd`
    /// after it has closed without a picked entry. Without `isTyped`, characters do not narrow it.
    public init(
        _ title: String, _ entries: [Entry], isTyped: Bool = true,
        onSwitch: @escaping (_ ids: [String], _ isOn: Bool) -> Void = { _, _ in },
        onOnly: ((_ id: String) -> Void)? = nil,
        onPick: @escaping (_ id: String) -> Void = { _ in }, onEnd: @escaping () -> Void = {}
    ) {
        self.title = title
        self.entries = entries
        text = isTyped ? "" : nil
        self.onSwitch = onSwitch
        self.onOnly = onOnly
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

    private var isTyping: Bool { text?.isEmpty == false }

    /// The text that is searched; empty for none.
    private var needle: String {
        String((text ?? "").dropFirst().drop { $0 == " " }).lowercased()
    }

    /// The indices of the entries that are shown.
    private var shown: [Int] {
        let needle = needle
        guard !needle.isEmpty else { return Array(entries.indices) }
        return entries.indices.filter { entries[$0].contains(needle) }
    }

    /// Handles a key as text; returns `false` for a key that is none.
    private mutating func type(_ key: Key) -> Bool {
        guard let old = text else { return false }
        switch key {
        case .character(" ") where hasCheckBoxes: return false
        case .character("/") where !isTyping: text = "/"
        case .character(let character):
            if old.utf8.count < Self.textLimit { text = (isTyping ? old : "/") + "\(character)" }
        case .backspace: text = String(old.dropLast())
        case .control("u"): text = ""
        case .escape where isTyping: text = ""
        default: return false
        }
        let (shown, needle) = (shown, needle)
        if !needle.isEmpty {
            cursor = shown.first { entries[$0].starts(with: needle) } ?? shown.first ?? cursor
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
    mutating func handle(_ key: Key, _ action: KeyAction?, page: Int) -> InputEffect {
        if !isTyping || !key.isCharacter,
            let index = entries.firstIndex(where: { $0.key == key })
        {
            cursor = index
            return choose()
        }
        if type(key) { return InputEffect() }
        switch (key, action) {
        case (.enter, _): return hasCheckBoxes ? accept() : choose()
        case (.character(" "), _) where hasCheckBoxes: return choose()
        case (.tab, _) where hasCheckBoxes:
            return switchAll(shown.contains { entries[$0].isOn == false })
        case (.control("c"), .quit): return InputEffect(response: .quit)
        case (.escape, _), (_, .quit): return InputEffect(closes: true, callback: onEnd)
        case (_, .redraw): return InputEffect(response: .redraw)
        default:
            guard let distance = action?.distance(page: page) else {
                return InputEffect(response: .unknown)
            }
            move(by: distance)
            return InputEffect()
        }
    }

    /// Closes the box; if nothing was switched, leaves only the entry at the cursor on.
    private func accept() -> InputEffect {
        if hasSwitched || entries.isEmpty { return InputEffect(closes: true, callback: onEnd) }
        guard shown.contains(cursor) else { return InputEffect() }
        let id = entries[cursor].id
        let others = entries.filter { $0.id != id && $0.isOn == true }.map(\.id)
        return InputEffect(closes: true) { [onSwitch, onOnly, onEnd] in
            if let onOnly {
                onOnly(id)
            } else {
                // An entry may stand for others, so it is switched on last.
                if !others.isEmpty { onSwitch(others, false) }
                onSwitch([id], true)
            }
            onEnd()
        }
    }

    /// Handles a click on a line: moves the cursor to the entry and switches or picks it.
    mutating func handleClick(onLine line: Int?) -> InputEffect {
        guard let line, shown.indices.contains(line) else { return InputEffect() }
        cursor = shown[line]
        return choose()
    }

    private mutating func choose() -> InputEffect {
        guard shown.contains(cursor) else { return InputEffect() }
        let (id, isOn) = (entries[cursor].id, entries[cursor].isOn)
        guard let isOn else { return InputEffect(closes: true) { [onPick] in onPick(id) } }
        entries[cursor].isOn = !isOn
        hasSwitched = true
        return InputEffect { [onSwitch] in onSwitch([id], !isOn) }
    }

    private mutating func switchAll(_ isOn: Bool) -> InputEffect {
        let switched = shown.filter { entries[$0].isOn == !isOn }
        let changed = switched.map { entries[$0].id }
        for index in switched { entries[index].isOn = isOn }
        hasSwitched = hasSwitched || !changed.isEmpty
        guard !changed.isEmpty else { return InputEffect() }
        return InputEffect { [onSwitch] in onSwitch(changed, isOn) }
    }

    /// The title, with what one can do while nothing is typed.
    private var heading: String {
        guard text != nil, entries.count > Self.fewEntries else { return title }
        let hasKeys = entries.contains { $0.key != nil }
        return "\(title): \(hasKeys ? "press a key, or / to search" : "type to search")"
    }

    /// The hints of the keys, in fewer and fewer columns.
    private var hints: [String] {
        let escape = isTyping ? "Esc clears" : "Esc back"
        guard hasCheckBoxes else { return ["Enter picks  \(escape)", "Enter picks"] }
        let enter = hasSwitched ? "Enter done" : "Enter only this"
        return [
            "Space on/off  Tab all  \(enter)  \(escape)", "Space on/off  Tab all  \(enter)",
            "Space on/off  \(enter)", "Space  \(enter)",
        ]
    }

    /// Draws the box with an entry at its top, or with another entry there if the cursor would not
    /// be visible. It keeps its size while one types.
    func draw(from top: Int, in frame: inout Frame) -> Box {
        func width(_ text: String) -> Int { frame.safe(text, upTo: frame.size.columns).width }
        let details = entries.map { $0.key?.label(charset: frame.charset) ?? $0.detail }
        let widest = zip(entries, details).map { width($0.label) + width($1) + Self.margin }.max()
        let shown = shown
        let position = shown.firstIndex(of: cursor) ?? 0
        let box = Box(
            in: frame.size, width: max(36, widest ?? 0, width(heading) + 4),
            lines: max(1, entries.count), of: shown.count, top: top, showing: position)
        let isCut = box.height < shown.count
        let counts = isCut ? "\(position + 1) of \(shown.count)  " : ""
        let hint = hints.first { counts.count + $0.count <= box.width - 2 } ?? hints.last ?? ""
        box.draw(
            top: isTyping ? "\(title): \(text ?? "")" : heading, bottom: counts + hint, in: &frame)
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
            // Keys are text once something is typed.
            let shownDetail = isTyping && entry.key != nil ? "" : details[index]
            let detail = frame.safe(shownDetail, upTo: detailRoom).cut(to: detailRoom)
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
