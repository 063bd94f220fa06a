// Tests the bounded queue of lines, and what a failure drops from it.
import Testing

@testable import PeerRecording

@Suite struct LineQueueTests {
    private let queue = LineQueue(limit: 100)

    private func add(
        _ line: [UInt8], reopening: Bool = false, resuming: Bool = false
    ) -> LineFailure? {
        queue.add(line, reopening: reopening, resuming: resuming).failure
    }

    /// The tasks that wait.
    private func tasks() -> [LineQueue.Task] {
        var all: [LineQueue.Task] = []
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

    @Test func `a line that exceeds the limit is dropped alone`() {
        #expect(add(Array(repeating: 0, count: 90)) == nil)
        #expect(add(Array(repeating: 1, count: 20), reopening: true) == .tooSlow(waiting: 90))
        #expect(tasks() == [.write(Array(repeating: 0, count: 90)), .reopen])
    }

    @Test func `lines are accepted again once half of the limit is free`() {
        #expect(add(Array(repeating: 0, count: 90)) == nil)
        #expect(add(Array(repeating: 1, count: 20)) == .tooSlow(waiting: 90))
        #expect(!queue.canResume)
        #expect(!queue.add([2], resuming: true).isAccepted)
        _ = tasks()
        #expect(!queue.wrote(90))
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
        queue.close {}
        #expect(queue.next(until: .now) == nil)
    }
}
