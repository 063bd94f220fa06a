// Folds the lines of a recording into a list, and checks each for consistency.
import DiffCore
package import FoundationEssentials
import PeerCapture
public import PeerModel

/// The list that the lines of a recording fold to.
///
/// Every line must be consistent with the list: a deleted item must be at the position that the
/// line states, and a changed item must have the old values. The result is therefore the list that
/// was recorded.
///
/// Copying takes O(1) until one of the copies is changed.
public struct RecordedList: Sendable {
    /// The header of the run, with the backend as of the last line; `nil` before the first `begin`.
    public private(set) var header: LineHeader?
    /// The time of the last line.
    public private(set) var time: Timestamp?
    /// The reason for which the run ended, if it did.
    public private(set) var ending: LineEncoder.EndReason?

    private var sections: [Section] = []
    package private(set) var items: [UUID: ListItem] = [:]
    private var nextSequence = 0
    var position = RecordingPosition()
    /// The changes by the lines that were applied since they were last reset.
    var changes = ItemChanges(at: Timestamp(microseconds: 0))

    /// An empty list, before any line.
    public init() {}

    /// The time of the last line, or the earliest one before any.
    var lastTime: Timestamp { time ?? Timestamp(microseconds: 0) }

    /// The number of items.
    public var count: Int { items.count }

    /// The sections with their items.
    ///
    /// - Complexity: O(*n*), where *n* is the number of items.
    public var listSections: [ListSection] {
        sections.map { section in
            ListSection(id: section.id, items: section.items.compactMap { items[$0] })
        }
    }

    package var snapshot: PeerListSnapshot {
        var snapshot = PeerListSnapshot()
        for section in sections {
            snapshot.appendSections([section.id])
            snapshot.appendItems(section.items, toSection: section.id)
        }
        return snapshot
    }

    /// Applies the next line.
    ///
    /// - Throws: `LineError`, after which the list is undefined.
    /// - Complexity: O(*n*) for *n* items in the changed sections, which are moved by 16 bytes each.
    package mutating func apply(_ line: RecordedLine) throws(LineError) {
        if line.kind == .begin { try begin(line) }
        guard header != nil else { throw LineError(message: "a recording starts with a begin") }
        guard line.sequence == nextSequence else {
            throw LineError(
                message: "line \(nextSequence) was expected here, this is \(line.sequence)")
        }
        nextSequence += 1
        time = line.time
        switch line.kind {
        case .diff: try apply(line.changes)
        case .notice: if let backend = line.backend { header?.backend = backend }
        case .end: ending = line.reason
        case .begin, .event, nil: break
        }
    }

    /// Applies the next step of a capture.
    mutating func apply(_ step: CapturedList.Step, of name: String) {
        switch step {
        case .begin(let start):
            begin(LineHeader(capture: name, at: start))
            time = start
        case .update(let update):
            time = update.items.time
            for id in update.items.departures.keys { items[id] = nil }
            items.merge(update.items.arrivals) { $1 }
            for (id, change) in update.items.changes { items[id] = change.now }
            let isMoved = !update.difference.movedItems.isEmpty
            guard isMoved || !update.items.arrivals.isEmpty || !update.items.departures.isEmpty
            else { return }
            let list = update.snapshot
            sections = list.sectionIdentifiers.map {
                Section(id: $0, items: list.itemIdentifiers(inSection: $0))
            }
        case .notice(let notice): time = notice.time
        case .end(let end, let isWhole): (time, ending) = (end, isWhole ? .finished : .failed)
        case .damage: break
        }
    }

    /// Removes all items, which are unknown after damage, and keeps the header.
    mutating func removeAll() { (sections, items) = ([], [:]) }

    private mutating func begin(_ header: LineHeader) {
        let position = position
        self = RecordedList()
        (self.position, self.header) = (position, header)
    }

    private mutating func begin(_ line: RecordedLine) throws(LineError) {
        begin(line.header)
        for section in line.sections {
            try insert(section.id, section.items.map(\.id), at: sections.count)
            for item in section.items {
                guard items.updateValue(item, forKey: item.id) == nil else {
                    throw LineError(message: "\(item.id.text) is there twice")
                }
            }
            try checkBound()
        }
    }

    /// Applies a difference: removes deleted and moved items at their old positions, then inserts items
    /// at their new positions in the order of the line, then updates items.
    ///
    /// All removals of a section are one pass, and all insertions another, because a section may
    /// have 200,000 items.
    private mutating func apply(_ changes: [LineChange]) throws(LineError) {
        try removeItems(changes)
        var moving = try removeSections(changes)
        var insertions: [String: [(id: UUID, at: Int)]] = [:]
        for change in changes {
            switch change.op {
            case .insert:
                guard let item = change.item, items.updateValue(item, forKey: item.id) == nil else {
                    throw LineError(message: "\(change.id.text) is there already")
                }
                try checkBound()
                self.changes.arrivals[item.id] = item
                insertions[change.place.section, default: []].append((change.id, change.place.at))
            case .move: insertions[change.to.section, default: []].append((change.id, change.to.at))
            case .insertSection: try insert(change.place.section, [], at: change.place.at)
            case .moveSection:
                guard let items = moving.removeValue(forKey: change.place.section) else {
                    throw LineError(message: "section \(change.place.section) moves twice")
                }
                try insert(change.place.section, items, at: change.to.at)
            case .update, .delete, .deleteSection: break
            }
        }
        for number in sections.indices {
            guard let inserted = insertions.removeValue(forKey: sections[number].id) else {
                continue
            }
            try sections[number].insert(inserted)
        }
        if let section = insertions.keys.min() { throw Self.missing(section) }
        for change in changes where change.op == .update { try update(change) }
    }

