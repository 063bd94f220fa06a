// The manual page is docs/peerlist.1, and valid man(7) markup.
import Foundation
import LabSupport
import Testing

@testable import PeerListCommand

@Suite struct ManualPageTests {
    private let file = BuiltProducts.package + "/docs/peerlist.1"

    /// With `PEERLIST_RECORD_SCREENS=1` in the environment the file is written instead.
    @Test func `the manual page is the committed one`() throws {
        if ProcessInfo.processInfo.environment["PEERLIST_RECORD_SCREENS"] == "1" {
            try Data(ManualPage.text.utf8).write(to: URL(filePath: file))
        }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == ManualPage.text)
    }

    @Test func `the manual page contains every option, key and command`() {
        let page = ManualPage.text
        for row in CommandName.allCases.flatMap(\.command.rows) {
            let forms = row.forms.map(Roff.bold).joined(separator: ", ")
            #expect(page.contains("\n\(forms)"), "\(row.title)")
        }
        for named in NamedKeys.all { #expect(page.contains(Roff.text("(\(named.name))"))) }
        for command in CommandName.named {
            #expect(page.contains(".SH \(command.title.uppercased())\n"))
        }
    }

    @Test func `no line of text is read as a request`() {
        let commands: Set = ["TH", "SH", "SS", "TP", "PP", "EX", "EE", "br", "BR"]
        for line in ManualPage.text.split(separator: "\n") where line.hasPrefix(".") {
            #expect(commands.contains(String(line.dropFirst().prefix { $0.isLetter })), "\(line)")
        }
        #expect(!ManualPage.text.contains("\n'"))
        #expect(Roff.line(".TH a\\b") == "\\&.TH a\\eb")
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/groff")))
    func `groff accepts the manual page without warnings`() async throws {
        let words = ["groff", "-man", "-Tutf8", "-ww", "-rCHECKSTYLE=3", "-z", file]
        let finished = try await FinishedProcess(words)
        #expect(finished.status == 0)
        #expect(finished.errors.isEmpty, "\(finished.errors)")
    }
}
