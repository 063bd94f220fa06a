// Lines in a file that is put away while they are written: none is lost, and every file stands alone.
import Foundation
import Glibc
import PeerList
import Testing

@testable import PeerRecording

@Suite(.timeLimit(.minutes(10))) struct RotatingOutputTests {
    private let folder: LinesFolder
    private let log = EventLog()

    init() throws { folder = try LinesFolder() }

    private func output(_ keeping: Keeping?) throws -> LineOutput {
        LineOutput(
            file: try OutputFile(path: folder.path(), keeping: keeping), sync: .none,
            onEvent: log.note)
    }

    /// Lets a list change so many times; gives the number of lines that says so.
    private func change(_ list: inout RandomList, _ count: Int, in output: LineOutput) -> Int {
        var lines = 0
        var encoder = LineEncoder()
        for _ in 0..<count {
            let before = list.sections
            let update = list.change()
            output.tick(at: update.time, list: before)
            output.update(update, list: list.sections)
            lines += encoder.update(update) == nil ? 0 : 1
        }
        return lines
    }

    /// Folds all files; every one must begin with the list with which the one before ended.
    ///
    /// - Returns: The list after the last line, and how many lines were differences.
    private func foldAll() throws -> (list: LineFold, differences: Int) {
        var fold = LineFold()
        var differences = 0
        for (index, file) in try folder.files().enumerated() {
            let lines = try folder.lines(file)
            var begun = LineFold()
            #expect(lines[0]["type"].text == "begin")
            _ = begun.take(lines[0])
            if index > 0 { #expect(begun.sections == fold.sections, "\(file)") }
            fold = LineFold()
            for line in lines {
                let problem = fold.take(line)
                #expect(problem == nil)
            }
            differences += lines.count { $0["type"].text == "diff" }
        }
        return (fold, differences)
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `every difference is in one file, and every file stands alone`(seed: UInt64) async throws {
        var list = RandomList(seed: seed, grouping: seed % 2 == 0 ? .device : .type)
        let output = try output(Keeping(.size(20_000), count: 1000))
        output.begin(.example(.device), at: .now())
        let lines = change(&list, 400, in: output)
        output.end(.finished, at: .now(), list: list.sections)
        #expect(await output.close(within: .seconds(60)) == nil)

        let (fold, differences) = try foldAll()
        #expect(differences == lines)
        #expect(fold.reads(as: list.sections))
        let files = try folder.files()
        #expect(files.count > 3)
        #expect(files.dropLast().allSatisfy { $0.hasSuffix("Z.gz") })
        for file in files.dropLast() {
            let last = try folder.lines(file).last
            #expect(last?["type"].text == "notice" && last?["code"].text == "next-file")
        }
        #expect(await log.rest().isEmpty)
    }

    @Test func `no more old files stay than are kept`() async throws {
        var list = RandomList(seed: 5, grouping: .device)
        let output = try output(Keeping(.size(5_000), count: 2))
        output.begin(.example(.device), at: .now())
        _ = change(&list, 300, in: output)
        output.end(.finished, at: .now(), list: list.sections)
        #expect(await output.close(within: .seconds(60)) == nil)
        #expect(try folder.files().count == 3)
        #expect(try foldAll().list.reads(as: list.sections))
    }

    @Test func `a day's file is put away at midnight, also when nothing happens`() async throws {
        let list = RandomList(seed: 6, grouping: .device)
        let output = try output(Keeping(.daily))
        let evening = Timestamp(microseconds: 1_795_262_400_000_000)
        let midnight = LocalDay.end(after: evening)
        output.begin(.example(.device), at: evening)
        output.tick(at: Timestamp(microseconds: midnight.microseconds - 1), list: list.sections)
        output.tick(at: midnight, list: list.sections)
        output.tick(at: Timestamp(microseconds: midnight.microseconds + 1), list: list.sections)
        #expect(await output.close(within: .seconds(60)) == nil)
        #expect(try folder.files().count == 2)
        #expect(try folder.lines()[0]["time"].text == midnight.description)
    }

    @Test func `a file that was full, or of an earlier day, is put away before a run begins`()
        async throws
    {
        for keeping in [Keeping(.size(1024)), Keeping(.daily)] {
            try folder.write("{\"type\":\"" + String(repeating: "x", count: 2000))
            unsafe utimes(folder.path(), [timeval(), timeval()])
            let output = try output(keeping)
            output.begin(.example(.device), at: .now())
            #expect(await output.close(within: .seconds(60)) == nil)
            #expect(try folder.lines().count == 1)
        }
        #expect(try folder.files().count == 3)
    }

    @Test func `a file that is not full is appended to`() async throws {
        for _ in 1...2 {
            let output = try output(Keeping(.size(10_000)))
            output.begin(.example(.device), at: .now())
            #expect(await output.close(within: .seconds(60)) == nil)
        }
        #expect(try folder.names() == ["lines"])
        #expect(try folder.lines().count == 2)
    }

    @Test func `the next file has the rights of the one before`() async throws {
        let output = try output(Keeping(.size(1024)))
        unsafe chmod(folder.path(), 0o640)
        var list = RandomList(seed: 7, grouping: .device)
        output.begin(.example(.device), at: .now())
        _ = change(&list, 50, in: output)
        #expect(await output.close(within: .seconds(60)) == nil)
        for name in try folder.names() {
            var status = stat()
            let code = unsafe stat(folder.path(name), &status)
            #expect(code == 0 && status.st_mode & 0o7777 == 0o640, "\(name)")
        }
    }

    @Test func `a file behind a symbolic link is put away where it is`() async throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("elsewhere"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path(), withDestinationPath: "elsewhere/real")
        var list = RandomList(seed: 8, grouping: .device)
        let output = try output(Keeping(.size(5000), count: 1000))
        output.begin(.example(.device), at: .now())
        _ = change(&list, 100, in: output)
        #expect(await output.close(within: .seconds(60)) == nil)
        #expect(try folder.names() == ["elsewhere", "lines"])
        let real = try FileManager.default.contentsOfDirectory(atPath: folder.path("elsewhere"))
        #expect(real.contains("real"))
        #expect(real.count > 2)
    }
}
