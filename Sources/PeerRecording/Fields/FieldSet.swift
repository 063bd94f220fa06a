// Reads items and their changes from the lines, field by field.
import FoundationEssentials
import PeerList

/// Some fields of an item with their values: all fields of a whole item, or the fields of a change.
struct FieldSet<Root: Sendable> {
    private let fields: [Field<Root>]
    /// The values; fields that are not given are blank.
    private var state: Root
    /// The given fields, a bit for each by its index in the table.
    private var given: UInt32 = 0
    /// The index of the field that is next in the order in which fields are written.
    private var next = 0

    /// Creates an empty set of the fields in a table.
    init(_ fields: [Field<Root>], _ blank: Root) {
        self.fields = fields
        state = blank
    }

    /// Reads an object, skipping members that are not fields.
    mutating func read(_ reader: inout JSONReader) throws(JSONError) {
        try reader.object { (reader, key) throws(JSONError) in
            if next == fields.count || fields[next].key != key {
                guard let index = fields.firstIndex(where: { $0.key == key }) else {
                    return try reader.skip()
                }
                next = index
            }
            guard given & 1 << next == 0 else { throw reader.error("\(key) is given twice") }
            try fields[next].read(&reader, &state)
            given |= 1 << next
            next += 1
        }
    }

    /// Returns the item if every field is given.
    func complete(_ reader: JSONReader) throws(JSONError) -> Root {
        for (index, field) in fields.enumerated() where given & 1 << index == 0 {
            throw reader.error("\(field.key) is missing")
        }
        return state
    }

    /// Replaces the values of an old set of fields by the values of this one.
    ///
    /// - Returns: Whether both sets have the same fields and the item had the old values; if not, the
    ///   item is not usable.
    func replace(_ was: Self, in item: inout Root) -> Bool {
        guard given == was.given else { return false }
        for (index, field) in fields.enumerated() where given & 1 << index != 0 {
            guard field.replace(&item, was.state, state) else { return false }
        }
        return true
    }
}

/// The fields of a row in a line.
typealias RecordedItem = FieldSet<ListItem>

extension RecordedItem {
    /// Returns the row if every field is given.
    func whole(_ reader: JSONReader) throws(JSONError) -> ListItem {
        var item = try complete(reader)
        item.updateUnresolvedPeer()
        return item
    }
}

extension ListItem {
    /// Returns the row with new values of some fields.
    ///
    /// - Parameters:
    ///   - was: The old values.
    ///   - set: The new values, of the same fields.
    /// - Returns: The row, or `nil` if it does not have the old values.
    func replacing(_ was: RecordedItem, by set: RecordedItem) -> ListItem? {
        var item = self
        guard set.replace(was, in: &item) else { return nil }
        item.updateUnresolvedPeer()
        return item
    }

    /// Updates the peer of an unresolved service, which has the identifier and the name of the service.
    fileprivate mutating func updateUnresolvedPeer() {
        if isService, !peer.isResolved {
            owner = ServiceOwner(host: peer.host, addresses: peer.addresses)
        }
    }

    fileprivate static let blankPeer = ListItem.peer(
        Peer(
            id: .blank, name: "", host: nil, presence: .resolving,
            identity: Identity(source: .hostName, value: ""),
            firstSeen: Timestamp(microseconds: 0), lastSeen: Timestamp(microseconds: 0)))

    fileprivate static let blankService = ListItem.service(.blank, of: blankPeer.peer)
}

extension JSONReader {
    /// Reads some fields of a row.
    mutating func fields(of grouping: Grouping) throws(JSONError) -> RecordedItem {
        var fields =
            switch grouping {
            case .device: RecordedItem(ListItem.peerFields, ListItem.blankPeer)
            case .type: RecordedItem(ListItem.serviceFields, ListItem.blankService)
            }
        try fields.read(&self)
        return fields
    }
}
