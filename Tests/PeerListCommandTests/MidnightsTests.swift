// Nothing but the end of a day is told as one.
import PeerList
import Testing

@testable import PeerListCommand

@Suite(.timeLimit(.minutes(10))) struct MidnightsTests {
    private let stream: AsyncStream<Call>
    private let entry: AsyncStream<Call>.Continuation
    private let noon = Timestamp(microseconds: 1_795_262_400_000_000)

    private enum Call { case clock, midnight }

    init() { (stream, entry) = AsyncStream.makeStream() }

    /// Ends a stream when nobody can call any more.
    private final class Caller: Sendable {
        private let entry: AsyncStream<Call>.Continuation

        init(_ entry: AsyncStream<Call>.Continuation) { self.entry = entry }

        deinit { entry.finish() }

        func note(_ call: Call) { entry.yield(call) }
    }

    private func midnights(_ time: @escaping @Sendable () -> Timestamp) -> Midnights {
        let caller = Caller(entry)
        return Midnights {
            caller.note(.clock)
            return time()
        } _: {
            caller.note(.midnight)
        }
    }

    @Test func `an end that is cancelled is no midnight`() async {
        var midnights: Midnights? = midnights { [noon] in noon }
        var calls = stream.makeAsyncIterator()
        #expect(await calls.next() == .clock)
        withExtendedLifetime(midnights) {}
        midnights = nil
        while let call = await calls.next() { #expect(call == .clock) }
    }
}
