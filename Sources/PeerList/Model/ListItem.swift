// A row of the list, and a section of rows.
public import FoundationEssentials

/// A row of the list: a peer if the list is grouped by device, one service of a peer if by type.
public struct ListItem: Sendable, Hashable, Identifiable {
    /// The peer, or in the row of a service its peer with that service alone, the presence and times of
    /// the service, and no interfaces.
    package(set) public var peer: Peer

    /// Whether the row is a service rather than a peer.
    public let isService: Bool

    /// Returns the row of a peer.
    public static func peer(_ peer: Peer) -> ListItem { ListItem(peer: peer, isService: false) }

    /// Returns the row of a service of a peer, which has the presence and the times of the service; the
    /// services and interfaces of the peer are ignored.
    public static func service(_ service: Service, of peer: Peer) -> ListItem {
        var peer = peer
        peer.services = [service]
        peer.interfaces = []
        return ListItem(peer: peer, isService: true)
    }

    private init(peer: Peer, isService: Bool) {
        self.peer = peer
        self.isService = isService
    }

    /// The service that the row is, or `nil` for a peer.
    public var service: Service? { isService ? peer.services[0] : nil }

    /// The identifier of the service or peer.
    public var id: UUID { isService ? peer.services[0].id : peer.id }

    /// The name of the service or peer.
    public var name: String { isService ? peer.services[0].name : peer.name }

    /// The section that contains the row: the type of a service, or the domain of a peer's first service.
    package var section: String {
        isService ? peer.services[0].type : peer.services.first?.domain ?? "local"
    }

    /// Whether another state of the row differs at most in the time of its last sign of life.
    package func isSame(as other: ListItem) -> Bool {
        var peer = peer
        peer.lastSeen = other.peer.lastSeen
        return isService == other.isService && peer == other.peer
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
