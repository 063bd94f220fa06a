// A sender of records that was heard on the link.

/// A machine that sent records with an owner name, as packets on the link showed it.
public struct HeardSender: Sendable, Hashable {
    /// The owner name of the records, as it is written, not escaped: a host name, or the full name of a service.
    public var name: String
    /// The source address of the packets.
    public var address: HostAddress
    /// The interface of this machine on which the packets arrived.
    public var interface: NetworkInterface
    /// Whether all packets arrived with the hop limit 255, which no router lets pass.
    public var isLocal: Bool
    /// The MAC address of the sleeping owner in an EDNS0 OWNER option, if there was one.
    public var owner: MACAddress?
    /// Whether a packet had an EDNS0 TSR option (time since received), which registrars send.
    public var hasTimeSinceReceived: Bool
    /// The number of packets since the previous report.
    public var count: Int
    /// The time of the last packet.
    public var last: Timestamp

    /// Creates a sender.
    public init(
        name: String, address: HostAddress, interface: NetworkInterface, isLocal: Bool = true,
        owner: MACAddress? = nil, hasTimeSinceReceived: Bool = false, count: Int = 1,
        last: Timestamp
    ) {
        self.name = name
        self.address = address
        self.interface = interface
        self.isLocal = isLocal
        self.owner = owner
        self.hasTimeSinceReceived = hasTimeSinceReceived
        self.count = count
        self.last = last
    }
}
