// Interfaces and families in libavahi's numbers.
import CAvahi

/// Where a lookup is made: an interface and a family, either of which may be left open.
struct AvahiPath: Hashable, Sendable {
    /// The kernel's number of the interface, or `AVAHI_IF_UNSPEC`.
    var interface: Int32
    /// `AVAHI_PROTO_INET`, `AVAHI_PROTO_INET6`, or `AVAHI_PROTO_UNSPEC`.
    var family: Int32

    /// Every interface, both families.
    static let any = AvahiPath(
        interface: Int32(AVAHI_IF_UNSPEC), family: AvahiPath.anyFamily)

    static let anyFamily = Int32(AVAHI_PROTO_UNSPEC)

    init(interface: Int32, family: Int32) {
        self.interface = interface
        self.family = family
    }

    /// The path of an interface and a family, where `nil` leaves one open.
    init(_ interface: NetworkInterface?, _ family: AddressFamily?) {
        self.init(
            interface: interface?.index ?? AvahiPath.any.interface,
            family: family.map(AvahiPath.number) ?? AvahiPath.anyFamily)
    }

    /// The family that libavahi's number stands for; IPv4 where it says none.
    var addressFamily: AddressFamily { family == Int32(AVAHI_PROTO_INET6) ? .ipv6 : .ipv4 }

    private static func number(_ family: AddressFamily) -> Int32 {
        switch family {
        case .ipv4: Int32(AVAHI_PROTO_INET)
        case .ipv6: Int32(AVAHI_PROTO_INET6)
        }
    }
}
