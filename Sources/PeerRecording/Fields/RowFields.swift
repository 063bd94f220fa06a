// The tables of the fields of peers and services in the lines.
import FoundationEssentials
import Glibc
package import PeerModel

// To add a field, add a row to a table and the property that it names, and describe it in the schema
// and in `docs/json-lines.md`; the tests compare both with the tables. Older recordings lack the
// field, so its row has `isRequired: false`.

extension Service: JSONObject {
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

    /// The service as a JSON object, as in the lines.
    package var json: String { jsonText }
}

extension TXTRecord {
    /// The record as a JSON object, as in the lines.
    package var json: String { jsonText }
}

extension ListItem: JSONCodable {
    /// The fields of a peer, in the order in which they are written, each with the rule by which two states merge.
    static let peerFields: [Field<ListItem>] =
        [
            Field("id", .first, { $0.peer.id }, { $0.peer.id = $1 }),
            Field("name", .first, { $0.peer.name }, { $0.peer.name = $1 }),
            Field("host", .first, { $0.peer.host }, { $0.peer.host = $1 }),
            selfField, presenceField, heardField,
            Field("identity", .first, { $0.peer.identity }, { $0.peer.identity = $1 }),
            Field("addresses", .addresses, { $0.peer.addresses }, { $0.peer.addresses = $1 }),
            Field(
                ifSet: "reach", .bestReach, isObserverDependent: true,
                { $0.peer.reach.isEmpty ? nil : $0.peer.reach }, { $0.peer.reach = $1 ?? [:] }),
            Field(
                "interfaces", .first, isObserverDependent: true, { $0.peer.interfaces },
                { $0.peer.interfaces = $1 }),
            servicesField,
        ] + timeFields + deviceFields + ledgerFields + [viewsField]

    /// The fields of a service in a list that is grouped by type, in the order in which they are written.
    static let serviceFields: [Field<ListItem>] =
        Service.fields.map { field in
            field.of({ $0.peer.services[0] }, { $0.peer.services[0] = $1 })
        } + [
            Field("peer", { $0.owner }, { $0.owner = $1 }), selfField, presenceField, heardField,
        ] + timeFields

    private static let selfField = Field<ListItem>(
        "self", .first, isObserverDependent: true, { $0.peer.isSelf }, { $0.peer.isSelf = $1 })

    private static let presenceField = Field<ListItem>(
        "presence", .best, { $0.peer.presence }, { $0.peer.presence = $1 })

    private static let heardField = Field<ListItem>(
        ifSet: "heard", .first, isObserverDependent: true, { $0.peer.isHeard ? true : nil },
        { $0.peer.isHeard = $1 == true })

    private static let timeFields: [Field<ListItem>] = [
        Field(
            "firstSeen", .least, isObserverDependent: true, { $0.peer.firstSeen },
            { $0.peer.firstSeen = $1 }),
        Field(
            "lastSeen", .greatest, isObserverDependent: true, { $0.peer.lastSeen },
            { $0.peer.lastSeen = $1 }),
    ]

    /// The fields that describe the device.
    private static let deviceFields: [Field<ListItem>] = [
        Field(ifSet: "kind", .firstKnown(), { $0.peer.kind }, { $0.peer.kind = $1 }),
        Field(ifSet: "model", .firstKnown(), { $0.peer.model }, { $0.peer.model = $1 }),
        // Not every observer has the registry of makers.
        Field(
            ifSet: "maker", .firstKnown(), isObserverDependent: true, { $0.peer.maker },
            { $0.peer.maker = $1 }),
        Field(
            ifSet: "macs", .union(), isObserverDependent: true,
            { $0.peer.macs.isEmpty ? nil : $0.peer.macs }, { $0.peer.macs = $1 ?? [] }),
        Field(
            ifSet: "deviceInfo", .firstKnown(), { $0.peer.deviceInfo }, { $0.peer.deviceInfo = $1 }
        ),
        Field(
            ifSet: "vouchedBy", .strongest, isObserverDependent: true, { $0.peer.vouchedBy },
            { $0.peer.vouchedBy = $1 }),
        Field(
            ifSet: "protocols", .union(), isObserverDependent: true,
            { $0.peer.protocols.isEmpty ? nil : $0.peer.protocols },
            { $0.peer.protocols = $1 ?? [] }),
    ]

