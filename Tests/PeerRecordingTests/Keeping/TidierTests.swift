// Old files are compressed and counted, and what a crash has left is put in order.
import Foundation
import Glibc
import PeerList
import Testing

@testable import PeerRecording

@Suite(.timeLimit(.minutes(10))) struct TidierTests {
    private let folder: LinesFolder
    private let problems = ProblemLog()

    init() throws { folder = try LinesFolder() }

    /// Has one pass made, and waits for it.
    private func tidy(count: Int = 10) {
        let tidier = Tidier(KeptFiles(of: folder.path()), count: count, report: problems.note)
        tidier.wake()
        tidier.finish()
    }

    /// What gzip(1) says a file holds.
    private func unpacked(_ name: String) throws -> String {
        let gzip = Process()
        gzip.executableURL = URL(filePath: "/bin/gzip")
        gzip.arguments = ["-dc", folder.path(name)]
        let output = Pipe()
        gzip.standardOutput = output
        try gzip.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        gzip.waitUntilExit()
        #expect(gzip.terminationStatus == 0)
        return String(decoding: bytes, as: UTF8.self)
    }

    private let stamp = "lines-20261121T083000Z"

    @Test(arguments: [0, 1, 20_000])
    func `gzip reads what was compressed, and the plain file is gone`(count: Int) throws {
        let text = String(repeating: "peers come and go\n", count: count)
        try folder.write(text, to: stamp)
        tidy()
        #expect(try folder.names() == [stamp + ".gz"])
        #expect(try unpacked(stamp + ".gz") == text)
        #expect(problems.all == [])
    }

    @Test func `a compressed file has the rights and the time of the plain one`() throws {
        try folder.write("a\n", to: stamp)
        let path = folder.path(stamp)
        unsafe chmod(path, 0o640)
        unsafe utimes(path, [timeval(tv_sec: 1000, tv_usec: 0), timeval(tv_sec: 2000, tv_usec: 0)])
        tidy()
        var status = stat()
        let code = unsafe stat(path + ".gz", &status)
        #expect(code == 0 && status.st_mode & 0o7777 == 0o640 && status.st_mtim.tv_sec == 2000)
    }

    @Test func `the oldest files beyond the number go, and no others`() throws {
        for day in 10..<20 { try folder.write("\(day)", to: "lines-202611\(day)T000000Z") }
        try folder.write("mine", to: "lines-2026.gz")
        try folder.write("mine", to: "lines.1.gz")
        tidy(count: 3)
        #expect(
            try folder.names() == [
                "lines-2026.gz", "lines-20261117T000000Z.gz", "lines-20261118T000000Z.gz",
                "lines-20261119T000000Z.gz", "lines.1.gz",
            ])
        #expect(try unpacked("lines-20261117T000000Z.gz") == "17")
    }

    @Test func `a copy that was not finished is made anew`() throws {
        try folder.write("whole\n", to: stamp)
        try folder.write("half", to: stamp + ".gz.tmp")
        tidy()
        #expect(try folder.names() == [stamp + ".gz"])
        #expect(try unpacked(stamp + ".gz") == "whole\n")
    }

    @Test func `a plain file whose copy is whole is removed`() throws {
        try folder.write("whole\n", to: stamp)
        tidy()
        try folder.write("whole\n", to: stamp)
        tidy()
        #expect(try folder.names() == [stamp + ".gz"])
    }

    @Test(arguments: ["somebody's", "", "a longer text, which is no copy of anything"])
    func `what is no copy of the plain file is not overwritten, and neither goes`(other: String)
        throws
    {
        try folder.write("whole\n", to: stamp)
        try folder.write(other, to: stamp + ".gz")
        tidy()
        #expect(try folder.text(stamp) == "whole\n")
        #expect(try folder.text(stamp + ".gz") == other)
    }

    @Test(arguments: [1, 3])
    func `a folder with an old file's name is told of, and the others are put in order`(count: Int)
        throws
    {
        let names = (1...3).map { "lines-2026112\($0)T000000Z" }
        try FileManager.default.createDirectory(
            atPath: folder.path(names[0]), withIntermediateDirectories: false)
        for name in names.dropFirst() { try folder.write(name, to: name) }
        tidy(count: count)
        #expect(
            try folder.names() == names.prefix(1)
                + names.dropFirst().suffix(count).map { $0 + ".gz" })
        #expect(problems.all.count == 1)
        #expect(problems.all.first?.contains(names[0]) == true)
    }

    /// The thread is held up at the first of the files, a pipe, as it is by others who want the
    /// machine. The folders before and after it cannot be compressed, and that is told.
    @Test func `whoever waits for the end does what the thread does not get to`() throws {
        let (before, pipe) = ("lines-20261109T000000Z", "lines-20261110T000000Z")
        let names = (11...15).map { "lines-202611\($0)T000000Z" }
        let after = "lines-20261116T000000Z"
        for folderName in [before, after] { unsafe mkdir(folder.path(folderName), 0o700) }
        unsafe mkfifo(folder.path(pipe), 0o600)
        for name in names { try folder.write(name, to: name) }
        let tidier = Tidier(KeptFiles(of: folder.path()), count: 10, report: problems.note)
        tidier.wake()
        let writing = unsafe open(folder.path(pipe), O_WRONLY)  // waits until it is read
        let isEnded = Monitor(false)
        let code = startThread {
            tidier.finish()
            isEnded.change { $0 = true }
        }
        #expect(code == 0)
        problems.wait(for: 2)
        let whole = try folder.names().filter { !$0.hasSuffix(".tmp") }
        #expect(whole == [before, pipe] + names.map { $0 + ".gz" } + [after])

        close(writing)
        isEnded.wait { $0 ? () : nil }
        #expect(
            try folder.names() == [before] + ([pipe] + names).map { $0 + ".gz" } + [after])
        #expect(problems.all.map { $0.contains(before) } == [true, false])
    }

    @Test func `what cannot be compressed is told, and stays`() async {
        await #expect(processExitsWith: .success) {
            let folder = try LinesFolder()
            try folder.write(randomText(count: 100_000), to: "lines-20261121T083000Z")
            signal(SIGXFSZ, SIG_IGN)
            var limits = rlimit(rlim_cur: 4096, rlim_max: 4096)
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
            let problems = ProblemLog()
            let tidier = Tidier(
                KeptFiles(of: folder.path()), count: 1, report: problems.note)
            tidier.wake()
            tidier.finish()
            #expect(try folder.names() == ["lines-20261121T083000Z"])
            #expect(problems.all.count == 1)
            #expect(problems.all[0].contains("File too large"))
        }
    }
}

/// Text that does not get shorter by much.
private func randomText(count: Int) -> String {
    String((0..<count).map { _ in Character(Unicode.Scalar(UInt8.random(in: 33...126))) })
}

/// Gathers what a tidier tells.
private final class ProblemLog: Sendable {
    private let monitor = Monitor([String]())

    var all: [String] { monitor.read { $0 } }

    /// Waits until so many are told.
    func wait(for count: Int) { monitor.wait { $0.count >= count ? () : nil } }

    @Sendable func note(_ problem: String) { monitor.change { $0.append(problem) } }
}
