// What a session does when the user wants to know whether a peer is there.
import FoundationEssentials
import PeerList

extension Session {
    /// The time after which there is an answer, whatever the backend does.
    static let verifyLimit = Duration.seconds(5)

    /// Asks for the services behind items while other messages are taken.
    ///
    /// - Parameters:
    ///   - ids: Devices or services, in the list or not.
    ///   - limit: The time after which there is an answer.
    ///   - reply: Called once.
    func verify(
        _ ids: [UUID], within limit: Duration = verifyLimit,
        _ reply: @escaping @Sendable (Verification) -> Void
    ) {
        let services = ids.flatMap(listing.services(of:))
        guard let ask, !services.isEmpty else {
            return reply(.unavailable("there is nothing to ask for"))
        }
        // Who asks may be held up by a backend that hangs; the first answer counts.
        let (answers, answer) = AsyncStream<Verification>.makeStream()
        let who =
            header.backend == Backend.embedded.rawValue ? "the embedded stack" : "avahi-daemon"
        let asking = Task { answer.yield(await ask(services)) }
        let waiting = Task {
            guard (try? await Task.sleep(for: limit)) != nil else { return }
            answer.yield(.unavailable("\(who) does not answer"))
        }
        Task {
            for await first in answers {
                reply(first)
                break
            }
            asking.cancel()
            waiting.cancel()
        }
    }
}
