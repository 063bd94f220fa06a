// Checks whether multicast of this machine comes back to it, past its own firewall.
import PeerList

enum EchoCheck {
    struct PathResult: Equatable, Sendable {
        var path: NetworkPath
        var outcome: MulticastEcho.Outcome
    }

    static let pathLimit = 32

    static func survey(_ interfaces: [LocalInterface]) async -> [PathResult] {
        let paths = interfaces.flatMap(\.paths)
        return await withTaskGroup(of: PathResult.self) { group in
            for path in paths.prefix(pathLimit) {
                group.addTask {
                    let outcome = await MulticastEcho.run(on: path.interface, over: path.family)
                    return PathResult(path: path, outcome: outcome)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    static func findings(for results: [PathResult]) -> [Finding] {
        guard !results.isEmpty else { return .noInterface }
        let interfaces = Dictionary(grouping: results, by: \.path.interface.name)
        return interfaces.sorted { $0.key < $1.key }.flatMap { findings(on: $0, for: $1) }
    }

    private static func findings(on name: String, for results: [PathResult]) -> [Finding] {
        func finding(
            _ outcome: DoctorOutcome, _ families: [AddressFamily], _ text: String,
            advice: String? = nil
        ) -> Finding? {
            guard !families.isEmpty else { return nil }
            let key = outcome == .ok ? "returnedOver" : "notReturnedOver"
            return Finding(
                outcome, "\(name): \(text)", advice: advice,
                facts: [("interface", .text(name)), (key, .families(families))])
        }
        let results = results.sorted { $0.path.family.rawValue < $1.path.family.rawValue }
        func families(_ outcome: MulticastEcho.Outcome) -> [AddressFamily] {
            results.filter { $0.outcome == outcome }.map(\.path.family)
        }
        let (returned, taken, silent) = (
            families(.returned), families(.portTaken), families(.silent)
        )
        let found = [
            finding(.ok, returned, "over \(returned.titles)"),
            finding(
                .unknown, taken,
                "not tested over \(taken.titles), because UDP port 5353 is in use.",
                advice: "another program does not share the port; if it is avahi-daemon, set "
                    + "disallow-other-stacks=no in its settings"),
            finding(
                .problem, silent, "multicast sent over \(silent.titles) does not come back.",
                advice: "a firewall of this machine drops it; see Firewall above, and accept UDP "
                    + "port 5353: 'ufw allow 5353/udp', 'firewall-cmd --add-service=mdns' or 'nft "
                    + "insert rule … udp dport 5353 accept' (as root)"),
        ]
        let failed = results.map { result -> Finding? in
            guard case .failed(let reason) = result.outcome else { return nil }
            let family = result.path.family
            let route =
                family == .ipv4
                ? "ip route add 224.0.0.0/4 dev \(name)"
                : "ip -6 route add multicast ff00::/8 dev \(name) table local"
            return finding(
                .problem, [family], "sending over \(family.title) fails: \(reason).",
                advice: reason.contains("unreachable")
                    ? "add a multicast route: '\(route)' (as root)" : nil)
        }
        return (found + failed).compactMap(\.self)
    }
}
