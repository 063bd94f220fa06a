// Tests that a probe reads what came while its thread could not act.
import Glibc
import Testing

@testable import PeerList

@Suite struct DatagramSocketTests {
    @Test func `what comes while the receiver is busy is received after the time`() throws {
        var ends: [Int32] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        let (input, output) = (ends[0], ends[1])
        defer { for end in [input, output] { close(end) } }
        var (sent, received) = (0, 0)
        DatagramSocket.exchange(
            reading: [input], at: [.zero, .milliseconds(50)], within: .milliseconds(100)
        ) {
            sent += 1
            unsafe _ = write(output, [1], 1)
        } receive: { _, _ in
            var byte: UInt8 = 0
            unsafe _ = read(input, &byte, 1)
            received += 1
            // The first reply takes longer than the whole probe may.
            let end = ContinuousClock.now + .milliseconds(received == 1 ? 700 : 0)
            while ContinuousClock.now < end {}
            return true
        }
        #expect(sent == 2 && received == 2)
    }
}
