// A change in a `diff` line, and the changes of an update in an order in which they can be folded.
import DiffCore
import FoundationEssentials
import PeerModel

/// A change in a `diff` line: an operation and the members that it has.
struct LineChange {
    enum Operation: String, JSONWord {
        case insert, delete, update, move
        case insertSection = "insert-section"
        case deleteSection = "delete-section"
        case moveSection = "move-section"

        static let noun = "op"
    }

    /// A position in the list, with its section by name; without it, the index of a section.
    struct Place: Equatable {
        var section = ""
        var at = 0
    }

    var op = Operation.insert
    /// The position of the item or section; only the name of a section that moves.
    var place = Place()
    var id = UUID.blank
    var item: ListItem?
    var reason = Departure.removed
    var from = Place()
    var to = Place()
    var set: FieldSet<ListItem>?
    /// The same fields with their old values.
    var was: FieldSet<ListItem>?
}

extension JSONWriter {
    /// Writes the members for the reason of a departure.
    mutating func writeDeparture(_ reason: Departure) {
        write("reason", reason.general)
        if reason != reason.general { write("end", reason) }
    }
}

extension LineChange: JSONObject {
    func write(to writer: inout JSONWriter) {
        writer.object { members in
            members.write("op", op)
            switch op {
            case .insert, .delete:
                place.writeMembers(to: &members)
                members.write("id", id)
                if let item { members.write(item.isService ? "service" : "peer", item) }
                if op == .delete { members.writeDeparture(reason) }
            case .update:
                place.writeMembers(to: &members)
                members.write("id", id)
                members.write("set", set)
                members.write("was", was)
            case .move:
                members.write("id", id)
                members.write("from", from)
                members.write("to", to)
            case .insertSection, .deleteSection: place.writeMembers(to: &members)
            case .moveSection:
                members.write("section", place.section)
                members.write("from", from.at)
                members.write("to", to.at)
            }
        }
    }

    static let blank = LineChange()
    static let fields: [Field<LineChange>] = [
        Field("op", { $0.op }, { $0.op = $1 }),
        Field("section", { $0.place.section }, { $0.place.section = $1 }),
        Field("at", { $0.place.at }, { $0.place.at = $1 }),
        Field("id", { $0.id }, { $0.id = $1 }),
        item("peer", in: .device), item("service", in: .type),
        Field("reason", { $0.reason }, { $0.reason = $1 }),
        Field("end", { $0.reason }, { $0.reason = $1 }),
        Field("from", { $0.from }, { $0.from = $1 }),
        Field("to", { $0.to }, { $0.to = $1 }),
        Field("set", { $0.set }, { $0.set = $1 }),
        Field("was", { $0.was }, { $0.was = $1 }),
    ]

    /// Returns the field of a whole item; a list of the other grouping skips the member like an unknown one.
    private static func item(_ key: String, in grouping: Grouping) -> Field<LineChange> {
        var field = Field<LineChange>(key, { $0.item }, { $0.item = $1 })
        let read = field.read
        field.read = { (reader, change) throws(LineError) in
            if reader.grouping == grouping { try read(&reader, &change) } else { try reader.skip() }
        }
        return field
    }

    static func read(_ reader: inout JSONReader) throws(LineError) -> LineChange {
        let members = try FieldSet(fields, blank, from: &reader)
        let change = members.state
        let isPlaced = members.has("section", "at")
        try reader.require(members.has("op"), "an unknown op")
        switch change.op {
        case .insert, .delete:
            try reader.require(
                members.has("id") && change.item?.id == change.id,
                "an id and a peer or service of this id were expected")
            try reader.require(isPlaced, placeMessage)
            try reader.require(
                change.op == .insert || members.has("reason"), "a delete has a reason")
        case .update:
            try reader.require(
                members.has("id") && change.set != nil && change.was != nil,
                "an update has an id, set and was")
            try reader.require(isPlaced, placeMessage)
        case .move:
            try reader.require(
                members.has("id") && !change.from.section.isEmpty && !change.to.section.isEmpty,
                "a move has an id and two places")
        case .insertSection, .deleteSection:
            try reader.require(isPlaced, placeMessage)
        case .moveSection:
            try reader.require(
                members.has("section", "from", "to") && change.from.section.isEmpty
                    && change.to.section.isEmpty, "a section's move has a section and two numbers")
        }
        return change
    }
}

