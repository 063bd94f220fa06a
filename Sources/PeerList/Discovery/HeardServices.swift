// Decides which services are listed by records heard on the link, before the backend has found them.
import FoundationEssentials

/// The services whose records were heard and that the backend has not found yet.
///
/// A backend reports one service after the other, and resolves none meanwhile. So if many services were heard that the
/// backend has not reported, the backend is behind, and the services are listed by heard records. Otherwise the backend
/// finds them just as soon.
struct HeardServices {
    /// The number of services not found by the backend above which the backend is behind.
    static let backlogLimit = 32
    /// The time within which a backend that is not behind finds a service.
    static let backlogTime = Duration.seconds(1)
    /// The time after which a listed service is dropped if the backend has not found it.
    static let patience = Duration.seconds(10)

    /// Services and times, in the order of the times.
    private struct Queue {
        private var entries: ArraySlice<(id: UUID, time: Duration)> = []
        private var times: [UUID: Duration] = [:]

        var count: Int { times.count }

        var first: Duration? { entries.first?.time }

        func contains(_ id: UUID) -> Bool { times[id] != nil }

        /// Adds a service with a time that is not before any time in the queue.
        mutating func add(_ id: UUID, _ time: Duration) {
            times[id] = time
            entries.append((id, time))
        }

        mutating func remove(_ id: UUID) { times[id] = nil }

        /// Pops the services up to a time, except removed services.
        mutating func pop(upTo limit: Duration) -> [UUID] {
            var ids: [UUID] = []
            while let (id, time) = entries.first, times[id] != time || time <= limit {
                entries.removeFirst()
                guard times[id] == time else { continue }
                times[id] = nil
                ids.append(id)
            }
            return ids
        }
    }

    /// The services that are not listed, with the times at which they were heard.
    private var backlog = Queue()
    /// The listed services, with the times at which they are dropped.
    private var listed = Queue()

    /// The time at which the next listed service is dropped.
    var deadline: Duration? { listed.first }

    /// Adds a service that the backend has not found, and all of whose records were heard.
    mutating func add(_ id: UUID, at now: Duration) {
        if !listed.contains(id), !backlog.contains(id) { backlog.add(id, now) }
    }

    /// Handles a service that the backend has found, or that is no longer listed.
    mutating func remove(_ id: UUID) {
        backlog.remove(id)
        listed.remove(id)
    }

    /// Whether a service is listed that the backend has not found.
    func isListed(_ id: UUID) -> Bool { listed.contains(id) }

    /// Pops the services to list now: if the backend is behind, all services that wait.
    mutating func popBacklog(at now: Duration) -> [UUID] {
        _ = backlog.pop(upTo: now - Self.backlogTime)
        guard backlog.count + listed.count > Self.backlogLimit else { return [] }
        let ids = backlog.pop(upTo: now)
        for id in ids { listed.add(id, now + Self.patience) }
        return ids
    }

    /// Pops the listed services that the backend has not found in time.
    mutating func popUnfound(at now: Duration) -> [UUID] { listed.pop(upTo: now) }
}
