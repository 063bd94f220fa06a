// Tests that a writer never blocks its producer, that lines are whole, the bounded queue of lines, and when lines are synced.
import Foundation
import Glibc
import PeerModel
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
        #expect(waiting >= limit)
        #expect(waiting < limit + 200)

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

@Suite struct LineQueueTests {
    private let queue = LineQueue(limit: 100)

    private func add(
        _ line: [UInt8], reopening: Bool = false, resuming: Bool = false
    ) -> LineFailure? {
        queue.add(line, reopening: reopening, resuming: resuming).failure
    }

    /// The tasks that wait.
    private func tasks() -> [LineQueue.WriterTask] {
        var all: [LineQueue.WriterTask] = []
        while let task = queue.next(until: .now), task != .sync { all.append(task) }
        return all
    }

    @Test func `a failure drops the waiting lines, but no reopening`() {
        #expect(add([1]) == nil)
        #expect(add([2], reopening: true) == nil)
        #expect(queue.next() == .write([1]))
        #expect(queue.fail(.diskFull) == .diskFull)
        #expect(queue.waiting == 0)
        #expect(tasks() == [.reopen])
    }

    @Test func `the file is reopened also while lines are dropped`() {
        #expect(queue.fail(.diskFull) == .diskFull)
        #expect(add([1], reopening: true) == nil)
        #expect(tasks() == [.reopen])
        #expect(queue.add([2], resuming: true).isAccepted)
        #expect(tasks() == [.write([2])])
    }

    @Test func `a line that comes when the limit is reached is dropped alone`() {
        #expect(add(Array(repeating: 0, count: 100)) == nil)
        #expect(add([1], reopening: true) == .tooSlow(waiting: 100))
        #expect(tasks() == [.write(Array(repeating: 0, count: 100)), .reopen])
    }

    @Test func `a line of any size is accepted, and so are the ones that continue it`() {
        let long = [UInt8](repeating: 0, count: 1_000)
        #expect(add(long) == nil)
        #expect(queue.add(long, continuing: true).isAccepted)
        #expect(tasks() == [.write(long + long)])
        #expect(add([1]) == .tooSlow(waiting: 2_000))
        #expect(!queue.wrote(2_000))
        #expect(queue.add(long, resuming: true).isAccepted)
        #expect(queue.add(long, continuing: true).isAccepted)
    }

    @Test func `lines that continue a dropped one are dropped`() {
        #expect(queue.fail(.diskFull) == .diskFull)
        #expect(!queue.add([1], continuing: true).isAccepted)
        #expect(tasks().isEmpty)
    }

    @Test func `a few waiting bytes are not called none`() {
        #expect(LineFailure.tooSlow(waiting: 1).description.contains(": 1 KiB wait"))
    }

    @Test func `lines are accepted again once half of the limit is free`() {
        #expect(add(Array(repeating: 0, count: 100)) == nil)
        #expect(add(Array(repeating: 1, count: 20)) == .tooSlow(waiting: 100))
        #expect(!queue.canResume)
        #expect(!queue.add([2], resuming: true).isAccepted)
        _ = tasks()
        #expect(!queue.wrote(100))
        #expect(queue.canResume)
        #expect(queue.add([2], resuming: true).isAccepted)
        #expect(queue.failure == nil)
    }

    @Test func `an outage is reported once`() {
        #expect(queue.fail(.diskFull) == .diskFull)
        #expect(queue.add([1], resuming: true).isAccepted)
        #expect(queue.fail(.diskFull) == nil)
        #expect(queue.add([1], resuming: true).isAccepted)
        #expect(queue.wrote(1))
        #expect(queue.fail(.diskFull) == .diskFull)
    }

    @Test func `reopenings without a line between them are one`() {
        for _ in 1...2 { #expect(add([1], reopening: true) == nil) }
        #expect(queue.fail(.diskFull) == .diskFull)
        #expect(tasks() == [.reopen])
    }

    @Test func `the thread is woken when a sync is due`() {
        #expect(queue.next(until: .now + .milliseconds(20)) == .sync)
        #expect(add([1]) == nil)
        #expect(queue.next(until: .now) == .write([1]))
        queue.close()
        #expect(queue.next(until: .now) == nil)
    }
}

@Suite struct SyncScheduleTests {
    private let start = ContinuousClock.now

    @Test func `with 'line', each line is synced`() {
        var schedule = SyncSchedule(.line)
        let isDue = schedule.wrote(at: start)
        #expect(isDue)
        #expect(schedule.due == nil)
    }

    @Test func `with 'none', nothing is synced`() {
        var schedule = SyncSchedule(.none)
        let isDue = schedule.wrote(at: start)
        #expect(!isDue)
        #expect(schedule.due == nil)
    }

    @Test func `with 'second', a sync is due one second after the first unsynced line`() {
        var schedule = SyncSchedule(.second)
        let early = [0, 999].map { schedule.wrote(at: start + .milliseconds($0)) }
        #expect(early == [false, false])
        #expect(schedule.due == start + .seconds(1))
        let isDue = schedule.wrote(at: start + .seconds(1))
        #expect(isDue)
        schedule.synced()
        #expect(schedule.due == nil)
        let isDueAgain = schedule.wrote(at: start + .seconds(1))
        #expect(!isDueAgain)
    }
}
