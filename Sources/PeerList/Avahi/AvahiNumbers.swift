// Interfaces and families in libavahi's numbers.
import CAvahi

extension LookupPath {
    /// libavahi's number of the interface.
    var interfaceNumber: AvahiIfIndex { interface ?? Int32(AVAHI_IF_UNSPEC) }

    /// libavahi's number of the family.
    var familyNumber: AvahiProtocol {
        switch family {
        case .ipv4: Int32(AVAHI_PROTO_INET)
        case .ipv6: Int32(AVAHI_PROTO_INET6)
        case nil: LookupPath.anyFamily
        }
    }

    /// libavahi's number for either family.
    static let anyFamily = Int32(AVAHI_PROTO_UNSPEC)
}

extension LinkPath {
    /// A path in libavahi's numbers, as callbacks hand it over; IPv4 where they say none.
    init(interface: AvahiIfIndex, protocol family: AvahiProtocol) {
        self.init(
            interface: interface, family: family == Int32(AVAHI_PROTO_INET6) ? .ipv6 : .ipv4)
    }
}
