// Does avahi-daemon answer, and is all well with it?
import Glibc
import PeerList

/// Judges what avahi-daemon says of itself.
enum DaemonCheck {
    /// How long it may take to answer.
    static let limit = Duration.seconds(5)

    /// Judges an answer.
    ///
    /// - Parameters:
    ///   - outcome: What came of asking.
    ///   - isInstalled: Whether the program is on this machine.
    ///   - hasBus: Whether there is a bus over which it could answer.
    ///   - pairs: The interfaces that it would use and the embedded stack does not.
    /// - Returns: What is to be told.
    static func findings(
        for outcome: DaemonInquiry.Outcome, isInstalled: Bool, hasBus: Bool, pairs: [String]
    ) -> [Finding] {
        switch outcome {
        case .answered(let report): [finding(report)]
        case .unavailable where !hasBus:
            [Finding(.unknown, "This cannot be checked without D-Bus.")] + leftAlone(pairs)
        case .unavailable(let reason):
            [absent(reason, isInstalled: isInstalled)] + leftAlone(pairs)
        case .silent: [hanging] + leftAlone(pairs)
        }
    }

    private static let hanging = Finding(
        .problem, "It hangs: no reply within \(limit.components.seconds) seconds.",
        advice: "restart it with 'systemctl restart avahi-daemon' (as root)")

    private static func leftAlone(_ pairs: [String]) -> [Finding] {
        guard !pairs.isEmpty else { return [] }
        return [
            Finding(
                .warning,
                """
                Without it \(listed(pairs)) cannot be used: only the daemon uses point-to-point \
                interfaces.
                """, facts: [Finding.Fact("leftAlone", .texts(pairs))])
        ]
    }

    private static func finding(_ report: DaemonReport) -> Finding {
        let facts = [
            Finding.Fact("version", .text(report.version)),
            Finding.Fact("host", .text(report.host)),
        ]
        switch report.state {
        case .running:
            return Finding(
                .ok, "\(report.version) runs, and this machine is \(report.host).", facts: facts)
        case .registering:
            return Finding(
                .warning, "\(report.version) is still claiming the name \(report.host).",
                advice: "wait a second, and try again", facts: facts)
        case .collision, .other:
            return Finding(
                .problem,
                "\(report.version) runs, but has no name for this machine on the network.",
                advice: """
                    another machine may have the same name; rename one of them \
                    ('hostnamectl hostname NAME'), and restart avahi-daemon
                    """, facts: facts)
        }
    }

    private static func absent(_ reason: String, isInstalled: Bool) -> Finding {
        guard isInstalled else {
            return Finding(
                .warning, "It is not installed, so peerlist uses its built-in mDNS stack.",
                advice: """
                    with it, others find this machine by its name, and other programs can browse: \
                    'apt-get install avahi-daemon' (as root)
                    """)
        }
        return Finding(
            .warning, "It does not answer (\(reason)), so peerlist uses its built-in mDNS stack.",
            advice: """
                start it with 'systemctl start avahi-daemon' (as root); if it stops again, \
                'journalctl -u avahi-daemon' shows why
                """)
    }
}
