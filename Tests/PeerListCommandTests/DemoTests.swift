// Tests `peerlist demo`: what it plays, as text and in a terminal.
import LabSupport
import PeerListTestSupport
import Testing

@testable import PeerModel
@testable import PeerRecording

@Suite(.timeLimit(.minutes(5))) struct DemoTests {
    /// Without a home, a place for temporary files, or anything else in the environment.
    private func demo(_ words: String...) async throws -> FinishedProcess {
        try await FinishedProcess(
            [
                "env", "-i", "TZ=UTC", "LC_ALL=C.UTF-8", "TMPDIR=/nowhere", BuiltProducts.peerlist,
                "demo",
            ] + words)
    }

    @Test(arguments: [("--plain", "demo-plain.txt"), ("--once", "demo-once.txt")])
    func `the demo needs nothing of the machine`(form: String, text: String) async throws {
        let finished = try await demo(form)
        #expect(finished.status == 0)
        let notice = "peerlist: this is a demo; 'peerlist' lists the devices on your own network\n"
        #expect(finished.errors == notice)
        try expectCommitted(finished.output + "\n", text)
    }

    @Test func `the lines of the demo lead to its list`() async throws {
        let lines = try await demo("--json").output.split(separator: "\n").map {
            try RecordedLine(Array($0.utf8), grouping: .device)
        }
        #expect(lines.first?.kind == .begin && lines.last?.kind == .end)
        let once = try await demo("--once", "--json").output
        let list = try RecordedLine(Array(once.utf8), grouping: .device)
        #expect(list.kind == .begin)
        #expect(list.sections.flatMap(\.items).count == 10)
    }

    @Test func `the script makes the same capture`() async throws {
        let folder = try TemporaryDirectory()
        let made = folder.path + "/demo.pcap"
        let script = BuiltProducts.package + "/Scripts/make-demo"
        #expect(try await FinishedProcess([script, made]).status == 0)
        let shipped = BuiltProducts.package + "/Sources/PeerListCommand/Demo/demo.pcap"
        #expect(try await FinishedProcess(["cmp", made, shipped]).status == 0)
        await folder.remove()
    }

    @Test(
        .enabled(if: ShellWindow.obstacle == nil, "\(ShellWindow.obstacle ?? "")"),
        arguments: [(40, 10), (80, 24)])
    func `in a terminal the title says that it is a demo, and the keys work`(
        columns: Int, rows: Int
    ) async throws {
        let window = try await ShellWindow(
            columns: columns, rows: rows, environment: "LC_ALL=C.UTF-8 TZ=UTC")
        do {
            try await window.run("\(BuiltProducts.peerlist) demo; echo status $?")
            try await window.wait(for: "peerlist  a demo; ")
            try await window.wait(for: "Bathroom")
            try await window.press("End")
            try await window.wait(for: "■ end")
            try await window.press("/", "v", "a", "u")
            try await window.wait { $0.contains("Vault") && !$0.contains("Bathroom") }
            try await window.press("Escape")
            try await window.wait(for: "Bathroom")
            try await window.press("q")
            try await window.wait(for: "status 0")
        } catch {
            await window.close()
            throw error
        }
        await window.close()
    }
}
