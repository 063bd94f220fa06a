// A change of a difference, and how it is read from its line.
import FoundationEssentials
import PeerList

/// A change of a difference.
enum RecordedChange {
    /// A position in the list, with its section by name.
    struct Place: Equatable {
        var section: String
        var at: Int
    }

    /// An item was inserted.
    case insert(Place, ListItem)
    /// An item was deleted.
    case delete(Place, ListItem, PeerListUpdate.Departure)
    /// An item moved.
    case move(UUID, from: Place, to: Place)
    /// An item changed.
    case update(Place, UUID, set: RecordedItem, was: RecordedItem)
    /// A section was inserted.
    case insertSection(Place)
    /// A section was deleted.
    case deleteSection(Place)
    /// A section moved.
    case moveSection(String, from: Int, to: Int)
}

/// The members of a change of any kind, in any order.
struct ChangeParts {
    private let grouping: Grouping
    private var operation: String?
    private var id: UUID?
    private var section: String?
    private var at: Int?
    private var item: ListItem?
    private var reason: PeerListUpdate.Departure?
    private var from: End?
    private var to: End?
    private var set: RecordedItem?
    private var was: RecordedItem?

    /// The start or end of a move: the place of an item, or the index of a section.
    private enum End {
        case place(RecordedChange.Place)
        case number(Int)
    }

    /// Creates an empty set of members, for a list with rows of a kind.
    init(grouping: Grouping) { self.grouping = grouping }

    /// Reads one member.
    mutating func read(_ key: String, _ reader: inout JSONReader) throws(JSONError) {
        switch key {
        case "op": operation = try reader.string()
        case "id": id = try reader.uuid()
        case "section": section = try reader.string()
        case "at": at = try reader.integer()
        case itemKey: item = try reader.fields(of: grouping).whole(reader)
        case "reason": reason = try reader.word(of: PeerListUpdate.Departure.self, "reason")
        case "from": from = try end(&reader)
        case "to": to = try end(&reader)
        case "set": set = try reader.fields(of: grouping)
        case "was": was = try reader.fields(of: grouping)
        default: try reader.skip()
        }
    }

    /// The key of a whole row of this list.
    private var itemKey: String { grouping == .device ? "peer" : "service" }

    private func end(_ reader: inout JSONReader) throws(JSONError) -> End {
        reader.skipSpace()
        guard reader.peek == "{" else { return .number(try reader.integer()) }
        var section: String?
        var at: Int?
        // Not read as a change, because then places could be nested without limit.
        try reader.object { (reader, key) throws(JSONError) in
            switch key {
            case "section": section = try reader.string()
            case "at": at = try reader.integer()
            default: try reader.skip()
            }
        }
        return .place(try Self.place(section, at, reader))
    }

    private func place(_ reader: JSONReader) throws(JSONError) -> RecordedChange.Place {
        try Self.place(section, at, reader)
    }

    private static func place(
        _ section: String?, _ at: Int?, _ reader: JSONReader
    ) throws(JSONError) -> RecordedChange.Place {
        guard let section, let at else { throw reader.error("a place has a section and a number") }
        return RecordedChange.Place(section: section, at: at)
    }

    /// Returns the change if all members of its operation are given.
    func change(_ reader: JSONReader) throws(JSONError) -> RecordedChange {
        switch operation {
        case "insert": return try insertion(reader)
        case "delete":
            guard case .insert(let place, let item) = try insertion(reader), let reason else {
                throw reader.error("a delete has a reason")
            }
            return .delete(place, item, reason)
        case "update":
            guard let id, let set, let was else {
                throw reader.error("an update has an id, set and was")
            }
            return .update(try place(reader), id, set: set, was: was)
        case "move":
            guard let id, case .place(let from) = from, case .place(let to) = to else {
                throw reader.error("a move has an id and two places")
            }
            return .move(id, from: from, to: to)
        case "insert-section": return .insertSection(try place(reader))
        case "delete-section": return .deleteSection(try place(reader))
        case "move-section":
            guard let section, case .number(let from) = from, case .number(let to) = to else {
                throw reader.error("a section's move has a section and two numbers")
            }
            return .moveSection(section, from: from, to: to)
        default:
            throw reader.error("an unknown op")
        }
    }

    private func insertion(_ reader: JSONReader) throws(JSONError) -> RecordedChange {
        guard let item, item.id == id else {
            throw reader.error("an id and a peer or service of this id were expected")
        }
        return .insert(try place(reader), item)
    }
}
