// What waits to be written, when it cannot be.
import PeerList
import Testing

@testable import PeerRecording

@Suite struct LineQueueTests {
    private let queue = LineQueue(limit: 100)

    /// All that the thread would be given now.
    private func takeAll() -> [LineQueue.Work] {
        var all: [LineQueue.Work] = []
        while case .work(let work) = queue.take(until: .now) { all.append(work) }
        return all
    }

    @Test func `a failure drops the lines that wait, and not what is to be done with the file`() {
        #expect(queue.offer([1]) == nil)
        #expect(queue.offer([2], after: .reopen) == nil)
        #expect(queue.take() == .work(.lines([1])))
        #expect(queue.failed(.diskFull) == .diskFull)
        #expect(queue.waiting == 0)
        #expect(takeAll() == [.turn(.reopen)])
    }

    @Test func `what is to be done with the file is done while lines are dropped`() {
        #expect(queue.failed(.diskFull) == .diskFull)
        #expect(queue.offer([1], after: .reopen) == nil)
        #expect(takeAll() == [.turn(.reopen)])
        #expect(queue.restart(with: [2]))
        #expect(takeAll() == [.lines([2])])
    }

    @Test func `a line that does not fit loses nothing but itself`() {
        #expect(queue.offer(Array(repeating: 0, count: 90)) == nil)
        let failure = queue.offer(Array(repeating: 1, count: 20), after: .rotate)
        #expect(failure == .tooSlow(waiting: 90))
        #expect(takeAll() == [.lines(Array(repeating: 0, count: 90)), .turn(.rotate)])
    }

    /// Else an empty file would be put away, and an old one deleted for it.
    @Test(arguments: [
        ([FileTurn.reopen, .reopen], FileTurn.reopen), ([.rotate, .reopen], .rotate),
        ([.reopen, .rotate], .rotate), ([.rotate, .rotate], .rotate),
    ])
    func `turns between which no line is left are one`(turns: [FileTurn], one: FileTurn) {
        for turn in turns { #expect(queue.offer([1], after: turn) == nil) }
        #expect(queue.failed(.diskFull) == .diskFull)
        #expect(takeAll() == [.turn(one)])
    }

    @Test func `the size of a file that is about to be left does not count`() {
        queue.opened(withSize: 5)
        #expect(queue.sizeAtOpening == 5)
        #expect(queue.offer([1], after: .rotate) == nil)
        #expect(queue.sizeAtOpening == 0)
        queue.opened(withSize: 6)
        #expect(queue.sizeAtOpening == 0)
        _ = takeAll()
        queue.opened(withSize: 7)
        #expect(queue.sizeAtOpening == 7)
    }
}
