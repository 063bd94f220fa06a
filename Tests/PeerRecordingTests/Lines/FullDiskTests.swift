// Tests full disks: no torn line, no unreported gap, a fresh beginning.
import Foundation
import Glibc
import PeerModel
import PeerRecording
import Testing

/// Each test fills a file system or a file of its own, in a process of its own.
@Suite(.timeLimit(.minutes(10))) struct FullDiskTests {
    /// The most that a file may hold stands in for the disk: `write` takes a part of a line, then fails.
    @Test func `a line that does not fit on the disk leaves nothing in the file`() async {
        await #expect(processExitsWith: .success) {
            let name = try temporaryFile()
            setFileSizeLimit(10_000)
            let log = EventLog()
            let file = try OutputFile(path: name)
            let writer = LineWriter(file: file, onEvent: log.note)
            for number in 0..<100 { writer.write(numberedLine(number, padding: 300)) }
            #expect(await log.next() == .failed(.system(code: EFBIG)))

            let whole = lines(Array(try Data(contentsOf: URL(filePath: name))))
            #expect(whole.count == 31)
            #expect(whole.allSatisfy { $0.hasSuffix("}") })
            #expect(await writer.close(within: .seconds(30)) == .system(code: EFBIG))
            try FileManager.default.removeItem(atPath: name)
        }
    }

    @Test func `a line in pieces that does not fit on the disk leaves nothing in the file`() async {
        await #expect(processExitsWith: .success) {
            let name = try temporaryFile()
            setFileSizeLimit(200_000)
            let log = EventLog()
            let writer = LineWriter(file: try OutputFile(path: name), onEvent: log.note)
            let whole = numberedLine(0, padding: 300)
            writer.write(whole)
            // Larger than the blocks in which short lines are written.
            for _ in 0..<5 { writer.write([UInt8](repeating: 0x20, count: 70_000)) }
            #expect(await log.next() == .failed(.system(code: EFBIG)))
            #expect(try Data(contentsOf: URL(filePath: name)).elementsEqual(whole))
            #expect(await writer.close(within: .seconds(30)) == .system(code: EFBIG))
            try FileManager.default.removeItem(atPath: name)
        }
    }

    @Test func `when there is room again, lines go on with a begin line that holds the whole list`()
        async
    {
        await #expect(processExitsWith: .success) {
            let name = try temporaryFile()
            var list = RandomList(seed: 1, grouping: .device)
            setFileSizeLimit(20_000)
            let log = EventLog()
            let output = LineOutput(
                file: try OutputFile(path: name), retryInterval: .zero, onEvent: log.note)
            output.begin(.example(.device), at: Timestamp(microseconds: 0))
            while try fileSize(name) < 10_000 { output.update(list.change(), list: list.sections) }
            for _ in 0..<200 { output.update(list.change(), list: list.sections) }
            #expect(await log.next() == .failed(.system(code: EFBIG)))

            setFileSizeLimit(1 << 30)
            for _ in 0..<20 { output.update(list.change(), list: list.sections) }
            output.end(.finished, at: Timestamp(microseconds: 1), list: list.sections)
            #expect(await output.close(within: .seconds(30)) == nil)

            // The begin of a short list may find room while there is none for much.
            try expectFoldable(name, list.sections, begins: 2...)
            let events = await log.rest()
            #expect(events.last == .recovered)
            #expect(
                events.enumerated().allSatisfy {
                    ($0.element == .recovered) == $0.offset.isMultiple(of: 2)
                })
            try FileManager.default.removeItem(atPath: name)
        }
    }

    @Test(.enabled(if: SmallDisk.canMount, "mounting a file system needs root"))
    func `a full file system is reported, and lines go on when there is room`() async {
        await #expect(processExitsWith: .success) {
            // Only this thread sees the mount, so nothing here may wait for another one by `await`.
            let folder = SmallDisk.mount(size: "64k")
            let name = folder + "/lines.jsonl"
            let ballast = folder + "/ballast"
            #expect(FileManager.default.createFile(atPath: ballast, contents: Data(count: 40_000)))

            var list = RandomList(seed: 2, grouping: .type)
            let (failed, recovered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let output = LineOutput(file: try OutputFile(path: name), retryInterval: .zero) {
                if case .failed = $0 { failed.signal() } else { recovered.signal() }
            }
            output.begin(.example(.type), at: Timestamp(microseconds: 0))
            for _ in 0..<1000 { output.update(list.change(), list: list.sections) }
            #expect(failed.wait(timeout: .now() + 30) == .success)
            try FileManager.default.removeItem(atPath: ballast)
            // The writing thread may still be failing at what it was given before there was room; it
            // is given little at a time, or the room would be used up again.
            var isBack = false
            for _ in 0..<15 where !isBack {
                output.update(list.change(), list: list.sections)
                isBack = recovered.wait(timeout: .now() + 2) == .success
            }
            #expect(isBack)
            for _ in 0..<100 where try !endsInLine(name) {
                _ = recovered.wait(timeout: .now() + .milliseconds(20))
            }
            // As above; the disk is full again then.
            try expectFoldable(name, nil, begins: 2...)
        }
    }
}

/// The name of a file that is not there.
private func temporaryFile() throws -> String {
    FileManager.default.temporaryDirectory.appending(path: "peerlist-\(UUID().uuidString)").path(
        percentEncoded: false)
}

private func fileSize(_ name: String) throws -> Int {
    try Data(contentsOf: URL(filePath: name)).count
}

/// Whether nothing is being written to a file in the middle of a line.
private func endsInLine(_ name: String) throws -> Bool {
    try Data(contentsOf: URL(filePath: name)).last == UInt8(ascii: "\n")
}

/// Bounds every file that this process writes.
private func setFileSizeLimit(_ limit: UInt) {
    var limits = rlimit(rlim_cur: limit, rlim_max: rlim_t.max)
    let code = unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
    #expect(code == 0)
}

/// Expects whole lines that fold, with so many beginnings, to a list if one is given.
private func expectFoldable(
    _ name: String, _ list: [ListSection]?, begins: some RangeExpression<Int>
) throws {
    let written = Array(try Data(contentsOf: URL(filePath: name)))
    #expect(written.last == UInt8(ascii: "\n"))
    var fold = LineFold()
    var count = 0
    for line in written.split(separator: UInt8(ascii: "\n")) {
        let value = try JSONValue(line: Array(line))
        if value["type"].text == "begin" { count += 1 }
        let problem = fold.take(value)
        #expect(problem == nil)
    }
    #expect(begins.contains(count))
    if let list {
        let isRight = fold.reads(as: list)
        #expect(isRight)
    }
}
