// Folds the lines of a recording into a list, and checks each for consistency.
import FoundationEssentials
public import PeerList

/// An error for a line that is inconsistent with the lines before it.
struct InconsistentLine: Error, Equatable {
    /// A description of the inconsistency.
    let message: String
}

/// The list that the lines of a recording fold to.
///
/// Every line must be consistent with the list: a deleted item must be at the
/// position that the line states, and a changed one must have the old values. The result is
/// therefore the list that was recorded.
///
/// Copying takes O(1) until one of the copies is changed.
public struct RecordedList: Sendable {
    /// The header of the run, with the backend as of the last line; `nil` before the first `begin`.
    public private(set) var header: LineHeader?
    /// The time of the last line.
    public private(set) var time: Timestamp?
    /// The reason for which the run ended, if it did.
    public private(set) var ending: LineEncoder.EndReason?

    private(set) var sections: [(id: String, items: [UUID])] = []
    private(set) var items: [UUID: ListItem] = [:]
    private var nextSequence = 0

    /// The maximum numbers of sections and items; more of them is damage.
    ///
    /// Discovery stops at 20,000 services. Without a bound, one line of an untrusted recording could
    /// take hours to apply.
    static let bound = (sections: 8192, items: 65_536)

    /// An empty list, before any line.
    public init() {}

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

    /// Applies the next line.
    ///
    /// - Throws: `InconsistentLine`, after which the list is undefined.
    /// - Complexity: O(*n*) for *n* items in the changed sections, which are moved by 16 bytes each.
    mutating func apply(_ line: RecordedLine) throws(InconsistentLine) {
        if case .begin(let header, let sections) = line.content {
            try begin(header, sections)
        } else {
            guard header != nil else { throw inconsistency("a recording starts with a begin") }
        }
        guard line.sequence == nextSequence else {
            throw inconsistency("line \(nextSequence) was expected here, this is \(line.sequence)")
        }
        nextSequence += 1
        time = line.time
        switch line.content {
        case .difference(_, let changes): try apply(changes)
        case .end(let reason): ending = reason
        case .notice(_, _, let backend?): header?.backend = backend
        case .begin, .notice, .unknown: break
        }
    }

    /// Removes all items, which are unknown after damage, and keeps the header.
    mutating func removeAll() { (sections, items) = ([], [:]) }

    private mutating func begin(
        _ header: LineHeader, _ sections: [ListSection]
    ) throws(InconsistentLine) {
        self = RecordedList()
        self.header = header
        for section in sections {
            try insert(section.id, section.items.map(\.id), at: self.sections.count)
            for item in section.items {
                guard items.updateValue(item, forKey: item.id) == nil else {
                    throw inconsistency("\(item.id) is there twice")
                }
            }
            try checkBound()
        }
    }
}

// MARK: A difference

extension RecordedList {
    private typealias Place = RecordedChange.Place

    /// Applies a difference: removes deleted and moved items at their old positions, then inserts in
    /// the order of the line.
    private mutating func apply(_ changes: [RecordedChange]) throws(InconsistentLine) {
        try removeItems(changes)
        var moving = try removeSections(changes)
        for change in changes {
            switch change {
            case .insert(let place, let item):
                guard items[item.id] == nil else {
                    throw inconsistency("\(item.id) is there already")
                }
                try insert(item.id, at: place)
                items[item.id] = item
                try checkBound()
            case .move(let id, _, let to): try insert(id, at: to)
            case .update(let place, let id, let set, let was):
                try update(id, at: place, set: set, was: was)
            case .insertSection(let place): try insert(place.section, [], at: place.at)
            case .moveSection(let id, _, let to):
                guard let items = moving.removeValue(forKey: id) else {
                    throw inconsistency("section \(id) moves twice")
                }
                try insert(id, items, at: to)
            case .delete, .deleteSection: break
            }
        }
    }

    private mutating func removeItems(_ changes: [RecordedChange]) throws(InconsistentLine) {
        var places: [(section: Int, at: Int, id: UUID)] = []
        for change in changes {
            switch change {
            case .delete(let place, let item, _):
                let known = items.removeValue(forKey: item.id)
                // Only `lastSeen` may be newer in a deleted item: its updates are not recorded.
                guard let known, known.isSame(as: item) else {
                    throw inconsistency("\(item.id) is not what is said to leave")
                }
                places.append((try section(place), place.at, item.id))
            case .move(let id, let from, _): places.append((try section(from), from.at, id))
            default: break
            }
        }
        // From the end, so that earlier positions stay valid.
        for place in places.sorted(by: { $0.at > $1.at }) {
            let ids = sections[place.section].items
            guard ids.indices.contains(place.at), ids[place.at] == place.id else {
                throw inconsistency("\(place.id) is not at \(place.at)")
            }
            sections[place.section].items.remove(at: place.at)
        }
    }

    private mutating func removeSections(
        _ changes: [RecordedChange]
    ) throws(InconsistentLine) -> [String: [UUID]] {
        var places: [(id: String, at: Int, leaves: Bool)] = []
        for change in changes {
            switch change {
            case .deleteSection(let place): places.append((place.section, place.at, true))
            case .moveSection(let id, let from, _): places.append((id, from, false))
            default: break
            }
        }
        var moving: [String: [UUID]] = [:]
        for place in places.sorted(by: { $0.at > $1.at }) {
            guard sections.indices.contains(place.at), sections[place.at].id == place.id else {
                throw inconsistency("section \(place.id) is not at \(place.at)")
            }
            let items = sections.remove(at: place.at).items
            if !place.leaves { moving[place.id] = items }
            guard !place.leaves || items.isEmpty else {
                throw inconsistency("section \(place.id) leaves with items in it")
            }
        }
        return moving
    }

    private mutating func update(
        _ id: UUID, at place: Place, set: RecordedItem, was: RecordedItem
    ) throws(InconsistentLine) {
        let ids = sections[try section(place)].items
        guard ids.indices.contains(place.at), ids[place.at] == id, let known = items[id] else {
            throw inconsistency("\(id) is not at \(place.at)")
        }
        guard let changed = known.replacing(was, by: set), changed.id == id else {
            throw inconsistency("\(id) was not as is said")
        }
        items[id] = changed
    }

    private func section(_ place: Place) throws(InconsistentLine) -> Int {
        // There are few sections: domains, or types.
        guard let number = sections.firstIndex(where: { $0.id == place.section }) else {
            throw inconsistency("there is no section \(place.section)")
        }
        return number
    }

    private mutating func insert(_ id: UUID, at place: Place) throws(InconsistentLine) {
        let number = try section(place)
        guard 0...sections[number].items.count ~= place.at else {
            throw inconsistency("there is no place \(place.at) in \(place.section)")
        }
        sections[number].items.insert(id, at: place.at)
    }

    private mutating func insert(
        _ id: String, _ items: [UUID], at place: Int
    ) throws(InconsistentLine) {
        try checkBound()
        guard 0...sections.count ~= place, !sections.contains(where: { $0.id == id }) else {
            throw inconsistency("section \(id) cannot come to \(place)")
        }
        sections.insert((id, items), at: place)
    }

    private func checkBound() throws(InconsistentLine) {
        guard items.count <= Self.bound.items, sections.count <= Self.bound.sections else {
            throw inconsistency("the list is longer than any that is recorded")
        }
    }

    private func inconsistency(_ message: String) -> InconsistentLine {
        InconsistentLine(message: message)
    }
}