    private mutating func removeItems(_ changes: [LineChange]) throws(LineError) {
        var removals: [Int: [(id: UUID, at: Int)]] = [:]
        for change in changes where change.op == .delete || change.op == .move {
            let place = change.op == .delete ? change.place : change.from
            removals[try section(place), default: []].append((change.id, place.at))
            guard change.op == .delete else { continue }
            // Only `lastSeen` may be newer in a deleted item: its updates are not recorded.
            guard let known = items.removeValue(forKey: change.id), let item = change.item,
                known.isSame(as: item)
            else { throw LineError(message: "\(change.id.text) is not what is said to leave") }
            self.changes.arrivals[item.id] = nil
            self.changes.changes[item.id] = nil
            self.changes.departures[item.id] = (item, change.reason)
        }
        for number in removals.keys.sorted() { try sections[number].remove(removals[number] ?? []) }
    }

    private mutating func removeSections(
        _ changes: [LineChange]
    ) throws(LineError) -> [String: [UUID]] {
        let removals = changes.compactMap { change -> (id: String, at: Int, leaves: Bool)? in
            switch change.op {
            case .deleteSection: (change.place.section, change.place.at, true)
            case .moveSection: (change.place.section, change.from.at, false)
            default: nil
            }
        }
        var moving: [String: [UUID]] = [:]
        for (id, at, leaves) in removals.sorted(by: { $0.at > $1.at }) {
            guard sections.indices.contains(at), sections[at].id == id else {
                throw LineError(message: "section \(id) is not at \(at)")
            }
            let items = sections.remove(at: at).items
            if !leaves { moving[id] = items }
            guard !leaves || items.isEmpty else {
                throw LineError(message: "section \(id) leaves with items in it")
            }
        }
        return moving
    }

    private mutating func update(_ change: LineChange) throws(LineError) {
        let id = change.id
        try sections[try section(change.place)].check(id, at: change.place.at)
        guard let set = change.set, let was = change.was, let former = items[id],
            let changed = former.replacing(was, by: set), changed.id == id
        else { throw LineError(message: "\(id.text) was not as is said") }
        items[id] = changed
        if changes.arrivals[id] != nil {
            changes.arrivals[id] = changed
        } else {
            changes.changes[id] = .init(was: changes.changes[id]?.was ?? former, now: changed)
        }
    }

    private func section(_ place: LineChange.Place) throws(LineError) -> Int {
        // There are few sections: domains, or types.
        if let number = sections.firstIndex(where: { $0.id == place.section }) { return number }
        throw Self.missing(place.section)
    }

    private static func missing(_ section: String) -> LineError {
        LineError(message: "there is no section \(section)")
    }

    private mutating func insert(_ id: String, _ items: [UUID], at place: Int) throws(LineError) {
        try checkBound()
        guard 0...sections.count ~= place, !sections.contains(where: { $0.id == id }) else {
            throw LineError(message: "section \(id) cannot come to \(place)")
        }
        sections.insert(Section(id: id, items: items), at: place)
    }

    private func checkBound() throws(LineError) {
        guard items.count <= RecordedLine.listLimits.items,
            sections.count <= RecordedLine.listLimits.sections
        else {
            throw LineError(message: "the list is longer than any that is recorded")
        }
    }
}

extension UUID {
    /// The text of the identifier in lower case, as in the lines, so that a user can find it there.
    fileprivate var text: String { uuidString.lowercased() }
}

/// A section with the identifiers of its items.
private struct Section: Sendable {
    let id: String
    var items: [UUID]

    func check(_ item: UUID, at index: Int) throws(LineError) {
        guard items.indices.contains(index), items[index] == item else {
            throw LineError(message: "\(item.text) is not at \(index)")
        }
    }

    /// Removes items at their positions in the section before; O(*n*).
    mutating func remove(_ removals: [(id: UUID, at: Int)]) throws(LineError) {
        let removals = removals.sorted { $0.at < $1.at }
        var kept: [UUID] = []
        kept.reserveCapacity(items.count)
        var next = 0
        for (item, index) in removals {
            try check(item, at: index)
            // An item cannot be removed twice.
            guard index >= next else { throw LineError(message: "\(item.text) is not at \(index)") }
            kept += items[next..<index]
            next = index + 1
        }
        kept += items[next...]
        items = kept
    }

    /// Inserts items at their positions in the section after, in ascending order; O(*n*).
    mutating func insert(_ insertions: [(id: UUID, at: Int)]) throws(LineError) {
        var placed: [UUID] = []
        placed.reserveCapacity(items.count + insertions.count)
        var next = 0
        for (item, index) in insertions {
            guard index >= placed.count, index - placed.count <= items.count - next else {
                throw LineError(message: "there is no place \(index) in \(id)")
            }
            let end = next + index - placed.count
            placed += items[next..<end]
            placed.append(item)
            next = end
        }
        placed += items[next...]
        items = placed
    }
}

/// A position between two lines of a recording.
struct RecordingPosition: Sendable {
    var line = 0
    /// The number of the first line of the last event, before this position, that changed the list.
    var lastChange = 0
    var changeCount = 0
    var offset = 0
    /// The latest time of the lines before this position.
    var time: Timestamp?

    /// Moves past an event whose lines have these numbers, to the offset of the next line.
    mutating func advance(
        past numbers: ClosedRange<Int>, at time: Timestamp, changesList: Bool, to offset: Int
    ) {
        (line, self.offset) = (numbers.upperBound, offset)
        self.time = max(self.time ?? time, time)
        if changesList { (lastChange, changeCount) = (numbers.lowerBound, changeCount + 1) }
    }
}
