// Writing to standard output and standard error.
import Foundation
import Glibc
import Testing

@testable import PeerListCommand

@Suite(.timeLimit(.minutes(10))) struct StandardStreamsTests {
    @Test func `all bytes are written to a non-blocking descriptor`() async {
        var ends: [Int32] = [0, 0]
        #expect(unsafe pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        _ = fcntl(writing, F_SETFL, O_NONBLOCK)
        // Full before anything is read, so that the next write finds no room.
        var filled = 0
        while unsafe write(writing, "x", 1) == 1 { filled += 1 }
        let (counts, entry) = AsyncStream<Int>.makeStream()
        Thread.detachNewThread {
            var (all, block) = (0, [UInt8](repeating: 0, count: 4096))
            while case let count = unsafe read(reading, &block, block.count), count > 0 {
                all += count
            }
            entry.yield(all)
        }
        let count = 4 << 20
        #expect(writeAll(Array(repeating: 0x61, count: count), to: writing) == nil)
        close(writing)
        #expect(await counts.first { _ in true } == filled + count)
        close(reading)
    }

    @Test func `writing to a closed descriptor returns its error`() {
        #expect(writeAll([0x61], to: -1) == EBADF)
    }
}
