// Checks whether avahi-daemon replies, and reports its version.
import Glibc
import PeerList
import PeerText

enum DaemonCheck {
    static let limit = Duration.seconds(5)

    static var isInstalled: Bool {
        ["/usr/sbin", "/usr/bin", "/sbin"].contains {
            unsafe access("\($0)/avahi-daemon", F_OK) == 0
        }
    }

    /// Returns a finding about the reply of the daemon, and one about the interfaces that only the
    /// daemon uses, `pointToPoint`, if it does not run.
    ///
    /// `usesResolved` means that systemd-resolved announces this machine.
    static func findings(
        for outcome: DaemonInquiry.Outcome, isInstalled: Bool, hasBus: Bool,
        pointToPoint: [String], usesResolved: Bool = false
    ) -> [Finding] {
        let found: [Finding]
        switch outcome {
        case .answered(let report): return [finding(report)]
        case .unavailable where usesResolved:
            found = .one(
                .ok,
                "It \(isInstalled ? "does not run" : "is not installed"); systemd-resolved announces this "
                    + "machine, and peerlist uses its embedded mDNS stack.")
        case .unavailable where !hasBus: found = .one(.unknown, "This check requires D-Bus.")
        case .unavailable where !isInstalled:
            found = .one(
                .warning, "It is not installed, so peerlist uses its embedded mDNS stack.",
                advice: "with avahi-daemon, other machines find this one by its name, and other "
                    + "programs can browse: 'apt-get install avahi-daemon' (as root)")
        case .unavailable(let reason):
            found = .one(
                .warning,
                "It does not reply (\(reason)), so peerlist uses its embedded mDNS stack.",
                advice: "start it with 'systemctl start avahi-daemon' (as root); if it stops "
                    + "again, 'journalctl -u avahi-daemon' shows why")
        case .silent:
            found = .one(
                .problem, "It did not reply within \(limit.components.seconds) seconds.",
                advice: "restart it with 'systemctl restart avahi-daemon' (as root)")
        }
        guard !pointToPoint.isEmpty else { return found }
        return found
            + .one(
                .warning,
                "Without it, peerlist does not use point-to-point interfaces: "
                    + "\(listed(pointToPoint)).",
                facts: [("leftAlone", .texts(pointToPoint))])
    }

    private static func finding(_ report: DaemonReport) -> Finding {
        func finding(_ outcome: DoctorOutcome, _ text: String, advice: String? = nil) -> Finding {
            Finding(
                outcome, "\(report.version) is \(text)", advice: advice,
                facts: [("version", .text(report.version)), ("host", .text(report.host))])
        }
        return switch report.state {
        case .running: finding(.ok, "running; this machine is \(report.host).")
        case .registering:
            finding(
                .warning, "still registering the name \(report.host).",
                advice: "wait a second and try again")
        case .collision, .other:
            finding(
                .problem, "running, but has not registered a name for this machine.",
                advice: "another machine may have the same name; rename one of them ('hostnamectl "
                    + "hostname NAME') and restart avahi-daemon")
        }
    }
}
