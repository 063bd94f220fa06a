// Verifies the presence of many services in batches of the size that the browser accepts.
import FoundationEssentials
import PeerList

/// Verifies services in batches, one after the other.
struct BatchVerifier: Sendable {
    /// The maximum number of services in a batch; the browser asks for no more at once.
    static let batchSize = 128

    /// The time after which a batch counts as not verified, because the backend hangs.
    var limit = Duration.seconds(5)
    let verify: @Sendable ([UUID]) async -> Verification

    /// Verifies the services of items, given item by item.
    ///
    /// - Parameters:
    ///   - items: The services of each item.
    ///   - backend: The name of the backend, for the reason why nothing was verified.
    /// - Returns: The sum of the batches.
    func verify(_ items: [[UUID]], backend: String) async -> Verification {
        let batches = Self.batches(of: items)
        if batches.isEmpty { return .unavailable("there is nothing to verify") }
        var (answered, asked) = (0, 0)
        for batch in batches {
            switch await withTimeout(limit, { await verify(batch) }) {
            case .answered(let count, let all):
                answered += count
                asked += all
            case .unanswered: asked += batch.count
            case .unavailable(let reason): return .unavailable(reason)
            case nil: return .unavailable("\(backend) does not answer")
            }
        }
        return answered == 0 ? .unanswered : .answered(services: answered, of: asked)
    }

    /// Keeps the services of an item together: if a whole batch does not answer, the browser treats
    /// its items as silent.
    private static func batches(of items: [[UUID]]) -> [[UUID]] {
        var batches: [[UUID]] = []
        for services in items where !services.isEmpty {
            if let last = batches.last, last.count + services.count <= batchSize {
                batches[batches.count - 1] += services
            } else {
                batches.append(services)
            }
        }
        return batches
    }
}
