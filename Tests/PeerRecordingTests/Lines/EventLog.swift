// Collects the events of a line writer for a test to wait for.
import PeerModel
import PeerRecording

/// Gathers what a writer tells, so that a test can wait for it.
final class EventLog: Sendable {
    private let stream: AsyncStream<LineWriter.Event>
    private let entry: AsyncStream<LineWriter.Event>.Continuation

    init() { (stream, entry) = AsyncStream.makeStream() }

    /// Takes an event; to be given to a writer.
    @Sendable func note(_ event: LineWriter.Event) { entry.yield(event) }

    /// The next event, waited for.
    func next() async -> LineWriter.Event? {
        var iterator = stream.makeAsyncIterator()
        return await iterator.next()
    }

    /// All events that have not been waited for, once nothing more can come.
    func rest() async -> [LineWriter.Event] {
        entry.finish()
        var events: [LineWriter.Event] = []
        for await event in stream { events.append(event) }
        return events
    }
}
