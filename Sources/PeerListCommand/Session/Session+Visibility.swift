// Answers machines on the link that ask whether they are seen.
import PeerList
import PeerRecording

extension Session {
    /// Has those answered whom an event concerns that the list has taken.
    func answerVisibilityProbes(after event: DiscoveryEvent) {
        let answers = visibility.answers(
            after: event.kind, at: event.time, in: listing, isPublished: { self.isPublished })
        guard !answers.isEmpty else { return }
        Task { [replySender] in await replySender.send(answers) }
    }

    /// Whether this machine's name is on the network anyway, so that an answer may tell it: it is
    /// announced, or by its daemon.
    private var isPublished: Bool {
        isAnnounced
            || header.backend == Backend.daemon.rawValue && DaemonSettings.publishesHostHere
    }
}
