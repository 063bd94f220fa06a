// The tables of the fields of peers and services in the lines, and sets of fields read from them.
import FoundationEssentials
import PeerList

/// A field of a peer or a service in the lines: its key, and how its value is written, read, compared
/// and replaced.
///
/// To add a field, add a row to a table and the property that it names, and
/// describe it in the schema and in `docs/json-lines.md`; the tests compare
/// both with the tables.
struct Field<Root: Sendable>: Sendable {
    let key: String
    let write: @Sendable (Root, inout JSONObjectWriter) -> Void
    let read: @Sendable (inout JSONReader, inout Root) throws(JSONError) -> Void
    let differs: @Sendable (Root, Root) -> Bool
    /// Replaces an old value by a new one, and returns whether the state had the old one.
    let replace: @Sendable (_ state: inout Root, _ was: Root, _ new: Root) -> Bool
}

extension Field {
    /// Creates the field of a property from its getter and setter, which unlike a key path cost no look-up
    /// at each access.
    @inline(__always)
    init<Value: FieldValue>(
        _ key: String, _ get: @escaping @Sendable (Root) -> Value,
        _ set: @escaping @Sendable (inout Root, Value) -> Void
    ) {
        self.key = key
        write = { root, members in get(root).write(key, to: &members) }
        read = { (reader, root) throws(JSONError) in set(&root, try Value.read(&reader)) }
        differs = { !get($0).isExactly(get($1)) }
        replace = { state, was, new in
            guard get(state).isExactly(get(was)) else { return false }
            set(&state, get(new))
            return true
        }
    }
}

extension Service {
    /// The fields of a service, in the order in which they are written.
    static let fields: [Field<Service>] = [
        Field("id", { $0.id }, { $0.id = $1 }),
        Field("name", { $0.name }, { $0.name = $1 }),
        Field("type", { $0.type }, { $0.type = $1 }),
        Field("subtypes", { $0.subtypes }, { $0.subtypes = $1 }),
        Field("domain", { $0.domain }, { $0.domain = $1 }),
        Field("port", { $0.port }, { $0.port = $1 }),
        Field("txt", { $0.txt }, { $0.txt = $1 }),
    ]

    static let blank = Service(id: .blank, name: "", type: "", domain: "")

    /// The service as a JSON object, as in its peer in the lines.
    package var json: String {
        var text = JSONWriter()
        text.object { write(to: &$0) }
        return String(decoding: text.bytes, as: UTF8.self)
    }

    func write(to members: inout JSONObjectWriter) {
        for field in Self.fields { field.write(self, &members) }
    }

    fileprivate func isExactly(_ other: Service) -> Bool {
        !Self.fields.contains { $0.differs(self, other) }
    }
}

extension ListItem {
    /// The fields of a peer, in the order in which they are written.
    static let peerFields: [Field<ListItem>] = [
        Field("id", { $0.peer.id }, { $0.peer.id = $1 }),
        Field("name", { $0.peer.name }, { $0.peer.name = $1 }),
        Field("host", { $0.peer.host }, { $0.peer.host = $1 }),
        Field("self", { $0.peer.isSelf }, { $0.peer.isSelf = $1 }),
        Field("presence", { $0.peer.presence }, { $0.peer.presence = $1 }),
        Field("identity", { $0.peer.identity }, { $0.peer.identity = $1 }),
        Field("addresses", { $0.peer.addresses }, { $0.peer.addresses = $1 }),
        Field("interfaces", { $0.peer.interfaces }, { $0.peer.interfaces = $1 }),
        servicesField,
        Field("firstSeen", { $0.peer.firstSeen }, { $0.peer.firstSeen = $1 }),
        Field("lastSeen", { $0.peer.lastSeen }, { $0.peer.lastSeen = $1 }),
    ]

    /// The fields of a service in a list that is grouped by type, in the order in which they are written.
    static let serviceFields: [Field<ListItem>] = [
        Field("id", { $0.peer.services[0].id }, { $0.peer.services[0].id = $1 }),
        Field("name", { $0.peer.services[0].name }, { $0.peer.services[0].name = $1 }),
        Field("type", { $0.peer.services[0].type }, { $0.peer.services[0].type = $1 }),
        Field("subtypes", { $0.peer.services[0].subtypes }, { $0.peer.services[0].subtypes = $1 }),
        Field("domain", { $0.peer.services[0].domain }, { $0.peer.services[0].domain = $1 }),
        Field("port", { $0.peer.services[0].port }, { $0.peer.services[0].port = $1 }),
        Field("txt", { $0.peer.services[0].txt }, { $0.peer.services[0].txt = $1 }),
        Field("peer", { $0.owner }, { $0.owner = $1 }),
        Field("self", { $0.peer.isSelf }, { $0.peer.isSelf = $1 }),
        Field("presence", { $0.peer.presence }, { $0.peer.presence = $1 }),
        Field("firstSeen", { $0.peer.firstSeen }, { $0.peer.firstSeen = $1 }),
        Field("lastSeen", { $0.peer.lastSeen }, { $0.peer.lastSeen = $1 }),
    ]

    private var fields: [Field<ListItem>] { isService ? Self.serviceFields : Self.peerFields }

    /// The item as a JSON object, as in the lines.
    package var json: String {
        var text = JSONWriter()
        text.object { write(to: &$0) }
        return String(decoding: text.bytes, as: UTF8.self)
    }

    func write(to members: inout JSONObjectWriter) {
        for field in fields { field.write(self, &members) }
    }

