// The services that gave no answer to a probe, and when each is asked again.
import FoundationEssentials

/// Keeps the services that gave no answer although a cache still holds them.
///
/// Until the cache forgets such a service, what it says of it counts for
/// nothing, and only another probe can tell that the service is back. So each
/// is asked again, at growing intervals.
struct DoubtSchedule {
    /// The time until a service is asked again first; it doubles with each further silence.
    static let firstInterval = Duration.seconds(10)
    /// The longest time until a service is asked again.
    static let longestInterval = Duration.seconds(60)
    /// How many are kept at the most; what comes then is left to the cache.
    static let limit = 4_096

    private var doubts: [UUID: (due: Duration, interval: Duration)] = [:]

    /// Whether a service gave no answer, and nothing since says otherwise.
    func contains(_ id: UUID) -> Bool { doubts[id] != nil }

    /// A service gave no answer.
    mutating func add(_ id: UUID, at now: Duration) {
        let last = doubts[id]?.interval
        guard last != nil || doubts.count < Self.limit else { return }
        let interval = last.map { min($0 * 2, Self.longestInterval) } ?? Self.firstInterval
        doubts[id] = (now + interval, interval)
    }

    /// A service is known to be there, or not to be, or is gone.
    mutating func remove(_ id: UUID) { doubts[id] = nil }

    /// The services that are to be asked again now.
    func due(at now: Duration) -> [UUID] { doubts.filter { $0.value.due <= now }.map(\.key) }

    /// When the next one is to be asked, or `nil` for never.
    var deadline: Duration? { doubts.values.map(\.due).min() }
}
