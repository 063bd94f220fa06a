// What is said where nobody could be asked, because the question could not be announced.
import PeerList

extension VisibilityCheck {
    /// Judges that the question could not be announced.
    ///
    /// - Parameters:
    ///   - backend: Who was to announce it.
    ///   - reason: Why it did not.
    ///   - settings: Those of avahi-daemon, where they could be read.
    /// - Returns: What is to be told.
    static func unannounced(
        by backend: Backend, reason: String, settings: DaemonSettings?
    ) -> Finding {
        let isRefused =
            backend == .daemon
            && settings?.isOn("publish", "disable-user-service-publishing", otherwise: false)
                == true
        guard !isRefused else {
            return Finding(
                .warning,
                "This could not be checked: avahi-daemon does not announce services of programs.",
                advice: """
                    see disable-user-service-publishing above; what the daemon announces by itself \
                    is visible nevertheless
                    """)
        }
        return Finding(
            .problem, "This machine cannot be announced, so others cannot see it: \(reason).",
            advice: backend == .daemon
                ? "see the settings of avahi-daemon above; 'journalctl -u avahi-daemon' may say more"
                : "see above which programs use UDP port 5353, and what the firewall drops")
    }
}
