// Whether an announced address can work from this machine.

/// Whether an announced address can work from this machine, according to its networks and routes.
///
/// A verdict is arithmetic on addresses: no packet is sent, so a device with a verdict that allows it may still not answer.
public enum Reach: String, Sendable, Hashable, CaseIterable, Comparable {
    /// The address is in a network of a link on which the device is seen.
    case here
    /// The address is in another network, to which this machine has a route.
    case routed
    /// The address is private, or a unique local one, in another network, to which only the default route leads. The
    /// router may not know the network.
    case routedByDefault = "routed-default"
    /// This machine has no route to the address.
    case nowhere
    /// The address works for no machine on this link: it is unspecified, multicast or loopback, an IPv4-mapped one, a
    /// link-local one of another link, the broadcast address of a network, in the network of a bridge for containers of this
    /// machine, or usual for such a bridge of the device.
    case impossible

    /// Whether packets to the address may arrive.
    public var canWork: Bool { self < .nowhere }

    /// Whether the first verdict promises more than the second.
    public static func < (left: Reach, right: Reach) -> Bool { left.order < right.order }

    private var order: Int {
        switch self {
        case .here: 0
        case .routed: 1
        case .routedByDefault: 2
        case .nowhere: 3
        case .impossible: 4
        }
    }

    /// Returns the verdict on an address that works for no machine, wherever that is; `nil` for other addresses.
    package static func anywhere(_ address: HostAddress) -> Reach? {
        address.isUnspecified || address.isMulticast || address.isLoopback || address.isMapped
            ? .impossible : nil
    }
}