    /// Writes the whole item as `peer` or `service`.
    func writeWhole(to members: inout JSONObjectWriter) {
        members.object(isService ? "service" : "peer") { write(to: &$0) }
    }

    /// Writes `set` and `was`: the fields that differ from an old state.
    ///
    /// - Complexity: O(*n*), where *n* is the number of services of both.
    func writeChange(from old: ListItem, to members: inout JSONObjectWriter) {
        precondition(isService == old.isService, "item \(id) changed between peer and service")
        var (was, now) = (old, self)
        if !isService { keepChangedServices(&was.peer.services, &now.peer.services) }
        let changed = fields.filter { $0.differs(was, now) }
        members.object("set") { set in for field in changed { field.write(now, &set) } }
        members.object("was") { object in for field in changed { field.write(was, &object) } }
    }
}

// MARK: The services of a peer

extension ListItem {
    /// The field of a peer's services, of which an update line has only those that were added, removed
    /// or changed.
    private static let servicesField = Field<ListItem>(
        key: "services",
        write: { item, members in
            members.array("services") { array in
                for service in item.peer.services { array.object { service.write(to: &$0) } }
            }
        },
        read: { (reader, item) throws(JSONError) in item.peer.services = try reader.services() },
        differs: { was, now in
            let (was, now) = (was.peer.services, now.peer.services)
            return was.count != now.count
                || !was.indices.allSatisfy { was[$0].isExactly(now[$0]) }
        },
        replace: { $0.peer.services.replace($1.peer.services, by: $2.peer.services) })
}

extension JSONReader {
    fileprivate mutating func services() throws(JSONError) -> [Service] {
        var services: [Service] = []
        try array { reader throws(JSONError) in
            var fields = FieldSet(Service.fields, Service.blank)
            try fields.read(&reader)
            services.append(try fields.complete(reader))
        }
        return services
    }
}

/// Drops the services that are equal in an old and a new list, matched by identifier.
private func keepChangedServices(_ was: inout [Service], _ now: inout [Service]) {
    guard !was.span.isIdentical(to: now.span) else {
        (was, now) = ([], [])
        return
    }
    // By index, because an iterator would copy every service.
    let common = min(was.count, now.count)
    var prefix = 0
    while prefix < common, was[prefix].isExactly(now[prefix]) { prefix += 1 }
    var suffix = 0
    while suffix < common - prefix,
        was[was.count - 1 - suffix].isExactly(now[now.count - 1 - suffix])
    {
        suffix += 1
    }
    let old = was[prefix..<(was.count - suffix)]
    let new = now[prefix..<(now.count - suffix)]
    let oldByID = Dictionary(old.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let newByID = Dictionary(new.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    now = new.filter { oldByID[$0.id]?.isExactly($0) != true }
    was = old.filter { newByID[$0.id]?.isExactly($0) != true }
}

extension [Service] {
    /// Replaces old services by new ones; the other services stay.
    fileprivate mutating func replace(_ was: [Service], by new: [Service]) -> Bool {
        for service in was {
            let index = sortedIndex(of: service)
            guard indices.contains(index), self[index].isExactly(service) else { return false }
            remove(at: index)
        }
        for service in new {
            let index = sortedIndex(of: service)
            guard !indices.contains(index) || self[index].id != service.id else { return false }
            insert(service, at: index)
        }
        return true
    }
}

// MARK: The peer of a service

/// The `peer` member of a service in a list that is grouped by type.
struct ServiceOwner: FieldValue, Equatable {
    /// The peer's UUID and name, or `nil` while the service is not resolved.
    var id: UUID?
    var name: String?
    var host: String?
    var addresses: [String] = []

    func write(_ key: String, to members: inout JSONObjectWriter) {
        members.object(key) { object in
            object.member("id", id)
            object.member("name", name)
            object.member("host", host)
            object.member("addresses", addresses)
        }
    }

    static func read(_ reader: inout JSONReader) throws(JSONError) -> ServiceOwner {
        var owner = ServiceOwner()
        try reader.object { (reader, key) throws(JSONError) in
            switch key {
            case "id": owner.id = try UUID?.read(&reader)
            case "name": owner.name = try String?.read(&reader)
            case "host": owner.host = try String?.read(&reader)
            case "addresses": owner.addresses = try [String].read(&reader)
            default: try reader.skip()
            }
        }
        return owner
    }

    func isExactly(_ other: ServiceOwner) -> Bool {
        id == other.id && name.isExactly(other.name) && host.isExactly(other.host)
            && addresses.isExactly(other.addresses)
    }
}

extension ListItem {
    /// The peer of the service, with `null` as identifier and name while the service is not resolved.
    ///
    /// The lines do not have the evidence of the identifier, but it follows from
    /// the identifier and the host name.
    var owner: ServiceOwner {
        get {
            ServiceOwner(
                id: peer.isResolved ? peer.id : nil, name: peer.isResolved ? peer.name : nil,
                host: peer.host, addresses: peer.addresses)
        }
        set {
            peer.host = newValue.host
            peer.addresses = newValue.addresses
            guard let id = newValue.id else {
                let service = peer.services[0]
                (peer.id, peer.name) = (service.id, service.name)
                peer.identity = Identity(
                    source: .service, value: Identity.canonical(service.fullName))
                return
            }
            (peer.id, peer.name) = (id, newValue.name ?? "")
            let host = Identity.canonical(newValue.host ?? "")
            peer.identity =
                Identity.uuid(forName: host) == id
                ? Identity(source: .hostName, value: host)
                : Identity(source: .announced, value: id.uuidString.lowercased())
        }
    }
}

// MARK: Reading

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
