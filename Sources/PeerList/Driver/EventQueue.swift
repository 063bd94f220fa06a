// A bounded queue of discovery events between the event loop and the reader.
import Synchronization

/// A first-in-first-out queue for one reader that tells the writer when to stop and when to continue.
///
/// No event is dropped: without a removal, a service that is gone would stay in the list. When the queue is full, the
/// writer stops the source of events until there is room again.
final class EventQueue: Sendable {
    private struct State {
        /// The number of waiting events.
        var count = 0
        var isFull = false
    }

    private let limit: Int
    private let onFull: @Sendable () -> Void
    private let onRoom: @Sendable () -> Void
    private let state = Mutex(State())
    private let stream: AsyncStream<DiscoveryEvent>
    private let entry: AsyncStream<DiscoveryEvent>.Continuation

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - limit: The number of events at which the queue is full.
    ///   - onFull: Called when the queue is full. Both closures are called under the queue's lock, and so in the order
    ///     of the changes.
    ///   - onRoom: Called when half of a full queue was read, or the queue is finished.
    init(
        limit: Int, onFull: @escaping @Sendable () -> Void, onRoom: @escaping @Sendable () -> Void
    ) {
        (self.limit, self.onFull, self.onRoom) = (limit, onFull, onRoom)
        (stream, entry) = AsyncStream.makeStream()
        entry.onTermination = { [weak self] _ in self?.makeRoom(to: 0) }
    }

    /// The events in order, for one reader, until the queue is finished.
    var events: some AsyncSequence<DiscoveryEvent, Never> & Sendable {
        stream.map { event in
            self.makeRoom(to: nil)
            return event
        }
    }

    var isFull: Bool { state.withLock { $0.isFull } }

    /// Appends an event, unless the queue is finished.
    func append(_ event: DiscoveryEvent) {
        state.withLock { state in
            state.count += 1
            guard state.count >= limit, !state.isFull else { return }
            state.isFull = true
            onFull()
        }
        // Not under the lock, because the reader would have to wait for the lock.
        if case .terminated = entry.yield(event) { makeRoom(to: 0) }
    }

    /// Ends the stream after the waiting events, and lets the writer continue. A second call does
    /// nothing.
    func finish() { entry.finish() }

    /// Records that an event was read, or that `count` events are left.
    private func makeRoom(to count: Int?) {
        state.withLock { state in
            state.count = count ?? state.count - 1
            guard state.isFull, state.count <= limit / 2 else { return }
            state.isFull = false
            onRoom()
        }
    }
}
