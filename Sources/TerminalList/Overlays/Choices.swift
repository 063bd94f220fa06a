// A box over the list with entries to pick, or to switch on and off.

/// A box over the list with entries to choose from.
///
/// With check boxes, Space switches the entry at the cursor, `a` all on and `n` all off, and Enter or
/// Esc closes the box. Without them, Enter or Space picks the entry, and Esc picks none. Entries may
/// be replaced at any time: the cursor stays at its entry.
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
        /// Whether the entry is on; `nil` for one without a check box.
        public var isOn: Bool?

        /// Creates an entry.
        public init(_ id: String, _ label: String, detail: String = "", isOn: Bool? = nil) {
            self.id = id
            self.label = label
            self.detail = detail
            self.isOn = isOn
        }
    }

    /// The effect of a key or a click.
    enum Effect {
        case response(KeyResponse)
        case switched([String], isOn: Bool)
        case picked(String)
        case ended
    }

    /// The title of the box.
    public var title: String
    /// The entries.
    public var entries: [Entry] { didSet { keepCursor(from: oldValue) } }

    let onSwitch: ([String], Bool) -> Void
    let onPick: (String) -> Void
    let onEnd: () -> Void
    /// The index of the entry at the cursor.
    private var cursor = 0

    /// Creates a box with the cursor at the first entry.
    ///
    /// - Parameters:
    ///   - title: The title of the box.
    ///   - entries: The entries.
    ///   - onSwitch: Called with the switched entries and their new state, which the box shows
    ///     already.
    ///   - onPick: Called with the picked entry after the box has closed.
    ///   - onEnd: Called after the box has closed without a pick.
    public init(
        _ title: String, _ entries: [Entry],
        onSwitch: @escaping (_ ids: [String], _ isOn: Bool) -> Void = { _, _ in },
        onPick: @escaping (_ id: String) -> Void = { _ in }, onEnd: @escaping () -> Void = {}
    ) {
        self.title = title
        self.entries = entries
        self.onSwitch = onSwitch
        self.onPick = onPick
        self.onEnd = onEnd
    }

    /// The identifier of the entry at the cursor.
    public var selectedID: String? {
        entries.indices.contains(cursor) ? entries[cursor].id : nil
    }

    /// Moves the cursor to its former entry, else to the next former one that remains, else to the
    /// previous one.
    private mutating func keepCursor(from old: [Entry]) {
        let indices = Dictionary(
            entries.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        let position = min(cursor, old.count)
        let former = old[position...] + old[..<position].reversed()
        cursor = former.lazy.compactMap { indices[$0.id] }.first ?? 0
    }

    private var hasCheckBoxes: Bool { entries.contains { $0.isOn != nil } }

    /// Moves the cursor by a number of entries.
    mutating func move(by count: Int) { cursor = max(0, min(cursor + count, entries.count - 1)) }

    // MARK: Keys and clicks

    /// Handles a key with an action in the list; a page key moves by `page` entries.
    mutating func handle(_ key: Key, _ action: KeyAction?, page: Int) -> Effect {
        switch (key, action) {
        case (.enter, _) where hasCheckBoxes: return .ended
        case (.enter, _), (.character(" "), _): return choose()
        case (.character("a"), _) where hasCheckBoxes: return switchAll(true)
        case (.character("n"), _) where hasCheckBoxes: return switchAll(false)
        case (.control("c"), .quit): return .response(.quit)
        case (.escape, _), (_, .quit): return .ended
        case (_, .redraw): return .response(.redraw)
        case (_, .moveBy(let count)): move(by: count)
        case (_, .pageBy(let count)): move(by: count * page)
        case (_, .first): cursor = 0
        case (_, .last): move(by: entries.count)
        default: return .response(.unknown)
        }
        return .response(.handled)
    }

    /// Handles a click on a line: moves the cursor to the entry and switches or picks it.
    mutating func handleClick(onLine line: Int?) -> Effect {
        guard let line, entries.indices.contains(line) else { return .response(.handled) }
        cursor = line
        return choose()
    }

    private mutating func choose() -> Effect {
        guard entries.indices.contains(cursor) else { return .response(.handled) }
        guard let isOn = entries[cursor].isOn else { return .picked(entries[cursor].id) }
        entries[cursor].isOn = !isOn
        return .switched([entries[cursor].id], isOn: !isOn)
    }

    private mutating func switchAll(_ isOn: Bool) -> Effect {
        let changed = entries.filter { $0.isOn == !isOn }.map(\.id)
        for index in entries.indices where entries[index].isOn != nil { entries[index].isOn = isOn }
        return changed.isEmpty ? .response(.handled) : .switched(changed, isOn: isOn)
    }

    // MARK: Drawing

    /// Draws the box with some entry at its top, or another one so that the cursor is visible.
    func draw(from top: Int, in frame: inout Frame) -> Box {
        func width(_ text: String) -> Int { frame.safe(text, upTo: frame.size.columns).width }
        let widest = entries.map { width($0.label) + width($0.detail) + 8 }.max() ?? 0
        let box = Box(
            in: frame.size, width: max(36, widest, width(title) + 4),
            lines: max(1, entries.count), top: top, showing: cursor)
        let isCut = box.height < entries.count
        let counts = isCut ? "\(cursor + 1) of \(entries.count)  " : ""
        let keys = hasCheckBoxes ? "Space on/off  a all  n none  Enter" : "Enter picks  Esc back"
        let isShort = hasCheckBoxes && counts.count + keys.count > box.width - 2
        box.draw(top: title, bottom: counts + (isShort ? "Space a n Enter" : keys), in: &frame)
        if entries.isEmpty {
            frame.write("nothing to choose from", row: box.row, column: box.column)
        }
        for (line, entry) in entries.dropFirst(box.top).prefix(box.height).enumerated() {
            draw(entry, isAtCursor: box.top + line == cursor, row: box.row + line, box, in: &frame)
        }
        frame.cursorRow = box.row + cursor - box.top
        return box
    }

    private func draw(
        _ entry: Entry, isAtCursor: Bool, row: Int, _ box: Box, in frame: inout Frame
    ) {
        let lead =
            (isAtCursor ? "> " : "  ") + (entry.isOn.map { $0 ? "[x] " : "[ ] " } ?? "")
        let room = box.width - lead.count - 2
        let rest = room - frame.safe(entry.label, upTo: box.width).width
        let detailRoom = max(box.width / 2, rest)
        let detail = frame.safe(entry.detail, upTo: detailRoom).cut(to: detailRoom)
        let end = box.column + box.width
        frame.write(lead, row: row, column: box.column)
        frame.write(
            entry.label, row: row, column: box.column + lead.count, upTo: room - detail.width)
        frame.write(detail, row: row, column: end - detail.width)
        if isAtCursor {
            frame.restyle(row: row, columns: box.column..<end, adding: Style(.reverse))
        }
    }
}
