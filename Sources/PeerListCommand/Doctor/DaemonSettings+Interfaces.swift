// Which interfaces avahi-daemon uses by its settings.
import PeerList

extension DaemonSettings {
    /// Whether the daemon uses interfaces that lead to one machine; even those that it is told to
    /// use by name are left alone without it.
    var allowsPointToPoint: Bool { isOn("server", "allow-point-to-point", otherwise: false) }
}
