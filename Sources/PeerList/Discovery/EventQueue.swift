// A bounded queue of discovery events between the event loop and the reader.
import Synchronization

/// A first-in-first-out queue for one writer and one reader, which tells the writer when to stop and go on.
///
/// No event is dropped: a lost removal would leave a ghost in the list. The writer stops what produces events when the
/// queue is full, until it has room again.
final class EventQueue: Sendable {
    private struct State {
        var events: [DiscoveryEvent] = []
        var head = 0
        var isFull = false
        var isFinished = false
        var reader: CheckedContinuation<DiscoveryEvent?, Never>?

        var count: Int { events.count - head }

        mutating func pop() -> DiscoveryEvent? {
            guard head < events.count else { return nil }
            defer {
                head += 1
                if head == events.count {
                    events.removeAll(keepingCapacity: head < 1_024)
                    head = 0
                } else if head >= 1_024, head * 2 > events.count {
                    events.removeFirst(head)
                    head = 0
                }
            }
            return events[head]
        }
    }

    private let limit: Int
    private let onFull: @Sendable () -> Void
    private let onRoom: @Sendable () -> Void
    private let state = Mutex(State())

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - limit: The number of events at which the queue is full.
    ///   - onFull: Called when the queue is full. Both closures are called under the queue's lock, so that their
    ///     order is that of the changes.
    ///   - onRoom: Called when half of a full queue was read, or the queue is finished.
    init(
        limit: Int, onFull: @escaping @Sendable () -> Void, onRoom: @escaping @Sendable () -> Void
    ) {
        (self.limit, self.onFull, self.onRoom) = (limit, onFull, onRoom)
    }

    /// The events in order, for one reader, until the queue is finished.
    var events: AsyncStream<DiscoveryEvent> {
        AsyncStream {
            await self.next()
        } onCancel: {
            self.finish()
        }
    }

    /// Whether the writer is to wait.
    var isFull: Bool { state.withLock { $0.isFull } }

    /// Appends an event, unless the queue is finished.
    func append(_ event: DiscoveryEvent) {
        let reader = state.withLock { state -> CheckedContinuation<DiscoveryEvent?, Never>? in
            if state.isFinished { return nil }
            if let reader = state.reader {
                state.reader = nil
                return reader
            }
            state.events.append(event)
            if state.count >= limit, !state.isFull {
                state.isFull = true
                onFull()
            }
            return nil
        }
        reader?.resume(returning: event)
    }

    /// Ends the stream after the events that wait, and lets the writer go on. A second call does nothing.
    func finish() {
        let reader = state.withLock { state in
            state.isFinished = true
            if state.isFull {
                state.isFull = false
                onRoom()
            }
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }

    private func next() async -> DiscoveryEvent? {
        await withCheckedContinuation { continuation in
            let (event, isOver) = state.withLock { state in
                let event = state.pop()
                if event == nil, !state.isFinished {
                    precondition(state.reader == nil, "the events have one reader")
                    state.reader = continuation
                }
                if state.isFull, state.count <= limit / 2 {
                    state.isFull = false
                    onRoom()
                }
                return (event, state.isFinished)
            }
            if event != nil || isOver { continuation.resume(returning: event) }
        }
    }
}
