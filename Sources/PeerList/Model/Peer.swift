// A device on the network: a host name and the services that it offers.
public import FoundationEssentials

/// A device on the network.
public struct Peer: Sendable, Hashable, Identifiable {
    /// Its UUID; ``identity`` says what it was computed from.
    public var id: UUID

    /// What to call it: the announced name, or the first label of the host name.
    public var name: String

    /// The host name without its final dot, or `nil` while no service of it is resolved.
    public var host: String?

    /// Whether it is the machine that looks.
    public var isSelf: Bool

    /// What is known about its being there.
    public var presence: Presence

    /// What ``id`` was computed from.
    public var identity: Identity

    /// Its addresses, IPv4 before IPv6, link-local ones with their scope: `fe80::1%eth0`.
    public var addresses: [String]

    /// The interfaces of this machine on which it is seen.
    public var interfaces: [String]

    /// What it offers, by type and then by name.
    public var services: [Service] {
        get { offer.services }
        _modify { yield &offer.services }
    }

    private var offer: Offer

    /// When it was first seen in this run.
    public var firstSeen: Timestamp

    /// When it last gave a sign of life, as of the last difference that speaks of it.
    public var lastSeen: Timestamp

    /// A peer with all of its fields.
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
        offer = Offer(services: services)
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
    }
}

extension Peer {
    /// Whether another peer, or the same one at another time, offers the same services.
    ///
    /// - Complexity: O(*s*) for *s* services, O(1) if they have not been touched.
    public func offersSame(as other: Peer) -> Bool { offer == other.offer }
}

/// The services of a peer, compared where they lie.
///
/// `==` of two arrays copies each element, which takes ten times longer than to compare it.
private struct Offer: Sendable, Hashable {
    var services: [Service]

    static func == (left: Offer, right: Offer) -> Bool {
        let (left, right) = (left.services.span, right.services.span)
        guard left.count == right.count else { return false }
        guard !left.isIdentical(to: right) else { return true }
        for place in left.indices where left[place] != right[place] { return false }
        return true
    }
}
