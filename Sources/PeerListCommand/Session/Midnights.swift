// Tells when a day ends where the machine stands.
import PeerList
import PeerRecording

/// Posts a message at the end of each local day, for as long as it lives.
final class Midnights {
    private let task: Task<Void, Never>

    /// Calls `receive` when a day ends by the clock `now`.
    init(
        now: @escaping @Sendable () -> Timestamp = { .now() },
        _ receive: @escaping @Sendable () -> Void
    ) {
        task = Task {
            while true {
                let end = LocalDay.end(after: now())
                while await Midnights.sleeps(towards: end, now) {}
                guard !Task.isCancelled else { return }
                receive()
            }
        }
    }

    deinit { task.cancel() }

    /// Sleeps until a moment, an hour at most, for the clock may be set meanwhile; says whether it
    /// is still to come.
    private static func sleeps(
        towards end: Timestamp, _ now: @Sendable () -> Timestamp
    ) async -> Bool {
        let rest = end.microseconds - now().microseconds
        guard rest > 0, !Task.isCancelled else { return false }
        try? await Task.sleep(for: .microseconds(min(rest, 3_600_000_000)))
        return true
    }
}