    /// The fields that the observer's ledger of devices determines.
    private static let ledgerFields: [Field<ListItem>] = [
        Field(
            ifSet: "label", .firstKnown(), isObserverDependent: true, { $0.peer.label },
            { $0.peer.label = $1 }),
        Field(
            ifSet: "known", .first, isObserverDependent: true, { $0.peer.isNew ? false : nil },
            { $0.peer.isNew = $1 == false }),
    ]

    static let blankPeer = ListItem.peer(
        Peer(
            id: .blank, name: "", host: nil, presence: .resolving,
            identity: Identity(source: .hostName, value: ""),
            firstSeen: Timestamp(microseconds: 0), lastSeen: Timestamp(microseconds: 0)))

    static let blankService = ListItem.service(.blank, of: blankPeer.peer)

    private var fields: [Field<ListItem>] { isService ? Self.serviceFields : Self.peerFields }

    /// The item as a JSON object, as in the lines.
    package var json: String { jsonText }

    /// Returns the item as a JSON object, as in the lines, with other times or without them.
    package func json(firstSeen: Timestamp?, lastSeen: Timestamp?) -> String {
        var item = self
        item.peer.firstSeen = firstSeen ?? item.peer.firstSeen
        item.peer.lastSeen = lastSeen ?? item.peer.lastSeen
        let omitted = [firstSeen == nil ? "firstSeen" : nil, lastSeen == nil ? "lastSeen" : nil]
        var writer = JSONWriter()
        writer.object { members in
            for field in fields where !omitted.contains(field.key) {
                field.writeIfPresent(item, &members)
            }
        }
        return writer.text
    }

    func write(to writer: inout JSONWriter) {
        // By index, because an iterator would copy every field.
        let fields = fields
        writer.object { members in
            for index in fields.indices { fields[index].writeIfPresent(self, &members) }
        }
    }

    static func read(_ reader: inout JSONReader) throws(LineError) -> ListItem {
        var item = try FieldSet.read(&reader).complete(reader)
        item.updateUnresolvedPeer()
        return item
    }

    func isExactly(_ other: ListItem) -> Bool {
        isService == other.isService && !fields.contains { $0.differs(self, other) }
    }
}

extension JSONCodable {
    fileprivate var jsonText: String {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.text
    }
}

// MARK: Changes

extension ListItem {
    /// Returns the fields that differ from an old state, with the old and with the new values. The
    /// lists of services and views contain only the elements that were added, removed or changed.
    ///
    /// - Complexity: O(*n*), where *n* is the number of services and views of both.
    func changes(from old: ListItem) -> (was: FieldSet<ListItem>, set: FieldSet<ListItem>) {
        precondition(isService == old.isService, "item \(id) changed between peer and service")
        var (was, now) = (old, self)
        if !isService {
            removeCommon(&was.peer.services, &now.peer.services)
            removeCommon(&was.peer.views, &now.peer.views)
        }
        let set = FieldSet(fields, now) { $0.differs(was, now) }
        return (set.with(was), set)
    }

    /// Returns the row with new values of some fields.
    ///
    /// - Parameters:
    ///   - was: The old values.
    ///   - set: The new values, of the same fields.
    /// - Returns: The row, or `nil` if it does not have the old values.
    func replacing(_ was: FieldSet<ListItem>, by set: FieldSet<ListItem>) -> ListItem? {
        var item = self
        guard set.replace(was, in: &item) else { return nil }
        item.updateUnresolvedPeer()
        return item
    }

    func asObserved(in other: ListItem) -> ListItem {
        guard isService == other.isService else { return self }
        var item = self
        for field in fields where field.isObserverDependent {
            field.copy(&item, other)
        }
        return item
    }

    /// The field of a peer's services; an update line has only the services that were added, removed
    /// or changed.
    private static let servicesField = {
        var field = Field<ListItem>(
            "services", .first, { $0.peer.services }, { $0.peer.services = $1 })
        field.replaceElements = { $0.peer.services.replace($1.peer.services, by: $2.peer.services) }
        field.merge = { item, other in
            guard !item.peer.hasSameServices(as: other.peer) else { return }
            item.peer.services.formUnion(other.peer.services)
        }
        return field
    }()

    /// The field of a peer's views by observers; an update line has only the views that were added,
    /// removed or changed.
    private static let viewsField = {
        var field = Field<ListItem>(
            "views", .first, isObserverDependent: true, { $0.peer.views }, { $0.peer.views = $1 })
        (field.isRequired, field.isWritten) = (false, { !$0.peer.views.isEmpty })
        field.replaceElements = { $0.peer.views.replace($1.peer.views, by: $2.peer.views) }
        return field
    }()
}

// MARK: Merging

