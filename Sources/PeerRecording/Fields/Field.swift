// The tables of the fields of peers and services in the lines.
import FoundationEssentials
import PeerList

/// A field of a peer or a service in the lines: its key, and how its value is written, read, compared
/// and replaced.
///
/// To add a field, add a row to a table and the property that it names, and
/// describe it in the schema and in `docs/json-lines.md`; the tests compare
/// both with the tables.
struct Field<Root: Sendable>: Sendable {
    /// The key of the member.
    let key: String
    /// Writes the field as a member of an object.
    let write: @Sendable (Root, inout JSONObjectWriter) -> Void
    /// Reads the value of the field.
    let read: @Sendable (inout JSONReader, inout Root) throws(JSONError) -> Void
    /// Whether two states differ in the field.
    let differs: @Sendable (Root, Root) -> Bool
    /// Reduces the values of an old and a new state to the parts that an update line has of them.
    let reduce: @Sendable (_ was: inout Root, _ now: inout Root) -> Void
    /// Replaces an old value by a new one, and returns whether the state had the old one.
    let replace: @Sendable (_ state: inout Root, _ was: Root, _ new: Root) -> Bool

    /// Creates the field of a property.
    @inline(__always)
    init<Value: FieldValue>(_ key: String, _ path: any WritableKeyPath<Root, Value> & Sendable) {
        self.key = key
        write = { root, members in root[keyPath: path].write(key, to: &members) }
        read = { (reader, root) throws(JSONError) in
            root[keyPath: path] = try Value.read(&reader)
        }
        differs = { !$0[keyPath: path].isExactly($1[keyPath: path]) }
        reduce = { Value.reduce(&$0[keyPath: path], &$1[keyPath: path]) }
        replace = { $0[keyPath: path].replace($1[keyPath: path], by: $2[keyPath: path]) }
    }
}

extension Service {
    /// The fields of a service, in the order in which they are written.
    static let fields: [Field<Service>] = [
        Field("id", \.id),
        Field("name", \.name),
        Field("type", \.type),
        Field("subtypes", \.subtypes),
        Field("domain", \.domain),
        Field("port", \.port),
        Field("txt", \.txt),
    ]

    /// A service in which no field is set.
    static let blank = Service(id: .blank, name: "", type: "", domain: "")

    /// The service as a JSON object, as in its peer in the lines.
    package var json: String {
        var text = JSONWriter()
        text.object { write(to: &$0) }
        return String(decoding: text.bytes, as: UTF8.self)
    }

    /// Writes every field.
    func write(to members: inout JSONObjectWriter) {
        for field in Self.fields { field.write(self, &members) }
    }
}

extension ListItem {
    /// The fields of a peer, in the order in which they are written.
    static let peerFields: [Field<ListItem>] = [
        Field("id", \.peer.id),
        Field("name", \.peer.name),
        Field("host", \.peer.host),
        Field("self", \.peer.isSelf),
        Field("presence", \.peer.presence),
        Field("identity", \.peer.identity),
        Field("addresses", \.peer.addresses),
        Field("interfaces", \.peer.interfaces),
        Field("services", \.peer.services),
        Field("firstSeen", \.peer.firstSeen),
        Field("lastSeen", \.peer.lastSeen),
    ]

    /// The fields of a service in a list that is grouped by type, in the order in which they are written.
    static let serviceFields: [Field<ListItem>] = [
        Field("id", \.peer.services[0].id),
        Field("name", \.peer.services[0].name),
        Field("type", \.peer.services[0].type),
        Field("subtypes", \.peer.services[0].subtypes),
        Field("domain", \.peer.services[0].domain),
        Field("port", \.peer.services[0].port),
        Field("txt", \.peer.services[0].txt),
        Field("peer", \.owner),
        Field("self", \.peer.isSelf),
        Field("presence", \.peer.presence),
        Field("firstSeen", \.peer.firstSeen),
        Field("lastSeen", \.peer.lastSeen),
    ]

    /// The fields of the item.
    private var fields: [Field<ListItem>] { isService ? Self.serviceFields : Self.peerFields }

    /// The item as a JSON object, as in the lines.
    package var json: String {
        var text = JSONWriter()
        text.object { write(to: &$0) }
        return String(decoding: text.bytes, as: UTF8.self)
    }

    /// Writes every field.
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
        for field in fields { field.reduce(&was, &now) }
        let changed = fields.filter { $0.differs(was, now) }
        members.object("set") { set in for field in changed { field.write(now, &set) } }
        members.object("was") { object in for field in changed { field.write(was, &object) } }
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
