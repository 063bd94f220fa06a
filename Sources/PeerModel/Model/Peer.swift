// A peer, which is a device with all services of one host, and the rows of the list.
public import FoundationEssentials

/// A device on the network.
public struct Peer: Sendable, Hashable, Identifiable {
    /// The UUID, computed from ``identity``.
    public var id: UUID

    /// The name that a person would use, as announced, or else the first label of the host name.
    public var name: String

    /// The host name without its final dot, or `nil` while none of its services is resolved.
    public var host: String?

    /// Whether the peer is the machine that runs this list.
    public var isSelf: Bool

    /// The presence of the peer.
    public var presence: Presence

    /// The evidence from which ``id`` was computed.
    public var identity: Identity

    /// The addresses, IPv4 before IPv6; link-local IPv6 addresses with their scope: `fe80::1%eth0`.
    public var addresses: [String]

    /// Whether each address can work from this machine, as far as that is known; also for loopback addresses that
    /// ``addresses`` leaves out, because there are others. Empty for this machine itself.
    public var reach: [String: Reach] = [:]

    /// The interfaces of this machine on which the peer is seen.
    public var interfaces: [String]

    /// The services, by type and then by name.
    public var services: [Service] {
        get { storage.services }
        _modify {
            evidence = nil
            yield &storage.services
        }
    }

    /// The evidence of identity in all services of the peer, listed or not; `nil` if it was not collected.
    /// It is ignored when peers are compared.
    package var evidence: [Identity]? {
        get { storage.evidence }
        set { storage.evidence = newValue }
    }

    private var storage: ServiceStorage

    /// The time at which the peer was first seen in this run.
    public var firstSeen: Timestamp

    /// The time of the last sign of life, as of the last difference that contains the peer.
    public var lastSeen: Timestamp

    /// The kind of device, or `nil` if the records do not determine it.
    public var kind: DeviceKind?

    /// The model as it is sold, or else as announced; `nil` if no record states it.
    public var model: String?

    /// The maker, or `nil` if neither a record nor a known MAC address determines it.
    public var maker: String?

    /// The TXT record of the host's `_device-info._tcp`, or `nil` if the host has none.
    public var deviceInfo: TXTRecord?

    /// The MAC addresses of the addresses in this machine's kernel, in order: `00:00:5e:00:53:01`.
    public var macs: [String] = []

    /// The machine that answers for the peer; `nil` unless packets on the link are heard.
    public var vouchedBy: Vouching? {
        get { vouching.value }
        set { vouching = StoredVouching(newValue) }
    }
    package private(set) var vouching = StoredVouching.unknown

    /// The protocols by which the peer is found, in order; empty if multicast DNS is the only one.
    public var protocols: [DiscoveryProtocol] = []

    /// Whether the peer's services were resolved only by records that were heard on the link, and the backend has
    /// confirmed none of the services yet.
    public var isHeard = false

    /// The name that the user gave the peer; `nil` unless the program sets it.
    public var label: String?

    /// Whether the peer was never seen before this arrival; `false` unless the program sets it,
    /// because this library does not remember peers.
    public var isNew = false

    /// The time at which the peer was first seen ever; `nil` unless the program sets it.
    public var firstEverSeen: Timestamp?

    /// The time at which the peer was last seen before this arrival; `nil` unless the program sets it.
    public var lastSeenBefore: Timestamp?

    /// The views of the observers of a fleet, by their names; empty in a list of this machine alone.
    public var views: [PeerView] = []

    /// Creates a peer without the properties that the device's records determine and the properties that
    /// the program sets.
    public init(
        id: UUID, name: String, host: String?, isSelf: Bool = false, presence: Presence,
        identity: Identity, addresses: [String] = [], interfaces: [String] = [],
        services: [Service] = [], firstSeen: Timestamp, lastSeen: Timestamp
    ) {
        self.id = id
        self.name = name
        self.host = host
        self.isSelf = isSelf
        self.presence = presence
        self.identity = identity
        self.addresses = addresses
        self.interfaces = interfaces
        storage = ServiceStorage(services: services)
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
    }

    /// Creates the peer of a service whose host is not known, with the service's identifier and name.
    package init(
        unresolved service: Service, interfaces: [String] = [], presence: Presence,
        firstSeen: Timestamp, lastSeen: Timestamp
    ) {
        self.init(
            id: service.id, name: service.name, host: nil, presence: presence,
            identity: Identity(unresolved: service), interfaces: interfaces, services: [service],
            firstSeen: firstSeen, lastSeen: lastSeen)
    }

    /// The label, or else the name.
    package var displayName: String { label ?? name }

    /// Whether the host is known, so that the peer is a device and not a service alone.
    public var isResolved: Bool { identity.source != .service }

