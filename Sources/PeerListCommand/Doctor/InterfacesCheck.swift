// Is there an interface that can carry multicast DNS, and which?
import PeerList

/// Judges the interfaces of this machine.
enum InterfacesCheck {
    /// How many that cannot be used are named.
    private static let nameLimit = 8

    /// Judges them.
    ///
    /// - Parameters:
    ///   - interfaces: The interfaces of this machine.
    ///   - allowsPointToPoint: Whether those that lead to one machine are used.
    /// - Returns: What is to be told.
    static func findings(
        for interfaces: [LocalInterface], allowingPointToPoint allowsPointToPoint: Bool
    )
        -> [Finding]
    {
        let used = interfaces.filter { $0.isActive(allowingPointToPoint: allowsPointToPoint) }
        let others = interfaces.filter {
            !$0.isActive(allowingPointToPoint: allowsPointToPoint) && !$0.isLoopback
        }
        guard !used.isEmpty else { return [none(others)] }
        let found = used.map { interface in
            let addresses = interface.addresses.map(\.address.description)
            return Finding(
                .ok, "\(interface.interface.name): \(addresses.joined(separator: ", "))",
                facts: [
                    Finding.Fact("interface", .text(interface.interface.name)),
                    Finding.Fact("addresses", .texts(addresses)),
                ])
        }
        return others.isEmpty ? found : found + [Finding(.ok, "not used: \(named(others))")]
    }

    private static func none(_ others: [LocalInterface]) -> Finding {
        guard let first = others.min(by: { $0.distance < $1.distance }) else {
            return Finding(
                .problem, "There is no network interface but the loopback.",
                advice: """
                    connect this machine to a network; a container needs the network of its host \
                    ('--network host') or an interface of its own
                    """)
        }
        return Finding(
            .problem, "No interface can carry multicast DNS: \(named(others)).",
            advice: first.advice)
    }

    private static func named(_ interfaces: [LocalInterface]) -> String {
        let names = interfaces.prefix(nameLimit).map {
            "\($0.interface.name) (\($0.obstacle))"
        }
        let rest = interfaces.count - names.count
        return names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}

extension LocalInterface {
    /// Why it cannot be used.
    fileprivate var obstacle: String {
        if !isMulticast { return "carries no multicast" }
        if !isUp { return "is switched off" }
        if !hasCarrier { return "has no link" }
        return addresses.isEmpty ? "has no address" : "leads to one machine alone"
    }

    /// How much is missing: what has a link and no address is nearest to working.
    fileprivate var distance: Int {
        if !isMulticast { return 4 }
        if isUsable { return 3 }
        if !isUp { return 2 }
        return hasCarrier ? 0 : 1
    }

    fileprivate var advice: String {
        let name = interface.name
        if !isMulticast {
            return """
                tunnels carry none as a rule; connect this machine to the others by cable or \
                Wi-Fi, or try 'ip link set \(name) multicast on' (as root)
                """
        }
        if !isUp { return "switch it on: 'ip link set \(name) up' (as root)" }
        if !hasCarrier { return "plug in the cable of \(name), or join a Wi-Fi network with it" }
        guard isUsable else {
            return "give \(name) an address, by DHCP or 'ip address add' (as root)"
        }
        return """
            connect this machine to the others by cable or Wi-Fi; if they are at the other end of \
            \(name), avahi-daemon uses it with allow-point-to-point=yes in its settings, under \
            [server]
            """
    }
}
