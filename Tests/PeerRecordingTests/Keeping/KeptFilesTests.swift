// The names and the order of old files.
import Foundation
import Glibc
import PeerList
import Testing

@testable import PeerRecording

@Suite struct KeptFilesTests {
    private let folder: LinesFolder
    private let files: KeptFiles
    private let time = Timestamp("2026-11-21T08:30:00.999999Z")

    init() throws {
        folder = try LinesFolder()
        files = KeptFiles(of: folder.path())
    }

    @Test func `a file is put away under the second of the day`() throws {
        try folder.write("a\n")
        try files.putAway(at: #require(time))
        #expect(try folder.names() == ["lines-20261121T083000Z"])
        #expect(try files.all() == [.init(stamp: "20261121T083000Z", isPlain: true)])
    }

    @Test func `no name is given twice, and they stay in order when the clock is set back`() throws
    {
        for hour in [8, 8, 8, 5] {
            try folder.write("a\n")
            try files.putAway(at: #require(Timestamp("2026-11-21T0\(hour):59:59.000000Z")))
        }
        #expect(
            try folder.names() == [
                "lines-20261121T085959Z", "lines-20261121T090000Z", "lines-20261121T090001Z",
                "lines-20261121T090002Z",
            ])
    }

    @Test func `an old file may be plain, compressed, both, or half of that`() throws {
        for suffix in ["1Z", "2Z.gz", "3Z", "3Z.gz", "4Z", "4Z.gz.tmp"] {
            try folder.write("", to: "lines-20261121T08300\(suffix)")
        }
        #expect(
            try files.all() == [
                .init(stamp: "20261121T083001Z", isPlain: true),
                .init(stamp: "20261121T083002Z", isCompressed: true),
                .init(stamp: "20261121T083003Z", isPlain: true, isCompressed: true),
                .init(stamp: "20261121T083004Z", isPlain: true, isUnfinished: true),
            ])
    }

    @Test func `files of other names are nobody's here`() throws {
        for name in [
            "lines.1.gz", "lines-20261121", "lines-20261121T083000Z.bz2", "lines-20261121T083000",
            "lines-20261321T083000Z", "lines-2026112xT083000Z", "lines-20261121 083000Z.gz",
            "lines-20261121T083000ZZ", "line-20261121T083000Z", "more-lines-20261121T083000Z",
            "lines-", "lines", "lines-aéééééééZ", "lines-aéééééééZ.gz", "lines-2026112éT08300Z",
            "lines-20261121T08300é", "lines-éééééééé", "lines-20261121é83000Z",
        ] { try folder.write("", to: name) }
        #expect(try files.all() == [])
    }

    @Test func `a file whose name only looks the same is nobody's here`() throws {
        try folder.write("", to: "caf\u{E9}-20261121T083000Z")
        let same = KeptFiles(of: folder.path("caf\u{E9}"))
        let other = KeptFiles(of: folder.path("cafe\u{301}"))
        #expect(try same.all().count == 1)
        #expect(try other.all() == [])
    }

    @Test func `after the last second that a stamp can tell, nothing is put away`() throws {
        try folder.write("old\n", to: "lines-99991231T235959Z")
        try folder.write("a\n")
        let problem = #expect(throws: KeptFiles.Problem.self) {
            try files.putAway(at: #require(time))
        }
        #expect(problem?.description.contains("rename the newest old file") == true)
        #expect(try folder.names() == ["lines", "lines-99991231T235959Z"])
        #expect(try folder.text("lines-99991231T235959Z") == "old\n")
    }

    @Test func `what cannot be put away is told, and stays`() throws {
        #expect(throws: KeptFiles.Problem.self) { try files.putAway(at: #require(time)) }
        let nowhere = KeptFiles(of: folder.path("no/such"))
        let problem = #expect(throws: KeptFiles.Problem.self) {
            try nowhere.putAway(at: #require(time))
        }
        #expect(problem?.description.contains("No such file or directory") == true)
    }

    @Test func `a name without a directory is one in the directory where we are`() async {
        await #expect(processExitsWith: .success) {
            let folder = try LinesFolder()
            try folder.write("a\n")
            let code = unsafe chdir(folder.path(""))
            #expect(code == 0)
            let files = KeptFiles(of: "lines")
            #expect(files.obstacle == nil)
            try files.putAway(at: .now())
            #expect(try files.all().count == 1)
            #expect(try folder.names().count == 1)
        }
    }
}
