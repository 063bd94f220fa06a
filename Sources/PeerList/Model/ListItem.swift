// What a row of the list stands for: a device, or one service of a device.
public import FoundationEssentials

/// One service in a list that is grouped by type, with the peer that offers it.
public struct ServiceListing: Sendable, Hashable, Identifiable {
    /// What is said of the peer that offers a service.
    public struct Offerer: Sendable, Hashable {
        /// The peer's UUID, or `nil` while the service is not resolved.
        public var id: UUID?
        /// The peer's name.
        public var name: String?
        /// The host name, or `nil` while the service is not resolved.
        public var host: String?
        /// Whether it is the machine that looks.
        public var isSelf: Bool
        /// The peer's addresses.
        public var addresses: [String]

        /// What is known of an offerer.
        public init(
            id: UUID? = nil, name: String? = nil, host: String? = nil, isSelf: Bool = false,
            addresses: [String] = []
        ) {
            self.id = id
            self.name = name
            self.host = host
            self.isSelf = isSelf
            self.addresses = addresses
        }
    }

    /// The service.
    public var service: Service
    /// Who offers it.
    public var peer: Offerer
    /// What is known about its being there.
    public var presence: Presence
    /// When it was first seen in this run.
    public var firstSeen: Timestamp
    /// When it last gave a sign of life, as of the last difference that speaks of it.
    public var lastSeen: Timestamp

    /// The service's id.
    public var id: UUID { service.id }

    /// A listing with all of its fields.
    public init(
        service: Service, peer: Offerer, presence: Presence, firstSeen: Timestamp,
        lastSeen: Timestamp
    ) {
        self.service = service
        self.peer = peer
        self.presence = presence
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
    }
}

/// What a row of the list stands for.
public enum ListItem: Sendable, Hashable, Identifiable {
    /// A device, in a list that is grouped by device.
    case peer(Peer)
    /// A service, in a list that is grouped by type.
    case service(ServiceListing)

    /// The identifier of the row.
    public var id: UUID {
        switch self {
        case .peer(let peer): peer.id
        case .service(let listing): listing.id
        }
    }
}
