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
        let paths = interfaces.filter(\.isUsable).flatMap { interface in
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
            return [Finding(.unknown, "There is no interface to try it on.")]
        }
        let interfaces = Set(results.map(\.path.interface)).sorted()
        return interfaces.flatMap { name -> [Finding] in
            let own = results.filter { $0.path.interface == name }
                .sorted { $0.path.family.rawValue < $1.path.family.rawValue }
            let back = own.filter { $0.outcome == .returned }.map(\.path.family)
            let good = Finding(
                .ok, "\(name): over \(listed(back.map(\.title)))",
                facts: facts(name, "returnedOver", back))
            return (back.isEmpty ? [] : [good])
                + own.filter { $0.outcome != .returned }.map(missing)
        }
    }

    private static func missing(_ result: Result) -> Finding {
        let (name, family) = (result.path.interface, result.path.family)
        let facts = facts(name, "notReturnedOver", [family])
        if result.outcome == .portTaken {
            return Finding(
                .unknown,
                "\(name): it cannot be tried over \(family.title): UDP port 5353 is taken.",
                advice: """
                    another program has the port for itself; with avahi-daemon, \
                    disallow-other-stacks=no in its settings lets others share it
                    """, facts: facts)
        }
        guard case .failed(let reason) = result.outcome else {
            return Finding(
                .problem, "\(name): what is sent over \(family.title) does not come back.",
                advice: """
                    a firewall of this machine drops it on its way out or in; let UDP port 5353 \
                    pass, as docs/two-machines.md shows
                    """, facts: facts)
        }
        return Finding(
            .problem, "\(name): nothing can be sent over \(family.title): \(reason).",
            advice: reason.contains("unreachable")
                ? "there is no way for multicast: '\(route(name, family))' (as root)"
                : nil,
            facts: facts)
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
