// Tests `peerlist report` as a command: its files, messages and exit statuses.
import FoundationEssentials
import Glibc
import LabSupport
import PeerModel
import PeerListTestSupport
import PeerRecording
import Testing

@testable import PeerListCommand
@testable import PeerReport

@Suite(.timeLimit(.minutes(10))) struct ReportCommandTests {
    private let folder: RecordingFolder

    init() throws { folder = try RecordingFolder() }

    private func report(_ words: String...) async throws -> FinishedProcess {
        try await run("exec peerlist report \(words.joined(separator: " "))")
    }

    /// Runs a command of the shell in the folder.
    private func run(_ command: String) async throws -> FinishedProcess {
        let programs = BuiltProducts.peerlist.split(separator: "/").dropLast().joined(
            separator: "/")
        let shell = "umask 022; cd '\(folder.path)' && PATH=/\(programs):$PATH && \(command)"
        return try await FinishedProcess(
            ["bash", "-c", shell], environment: ["LC_ALL": "C.UTF-8", "TZ": "Europe/Berlin"])
    }

    private func mode(_ name: String) -> mode_t? {
        var status = stat()
        return unsafe lstat(folder.path + name, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    private func text(_ name: String) throws -> String { try TextFile.read(folder.path + name) }

    @Test func `a page is written to a file, which is private when it is new`() async throws {
        _ = try folder.file("a.jsonl", House.lines())
        let first = try await report("-o", "r.html", "a.jsonl")
        #expect(first.status == 0 && first.output.isEmpty && first.errors.isEmpty)
        #expect(mode("r.html") == 0o600)
        #expect(try text("r.html").hasPrefix(ReportPage.start))
        #expect(try text("r.html").contains("2026-11-21, 09:30 to 09:35, local time (UTC+1)"))

        // An earlier page is replaced, keeps its mode, and leaves nothing beside it.
        #expect(try await run("chmod 644 r.html; ln -s r.html link.html").status == 0)
        #expect(try await report("a.jsonl", "--output=link.html", "a.jsonl").status == 0)
        #expect(mode("r.html") == 0o644)
        #expect(mode("link.html").map { $0 & 0o7777 } == 0o777)
        #expect(try await run("ls").output == "a.jsonl\nlink.html\nr.html")
    }

    @Test(.enabled(if: Lab.isRoot, "only root can make a file of another group"))
    func `a page whose group cannot be kept lets another group do no more than all others`()
        async throws
    {
        _ = try folder.file("a.jsonl", House.lines())
        #expect(try await report("-o", "r.html", "a.jsonl").status == 0)
        let finished = try await run(
            """
            chmod 777 . && chown 0:4242 r.html && chmod 664 r.html && exec setpriv --reuid 65534 \
            --regid 65534 --clear-groups peerlist report -o r.html a.jsonl
            """)
        #expect(finished.status == 0 && finished.errors.isEmpty)
        #expect(mode("r.html") == 0o644)
        #expect(try await run("stat --format %g r.html").output == "65534")
    }

    @Test func `a page is written to standard output, from standard input and from gzip`()
        async throws
    {
        _ = try folder.file("a.jsonl", House.lines())
        let plain = try await report("-o", "-", "a.jsonl")
        #expect(plain.status == 0 && plain.output.hasPrefix(ReportPage.start))
        let piped = try await run("gzip -k a.jsonl && peerlist report -o- - <a.jsonl.gz")
        #expect(piped.output == plain.output)
        let device = try await run("peerlist report -o /dev/stdout a.jsonl | cat")
        #expect(device.output == plain.output)
        let cut = try await run("set -o pipefail; peerlist report -o - a.jsonl | head -c 1")
        #expect(cut.status == 0 && cut.errors.isEmpty)
    }

    @Test func `a file that is not a report is not replaced`() async throws {
        _ = try folder.file("a.jsonl", House.lines())
        _ = try folder.file("notes.html", text: "<!DOCTYPE html>\n<html lang=\"en\">\n<p>Mine")
        for (output, message) in [
            ("notes.html", "'notes.html' exists and is not a report, so it is not replaced"),
            ("a.jsonl", "'a.jsonl' exists and is not a report"),
            (".", "is a directory; name a file in it"),
            ("none/r.html", "'none/r.html' is in a directory that does not exist"),
            ("/dev/full", "'/dev/full' cannot be written, because the disk is full"),
        ] {
            let finished = try await report("-o", output, "a.jsonl")
            #expect(finished.status == 3, "\(output)")
            #expect(finished.errors.contains(message), "\(finished.errors)")
        }
        #expect(try text("notes.html").hasSuffix("<p>Mine"))
        #expect(try text("a.jsonl").hasPrefix("{"))
    }

    @Test func `damage is reported on standard error and in the page, with status 0`() async throws
    {
        let lines = House.lines()
        _ = try folder.file("whole", lines)
        _ = try folder.file("damaged", lines[..<5] + ["rub<b>ish"] + lines[5...])
        _ = try folder.file("cut", text: lines.joined(separator: "\n").dropLast(9) + "")
        _ = try folder.file("empty", [])
        let finished = try await report("-o", "r.html", "damaged", "cut", "empty", "whole")
        #expect(finished.status == 0)
        let page = try text("r.html")
        for message in [
            "damaged: line 6, byte ", "cut: line 13, byte ", "the last line is cut off",
            "empty is empty",
        ] {
            #expect(finished.errors.contains(message), "\(finished.errors)")
        }
        for message in [
            "<li>damaged: line 6, byte ", "<li>cut: line 13, byte ", "<li>empty is empty",
        ] {
            #expect(page.contains(message), "\(message)")
        }
    }

    @Test func `a compressed recording that is cut off is named once, and its beginning counts`()
        async throws
    {
        _ = try folder.file("a", House.lines())
        let finished = try await run(
            "gzip -c a | head -c -20 > torn.gz && peerlist report -o - torn.gz")
        #expect(finished.status == 0)
        #expect(finished.errors == "peerlist: torn.gz cannot be read: it is cut off\n")
        #expect(finished.output.contains("<li>torn.gz cannot be read: it is cut off</li>"))
    }

    @Test func `the page states the filter of a recording`() async throws {
        var header = House.header(.device)
        header.filter = .init(types: ["_ssh._tcp"], kinds: [.printer], interface: "<eth0>")
        var encoder = LineEncoder()
        let line = encoder.begin(header, sections: House.devices(), at: House.time(0))
        _ = try folder.file("a", text: String(decoding: line, as: UTF8.self))
        let finished = try await report("-o", "-", "a")
        let wanted =
            "a: only this was recorded: services _ssh._tcp; kinds printer; interface &lt;eth0&gt;"
        let isThere = finished.output.contains("<li>\(wanted)</li>")
        #expect(isThere, "\(finished.errors)")
    }

    @Test func `without a list there is no page`() async throws {
        _ = try folder.file("empty", [])
        _ = try folder.file("text", ["# Title", "", "Text."])
        for (words, message) in [
            ("empty", "there is no list in these recordings; no page is written"),
            ("text", "there is no list in these recordings"),
            ("none", "none"),
        ] {
            let finished = try await report("-o", "r.html", words)
            #expect(finished.status == 3 && finished.errors.contains(message), "\(finished.errors)")
        }
        #expect(mode("r.html") == nil)
    }

    @Test func `the command line names recordings and the page`() throws {
        var expected = ReportOptions(recordings: ["a", "-", "b"], output: "r.html")
        let words = ["report", "a", "-o", "r.html", "-", "--", "b"]
        #expect(try Invocation(words, interfaces: .two) == .report(expected))
        expected = ReportOptions(recordings: ["-x"], output: "-")
        #expect(
            try Invocation(["report", "-o-", "--", "-x"], interfaces: .two) == .report(expected))
        for (words, message) in [
            (["-o", "r.html"], "needs a recording; write for instance"),
            (["-o", "", "a"], "the file name is empty"),
            (["-o", "r", "-", "-"], "only one of the recordings can be standard input"),
            (["-o", "r", "-o", "q", "a"], "is given twice"),
        ] {
            do {
                _ = try Invocation(["report"] + words, interfaces: .two)
                Issue.record("\(words) is accepted")
            } catch {
                #expect("\(error)".contains(message), "\(error)")
            }
        }
    }

    @Test func `without --output the page goes to a pipe or a file, and not to a terminal`()
        async throws
    {
        _ = try folder.file("a.jsonl", House.lines())
        let page = try await report("-o", "-", "a.jsonl")
        #expect(try await report("a.jsonl").output == page.output)
        let onTerminal = try await run(
            "script -qec 'peerlist report a.jsonl' /dev/null </dev/null")
        #expect(onTerminal.status == 2)
        #expect(
            onTerminal.output.contains(
                "'peerlist report' needs '--output'; write for instance "
                    + "'peerlist report --output report.html peers.jsonl'"))
    }

    /// The recipes of docs/report.md, with recordings under the names that they use; `LANTests.ReportTests` runs the
    /// recipe of the page for the wall.
    @Test func `the recipes of the documentation make pages`() async throws {
        let document = try TextFile.read(BuiltProducts.package + "/docs/report.md")
        let recipes = document.split(separator: "```sh\n").dropFirst()
            .compactMap { $0.split(separator: "```").first.map(String.init) }
            .filter { !$0.contains("--watch") }
        #expect(recipes.count >= 3)
        let lines = House.lines()
        for name in ["peers.jsonl", "kitchen.jsonl", "office.jsonl"] {
            _ = try folder.file(name, lines)
        }
        _ = try folder.file("peers.jsonl.1", lines[..<5])
        for recipe in recipes {
            // The shell stands for the other machine.
            let finished = try await run("ssh() { shift; \"$@\"; }; \(recipe)")
            #expect(
                finished.status == 0 && finished.errors.isEmpty, "\(recipe)\n\(finished.errors)")
        }
        let pages = try await run("grep --files-with-matches 'peerlist report' *.html")
        #expect(!pages.output.isEmpty)
    }
}
