// Tests that a writer never blocks its producer, and that lines are whole.
import Foundation
import Glibc
import PeerList
import Testing

@testable import PeerRecording

@Suite(.timeLimit(.minutes(10))) struct LineWriterTests {
    @Test func `lines are written whole and in order`() async {
        let pipe = TestPipe()
        let log = EventLog()
        let writer = LineWriter(descriptor: pipe.writing, onEvent: log.note)
        let reader = pipe.reader()
        let sent = (0..<5000).map { numberedLine($0, padding: $0 % 700) }
        for line in sent { writer.write(line) }

        #expect(await writer.close(within: .seconds(30)) == nil)
        close(pipe.writing)
        #expect(await reader.value == sent.flatMap { $0 })
        #expect(await log.rest().isEmpty)
        close(pipe.reading)
    }

    @Test func `a closed pipe is reported once, and later lines are dropped`() async {
        let pipe = TestPipe()
        close(pipe.reading)
        let log = EventLog()
        let writer = LineWriter(descriptor: pipe.writing, onEvent: log.note)
        writer.write(numberedLine(0))
        #expect(await log.next() == .failed(.readerGone))
        for number in 1..<100 { writer.write(numberedLine(number)) }
        #expect(await writer.close(within: .seconds(30)) == .readerGone)
        #expect(await log.rest().isEmpty)
        close(pipe.writing)
    }

    @Test func `a full disk is reported once`() async {
        let log = EventLog()
        let writer = LineWriter(
            descriptor: unsafe open("/dev/full", O_WRONLY), onEvent: log.note)
        writer.write(numberedLine(0))
        #expect(await log.next() == .failed(.diskFull))
        writer.write(numberedLine(1))
        #expect(writer.resume(with: numberedLine(2)))
        #expect(await writer.close(within: .seconds(30)) == .diskFull)
        #expect(await log.rest().isEmpty)
    }

    @Test func `a closed descriptor is reported`() async {
        let log = EventLog()
        let writer = LineWriter(descriptor: -1, onEvent: log.note)
        writer.write(numberedLine(0))
        #expect(await log.next() == .failed(.system(code: EBADF)))
        #expect(await writer.close(within: .seconds(30)) == .system(code: EBADF))
    }

    /// The reader stalls until the bound is reached, and then reads on.
    @Test func `a slow reader gets every accepted line, and the limit is reported`() async {
        let pipe = TestPipe()
        let log = EventLog()
        let limit = 100_000
        let writer = LineWriter(
            descriptor: pipe.writing, limit: limit, onEvent: log.note)
        var sent: [[UInt8]] = []
        while writer.failure == nil {
            sent.append(numberedLine(sent.count, padding: 90))
            writer.write(sent[sent.count - 1])
        }
        guard case .failed(.tooSlow(let waiting)) = await log.next() else {
            Issue.record("the bound was not told of")
            return
        }
        #expect(waiting <= limit)
        #expect(waiting + 200 > limit)

        let reader = pipe.reader()
        #expect(await writer.close(within: .seconds(30)) == .tooSlow(waiting: waiting))
        close(pipe.writing)
        #expect(await reader.value == sent.dropLast().flatMap { $0 })
        #expect(await log.rest().isEmpty)
        close(pipe.reading)
    }

    @Test func `closing waits for a stalled reader only as long as asked`() async {
        let pipe = TestPipe()
        let writer = LineWriter(descriptor: pipe.writing) { _ in }
        for number in 0..<1000 { writer.write(numberedLine(number)) }
        guard case .tooSlow(let waiting) = await writer.close(within: .milliseconds(50)) else {
            Issue.record("nobody read, and yet all was written")
            return
        }
        #expect(waiting > 0)
        // What the reader finds when we are gone: whole lines, though we were in the middle.
        _ = fcntl(pipe.reading, F_SETFL, O_NONBLOCK)
        let read = lines(pipe.readToEnd())
        #expect(!read.isEmpty)
        #expect(read.allSatisfy { $0.hasSuffix("}") })
        close(pipe.reading)
    }

    @Test func `every line is written to a non-blocking descriptor`() async {
        let pipe = TestPipe()
        _ = fcntl(pipe.writing, F_SETFL, O_NONBLOCK)
        let writer = LineWriter(descriptor: pipe.writing) { _ in }
        let sent = (0..<200).map { numberedLine($0, padding: 5000) }
        for line in sent { writer.write(line) }
        let reader = pipe.reader()
        #expect(await writer.close(within: .seconds(30)) == nil)
        close(pipe.writing)
        #expect(await reader.value == sent.flatMap { $0 })
        close(pipe.reading)
    }

    @Test func `lines after closing are dropped`() async {
        let pipe = TestPipe()
        let writer = LineWriter(descriptor: pipe.writing) { _ in }
        writer.write(numberedLine(0))
        #expect(await writer.close(within: .seconds(30)) == nil)
        writer.write(numberedLine(1))
        #expect(await writer.close(within: .seconds(30)) == nil)
        close(pipe.writing)
        #expect(pipe.readToEnd() == numberedLine(0))
        close(pipe.reading)
    }

    @Test func `every failure has a description of its own`() {
        let failures: [LineFailure] = [
            .readerGone, .diskFull, .tooSlow(waiting: 1 << 20), .system(code: EBADF),
            .system(code: EFBIG), .system(code: EIO),
        ]
        #expect(Set(failures.map(\.description)).count == failures.count)
        #expect(LineFailure(code: EDQUOT) == .diskFull)
        #expect(LineFailure(code: EPIPE) == .readerGone)
    }
}
