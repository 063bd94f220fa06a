// Verifies on request that the peers behind rows are there.
import FoundationEssentials
import PeerList
import PeerRecording

extension Session {
    /// The time after which a batch counts as not verified, whatever the backend does.
    static let verifyLimit = Duration.seconds(5)
    /// The maximum number of services that are verified at once; the browser asks for no more.
    static let verifyBatchSize = 128

    /// Verifies the services behind items, one batch after the other, while other messages are taken.
    ///
    /// - Parameters:
    ///   - ids: Devices or services, in the list or not.
    ///   - limit: The time after which a batch counts as not verified.
    ///   - reply: Called once, with the sum of the batches.
    func verify(
        _ ids: [UUID], within limit: Duration = verifyLimit,
        _ reply: @escaping @Sendable (Verification) -> Void
    ) {
        let batches = Self.batches(of: ids.map(listing.services(of:)))
        guard let ask, !batches.isEmpty else {
            return reply(.unavailable("there is nothing to ask for"))
        }
        let stack =
            header.backend == Backend.embedded.rawValue ? "the embedded stack" : "avahi-daemon"
        Task {
            var (answered, asked) = (0, 0)
            for batch in batches {
                switch await Self.answer(within: limit, of: stack, { await ask(batch) }) {
                case .answered(let count, let all):
                    answered += count
                    asked += all
                case .unanswered: asked += batch.count
                case .unavailable(let reason):
                    return reply(.unavailable(reason))
                }
            }
            reply(answered == 0 ? .unanswered : .answered(services: answered, of: asked))
        }
    }

    /// The services of items in batches, those of one item together: where a whole batch is silent,
    /// the browser takes what else it was given for silent too.
    private static func batches(of items: [[UUID]]) -> [[UUID]] {
        var batches: [[UUID]] = []
        for services in items where !services.isEmpty {
            if let last = batches.last, last.count + services.count <= verifyBatchSize {
                batches[batches.count - 1] += services
            } else {
                batches.append(services)
            }
        }
        return batches
    }

    /// The first of an answer and the end of the time: a backend that hangs holds up its caller.
    private static func answer(
        within limit: Duration, of stack: String,
        _ ask: @escaping @Sendable () async -> Verification
    ) async -> Verification {
        let (answers, answer) = AsyncStream<Verification>.makeStream()
        let asking = Task { answer.yield(await ask()) }
        let waiting = Task {
            guard (try? await Task.sleep(for: limit)) != nil else { return }
            answer.yield(.unavailable("\(stack) does not answer"))
        }
        defer {
            asking.cancel()
            waiting.cancel()
        }
        for await first in answers { return first }
        return .unavailable("\(stack) does not answer")
    }
}
