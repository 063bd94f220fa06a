// A file that somebody puts away: opened anew when that is said, written on when it is not.
import Foundation
import Glibc
import PeerList
import Testing

@testable import PeerRecording

@Suite(.timeLimit(.minutes(10))) struct ReopeningTests {
    private let folder: LinesFolder
    private let log = EventLog()
    private let noon = Timestamp(microseconds: 1_795_262_400_000_000)

    init() throws { folder = try LinesFolder() }

    private func output(_ keeping: Keeping? = nil) throws -> LineOutput {
        LineOutput(
            file: try OutputFile(path: folder.path(), keeping: keeping), retryInterval: .zero,
            onEvent: log.note)
    }

    private func types(_ name: String = "lines") throws -> [String] {
        try folder.lines(name).map { $0["type"].text }
    }

    @Test func `as logrotate does: renamed, then told`() async throws {
        let output = try output()
        output.begin(.example(.device), at: noon)
        try FileManager.default.moveItem(atPath: folder.path(), toPath: folder.path("lines.1"))
        output.notice(Notice(.deadline, "still in the old file", time: noon), list: [])
        output.reopen(at: noon, list: [])
        output.end(.finished, at: noon, list: [])
        #expect(await output.close(within: .seconds(30)) == nil)
        #expect(try types("lines.1") == ["begin", "notice", "notice"])
        #expect(try folder.lines("lines.1").last?["code"].text == "next-file")
        #expect(try types() == ["begin", "end"])
        #expect(try folder.lines()[0]["seq"].number == 0)
        #expect(await log.rest().isEmpty)
    }

    @Test func `a file that was made for us is taken as it is`() async throws {
        let output = try output()
        output.begin(.example(.device), at: noon)
        try FileManager.default.moveItem(atPath: folder.path(), toPath: folder.path("lines.1"))
        try folder.write("")
        unsafe chmod(folder.path(), 0o640)
        output.reopen(at: noon, list: [])
        #expect(await output.close(within: .seconds(30)) == nil)
        var status = stat()
        let code = unsafe stat(folder.path(), &status)
        #expect(code == 0 && status.st_mode & 0o7777 == 0o640)
        #expect(try types() == ["begin"])
    }

    @Test func `told without a reason, the file goes on with a beginning`() async throws {
        let output = try output()
        output.begin(.example(.device), at: noon)
        output.reopen(at: noon, list: [])
        #expect(await output.close(within: .seconds(30)) == nil)
        #expect(try types() == ["begin", "notice", "begin"])
        #expect(try folder.names() == ["lines"])
    }

    @Test func `what is in a file counts on when it is opened anew and is the same`() async throws {
        let output = try output(Keeping(.size(4000)))
        func fill(_ count: Int) {
            for _ in 0..<count {
                output.tick(at: noon, list: [])
                output.notice(Notice(.deadline, "something", time: noon), list: [])
            }
        }
        output.begin(.example(.device), at: noon)
        fill(20)
        output.reopen(at: noon, list: [])
        // Only then has the thread that writes looked at the file.
        while try folder.text().count(of: "\"begin\"") < 2 { await Task.yield() }
        #expect(try folder.text().utf8.count < 4000)
        fill(20)
        #expect(await output.close(within: .seconds(30)) == nil)
        let files = try folder.files()
        try #require(files.count == 2)
        let first = try folder.lines(files[0]).count
        #expect(try 30..<42 ~= first && first + folder.lines().count == 2 + 1 + 40 + 2)
    }

    @Test func `a file that is opened anew when its day is over is put away`() async throws {
        let output = try output(Keeping(.daily))
        output.begin(.example(.device), at: noon)
        output.reopen(at: LocalDay.end(after: noon), list: [])
        #expect(await output.close(within: .seconds(30)) == nil)
        #expect(try folder.files().count == 2)
        #expect(try types() == ["begin"])
    }

    @Test func `where the next file cannot be opened, lines fail until it can`() async throws {
        let output = try output()
        output.begin(.example(.device), at: noon)
        try FileManager.default.moveItem(atPath: folder.path(), toPath: folder.path("lines.1"))
        try FileManager.default.createDirectory(
            atPath: folder.path(), withIntermediateDirectories: false)
        output.reopen(at: noon, list: [])
        guard case .failed(.notOpened(let refusal)) = await log.next() else {
            Issue.record("a directory was written to")
            return
        }
        #expect(refusal.reason.contains("is a directory"))
        try FileManager.default.removeItem(atPath: folder.path())
        output.notice(Notice(.deadline, "there is room again", time: noon), list: [])
        #expect(await log.next() == .recovered)
        #expect(await output.close(within: .seconds(30)) == nil)
        #expect(try types() == ["begin", "notice"])
    }

    @Test func `where another peerlist has taken the name meanwhile, lines fail until it ends`()
        async throws
    {
        let output = try output()
        output.begin(.example(.device), at: noon)
        try FileManager.default.moveItem(atPath: folder.path(), toPath: folder.path("lines.1"))
        var other = try OutputFile(path: folder.path())
        output.reopen(at: noon, list: [])
        guard case .failed(.notOpened(let refusal)) = await log.next() else {
            Issue.record("two write one file")
            return
        }
        #expect(refusal.reason.contains("another peerlist"))
        #expect(try folder.text().isEmpty)
        #expect(other.close() == nil)
        output.notice(Notice(.deadline, "the other one has ended", time: noon), list: [])
        #expect(await log.next() == .recovered)
        #expect(await output.close(within: .seconds(30)) == nil)
        #expect(try types() == ["begin", "notice"])
    }

    @Test func `a file that somebody has renamed is not put away again, nor what is in its place`()
        async throws
    {
        let output = try output(Keeping(.size(1024)))
        output.begin(.example(.device), at: noon)
        for _ in 0..<20 { output.notice(Notice(.deadline, "something", time: noon), list: []) }
        try FileManager.default.moveItem(atPath: folder.path(), toPath: folder.path("mine"))
        try folder.write("{\"type\":\"somebody's\"}\n")
        output.tick(at: noon, list: [])
        #expect(await output.close(within: .seconds(30)) == nil)
        #expect(try folder.names() == ["lines", "mine"])
        #expect(try types("mine").count == 22)
        let text = try folder.text()
        #expect(text.hasPrefix("{\"type\":\"somebody's\"}\n{\"type\":\"begin\""))
    }

    /// Somebody else's rights, in a process of its own: root may rename anything.
    @Test(.enabled(if: geteuid() == 0, "giving up rights needs root"))
    func `a file that cannot be put away is written on, and that is told`() async {
        await #expect(processExitsWith: .success) {
            let (folder, log) = (try LinesFolder(), EventLog())
            let noon = Timestamp(microseconds: 1_795_262_400_000_000)
            let output = LineOutput(
                file: try OutputFile(path: folder.path(), keeping: Keeping(.size(1024))),
                onEvent: log.note)
            output.begin(.example(.device), at: noon)
            for _ in 0..<20 { output.notice(Notice(.deadline, "something", time: noon), list: []) }
            let nobody: uid_t = 65534
            #expect(seteuid(nobody) == 0)
            output.tick(at: noon, list: [])
            output.end(.finished, at: noon, list: [])
            guard case .keepingFailed(let reason) = await log.next() else {
                Issue.record("it was put away")
                return
            }
            #expect(reason.contains("Permission denied"))
            #expect(await output.close(within: .seconds(30)) == nil)
            #expect(seteuid(0) == 0)
            #expect(try folder.names() == ["lines"])
            let types = try folder.lines().suffix(3).map { $0["type"].text }
            #expect(types == ["notice", "begin", "end"])
        }
    }

    @Test func `two that would take each other's file away are kept apart`() throws {
        var rotated = try OutputFile(path: folder.path(), keeping: Keeping(.daily))
        for keeping in [nil, Keeping(.daily)] {
            let refusal = #expect(throws: OutputFile.Refusal.self) {
                try OutputFile(path: folder.path(), keeping: keeping)
            }
            #expect(refusal?.reason.contains("another peerlist") == true)
        }
        _ = rotated.close()
    }

    @Test(arguments: ["fifo", "/dev/null"])
    func `what is no regular file cannot be rotated`(name: String) throws {
        let path = name.hasPrefix("/") ? name : folder.path(name)
        if path != name { unsafe mkfifo(path, 0o600) }
        let reading = unsafe open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reading) }
        let refusal = #expect(throws: OutputFile.Refusal.self) {
            try OutputFile(path: path, keeping: Keeping(.daily))
        }
        #expect(refusal?.reason.contains("pipe or a device") == true)
    }
}

extension String {
    fileprivate func count(of part: String) -> Int { ranges(of: part).count }
}
