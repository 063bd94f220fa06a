// A change of a difference, read from its line.
import FoundationEssentials
import PeerList

/// The members of a change of any kind, in whatever order they come.
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

    /// Where a move begins or ends: a place of an item, a number of a section.
    private enum End {
        case place(RecordedChange.Place)
        case number(Int)
    }

    /// No member yet, of a change in a list with these rows.
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

    /// What a whole row stands under; a row of the other kind is none of this list.
    private var itemKey: String { grouping == .device ? "peer" : "service" }

    private func end(_ reader: inout JSONReader) throws(JSONError) -> End {
        reader.skipSpace()
        guard reader.peek == "{" else { return .number(try reader.integer()) }
        var section: String?
        var at: Int?
        // Read apart from a change, in which a place could hold another without end.
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

    /// The change, if it has all that its operation needs.
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

extension RecordedItem {
    /// The row, of which every field must be given.
    func whole(_ reader: JSONReader) throws(JSONError) -> ListItem {
        switch self {
        case .peer(let fields): return .peer(try fields.whole(reader))
        case .service(let service, let rest):
            var listing = try rest.whole(reader)
            listing.service = try service.whole(reader)
            return .service(listing)
        }
    }
}

extension JSONReader {
    /// Reads some fields of a row, which is a peer or a service.
    mutating func fields(of grouping: Grouping) throws(JSONError) -> RecordedItem {
        guard grouping == .type else { return .peer(try fields(PeerField.self)) }
        var service = RecordedFields<ServiceField>()
        var rest = RecordedFields<ListingField>()
        try object { (reader, key) throws(JSONError) in
            if try service.read(key, &reader) { return }
            if try rest.read(key, &reader) { return }
            try reader.skip()
        }
        return .service(service, rest)
    }
}
