// Tests following a file that is written, truncated and rotated.
import Foundation
import PeerList
import PeerListTestSupport
import TestSupport
import Testing

@testable import PeerRecording

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
