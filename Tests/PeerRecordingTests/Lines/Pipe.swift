// A pipe for tests.
import Foundation
import Glibc

/// A pipe of the system; both ends are closed by the test.
struct TestPipe {
    let reading: Int32
    let writing: Int32

    /// A pipe that holds as little as the system allows, so that it is soon full.
    init() {
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { fatalError("no pipe: errno \(errno)") }
        (reading, writing) = (ends[0], ends[1])
        // F_SETPIPE_SZ, which the module does not name.
        _ = fcntl(writing, 1031, 4096)
    }

    /// Begins to read all that is written until the writing end is closed.
    ///
    /// The reading blocks, so it has a thread of its own: tasks have few, and share them.
    func reader() -> Task<[UInt8], Never> { Self.reader(reading) }

    /// The same of another pipe, by its reading end.
    static func reader(_ reading: Int32) -> Task<[UInt8], Never> {
        let (bytes, entry) = AsyncStream<[UInt8]>.makeStream()
        Thread.detachNewThread {
            entry.yield(readToEnd(reading))
            entry.finish()
        }
        return Task { await bytes.first { _ in true } ?? [] }
    }

    /// All that is written until the writing end is closed.
    func readToEnd() -> [UInt8] { Self.readToEnd(reading) }

    private static func readToEnd(_ reading: Int32) -> [UInt8] {
        var all: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe read(reading, &block, block.count)
            guard count > 0 else { return all }
            all += block.prefix(count)
        }
    }
}

/// The lines in some bytes; the last one, if it lacks its line feed, with a sign that says so.
func lines(_ bytes: [UInt8]) -> [String] {
    let text = String(decoding: bytes, as: UTF8.self)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let rest = lines.removeLast()
    return rest.isEmpty ? lines : lines + [rest + " (torn)"]
}

/// A line with its number and as many more bytes as are asked for.
func numberedLine(_ number: Int, padding: Int = 0) -> [UInt8] {
    Array("{\"n\":\(number),\"x\":\"\(String(repeating: "x", count: padding))\"}\n".utf8)
}
