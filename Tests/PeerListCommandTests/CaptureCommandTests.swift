// Runs the commands of docs/captures.md on a capture of the lab.
import LabSupport
import PeerListTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct CaptureCommandTests {
    private let folder: RecordingFolder
    private let capture = BuiltProducts.package + "/docs/examples/lan.pcap"

    init() throws { folder = try RecordingFolder() }

    /// Runs a command where the capture is `night.pcap`, with the built command.
    private func run(_ command: String) async throws -> FinishedProcess {
        let path = BuiltProducts.peerlist.split(separator: "/").dropLast().joined(separator: "/")
        let shell =
            "cd '\(folder.path)' && PATH=/\(path):$PATH && cp '\(capture)' night.pcap && \(command)"
        return try await FinishedProcess(
            ["bash", "-c", shell], environment: ["LC_ALL": "C.UTF-8", "TZ": "UTC"])
    }

    private let sentences = """
        2026-11-26 23:12:53 Browsing: all service types on night.pcap. Times are local.
        2026-11-26 23:13:00 Arrived: My Printer (printer). Its host is h1.local. Its addresses are 10.99.0.1 and \
        fd99:1ab::1. It offers http, ipp and ssh.
        2026-11-26 23:13:12 Changed: My Printer (printer). Lost service ipp "My Printer".
        2026-11-26 23:13:14 Changed: h1 (computer). It is now known by h1.local.
        2026-11-26 23:13:14 Changed: My Printer (printer). Name changed from My Printer to h1. Kind changed from \
        printer to computer.
        """

    @Test func `each command of the document reads the capture`() async throws {
        let blocks = try TextFile.blocks("sh", under: "## Reading it", of: "captures.md")
        let commands = blocks.flatMap { $0.split(separator: "\n") }.map(String.init)
        var texts: [String: String] = [:]
        for command in commands {
            var command = command.replacing("08:30", with: "23:13:05")
            // What tcpdump would capture now.
            if let tcpdump = command.firstRange(of: /(ssh router )?tcpdump [^|]*/) {
                command.replaceSubrange(tcpdump, with: "cat night.pcap ")
            }
            if command.contains("diff") {
                command = "peerlist replay --json night.pcap > night.jsonl && " + command
            }
            if command.contains("expect") {
                command = "echo '[device h1]' > home.expect && " + command
            }
            let finished = try await run(command)
            #expect(
                finished.status == 0 && finished.errors.isEmpty, "\(command): \(finished.errors)")
            texts[command] = finished.output
        }
        #expect(commands.count == 10)
        #expect(texts["peerlist replay --plain night.pcap"] == sentences)
        #expect(
            texts["cat night.pcap | peerlist replay --plain -"]?.contains("standard input") == true)
        #expect(texts["peerlist replay --at 23:13:05 night.pcap"]?.contains("My Printer") == true)
        #expect(texts["peerlist export --format csv night.pcap"]?.contains("_ssh._tcp") == true)
        let page = try await run("peerlist report -o night.html night.pcap && cat night.html")
        #expect(page.output.contains("h1.local"))
    }

    @Test func `a compressed capture is read, and one that is cut off up to the cut`() async throws
    {
        let packed = try await run("gzip night.pcap && peerlist replay --plain night.pcap.gz")
        #expect(packed.output.replacing("pcap.gz", with: "pcap") == sentences)
        let cut = try await run(
            "head -c 15000 night.pcap > cut.pcap && peerlist diff cut.pcap night.pcap")
        #expect(cut.status != 2)
        #expect(cut.errors.contains("the capture is cut off"), "\(cut.errors)")
        let replay = try await run(
            "head -c 15000 night.pcap > cut.pcap && peerlist replay --plain cut.pcap")
        #expect(replay.status == 0 && replay.output.contains("Arrived: My Printer"))
    }

    @Test func `a capture without multicast DNS, and one that is followed, are errors`()
        async throws
    {
        let empty = try await run("head -c 24 night.pcap | peerlist replay --plain -")
        #expect(
            empty.status == 3 && empty.errors.contains("without multicast DNS"), "\(empty.errors)")
        let followed = try await run("peerlist replay --follow --plain night.pcap")
        #expect(
            followed.status == 3 && followed.errors.contains("tail -c +1 -f"), "\(followed.errors)")
    }

    @Test func `the lines of a capture keep to the schema`() async throws {
        let lines = try await run("peerlist replay --json night.pcap")
        #expect(lines.output.contains("\"backend\":\"capture\""))
        let verdict = try schemaVerdict(lines.output + "\n", of: "lines")
        #expect(verdict.isGood, "\(verdict.text)")
    }
}
