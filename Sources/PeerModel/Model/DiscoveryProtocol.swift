// The protocols by which devices are found.

/// A protocol by which a device tells of itself, or the table in which this machine has it.
///
/// Of equal evidence, what is told by an earlier case counts.
public enum DiscoveryProtocol: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Multicast DNS (RFC 6762) with DNS-SD.
    case mdns
    /// SSDP of the UPnP Device Architecture.
    case ssdp
    /// WS-Discovery of OASIS.
    case wsd
    /// The kernel's table of neighbours, to which devices tell nothing.
    case neighbours

    /// The protocols besides multicast DNS by which devices are found unless others are named.
    package static let usual: Set<DiscoveryProtocol> = [.ssdp, .wsd]

    /// The name for people: `WS-Discovery`.
    public var title: String {
        switch self {
        case .mdns: "multicast DNS"
        case .ssdp: "SSDP"
        case .wsd: "WS-Discovery"
        case .neighbours: "the neighbour table"
        }
    }

    /// The beginning of the types of services of multicast DNS.
    static let typeStart = "_"

    /// The beginning of the types of its services, which stands for all of them in ``ListOptions/types``.
    package var typePrefix: String {
        switch self {
        case .mdns: Self.typeStart
        case .ssdp: "upnp:"
        case .wsd: "wsd:"
        case .neighbours: "neighbour:"
        }
    }

    /// Returns the text of a type in ``ListOptions/types``: the name of a protocol if it stands for all of its types.
    package static func text(ofType type: String) -> String {
        allCases.first { $0.typePrefix == type }?.rawValue ?? type
    }

    /// Returns the protocol of a service by its type.
    package init(ofType type: String) {
        guard type.utf8.first != 0x5F else {
            self = .mdns
            return
        }
        self = Self.allCases.first { type.lowercased().hasPrefix($0.typePrefix) } ?? .mdns
    }

    /// Orders the protocols by name.
    public static func < (left: DiscoveryProtocol, right: DiscoveryProtocol) -> Bool {
        left.rawValue < right.rawValue
    }
}
