// The file of `--output`: what is taken, what is refused, and what happens to its last line.
import Foundation
import Glibc
import Testing

@testable import PeerList

@Suite(.timeLimit(.minutes(10))) final class OutputFileTests {
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "peerlist-output-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func path(_ name: String) -> String {
        folder.appending(path: name).path(percentEncoded: false)
    }

    /// Appends the lines to the file, each with its line feed, and gives back what it then holds.
    private func append(_ text: [String], to name: String) async throws -> String {
        let file = try OutputFile(path: path(name))
        let writer = LineWriter(file: file) { _ in }
        for line in text { writer.write(Array("\(line)\n".utf8)) }
        #expect(await writer.close(within: .seconds(30)) == nil)
        return try String(contentsOfFile: path(name), encoding: .utf8)
    }

    @Test func `a file that is not there is made, readable by all and writable by its owner`()
        async throws
    {
        #expect(try await append(["a"], to: "new") == "a\n")
        let mode = try FileManager.default.attributesOfItem(atPath: path("new"))[.posixPermissions]
        // The rest is for the user's mask to say.
        #expect((mode as? Int).map { $0 & 0o733 } == 0o600)
    }

    @Test func `a file that is there is appended to`() async throws {
        try "a\n".write(toFile: path("old"), atomically: true, encoding: .utf8)
        #expect(try await append(["b", "c"], to: "old") == "a\nb\nc\n")
    }

    @Test func `a torn last line stays alone`() async throws {
        try "a\n{\"type\":\"di".write(toFile: path("torn"), atomically: true, encoding: .utf8)
        #expect(try await append(["b", "c"], to: "torn") == "a\n{\"type\":\"di\nb\nc\n")
    }

    @Test func `an empty file gets no empty line`() async throws {
        try "".write(toFile: path("empty"), atomically: true, encoding: .utf8)
        #expect(try await append(["b"], to: "empty") == "b\n")
    }

    @Test func `what is no file to append to is refused, and it is said why`() throws {
        let fifo = path("fifo")
        let made = unsafe mkfifo(fifo, 0o600)
        try #require(made == 0)
        try "".write(toFile: path("file"), atomically: true, encoding: .utf8)
        let cases = [
            (path(""), "directory"), (path("no/file"), "does not exist"),
            (path("file/x"), "as if it were"),
            (fifo, "nobody reads"), (path(String(repeating: "x", count: 300)), "too long"),
        ]
        for (path, words) in cases {
            let refusal = #expect(throws: OutputFile.Refusal.self) { try OutputFile(path: path) }
            #expect(refusal?.reason.contains(words) == true, "\(path): \(refusal?.reason ?? "")")
            #expect(refusal?.path == path)
        }
    }

    @Test func `a socket is refused`() throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array(path("s").utf8)
        try #require(name.count < 100)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        let bound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
        #expect(throws: OutputFile.Refusal.self) { try OutputFile(path: self.path("s")) }
    }

    @Test func `a pipe that somebody reads is taken`() async throws {
        let fifo = path("fifo")
        let made = unsafe mkfifo(fifo, 0o600)
        try #require(made == 0)
        let reading = unsafe open(fifo, O_RDONLY | O_NONBLOCK)
        defer { close(reading) }
        let file = try OutputFile(path: fifo)
        let writer = LineWriter(file: file) { _ in }
        writer.write(numberedLine(0))
        #expect(await writer.close(within: .seconds(30)) == nil)
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = unsafe read(reading, &bytes, bytes.count)
        #expect(Array(bytes.prefix(count)) == numberedLine(0))
    }
}
