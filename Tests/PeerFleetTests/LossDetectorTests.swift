// Tests when messages about peers count as lost, by the numbers that statuses state.
import PeerFleet
import Testing

@Suite struct LossDetectorTests {
    /// A detector after a read of messages with these numbers.
    private func detector(read numbers: [Int] = [1, 2, 3], status: Int? = 3) -> LossDetector {
        var losses = LossDetector()
        losses.beginRead(status)
        for number in numbers { losses.receiveKept(number) }
        #expect(losses.endRead() == false)
        return losses
    }

    @Test func `no message is lost while the stated numbers grow by those that arrive`() {
        var losses = detector()
        for number in 4..<20 {
            losses.receive()
            #expect(losses.receiveStatus(number) == false)
            #expect(losses.receiveStatus(number) == false)
        }
    }

    @Test(arguments: [0, 1]) func `a message that did not arrive is noticed once`(arrived: Int) {
        var losses = detector()
        for _ in 0..<arrived { losses.receive() }
        #expect(losses.receiveStatus(3 + arrived + 1) == true)
        #expect(losses.receiveStatus(3 + arrived + 1) == false)
    }

    @Test func `the broker may keep later messages than the status of the start of a read`() {
        var losses = detector(read: [5, 7, 6], status: 4)
        losses.receive()
        #expect(losses.receiveStatus(8) == false)
    }

    @Test func `a status without a number begins the numbers again`() {
        var losses = detector()
        #expect(losses.receiveStatus(nil) == false)
        #expect(losses.receiveStatus(100) == false)
        #expect(losses.receiveStatus(101) == true)
    }

    @Test func `after a message that cannot be counted, the next status sets the number`() {
        var losses = detector()
        losses.reset()
        #expect(losses.receiveStatus(100) == false)
        #expect(losses.receiveStatus(101) == true)
    }

    @Test(arguments: [(4, false), (5, true), (3, true)])
    func `a status during the first read has to confirm the number that the broker keeps`(
        number: Int, isLost: Bool
    ) {
        var losses = LossDetector()
        losses.beginRead(2)
        losses.receiveKept(3)
        losses.receive()
        #expect(losses.receiveStatus(number) == false)
        #expect(losses.endRead() == isLost)
        #expect(losses.receiveStatus(number) == false)
    }

    @Test func `a loss during a later read ends with that read`() {
        var losses = detector()
        losses.beginRead(3)
        #expect(losses.receiveStatus(4) == true)
        #expect(losses.endRead() == true)
        losses.beginRead(4)
        losses.receive()
        #expect(losses.receiveStatus(5) == false)
        #expect(losses.endRead() == false)
    }

    @Test func `any number can be stated`() {
        var losses = detector(read: [.max], status: .min)
        losses.receive()
        #expect(losses.receiveStatus(.min) == false)
        #expect(losses.receiveStatus(.max) == true)
    }
}
