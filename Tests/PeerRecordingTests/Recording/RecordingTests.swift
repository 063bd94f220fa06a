// Tests reading whole, compressed and damaged recordings, and following a file that is written, truncated and rotated.
import Foundation
import Glibc
import PeerModel
import Testing

@testable import PeerRecording

@Suite(.timeLimit(.minutes(10))) final class RecordingTests {
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "peerlist-recording-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The result of reading a file with this content.
    private func read(_ content: Data) throws -> (recording: Recording, damage: [RecordingDamage]) {
        let path = folder.appending(path: "recording").path(percentEncoded: false)
        try content.write(to: URL(filePath: path))
        let recording = try Recording(path: path)
        var damage: [RecordingDamage] = []
        while let step = try recording.next() {
            if case .damage(let found) = step { damage.append(found) }
        }
        return (recording, damage)
    }

    private func read(
        _ lines: [String], ending: String = "\n"
    ) throws -> (recording: Recording, damage: [RecordingDamage]) {
        try read(Data((lines.joined(separator: "\n") + ending).utf8))
    }

    @Test func `the copy of a stream is an unnamed file that only this process can read`()
        throws
    {
        let path = folder.appending(path: "bytes").path(percentEncoded: false)
        try Data("text".utf8).write(to: URL(filePath: path))
        let copy = try SpooledBytes(try GzipBytes(path: path))
        var status = stat()
        let isThere = unsafe stat(copy.path, &status) == 0
        #expect(isThere && status.st_nlink == 0 && status.st_mode & 0o7777 == 0o600)
        let descriptor = try #require(copy.path.split(separator: "/").last.flatMap { Int32($0) })
        #expect(fcntl(descriptor, F_GETFD) == FD_CLOEXEC)
        #expect(try copy.read() == Array("text".utf8))
        #expect(try String(contentsOfFile: copy.path, encoding: .utf8) == "text")
    }

    @Test func `a whole recording is read to its end`() throws {
        let (recording, damage) = try read(try houseLines())
        #expect(damage.isEmpty)
        #expect(!recording.isLost)
        #expect(recording.list.ending == .finished)
        #expect(recording.list.count == 1)
    }

    @Test func `an empty file is no damage, and has no list`() throws {
        let (recording, damage) = try read(Data())
        #expect(damage.isEmpty)
        #expect(recording.list.header == nil)
    }

    @Test func `an incomplete last line is ignored, and the list before it is known`() throws {
        let lines = try houseLines()
        let whole = try read(Array(lines[..<5]))
        let (recording, damage) = try read(
            Array(lines[..<5]) + [String(lines[5].prefix(100))], ending: "")
        #expect(damage.map(\.isCutOff) == [true])
        #expect(damage.first?.line == 6)
        #expect(!recording.isLost)
        #expect(recording.list.listSections == whole.recording.list.listSections)
    }

    @Test func `a whole last line without its line feed counts`() throws {
        let (recording, damage) = try read(try houseLines(), ending: "")
        #expect(damage.isEmpty)
        #expect(recording.list.ending == .finished)
    }

    @Test func `an inconsistent last line loses the list, also without its line feed`()
        throws
    {
        let lines = try houseLines()
        let misplaced = lines[1].replacing(
            #""op":"insert","section":"local","at":0"#,
            with: #""op":"insert","section":"local","at":9"#)
        #expect(misplaced != lines[1])
        let (recording, damage) = try read([lines[0], misplaced], ending: "")
        #expect(damage.map(\.isCutOff) == [false])
        #expect(recording.isLost)
        #expect(recording.list.listSections.isEmpty)
    }

    @Test
    func
        `an invalid line loses the list until the next begin, and is reported once with its position`()
        throws
    {
        let lines = try houseLines()
        let (recording, damage) = try read(
            Array(lines[..<3]) + ["what is this", lines[3], lines[4]])
        #expect(recording.isLost)
        #expect(damage.map(\.line) == [4])
        #expect(damage.first?.byte == lines[..<3].reduce(0) { $0 + $1.utf8.count + 1 })

        let (again, told) = try read(Array(lines[..<3]) + ["{\"type\":\"di", ""] + lines)
        #expect(told.map(\.line) == [4])
        #expect(!again.isLost)
        #expect(again.list.ending == .finished)
    }

    @Test func `a gap and an inconsistent position are damage`() throws {
        let lines = try houseLines()
        #expect(try read([lines[0], lines[1], lines[3]]).damage.map(\.line) == [3])
        let misplaced = lines[1].replacing(#""at":0"#, with: #""at":9"#)
        #expect(try read([lines[0], misplaced]).damage.map(\.line) == [2])
        #expect(try read([lines[1]]).damage.map(\.line) == [1])
    }

    @Test func `a service in a list of devices is damage, and so is the reverse`() throws {
        for (grouping, other) in [(Grouping.device, Grouping.type), (.type, .device)] {
            let (recording, damage) = try read(
                [try houseLines(grouping)[0], try houseLines(other)[1]])
            #expect(damage.map(\.line) == [2])
            #expect(recording.isLost)
        }
    }

    @Test func `two runs in one file are read one after the other`() throws {
        let lines = try houseLines()
        let (recording, damage) = try read(lines + lines[..<2])
        #expect(damage.isEmpty)
        #expect(recording.list.ending == nil)
        let first = try read(Array(lines[..<2]))
        #expect(recording.list.listSections == first.recording.list.listSections)
    }

    @Test func `a line of ten megabytes is read, and one of an unknown type is skipped`()
        throws
    {
        let lines = try houseLines()
        let long = lines[0].replacing(
            #""backend":"#,
            with: "\"pad\":\"\(String(repeating: "x", count: 10 << 20))\",\"backend\":")
        let news = #"{"type":"news","seq":1,"time":"2026-11-21T08:30:00.000000Z","x":[1]}"#
        let (recording, damage) = try read([long, news])
        #expect(damage.isEmpty)
        #expect(recording.list.header != nil)
    }

    @Test func `nested positions are skipped at any depth, and endless arrays are refused`()
        throws
    {
        let begin = try houseLines()[0]
        let deep = String(repeating: #"{"from":"#, count: 200_000)
        let move =
            #"{"type":"diff","seq":1,"time":"2026-11-21T08:30:00.000000Z","cause":"changed","changes":[{"op":"move","from":"#
        let nested = try read([begin, move + deep])
        #expect(nested.damage.map(\.line) == [2])
        #expect(nested.damage.first?.message == "a value is nested too deep")

        let sections = (0..<2 * RecordedLine.listLimits.sections)
            .map { #"{"id":"\#($0)","items":[]}"# }.joined(separator: ",")
        let long = begin.replacing(#""sections":[]"#, with: #""sections":[\#(sections)]"#)
        #expect(try read([long]).damage.first?.message.contains("longer than any") == true)
    }

    @Test func `after a begin with a repeated item, the next begin is read`() throws {
        let peer = try #require(
            try houseLines()[1].split(separator: #""peer":"#).last?.dropLast("}]}".count))
        let begin = try houseLines()[0]
        let twice = begin.replacing(
            #""sections":[]"#,
            with: #""sections":[{"id":"local","items":[\#(peer),\#(peer)]}]"#)
        let path = folder.appending(path: "twice").path(percentEncoded: false)
        try Data("\(twice)\n\(begin)\n".utf8).write(to: URL(filePath: path))
        let recording = try Recording(path: path)
        guard case .damage = try recording.next() else {
            Issue.record("a double is damage")
            return
        }
        #expect(recording.list.count == 0)
        #expect(try recording.next() == .line)
        #expect(recording.changes?.departures.isEmpty == true)
    }

    @Test func `data in a pipe is returned as soon as it arrives, compressed or not`() throws {
        let lines = try houseLines()
        for pack in [false, true] {
            let pipe = Pipe()
            let text = Data((lines[0] + "\n").utf8)
            let packed = try pack ? compressed(text) : text
            try pipe.fileHandleForWriting.write(contentsOf: packed)
            let descriptor = pipe.fileHandleForReading.fileDescriptor
            // The pipe stays open for writing: whoever waits for its end waits for ever.
            let recording = try Recording(path: "/proc/self/fd/\(descriptor)")
            #expect(try recording.next() == .line)
            try pipe.fileHandleForWriting.close()
            #expect(try recording.next() == nil)
        }
    }

    @Test func `concatenated compressed files are read as one`() throws {
        let lines = try houseLines()
        let parts = [lines[..<4], lines[4...]].map { Data($0.map { $0 + "\n" }.joined().utf8) }
        let (recording, damage) = try read(compressed(parts[0]) + compressed(parts[1]))
        #expect(damage.isEmpty)
        #expect(recording.list.ending == .finished)
    }

    @Test func `another version of the format is refused by its number`() throws {
        let other = try houseLines()[0].replacing(#""version":1"#, with: #""version":2"#)
        #expect(try read([other]).damage.first?.message.contains("version 2") == true)
    }

    @Test func `a compressed recording is read, and a truncated one is an error`()
        throws
    {
        let lines = try houseLines()
        let text = lines.map { $0 + "\n" }.joined()
        let packed = try compressed(Data(text.utf8))
        #expect(packed.prefix(2) == Data([0x1F, 0x8B]))
        let (recording, damage) = try read(packed)
        #expect(damage.isEmpty)
        #expect(recording.list.ending == .finished)

        #expect(throws: RecordingError.self) { try read(packed.dropLast(20)) }
    }

    @Test func `a missing file is an error with the reason`() {
        let path = folder.appending(path: "absent").path(percentEncoded: false)
        let error = #expect(throws: RecordingError.self) { try Recording(path: path) }
        #expect(error?.description == "\(path) cannot be opened: No such file or directory")
    }

    private func compressed(_ data: Data) throws -> Data {
        let path = folder.appending(path: "plain").path(percentEncoded: false)
        try data.write(to: URL(filePath: path))
        let gzip = Process()
        gzip.executableURL = URL(filePath: "/usr/bin/env")
        gzip.arguments = ["gzip", "--force", path]
        try gzip.run()
        gzip.waitUntilExit()
        try #require(gzip.terminationStatus == 0)
        return try Data(contentsOf: URL(filePath: path + ".gz"))
    }
}

@Suite(.timeLimit(.minutes(10))) final class FollowingTests {
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "peerlist-following-\(UUID().uuidString)")
    private let path: String

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appending(path: "lines").path(percentEncoded: false)
        try Data().write(to: URL(filePath: path))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The lines of the file up to `end`, while somebody on another thread writes to it.
    private func lines(while writing: @escaping @Sendable () throws -> Void) throws -> [String] {
        let lines = LineSource(try FollowedBytes(path: path))
        DispatchQueue.global().async {
            do { try writing() } catch { Issue.record(error) }
        }
        var found: [String] = []
        while found.last != "end", let line = try lines.next() {
            found.append(String(decoding: line.bytes, as: UTF8.self))
        }
        return found
    }

    @Test func `appended lines are read as they arrive, incomplete ones when they are whole`()
        throws
    {
        try append("a\n", to: path)
        let found = try lines { [path] in
            try append("b", to: path)
            try append("c\nd\n", to: path)
            try append("end\n", to: path)
        }
        #expect(found == ["a", "bc", "d", "end"])
    }

    @Test func `after the end of a rotated file, the new file is read`() throws {
        try append("a\n", to: path)
        let found = try lines { [path] in
            try append("b\n", to: path)
            try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
            try Data("c\n".utf8).write(to: URL(filePath: path))
            try append("end\n", to: path)
        }
        #expect(found == ["a", "b", "c", "end"])
    }

    @Test func `a truncated file is read from its start`() async throws {
        try append("a long first line\n", to: path)
        let lines = LineSource(try FollowedBytes(path: path))
        #expect(try lines.next()?.bytes == Array("a long first line".utf8))
        try Data("end\n".utf8).write(to: URL(filePath: path))
        #expect(try lines.next()?.bytes == Array("end".utf8))
    }

    @Test func `a torn line is not joined to the next file`() throws {
        try append("a\ntor", to: path)
        let found = try lines { [path] in
            try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
            try Data("b\nend\n".utf8).write(to: URL(filePath: path))
        }
        #expect(found == ["a", "tor", "b", "end"])
    }

    @Test func `a rotated file is read until the new file is not empty`() throws {
        try append("a\n", to: path)
        let found = try lines { [path] in
            try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
            try Data().write(to: URL(filePath: path))
            try append("b\n", to: path + ".1")
            try append("c\nend\n", to: path)
        }
        #expect(found == ["a", "b", "c", "end"])
    }

    @Test func `following a compressed file is an error with the reason`() throws {
        try Data([0x1F, 0x8B, 8, 0]).write(to: URL(filePath: path))
        let path = path
        let error = #expect(throws: RecordingError.self) { try FollowedBytes(path: path) }
        #expect(error?.description.contains("is compressed") == true)
    }

    @Test func `following a missing file is an error`() {
        let path = path + "-none"
        #expect(throws: RecordingError.self) { try FollowedBytes(path: path) }
    }
}

private func append(_ text: String, to path: String) throws {
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.seekToEnd()
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
}
