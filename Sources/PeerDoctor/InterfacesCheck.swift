// Checks whether a network interface can be used for multicast DNS.
import PeerList

enum InterfacesCheck {
    private static let nameLimit = 8

    static func findings(
        for interfaces: [LocalInterface], allowingPointToPoint: Bool
    ) -> [Finding] {
        let active = interfaces.filter { $0.isActive(allowingPointToPoint: allowingPointToPoint) }
        let others = interfaces.filter { !active.contains($0) && !$0.isLoopback }
        let names = others.map { "\($0.interface.name) (\($0.obstacle.rawValue))" }
        let rest = names.count - nameLimit
        let named =
            names.prefix(nameLimit).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
        guard active.isEmpty else {
            let found = active.map { interface in
                let addresses = interface.addresses.map(\.address.description)
                return Finding(
                    .ok, "\(interface.interface.name): \(addresses.joined(separator: ", "))",
                    facts: [
                        ("interface", .text(interface.interface.name)),
                        ("addresses", .texts(addresses)),
                    ])
            }
            return others.isEmpty ? found : found + [Finding(.ok, "not used: \(named)")]
        }
        let byObstacle = Dictionary(grouping: others, by: \.obstacle)
        guard let easiest = Obstacle.allCases.compactMap({ byObstacle[$0]?.first }).first else {
            return .one(
                .problem, "There is no network interface except the loopback interface.",
                advice: "connect this machine to a network; run a container in the network of its "
                    + "host ('--network host') or give it an interface of its own")
        }
        return .one(
            .problem, "No interface can be used for multicast DNS: \(named).",
            advice: advice(easiest))
    }

    private static func advice(_ interface: LocalInterface) -> String {
        let name = interface.interface.name
        return switch interface.obstacle {
        case .noAddress: "assign an address to \(name), by DHCP or 'ip address add' (as root)"
        case .noCarrier: "plug in the cable of \(name), or join a Wi-Fi network with it"
        case .down: "bring it up: 'ip link set \(name) up' (as root)"
        case .pointToPoint:
            "connect this machine to the others by cable or Wi-Fi; if they are at the other end of "
                + "\(name), set allow-point-to-point=yes under [server] in the settings of "
                + "avahi-daemon"
        case .noMulticast:
            "most tunnels do not support multicast; connect this machine to the others by cable or "
                + "Wi-Fi, or try 'ip link set \(name) multicast on' (as root)"
        }
    }
}

/// The reason why an interface is not used; the first one is the easiest to remove.
private enum Obstacle: String, CaseIterable {
    case noAddress = "no address"
    case noCarrier = "no carrier"
    case down
    case pointToPoint = "point-to-point"
    case noMulticast = "no multicast"
}

extension LocalInterface {
    fileprivate var obstacle: Obstacle {
        if !isMulticast { return .noMulticast }
        if !isUp { return .down }
        if !hasCarrier { return .noCarrier }
        return addresses.isEmpty ? .noAddress : .pointToPoint
    }
}
