// Tests which output files are accepted and refused, and torn last lines.
import Foundation
import Glibc
import PeerModel
import PeerRecording
import Testing

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

    private func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
    }

    private func write(_ text: String, to name: String) throws {
        try text.write(toFile: path(name), atomically: true, encoding: .utf8)
    }

    @Test func `a new file is readable by its user alone`() async throws {
        #expect(try await append(["a"], to: "new") == "a\n")
        #expect(try mode("new") == 0o600)
    }

    @Test func `a recording is appended to, and keeps its mode`() async throws {
        try write("{\"type\":\"a\"}\n", to: "old")
        unsafe chmod(path("old"), 0o644)
        #expect(try await append(["b", "c"], to: "old") == "{\"type\":\"a\"}\nb\nc\n")
        #expect(try mode("old") == 0o644)
    }

    @Test func `no line is joined to a torn last line`() async throws {
        let torn = "{\"type\":\"a\"}\n{\"type\":\"di"
        try write(torn, to: "torn")
        #expect(try await append(["b", "c"], to: "torn") == "\(torn)\nb\nc\n")
        try write("{\"ty", to: "torn")
        #expect(try await append(["b"], to: "torn") == "{\"ty\nb\n")
    }

    @Test(arguments: ["export PATH\n", "{\"name\":\"a\"}\n", "\u{1F}\u{8B}\u{8}", "\n", "x"])
    func `a file that is not a recording is refused and not changed`(
        text: String
    ) throws {
        try write(text, to: "mine")
        let refusal = #expect(throws: OutputFile.Refusal.self) {
            try OutputFile(path: self.path("mine"))
        }
        #expect(refusal?.reason.hasPrefix("is no recording") == true)
        #expect(try String(contentsOfFile: path("mine"), encoding: .utf8) == text)
    }

    @Test(arguments: [true, false])
    func `a link is followed, also to a file that does not exist yet`(isThere: Bool) async throws {
        let files = FileManager.default
        if isThere { try write("", to: "file") }
        try files.createSymbolicLink(atPath: path("inner"), withDestinationPath: path("file"))
        try files.createSymbolicLink(atPath: path("link"), withDestinationPath: "inner")
        #expect(try await append(["a"], to: "link") == "a\n")
        #expect(try String(contentsOfFile: path("file"), encoding: .utf8) == "a\n")
        if !isThere { #expect(try mode("file") == 0o600) }
    }

    @Test func `circular and dangling links are refused`() throws {
        let files = FileManager.default
        try files.createSymbolicLink(atPath: path("a"), withDestinationPath: "b")
        try files.createSymbolicLink(atPath: path("b"), withDestinationPath: "a")
        try files.createSymbolicLink(atPath: path("c"), withDestinationPath: "no/file")
        for name in ["a", "c"] {
            #expect(throws: OutputFile.Refusal.self) { try OutputFile(path: self.path(name)) }
        }
    }

    @Test func `a descriptor that the shell opened is accepted, whatever its file contains`() throws
    {
        try write("a log\n", to: "log")
        let log = unsafe open(path("log"), O_WRONLY | O_APPEND)
        defer { close(log) }
        var file = try OutputFile(path: "/dev/fd/\(log)")
        #expect(file.isRegular && file.close() == nil)
    }

    /// The rules of Linux for protected links, files and pipes.
    @Test(
        .enabled(if: geteuid() == 0, "giving files away needs root"),
        arguments: ["file", "pipe", "link", "dangling"])
    func `another user's entry in a directory where everybody may create files is refused`(
        kind: String
    ) throws {
        let (name, nobody) = (path("common/entry"), uid_t(65_534))
        try FileManager.default.createDirectory(
            atPath: path("common"), withIntermediateDirectories: false)
        unsafe chmod(path("common"), 0o1777)
        switch kind {
        case "file": try "".write(toFile: name, atomically: false, encoding: .utf8)
        case "pipe": unsafe mkfifo(name, 0o666)
        default:
            if kind == "link" { try write("", to: "mine") }
            unsafe symlink(path("mine"), name)
        }
        let reading = kind == "pipe" ? unsafe open(name, O_RDONLY | O_NONBLOCK) : -1
        defer { close(reading) }
        for owner in [nobody, 0] {
            unsafe lchown(name, owner, owner)
            guard owner == nobody else {
                var file = try OutputFile(path: name)
                #expect(file.close() == nil)
                continue
            }
            let refusal = #expect(throws: OutputFile.Refusal.self) { try OutputFile(path: name) }
            #expect(refusal?.reason.hasPrefix("belongs to another user") == true)
            #expect(FileManager.default.fileExists(atPath: path("mine")) == (kind == "link"))
        }
    }

    @Test func `a file is locked until it is closed`()
        throws
    {
        var first = try OutputFile(path: path("lines"))
        func refusal() -> OutputFile.Refusal? {
            #expect(throws: OutputFile.Refusal.self) { try OutputFile(path: self.path("lines")) }
        }
        #expect(refusal()?.reason.contains("another peerlist") == true)
        #expect(first.close() == nil)
        var second = try OutputFile(path: path("lines"))
        #expect(refusal() != nil)

        // Renamed, as logrotate does: the name is free, and whoever has taken it keeps it.
        try FileManager.default.moveItem(atPath: path("lines"), toPath: path("lines.1"))
        var third = try OutputFile(path: path("lines"))
        #expect(throws: OutputFile.Refusal.self) { try second.reopened() }
        #expect(third.close() == nil)
        var fourth = try second.reopened()
        #expect(second.close() == nil && fourth.close() == nil)
    }

    @Test func `an empty file gets no empty line`() async throws {
        try "".write(toFile: path("empty"), atomically: true, encoding: .utf8)
        #expect(try await append(["b"], to: "empty") == "b\n")
    }

    @Test func `a path that cannot be appended to is refused with the reason`() throws {
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

    @Test func `a pipe with a reader is accepted`() async throws {
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
