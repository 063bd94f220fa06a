// What avahi-daemon tells the network by itself.
import PeerList

extension DaemonSettings {
    /// Whether the daemon publishes the host name with its addresses.
    var publishesHost: Bool {
        !isOn("publish", "disable-publishing", otherwise: false)
            && isOn("publish", "publish-addresses", otherwise: true)
    }

    /// Whether the daemon of this machine does so, as far as its file can be read.
    static var publishesHostHere: Bool {
        text(of: usualPath).map { DaemonSettings($0).publishesHost } ?? true
    }
}
