// Tests that an output recovers from a slow reader once it has caught up.
import Foundation
import Glibc
import PeerModel
import PeerRecording
import Testing

@Suite(.timeLimit(.minutes(10))) struct SlowReaderOutputTests {
    /// To write the whole list takes long where it is large, and to no end where there is no room for it.
    @Test func `the whole list is not encoded before the reader has caught up`() async throws {
        let folder = try LinesFolder()
        unsafe mkfifo(folder.path(), 0o600)
        let reading = unsafe open(folder.path(), O_RDONLY | O_NONBLOCK)
        let log = EventLog()
        let output = LineOutput(
            file: try OutputFile(path: folder.path()), limit: 200_000, retryInterval: .zero,
            onEvent: log.note)
        let noon = Timestamp(microseconds: 1_795_262_400_000_000)
        var timesAsked = 0
        func list() -> [ListSection] {
            timesAsked += 1
            return []
        }
        output.begin(.example(.device), at: noon)
        for _ in 0..<10_000 {
            output.notice(Notice(.deadline, "more than a pipe holds", time: noon), list: list())
        }
        guard case .failed(.tooSlow) = await log.next() else {
            Issue.record("the bound was not reached")
            return
        }
        #expect(timesAsked == 0)

        _ = fcntl(reading, F_SETFL, 0)
        let reader = TestPipe.reader(reading)
        while timesAsked == 0 {
            output.tick(at: noon, list: list())
            await Task.yield()
        }
        #expect(await log.next() == .recovered)
        output.end(.finished, at: noon, list: list())
        #expect(await output.close(within: .seconds(30)) == nil)
        #expect(timesAsked == 1)
        let types = try lines(await reader.value).map { try JSONValue(line: Array($0.utf8)) }
            .map { $0["type"].text }
        #expect(types.count { $0 == "begin" } == 2 && types.last == "end")
        close(reading)
    }
}
