// Checks whether a network interface can be used for multicast DNS.
import PeerList

/// Checks the network interfaces of this machine.
enum InterfacesCheck {
    /// The maximum number of unused interfaces that are named.
    private static let nameLimit = 8

    /// Returns the findings about interfaces.
    static func findings(
        for interfaces: [LocalInterface], allowingPointToPoint: Bool
    ) -> [Finding] {
        let active = interfaces.filter { $0.isActive(allowingPointToPoint: allowingPointToPoint) }
        let others = interfaces.filter {
            !$0.isActive(allowingPointToPoint: allowingPointToPoint) && !$0.isLoopback
        }
        guard !active.isEmpty else { return [nothingUsable(others)] }
        let found = active.map { interface in
            let addresses = interface.addresses.map(\.address.description)
            return Finding(
                .ok, "\(interface.interface.name): \(addresses.joined(separator: ", "))",
                facts: [
                    .init("interface", .text(interface.interface.name)),
                    .init("addresses", .texts(addresses)),
                ])
        }
        return others.isEmpty ? found : found + [Finding(.ok, "not used: \(named(others))")]
    }

    private static func nothingUsable(_ others: [LocalInterface]) -> Finding {
        guard let first = others.min(by: { $0.obstacle < $1.obstacle }) else {
            return Finding(
                .problem, "There is no network interface except the loopback interface.",
                advice: """
                    connect this machine to a network; run a container in the network of its host \
                    ('--network host') or give it an interface of its own
                    """)
        }
        return Finding(
            .problem, "No interface can be used for multicast DNS: \(named(others)).",
            advice: advice(first))
    }

    private static func named(_ interfaces: [LocalInterface]) -> String {
        let names = interfaces.prefix(nameLimit).map {
            "\($0.interface.name) (\($0.obstacle.description))"
        }
        let rest = interfaces.count - names.count
        return names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    private static func advice(_ interface: LocalInterface) -> String {
        let name = interface.interface.name
        return switch interface.obstacle {
        case .noAddress: "assign an address to \(name), by DHCP or 'ip address add' (as root)"
        case .noCarrier: "plug in the cable of \(name), or join a Wi-Fi network with it"
        case .down: "bring it up: 'ip link set \(name) up' (as root)"
        case .pointToPoint:
            """
            connect this machine to the others by cable or Wi-Fi; if they are at the other end of \
            \(name), set allow-point-to-point=yes under [server] in the settings of avahi-daemon
            """
        case .noMulticast:
            """
            most tunnels do not support multicast; connect this machine to the others by cable or \
            Wi-Fi, or try 'ip link set \(name) multicast on' (as root)
            """
        }
    }
}

/// The reason why an interface is not used; the first one is the easiest to remove.
private enum Obstacle: Int, Comparable, CustomStringConvertible {
    case noAddress, noCarrier, down, pointToPoint, noMulticast

    var description: String {
        switch self {
        case .noAddress: "no address"
        case .noCarrier: "no carrier"
        case .down: "down"
        case .pointToPoint: "point-to-point"
        case .noMulticast: "no multicast"
        }
    }

    static func < (left: Obstacle, right: Obstacle) -> Bool { left.rawValue < right.rawValue }
}

extension LocalInterface {
    /// The reason why the interface is not used.
    fileprivate var obstacle: Obstacle {
        if !isMulticast { return .noMulticast }
        if !isUp { return .down }
        if !hasCarrier { return .noCarrier }
        return addresses.isEmpty ? .noAddress : .pointToPoint
    }
}
