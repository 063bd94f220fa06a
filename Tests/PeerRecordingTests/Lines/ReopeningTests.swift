// Tests reopening the output file after it was renamed, as logrotate does.
import Foundation
import Glibc
import PeerModel
import PeerRecording
import Testing

@Suite(.timeLimit(.minutes(10))) struct ReopeningTests {
    private let folder: LinesFolder
    private let log = EventLog()
    private let noon = Timestamp(microseconds: 1_795_262_400_000_000)

    init() throws { folder = try LinesFolder() }

    private func output() throws -> LineOutput {
        LineOutput(
            file: try OutputFile(path: folder.path()), retryInterval: .zero, onEvent: log.note)
    }

    private func rename(to name: String) throws {
        try FileManager.default.moveItem(atPath: folder.path(), toPath: folder.path(name))
    }

    private func types(_ name: String = "lines") throws -> [String] {
        try folder.lines(name).map { $0["type"].text }
    }

    @Test func `after renaming and reopening, lines go on in a new file`() async throws {
        let output = try output()
        output.begin(.example(.device), at: noon)
        try rename(to: "lines.1")
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

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `every difference is in one file, and every file folds by itself`(seed: UInt64)
        async throws
    {
        var list = RandomList(seed: seed, grouping: seed % 2 == 0 ? .device : .type)
        var (encoder, lines) = (LineEncoder(), 0)
        let output = try output()
        output.begin(.example(.device), at: noon)
        for number in 1...5 {
            for _ in 0..<80 {
                let update = list.change()
                output.update(update, list: list.sections)
                lines += encoder.update(update) == nil ? 0 : 1
            }
            guard number < 5 else { continue }
            try rename(to: "lines.\(number)")
            output.reopen(at: noon, list: list.sections)
            // The writer's thread opens the file; it must be there to be renamed.
            while try !folder.names().contains("lines") { await Task.yield() }
        }
        output.end(.finished, at: noon, list: list.sections)
        #expect(await output.close(within: .seconds(60)) == nil)

        var (fold, differences) = (LineFold(), 0)
        for name in (1...4).map({ "lines.\($0)" }) + ["lines"] {
            let lines = try folder.lines(name)
            var begun = LineFold()
            _ = begun.take(lines[0])
            #expect(name == "lines.1" || begun.sections == fold.sections, "\(name)")
            fold = LineFold()
            for line in lines {
                let problem = fold.take(line)
                #expect(problem == nil)
            }
            differences += lines.count { $0["type"].text == "diff" }
        }
        #expect(differences == lines)
        #expect(fold.reads(as: list.sections))
    }

    @Test func `the new file has the mode of the old one`() async throws {
        let output = try output()
        unsafe chmod(folder.path(), 0o640)
        output.begin(.example(.device), at: noon)
        try rename(to: "lines.1")
        output.reopen(at: noon, list: [])
        #expect(await output.close(within: .seconds(30)) == nil)
        #expect(try mode() == 0o640)
    }

    @Test func `an existing empty file keeps its mode`() async throws {
        let output = try output()
        output.begin(.example(.device), at: noon)
        try rename(to: "lines.1")
        try folder.write("")
        unsafe chmod(folder.path(), 0o644)
        output.reopen(at: noon, list: [])
        #expect(await output.close(within: .seconds(30)) == nil)
        #expect(try mode() == 0o644)
        #expect(try types() == ["begin"])
    }

    private func mode() throws -> mode_t {
        var status = stat()
        let code = unsafe stat(folder.path(), &status)
        try #require(code == 0)
        return status.st_mode & 0o7777
    }

    @Test func `a file that was not renamed goes on with a begin line`() async throws {
        let output = try output()
        output.begin(.example(.device), at: noon)
        output.reopen(at: noon, list: [])
        #expect(await output.close(within: .seconds(30)) == nil)
        #expect(try types() == ["begin", "notice", "begin"])
        #expect(try folder.names() == ["lines"])
    }

    @Test func `lines fail until the new file can be opened`() async throws {
        let output = try output()
        output.begin(.example(.device), at: noon)
        try rename(to: "lines.1")
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

    @Test func `lines fail while another peerlist has locked the new file`() async throws {
        let output = try output()
        output.begin(.example(.device), at: noon)
        try rename(to: "lines.1")
        var other = try OutputFile(path: folder.path())
        output.reopen(at: noon, list: [])
        guard case .failed(.notOpened(let refusal)) = await log.next() else {
            Issue.record("two outputs write one file")
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
}
