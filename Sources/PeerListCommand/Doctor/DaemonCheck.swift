// Checks whether avahi-daemon replies, and reports its version.
import Glibc
import PeerList

/// Checks avahi-daemon.
enum DaemonCheck {
    /// The maximum time to wait for a reply.
    static let limit = Duration.seconds(5)

    /// Whether avahi-daemon is installed on this machine.
    static var isInstalled: Bool {
        ["/usr/sbin", "/usr/bin", "/sbin"].contains {
            unsafe access("\($0)/avahi-daemon", F_OK) == 0
        }
    }

    /// Returns the findings about the reply of the daemon.
    ///
    /// - Parameters:
    ///   - outcome: The outcome of the query.
    ///   - isInstalled: Whether the daemon is installed on this machine.
    ///   - hasBus: Whether the system bus is reachable.
    ///   - pointToPoint: The interfaces that only the daemon uses.
    /// - Returns: A finding about the reply, and one about interfaces that are unused without it.
    static func findings(
        for outcome: DaemonInquiry.Outcome, isInstalled: Bool, hasBus: Bool, pointToPoint: [String]
    ) -> [Finding] {
        let found: Finding
        switch outcome {
        case .answered(let report): return [finding(report)]
        case .unavailable where !hasBus: found = Finding(.unknown, "This check requires D-Bus.")
        case .unavailable(let reason): found = unavailable(reason, isInstalled: isInstalled)
        case .silent:
            found = Finding(
                .problem, "It did not reply within \(limit.components.seconds) seconds.",
                advice: "restart it with 'systemctl restart avahi-daemon' (as root)")
        }
        guard !pointToPoint.isEmpty else { return [found] }
        return [
            found,
            Finding(
                .warning,
                "Without it, peerlist does not use point-to-point interfaces: "
                    + listed(pointToPoint) + ".",
                facts: [.init("leftAlone", .texts(pointToPoint))]),
        ]
    }

    /// Returns the finding about the version of the daemon.
    static func versionFindings(for outcome: DaemonInquiry.Outcome) -> [Finding] {
        guard case .answered(let report) = outcome else {
            return [Finding(.unknown, "avahi-daemon does not reply.")]
        }
        return [Finding(.ok, report.version, facts: [.init("version", .text(report.version))])]
    }

    private static func finding(_ report: DaemonReport) -> Finding {
        let facts: [Finding.Fact] = [
            .init("version", .text(report.version)), .init("host", .text(report.host)),
        ]
        switch report.state {
        case .running:
            return Finding(
                .ok, "\(report.version) is running; this machine is \(report.host).", facts: facts)
        case .registering:
            return Finding(
                .warning, "\(report.version) is still registering the name \(report.host).",
                advice: "wait a second and try again", facts: facts)
        case .collision, .other:
            return Finding(
                .problem,
                "\(report.version) is running, but has not registered a name for this machine.",
                advice: """
                    another machine may have the same name; rename one of them \
                    ('hostnamectl hostname NAME') and restart avahi-daemon
                    """, facts: facts)
        }
    }

    private static func unavailable(_ reason: String, isInstalled: Bool) -> Finding {
        guard isInstalled else {
            return Finding(
                .warning, "It is not installed, so peerlist uses its embedded mDNS stack.",
                advice: """
                    with avahi-daemon, other machines find this one by its name, and other \
                    programs can browse: 'apt-get install avahi-daemon' (as root)
                    """)
        }
        return Finding(
            .warning, "It does not reply (\(reason)), so peerlist uses its embedded mDNS stack.",
            advice: """
                start it with 'systemctl start avahi-daemon' (as root); if it stops again, \
                'journalctl -u avahi-daemon' shows why
                """)
    }
}
