// The list that the lines of a recording make, folded one line at a time.
import FoundationEssentials
public import PeerList

/// A line that does not fit the lines before it.
struct RecordingMisfit: Error, Equatable {
    /// What does not fit.
    let message: String
}

/// The list that the lines of a recording make.
///
/// Every line must fit: what leaves must be where it is said to be, what
/// changes must have been as it is said to have been. So a list that came out
/// of a recording is the list that was recorded.
///
/// A copy costs O(1) until one of the two is changed.
public struct RecordedList: Sendable {
    /// What the lines say of their run, the backend as of the last line; `nil` before the first `begin`.
    public private(set) var header: LineHeader?
    /// When the last line was written.
    public private(set) var time: Timestamp?
    /// Why the run ended, if it did.
    public private(set) var ending: LineEncoder.EndReason?

    private(set) var sections: [(id: String, items: [UUID])] = []
    private(set) var items: [UUID: ListItem] = [:]
    private var nextSequence = 0

    /// How many sections and how many items a list has at most; more of them is damage.
    ///
    /// A list that is shown has 20,000 services at most. Without a bound, one line of a stranger's
    /// could take hours.
    static let bound = (sections: 8192, items: 65_536)

    /// An empty list, before any line.
    public init() {}

    /// How many items the list has.
    public var count: Int { items.count }

    /// The list with everything in it.
    ///
    /// - Complexity: O(*n*), where *n* is the number of items.
    public var listSections: [ListSection] {
        sections.map { section in
            ListSection(id: section.id, items: section.items.compactMap { items[$0] })
        }
    }

    /// Takes in the next line.
    ///
    /// - Throws: `RecordingMisfit` where the line does not fit; the list is of no use afterwards.
    /// - Complexity: O(*n*) for *n* items in the sections that the line changes,
    ///   with nothing but copying of 16 bytes for each.
    mutating func take(_ line: RecordedLine) throws(RecordingMisfit) {
        if case .begin(let header, let sections) = line.content {
            try begin(header, sections)
        } else {
            guard header != nil else { throw misfit("a recording starts with a begin") }
        }
        guard line.sequence == nextSequence else {
            throw misfit("line \(nextSequence) was expected here, this is \(line.sequence)")
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

    /// Forgets what is in it, which is not known any more, and keeps whose list it is.
    mutating func forget() { (sections, items) = ([], [:]) }

    private mutating func begin(
        _ header: LineHeader, _ sections: [ListSection]
    ) throws(RecordingMisfit) {
        self = RecordedList()
        self.header = header
        for section in sections {
            try insert(section.id, section.items.map(\.id), at: self.sections.count)
            for item in section.items {
                guard items.updateValue(item, forKey: item.id) == nil else {
                    throw misfit("\(item.id) is there twice")
                }
            }
            try checkBound()
        }
    }
}

// MARK: A difference

extension RecordedList {
    private typealias Place = RecordedChange.Place

    /// First takes out what leaves or moves, at its place in the list before;
    /// then puts in, in the order of the line, what comes.
    private mutating func apply(_ changes: [RecordedChange]) throws(RecordingMisfit) {
        try takeOutItems(changes)
        var moving = try takeOutSections(changes)
        for change in changes {
            switch change {
            case .insert(let place, let item):
                guard items[item.id] == nil else { throw misfit("\(item.id) is there already") }
                try insert(item.id, at: place)
                items[item.id] = item
                try checkBound()
            case .move(let id, _, let to): try insert(id, at: to)
            case .update(let place, let id, let set, let was):
                try update(id, at: place, set: set, was: was)
            case .insertSection(let place): try insert(place.section, [], at: place.at)
            case .moveSection(let id, _, let to):
                guard let items = moving.removeValue(forKey: id) else {
                    throw misfit("section \(id) moves twice")
                }
                try insert(id, items, at: to)
            case .delete, .deleteSection: break
            }
        }
    }

    private mutating func takeOutItems(_ changes: [RecordedChange]) throws(RecordingMisfit) {
        var places: [(section: Int, at: Int, id: UUID)] = []
        for change in changes {
            switch change {
            case .delete(let place, let item, _):
                let known = items.removeValue(forKey: item.id)
                // When it was last seen may be newer in what leaves: that alone is never told.
                guard let known, known.isSame(as: item) else {
                    throw misfit("\(item.id) is not what is said to leave")
                }
                places.append((try section(place), place.at, item.id))
            case .move(let id, let from, _): places.append((try section(from), from.at, id))
            default: break
            }
        }
        // From the back, so that the places before stay what they were.
        for place in places.sorted(by: { $0.at > $1.at }) {
            let ids = sections[place.section].items
            guard ids.indices.contains(place.at), ids[place.at] == place.id else {
                throw misfit("\(place.id) is not at \(place.at)")
            }
            sections[place.section].items.remove(at: place.at)
        }
    }

    private mutating func takeOutSections(
        _ changes: [RecordedChange]
    ) throws(RecordingMisfit) -> [String: [UUID]] {
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
                throw misfit("section \(place.id) is not at \(place.at)")
            }
            let items = sections.remove(at: place.at).items
            if !place.leaves { moving[place.id] = items }
            guard !place.leaves || items.isEmpty else {
                throw misfit("section \(place.id) leaves with items in it")
            }
        }
        return moving
    }

    private mutating func update(
        _ id: UUID, at place: Place, set: RecordedItem, was: RecordedItem
    ) throws(RecordingMisfit) {
        let ids = sections[try section(place)].items
        guard ids.indices.contains(place.at), ids[place.at] == id, let known = items[id] else {
            throw misfit("\(id) is not at \(place.at)")
        }
        guard let changed = known.replacing(was, by: set), changed.id == id else {
            throw misfit("\(id) was not as is said")
        }
        items[id] = changed
    }

    private func section(_ place: Place) throws(RecordingMisfit) -> Int {
        // There are few sections: domains, or types.
        guard let number = sections.firstIndex(where: { $0.id == place.section }) else {
            throw misfit("there is no section \(place.section)")
        }
        return number
    }

    private mutating func insert(_ id: UUID, at place: Place) throws(RecordingMisfit) {
        let number = try section(place)
        guard 0...sections[number].items.count ~= place.at else {
            throw misfit("there is no place \(place.at) in \(place.section)")
        }
        sections[number].items.insert(id, at: place.at)
    }

    private mutating func insert(
        _ id: String, _ items: [UUID], at place: Int
    ) throws(RecordingMisfit) {
        try checkBound()
        guard 0...sections.count ~= place, !sections.contains(where: { $0.id == id }) else {
            throw misfit("section \(id) cannot come to \(place)")
        }
        sections.insert((id, items), at: place)
    }

    private func checkBound() throws(RecordingMisfit) {
        guard items.count <= Self.bound.items, sections.count <= Self.bound.sections else {
            throw misfit("the list is longer than any that is recorded")
        }
    }

    private func misfit(_ message: String) -> RecordingMisfit { RecordingMisfit(message: message) }
}