extension Field where Root == ListItem {
    /// Creates the field of a property of a peer, with the rule by which it merges.
    @inline(__always)
    init<Value: JSONCodable>(
        _ key: String, _ merging: Merging<Value>, isObserverDependent: Bool = false,
        _ get: @escaping @Sendable (ListItem) -> Value,
        _ set: @escaping @Sendable (inout ListItem, Value) -> Void
    ) {
        self.init(key, isObserverDependent: isObserverDependent, get, set)
        merge = { _, _ in }
        guard let add = merging.add else { return }
        merge = { item, other in
            var value = get(item)
            add(&value, get(other))
            set(&item, value)
        }
    }

    /// Creates a field that a whole peer has only if its property is set; in a change, `null` is none.
    init<Value: JSONCodable>(
        ifSet key: String, _ merging: Merging<Value?>, isObserverDependent: Bool = false,
        _ get: @escaping @Sendable (ListItem) -> Value?,
        _ set: @escaping @Sendable (inout ListItem, Value?) -> Void
    ) {
        self.init(key, merging, isObserverDependent: isObserverDependent, get, set)
        (isRequired, isWritten) = (false, { get($0) != nil })
    }
}

extension Merging<Presence> {
    /// The best presence.
    static var best: Merging { Merging { $0 = .combined([$0, $1]) } }
}

extension Merging<Vouching?> {
    /// The vouching of the strongest rule.
    static var strongest: Merging {
        Merging { vouching, other in
            if let other, vouching.map({ $0.rule < other.rule }) ?? true { vouching = other }
        }
    }
}

extension Merging<[String: Reach]?> {
    /// The better verdict on each address.
    static var bestReach: Merging {
        Merging { reach, other in
            guard let other else { return }
            reach = (reach ?? [:]).merging(other, uniquingKeysWith: min)
        }
    }
}

extension Merging<[String]> {
    /// The maximum number of addresses of a merged peer.
    private static var addressLimit: Int { 64 }

    /// The addresses of the first state, then others without scope, which is an interface of the observer.
    static var addresses: Merging {
        Merging { addresses, others in
            guard addresses != others else { return }
            for address in others
            where addresses.count < addressLimit && !address.utf8.contains(UInt8(ascii: "%"))
                && !addresses.contains(address)
            {
                addresses.append(address)
            }
        }
    }
}

extension ListItem {
    /// Adds another state of the same peer, field by field as the table has it.
    package mutating func merge(_ other: ListItem) {
        let fields = Self.peerFields
        for index in fields.indices { fields[index].merge?(&self, other) }
    }

    /// Returns the row of a peer with its values replaced by another peer's where these have the same bytes. Both
    /// then share their memory, which makes comparisons fast.
    package func sharing(_ other: ListItem) -> ListItem {
        var item = self
        let fields = Self.peerFields
        for index in fields.indices where !fields[index].differs(item, other) {
            fields[index].copy(&item, other)
        }
        return item
    }
}

extension Peer {
    /// Adds another state of the same peer, field by field as the table has it.
    package mutating func merge(_ other: Peer) {
        var item = ListItem.peer(self)
        item.merge(.peer(other))
        self = item.peer
    }
}

// MARK: Services and views

/// An element of an ordered list. An update line has only the changed elements of the list.
private protocol ListedElement: JSONCodable {
    /// Whether this element sorts before another.
    func precedes(_ other: Self) -> Bool
    /// Whether another element is a state of the same thing.
    func isState(ofSameAs other: Self) -> Bool
}

extension Service: ListedElement {
    func isState(ofSameAs other: Service) -> Bool { id == other.id }
}

extension PeerView: ListedElement {
    func precedes(_ other: PeerView) -> Bool { name < other.name }
    func isState(ofSameAs other: PeerView) -> Bool { name == other.name }
}

/// Removes the elements that are in both of two ordered lists.
private func removeCommon<Element: ListedElement>(_ was: inout [Element], _ now: inout [Element]) {
    guard !was.span.isIdentical(to: now.span) else {
        (was, now) = ([], [])
        return
    }
    var (removed, added): ([Element], [Element]) = ([], [])
    let (prefix, suffix) = sharedEnds(was, now)
    var (old, new) = (prefix, prefix)
    let (oldEnd, newEnd) = (was.count - suffix, now.count - suffix)
    while old < oldEnd || new < newEnd {
        if old < oldEnd, new < newEnd, was[old].isExactly(now[new]) {
            (old, new) = (old + 1, new + 1)
        } else if new == newEnd || old < oldEnd && was[old].precedes(now[new]) {
            removed.append(was[old])
            old += 1
        } else {
            added.append(now[new])
            new += 1
        }
    }
    (was, now) = (removed, added)
}