private let placeMessage = "a place has a section and a number"

extension LineChange.Place: JSONObject {
    static let fields: [Field<LineChange.Place>] = [
        Field("section", { $0.section }, { $0.section = $1 }),
        Field("at", { $0.at }, { $0.at = $1 }),
    ]
    static let blank = LineChange.Place()
    static let incompleteness: String? = placeMessage

    init(_ position: PeerListDifference.Position) {
        self.init(section: position.section, at: position.indexPath.item)
    }

    /// Reads the place of an item, or the index of a section.
    static func read(_ reader: inout JSONReader) throws(LineError) -> LineChange.Place {
        reader.skipSpace()
        guard reader.peek == "{" else { return LineChange.Place(at: try reader.integer()) }
        return try readObject(&reader)
    }
}

// MARK: The changes of an update

extension PeerListUpdate {
    /// Calls a function with each change, until it throws.
    ///
    /// Deletions precede insertions, a deleted section follows its items, an inserted section
    /// precedes its items, and insertions are in the order of the list after. A reader that first
    /// removes all deleted and moved items can then insert each item as it is read.
    func forEachChange<Failure>(_ body: (LineChange) throws(Failure) -> Void) throws(Failure) {
        for deletion in difference.deletedItems { try body(deletionOfItem(deletion)) }
        for deletion in difference.deletedSections {
            let place = LineChange.Place(section: deletion.section, at: deletion.index)
            try body(LineChange(op: .deleteSection, place: place))
        }
        for change in placedSections { try body(change) }
        try forEachPlacedItem(body)
        try forEachUpdate(body)
    }

    /// Calls a function with the change of each item that stays and differs, in the order of the list after,
    /// until it throws.
    func forEachUpdate<Failure>(_ body: (LineChange) throws(Failure) -> Void) throws(Failure) {
        let changedItems =
            items.changes.isEmpty ? [] : difference.reconfiguredItems + difference.reloadedItems
        for change in changedItems.sorted(by: { $0.position.indexPath < $1.position.indexPath }) {
            guard let states = items.changes[change.item], states.was != states.now else {
                continue
            }
            let (was, set) = states.now.changes(from: states.was)
            try body(
                LineChange(
                    op: .update, place: .init(change.position), id: change.item, set: set, was: was
                ))
        }
    }

    func deletionOfItem(_ deletion: PeerListDifference.ItemChange) -> LineChange {
        guard let departure = items.departures[deletion.item] else {
            // The line could not be undone; only an error in the store leads here.
            preconditionFailure("the update lacks the deleted item \(deletion.item)")
        }
        return LineChange(
            op: .delete, place: .init(deletion.position), id: deletion.item,
            item: departure.item, reason: departure.reason)
    }

    func insertionOfItem(_ id: UUID, at position: PeerListDifference.Position) -> LineChange {
        guard let item = items.arrivals[id] else {
            // The line could not be folded; only an error in the store leads here.
            preconditionFailure("the update lacks the inserted item \(id)")
        }
        return LineChange(op: .insert, place: .init(position), id: id, item: item)
    }

    /// The insertions and moves of sections, in the order of the list after.
    private var placedSections: [LineChange] {
        let insertions = difference.insertedSections.map {
            LineChange(op: .insertSection, place: .init(section: $0.section, at: $0.index))
        }
        let moves = difference.movedSections.map {
            LineChange(
                op: .moveSection, place: .init(section: $0.section, at: $0.to),
                from: .init(at: $0.from), to: .init(at: $0.to))
        }
        return (insertions + moves).sorted { $0.place.at < $1.place.at }
    }

    private func forEachPlacedItem<Failure>(
        _ body: (LineChange) throws(Failure) -> Void
    ) throws(Failure) {
        typealias Position = PeerListDifference.Position
        let insertions = difference.insertedItems.map {
            ($0.item, from: Position?.none, to: $0.position)
        }
        let moves = difference.movedItems.map {
            ($0.item, from: Position?.some($0.from), to: $0.to)
        }
        let placements = (insertions + moves).sorted { $0.to.indexPath < $1.to.indexPath }
        for (id, from, to) in placements {
            guard let from else {
                try body(insertionOfItem(id, at: to))
                continue
            }
            try body(LineChange(op: .move, id: id, from: .init(from), to: .init(to)))
        }
    }
}
