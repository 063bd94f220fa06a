// By what the rows on the screen are ordered.
import FoundationEssentials
import PeerList

/// By what the rows of a section are ordered on the screen; ties are ordered by identifier.
enum RowSort: String, Sendable, Hashable, CaseIterable {
    /// By name: "Printer 2" before "Printer 10", in every locale.
    case name
    /// By the first address as a number, IPv4 before IPv6 before none.
    case address
    /// By when they were first seen.
    case arrival
    /// By the first service type, then by name.
    case type

    /// The order that the session lists by, as the screen has it.
    init(_ order: PeerList.SortOrder) {
        switch order {
        case .name: self = .name
        case .address: self = .address
        case .seen: self = .arrival
        }
    }

    /// The order behind this one; behind the last the first.
    var next: RowSort {
        let all = Self.allCases
        guard let place = all.firstIndex(of: self), place + 1 < all.count else { return .name }
        return all[place + 1]
    }

    /// Where a device stands.
    func key(of device: SeenDevice) -> SortKey {
        let peer = device.peer
        return switch self {
        case .name: SortKey(name: peer.name, id: peer.id)
        case .address: SortKey(address: peer.addresses.first, id: peer.id)
        case .arrival: SortKey(time: peer.firstSeen, id: peer.id)
        case .type: SortKey(type: peer.services.first?.type, name: peer.name, id: peer.id)
        }
    }

    /// Where a service stands among those of its type.
    func key(of seen: SeenService, of device: SeenDevice) -> SortKey {
        let service = seen.service
        return switch self {
        case .name, .type: SortKey(name: service.name, id: service.id)
        case .address: SortKey(address: device.peer.addresses.first, id: service.id)
        case .arrival: SortKey(time: seen.firstSeen, id: service.id)
        }
    }
}
