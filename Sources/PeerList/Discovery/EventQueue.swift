// A bounded queue of discovery events between the event loop and the reader.
import Synchronization

/// A first-in-first-out queue for one writer and one reader, which tells the writer when to stop and go on.
///
/// No event is dropped: a lost removal would leave a ghost in the list. The writer stops what produces events when
/// ``append(_:)`` returns `false`, until ``onRoom`` is called.
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
    private let onRoom: @Sendable () -> Void
    private let state = Mutex(State())

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - limit: The number of events at which the queue is full.
    ///   - onRoom: Called on the reader's thread when half of the queue was read after it was full.
    init(limit: Int, onRoom: @escaping @Sendable () -> Void) {
        (self.limit, self.onRoom) = (limit, onRoom)
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

    /// Appends an event.
    ///
    /// - Returns: Whether there is room for another one.
    func append(_ event: DiscoveryEvent) -> Bool {
        let (reader, isFull) = state.withLock { state in
            guard !state.isFinished else {
                return (CheckedContinuation<DiscoveryEvent?, Never>?.none, false)
            }
            if let reader = state.reader {
                state.reader = nil
                return (reader, false)
            }
            state.events.append(event)
            if state.count >= limit { state.isFull = true }
            return (nil, state.isFull)
        }
        reader?.resume(returning: event)
        return !isFull
    }

    /// Ends the stream after the events that wait. A second call does nothing.
    func finish() {
        let reader = state.withLock { state in
            state.isFinished = true
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }

    private func next() async -> DiscoveryEvent? {
        await withCheckedContinuation { continuation in
            let (event, isOver, hasRoom) = state.withLock { state in
                let event = state.pop()
                if event == nil, !state.isFinished { state.reader = continuation }
                let hasRoom = state.isFull && state.count <= limit / 2
                if hasRoom { state.isFull = false }
                return (event, state.isFinished, hasRoom)
            }
            if hasRoom { onRoom() }
            if event != nil || isOver { continuation.resume(returning: event) }
        }
    }
}
