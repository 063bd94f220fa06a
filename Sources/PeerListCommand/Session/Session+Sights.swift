// Answers machines on the link that ask whether they are seen.
import PeerList

extension Session {
    /// Has those answered whom an event concerns that the list has taken.
    func answerSights(after event: DiscoveryEvent) {
        let answers = sights.answers(after: event.kind, in: listing)
        guard !answers.isEmpty else { return }
        Task { [sightSender] in await sightSender.send(answers) }
    }
}
