// Does one stack listen on UDP port 5353, and nobody else?
import PeerList

/// Judges who listens on UDP port 5353.
enum PortCheck {
    /// Judges the listeners; `nil`: the system does not tell.
    static func findings(for listeners: [PortListener]?) -> [Finding] {
        guard let listeners else {
            return [Finding(.unknown, "The listening programs cannot be read; is /proc mounted?")]
        }
        guard !listeners.isEmpty else {
            return [
                Finding(
                    .warning,
                    "No program listens, so only programs with an mDNS stack of their own hear others.",
                    advice: "avahi-daemon should listen; see avahi-daemon below")
            ]
        }
        let groups = Dictionary(grouping: listeners) { Owner($0) }
        return groups.map { owner, sockets in finding(owner, sockets) }
            .sorted { ($0.outcome, $0.text) < ($1.outcome, $1.text) }
    }

    /// A program, or a user where the program cannot be seen.
    private struct Owner: Hashable {
        let program: String?
        let user: String

        init(_ listener: PortListener) {
            program = listener.program
            user = listener.userName ?? "\(listener.user)"
        }
    }

    private static func finding(_ owner: Owner, _ sockets: [PortListener]) -> Finding {
        let families = AddressFamily.allCases.filter { family in
            sockets.contains { $0.family == family }
        }
        let over = listed(families.map(\.title))
        let processes = Set(sockets.compactMap(\.process)).sorted()
        var facts = [
            Finding.Fact("user", .text(owner.user)),
            Finding.Fact("families", .texts(families.map(\.rawValue))),
        ]
        if let program = owner.program { facts.append(Finding.Fact("program", .text(program))) }
        guard let program = owner.program else {
            if owner.user == "avahi" {
                return Finding(.ok, "avahi-daemon listens, over \(over).", facts: facts)
            }
            return Finding(
                .unknown, "A program of user '\(owner.user)' listens, over \(over).",
                advice: "run 'sudo peerlist doctor' to see which one", facts: facts)
        }
        switch program {
        case "avahi-daemon" where processes.count < 2, "peerlist-mdns":
            return Finding(.ok, "\(program) listens, over \(over).", facts: facts)
        case "avahi-daemon":
            let numbers = listed(processes.map { "\($0)" })
            return Finding(
                .warning, "avahi-daemon runs \(processes.count) times: \(numbers).",
                advice: "stop all of them but one", facts: facts)
        default:
            return Finding(
                .warning, "\(title(program)) listens as well, over \(over).",
                advice: advice(program), facts: facts)
        }
    }

    /// The kernel keeps 15 bytes of a program's name.
    private static func isResolved(_ program: String) -> Bool {
        program.hasPrefix("systemd-resolve")
    }

    private static func title(_ program: String) -> String {
        isResolved(program) ? "systemd-resolved" : "'\(program)'"
    }

    private static func advice(_ program: String) -> String {
        if isResolved(program) {
            return """
                replies for one of the two can reach the other; leave multicast DNS to \
                avahi-daemon: set MulticastDNS=no in /etc/systemd/resolved.conf, then \
                'systemctl restart systemd-resolved' (as root)
                """
        }
        if ["mdnsd", "mDNSResponder", "mDNSResponderPo"].contains(program) {
            return """
                it is another mDNS stack, and replies for one of the two can reach the other; stop \
                one of them
                """
        }
        return """
            browsers and media players do that, which does no harm while they share the port; if \
            replies get lost, stop it and try again
            """
    }
}
