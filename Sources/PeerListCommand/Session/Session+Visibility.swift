// Replies to machines on the link that probe whether they are visible.
import PeerList
import PeerRecording

extension Session {
    /// Sends the visibility replies that become due after an event.
    func replyToVisibilityProbes(after event: DiscoveryEvent) {
        visibility.respond(to: event.kind, in: listing, isPublished: { self.isPublished })
    }

    /// Whether the name of this machine is published, by an announcement or by avahi-daemon.
    private var isPublished: Bool {
        isAnnounced
            || header.backend == Backend.daemon.rawValue && DaemonSettings.publishesHostHere
    }
}
