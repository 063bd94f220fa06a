// Does what this machine sends to all on a link come back to itself?
import PeerList

/// Judges whether own multicast comes back.
enum EchoCheck {
    /// What came of it on one path.
    struct Result: Equatable, Sendable {
        var path: NetworkPath
        var outcome: MulticastEcho.Outcome
    }

    /// How many paths are tried; more are on no machine that has to be judged.
    static let pathLimit = 32

    /// Tries every path of these interfaces, all at once.
    static func survey(_ interfaces: [LocalInterface]) async -> [Result] {
        let paths = interfaces.flatMap { interface in
            interface.families.map { (interface.interface, $0) }
        }
        return await withTaskGroup(of: Result.self) { group in
            for (interface, family) in paths.prefix(pathLimit) {
                group.addTask {
                    Result(
                        path: NetworkPath(interface: interface.name, family: family),
                        outcome: await MulticastEcho.run(on: interface, over: family))
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    static func findings(for results: [Result]) -> [Finding] {
        guard !results.isEmpty else {
            return [Finding(.unknown, "This cannot be checked without a network interface.")]
        }
        let interfaces = Set(results.map(\.path.interface)).sorted()
        return interfaces.flatMap { name -> [Finding] in
            let own = results.filter { $0.path.interface == name }
                .sorted { $0.path.family.rawValue < $1.path.family.rawValue }
            let back = own.filter { $0.outcome == .returned }.map(\.path.family)
            let good = Finding(
                .ok, "\(name): over \(listed(back.map(\.title)))",
                facts: facts(name, "returnedOver", back))
            return (back.isEmpty ? [] : [good]) + missing(own, on: name)
        }
    }

    /// What did not come back on an interface, over both families in one where it is the same.
    private static func missing(_ results: [Result], on name: String) -> [Finding] {
        func families(_ outcome: MulticastEcho.Outcome) -> [AddressFamily] {
            results.filter { $0.outcome == outcome }.map(\.path.family)
        }
        let (taken, silent) = (families(.portTaken), families(.silent))
        return (taken.isEmpty ? [] : [untried(taken, on: name)])
            + (silent.isEmpty ? [] : [dropped(silent, on: name)]) + results.compactMap(unsent)
    }

    private static func untried(_ families: [AddressFamily], on name: String) -> Finding {
        let over = listed(families.map(\.title))
        return Finding(
            .unknown, "\(name): this cannot be checked over \(over): UDP port 5353 is in use.",
            advice: """
                another program does not share the port; with avahi-daemon, \
                disallow-other-stacks=no in its settings lets others share it
                """, facts: facts(name, "notReturnedOver", families))
    }

    private static func dropped(_ families: [AddressFamily], on name: String) -> Finding {
        let over = listed(families.map(\.title))
        return Finding(
            .problem, "\(name): multicast sent over \(over) does not come back.",
            advice: """
                a firewall of this machine drops it on its way out or in; see Firewall above, and let \
                UDP port 5353 pass: 'ufw allow 5353/udp', or \
                'firewall-cmd --add-service=mdns' (as root)
                """, facts: facts(name, "notReturnedOver", families))
    }

    private static func unsent(_ result: Result) -> Finding? {
        guard case .failed(let reason) = result.outcome else { return nil }
        let (name, family) = (result.path.interface, result.path.family)
        return Finding(
            .problem, "\(name): nothing can be sent over \(family.title): \(reason).",
            advice: reason.contains("unreachable")
                ? "add a route for multicast: '\(route(name, family))' (as root)"
                : nil,
            facts: facts(name, "notReturnedOver", [family]))
    }

    private static func route(_ interface: String, _ family: AddressFamily) -> String {
        family == .ipv4
            ? "ip route add 224.0.0.0/4 dev \(interface)"
            : "ip -6 route add multicast ff00::/8 dev \(interface) table local"
    }

    private static func facts(
        _ interface: String, _ key: String, _ families: [AddressFamily]
    ) -> [Finding.Fact] {
        [
            Finding.Fact("interface", .text(interface)),
            Finding.Fact(key, .texts(families.map(\.rawValue))),
        ]
    }
}
