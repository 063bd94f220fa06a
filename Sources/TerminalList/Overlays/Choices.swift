// A box over the list in which something is chosen: one thing, or which things are on.

/// A box over the list in which something is chosen.
///
/// With check boxes, Space switches the entry at the cursor, `a` all and `n` none, and Enter or Esc
/// closes the box; without them Enter or Space picks the entry, and Esc picks none. Entries may be
/// replaced at any time: the cursor stays with its entry.
///
/// ```swift
/// view.choices = Choices("Types", types.map { .init($0.name, $0.title, isOn: true) }) {
///     types, isOn in …
/// }
/// ```
public struct Choices {
    /// Something to choose.
    public struct Entry: Hashable, Sendable {
        /// What it is known by; no two entries of a box have the same.
        public var id: String
        /// What it is called.
        public var label: String
        /// What stands at the right.
        public var detail: String
        /// Whether it is on; `nil` for one without a check box.
        public var isOn: Bool?

        /// Something to choose.
        public init(_ id: String, _ label: String, detail: String = "", isOn: Bool? = nil) {
            self.id = id
            self.label = label
            self.detail = detail
            self.isOn = isOn
        }
    }

    /// What the choice is about.
    public var title: String
    /// What there is to choose from.
    public var entries: [Entry] { didSet { keepCursor(from: oldValue) } }
    /// The entry at the cursor.
    public private(set) var selectedID: String?

    let onSwitch: ([String], Bool) -> Void
    let onPick: (String) -> Void
    let onEnd: () -> Void
    /// The cursor's place among the entries.
    private(set) var place = 0

    /// A box with its cursor at the first entry.
    ///
    /// - Parameters:
    ///   - title: What the choice is about.
    ///   - entries: What there is to choose from.
    ///   - onSwitch: Called with what was switched, and whether it is on now; the entries show it
    ///     already.
    ///   - onPick: Called with what was picked, when the box has gone.
    ///   - onEnd: Called when the box has gone and nothing was picked.
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
        selectedID = entries.first?.id
    }

    /// Puts the cursor at an entry; one that there is not leaves it where it is.
    public mutating func select(_ id: String) {
        guard let place = entries.firstIndex(where: { $0.id == id }) else { return }
        self.place = place
        selectedID = id
    }

    /// Where the cursor's entry is gone, the next that is left of the former ones has the cursor,
    /// else the one before.
    private mutating func keepCursor(from old: [Entry]) {
        let places = Dictionary(
            entries.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        let former = old[min(place, old.count)...] + old[..<min(place, old.count)].reversed()
        place = former.lazy.compactMap { places[$0.id] }.first ?? 0
        selectedID = entries.indices.contains(place) ? entries[place].id : nil
    }

    var hasCheckBoxes: Bool { entries.contains { $0.isOn != nil } }

    mutating func move(by count: Int) { move(to: place + count) }

    mutating func move(to place: Int) {
        self.place = max(0, min(place, entries.count - 1))
        selectedID = entries.indices.contains(self.place) ? entries[self.place].id : nil
    }

    /// Switches the entry at the cursor; `nil` where it has no check box.
    mutating func toggle() -> (id: String, isOn: Bool)? {
        guard entries.indices.contains(place), let isOn = entries[place].isOn else { return nil }
        entries[place].isOn = !isOn
        return (entries[place].id, !isOn)
    }

    /// Switches every entry that has a check box; tells which were the other way.
    mutating func switchAll(_ isOn: Bool) -> [String] {
        let others = entries.filter { $0.isOn == !isOn }.map(\.id)
        entries = entries.map { entry in
            var entry = entry
            if entry.isOn != nil { entry.isOn = isOn }
            return entry
        }
        return others
    }
}
