// Tests what a replay says of the devices that a recording finds at its start.
import LabSupport
import PeerHappenings
import PeerModel
import PeerListTestSupport
import PeerRecording
import PeerSession
import PeerText
import Testing

@testable import PeerScreen

@Suite(.timeLimit(.minutes(10))) struct ReplayStartTests {
    /// The recording has seven devices at its start, of which six leave and return.
    @Test func `what a recording finds at its start is no arrival`() async throws {
        let path = BuiltProducts.package + "/Tests/PeerListCommandTests/Screens/earlier.jsonl"
        let indexer = try RecordingIndexer(path: path)
        let events = AsyncStream<ScreenEvent>.makeStream()
        let (messages, entry) = AsyncStream.makeStream(of: ReplayMessage.self)
        let source = ReplaySource(
            try Playback(indexer), path: path, speed: 64, start: nil,
            events: events.continuation, entry: entry)
        let session = Session(source: source, outputs: [ScreenOutput(events.continuation)])
        let (indices, latest) = AsyncStream.makeStream(of: RecordingIndex.self)
        #expect(
            indexer.start { index in
                latest.yield(index)
                return true
            })
        let indexing = Task { for await index in indices { await session.setIndex(index) } }
        let running = Task { await session.replay(messages) }
        var (there, left): (Set<String>, Set<String>) = ([], [])
        for await event in events.stream {
            if case .replaying(let status) = event, status.motion == .atEnd { break }
            guard case .happened(let happenings) = event else { continue }
            for event in happenings.compactMap(\.ofItem) {
                let name = event.item.name
                switch event.event {
                case .there: there.insert(name)
                // On a busy machine, lines are played together, and what leaves and returns in them is not said.
                case .arrived: #expect(left.contains(name))
                case .left: left.insert(name)
                default: break
                }
            }
        }
        indexing.cancel()
        entry.finish()
        _ = await running.value
        #expect(there.count >= 5)
    }
}