/// Returns the number of elements at the start, and the number at the end, that are the same bytes
/// in both lists.
///
/// The services of a host keep their storage from one state to the next, and so their bytes in memory.
/// Comparing the fields instead makes encoding a change of one service take 1.6 times as long for 10
/// services of a host, and 8 times for 1,000.
private func sharedEnds<Element>(
    _ left: [Element], _ right: [Element]
) -> (prefix: Int, suffix: Int) {
    unsafe left.withUnsafeBufferPointer { leftBuffer in
        unsafe right.withUnsafeBufferPointer { rightBuffer in
            guard let first = leftBuffer.baseAddress,
                let second = rightBuffer.baseAddress
            else { return (0, 0) }
            func isSame(_ old: Int, _ new: Int) -> Bool {
                unsafe memcmp(first + old, second + new, MemoryLayout<Element>.size) == 0
            }
            let (count, ends) = (min(left.count, right.count), (left.count - 1, right.count - 1))
            let prefix = (0..<count).first { !isSame($0, $0) } ?? count
            let rest = 0..<count - prefix
            return (prefix, rest.first { !isSame(ends.0 - $0, ends.1 - $0) } ?? rest.count)
        }
    }
}

extension Array where Element: ListedElement {
    /// Replaces old elements by new ones; the other elements stay.
    fileprivate mutating func replace(_ was: [Element], by new: [Element]) -> Bool {
        for element in was {
            let index = partitionIndex { !$0.precedes(element) }
            guard indices.contains(index), self[index].isExactly(element) else { return false }
            remove(at: index)
        }
        for element in new {
            let index = partitionIndex { !$0.precedes(element) }
            guard !indices.contains(index) || !self[index].isState(ofSameAs: element) else {
                return false
            }
            insert(element, at: index)
        }
        return true
    }
}

// MARK: The peer of a service

/// The `peer` member of a service in a list that is grouped by type.
private struct ServiceOwner: JSONObject {
    /// The peer's UUID and name, or `nil` while the service is not resolved.
    var id: UUID?
    var name: String?
    var host: String?
    var addresses: [String] = []
    var reach: [String: Reach] = [:]
    var kind: DeviceKind?
    var label: String?
    var isNew = false

    static let fields: [Field<ServiceOwner>] = [
        Field("id", isRequired: false, { $0.id }, { $0.id = $1 }),
        Field("name", isRequired: false, { $0.name }, { $0.name = $1 }),
        Field("host", isRequired: false, { $0.host }, { $0.host = $1 }),
        Field("addresses", isRequired: false, { $0.addresses }, { $0.addresses = $1 }),
        Field(
            ifSet: "reach", { $0.reach.isEmpty ? nil : $0.reach }, { $0.reach = $1 ?? [:] }),
        Field(ifSet: "kind", { $0.kind }, { $0.kind = $1 }),
        Field(ifSet: "label", { $0.label }, { $0.label = $1 }),
        Field(ifSet: "known", { $0.isNew ? false : nil }, { $0.isNew = $1 == false }),
    ]

    static let blank = ServiceOwner()
}

extension ListItem {
    /// The peer of the service, with `null` as identifier and name while the service is not resolved.
    ///
    /// The lines lack the source of the identifier. A reader assumes an announced identifier unless it
    /// is derived from the host name.
    fileprivate var owner: ServiceOwner {
        get {
            ServiceOwner(
                id: peer.isResolved ? peer.id : nil, name: peer.isResolved ? peer.name : nil,
                host: peer.host, addresses: peer.addresses, reach: peer.reach, kind: peer.kind,
                label: peer.label, isNew: peer.isNew)
        }
        set {
            (peer.host, peer.addresses, peer.reach) =
                (newValue.host, newValue.addresses, newValue.reach)
            (peer.kind, peer.label, peer.isNew) = (newValue.kind, newValue.label, newValue.isNew)
            guard let id = newValue.id else {
                let service = peer.services[0]
                (peer.id, peer.name) = (service.id, service.name)
                peer.identity = Identity(unresolved: service)
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

    /// Updates the peer of an unresolved service, which has the identifier and the name of the service.
    private mutating func updateUnresolvedPeer() {
        if isService, !peer.isResolved {
            owner = ServiceOwner(host: peer.host, addresses: peer.addresses, reach: peer.reach)
        }
    }
}