    /// Whether another peer, or another state of this one, has the same services.
    ///
    /// - Complexity: O(*s*) for *s* services, O(1) if both share their storage.
    public func hasSameServices(as other: Peer) -> Bool { storage == other.storage }
}

/// The services of a peer, compared in place: `==` of two arrays copies each element, which takes ten
/// times as long as comparing it. The evidence is not compared.
private struct ServiceStorage: Sendable, Hashable {
    var services: [Service]
    var evidence: [Identity]?

    func hash(into hasher: inout Hasher) { hasher.combine(services) }

    static func == (left: ServiceStorage, right: ServiceStorage) -> Bool {
        let (left, right) = (left.services.span, right.services.span)
        guard left.count == right.count else { return false }
        guard !left.isIdentical(to: right) else { return true }
        for index in left.indices where left[index] != right[index] { return false }
        return true
    }
}

/// A row of the list: a peer if the list is grouped by device, one service of a peer if by type.
public struct ListItem: Sendable, Identifiable {
    /// A peer in memory that rows share, because a peer is large for a table and to copy.
    @usableFromInline final class Storage: @unchecked Sendable {
        // @unchecked: the peer is changed only while a single row refers to it.
        @usableFromInline var peer: Peer
        let isService: Bool

        init(_ peer: Peer, isService: Bool) { (self.peer, self.isService) = (peer, isService) }
    }

    @usableFromInline var storage: Storage

    /// The peer. In the row of a service, the peer has that service alone, with the presence and the times of the
    /// service. Its interfaces, model, maker, device-info record, MAC addresses, vouching and views are left out.
    ///
    /// The getter can be inlined; otherwise a caller in another module would copy the whole peer for one property.
    package(set) public var peer: Peer {
        @inlinable _read { yield storage.peer }
        _modify {
            if !isKnownUniquelyReferenced(&storage) {
                storage = Storage(storage.peer, isService: isService)
            }
            yield &storage.peer
        }
    }

    /// Whether the row is a service rather than a peer.
    public var isService: Bool { storage.isService }

    private init(_ peer: Peer, isService: Bool) {
        storage = Storage(peer, isService: isService)
    }

    /// Returns the row of a peer.
    public static func peer(_ peer: Peer) -> ListItem { ListItem(peer, isService: false) }

    /// Returns the row of a service. The presence and the times of `peer` are the service's; the services and
    /// interfaces of `peer` are ignored.
    public static func service(_ service: Service, of peer: Peer) -> ListItem {
        var owner = Peer(
            id: peer.id, name: peer.name, host: peer.host, isSelf: peer.isSelf,
            presence: peer.presence, identity: peer.identity, addresses: peer.addresses,
            services: [service], firstSeen: peer.firstSeen, lastSeen: peer.lastSeen)
        (owner.kind, owner.label, owner.isNew) = (peer.kind, peer.label, peer.isNew)
        owner.reach = peer.reach
        owner.isHeard = peer.isHeard
        (owner.firstEverSeen, owner.lastSeenBefore) = (peer.firstEverSeen, peer.lastSeenBefore)
        return ListItem(owner, isService: true)
    }

    /// The service of the row, or `nil` for a peer.
    public var service: Service? { isService ? peer.services[0] : nil }

    /// The identifier of the service or peer.
    public var id: UUID { isService ? peer.services[0].id : peer.id }

    /// The name of the service or peer.
    public var name: String { isService ? peer.services[0].name : peer.name }

    /// The name of the service if it has one of its own, otherwise the label or name of the peer.
    package var displayName: String {
        isService && peer.services[0].hasOwnName ? name : peer.displayName
    }

    /// The section that contains the row: the type of a service, or the domain of a peer's first service.
    package var section: String {
        isService ? peer.services[0].type : peer.services.first?.domain ?? "local"
    }

    /// Whether another state of the row differs at most in the time of its last sign of life.
    package func isSame(as other: ListItem) -> Bool {
        if storage === other.storage { return true }
        var peer = peer
        peer.lastSeen = other.peer.lastSeen
        return isService == other.isService && peer == other.peer
    }
}

extension ListItem: Hashable {
    /// Whether both rows are peers, or both are services, with equal properties.
    public static func == (left: ListItem, right: ListItem) -> Bool {
        left.storage === right.storage
            || left.isService == right.isService && left.peer == right.peer
    }

    /// Hashes the properties of the peer.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(isService)
        hasher.combine(peer)
    }
}

/// A section of the list with its rows.
public struct ListSection: Sendable, Hashable, Identifiable {
    /// The domain, or the service type.
    public var id: String

    /// The rows, in order.
    public var items: [ListItem]

    /// Creates a section with its rows.
    public init(id: String, items: [ListItem]) {
        self.id = id
        self.items = items
    }
}
