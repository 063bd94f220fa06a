// Tests that a capture of a link tells the same as a list that was live on it.
import LabSupport
import PeerListTestSupport
import Testing

@Suite(.needsLab, .needs("tcpdump"), .serialized, .timeLimit(.minutes(10)))
struct CaptureTests {
    @Test func `a live list and the capture of what it heard have the same devices and account`()
        async throws
    {
        try await Lab.with { lab in
            let capture = lab.directory.path + "/eth0.pcap"
            let dump = try lab.start(
                "h2",
                [
                    "sh", "-c",
                    "exec tcpdump -Z root -i eth0 --immediate-mode -U -w \"$1\" udp port 5353 2>&1",
                    "sh", capture,
                ])
            try await dump.line(within: .seconds(60)) { $0.contains("listening on") }
            let list = try lab.peerlist(on: "h2", ["--json", "--no-ledger"])
            try await list.line(within: .seconds(60)) { $0.contains("\"event\":\"filled\"") }

            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h1", txt: "path=/", "a=1")
            let files = try await lab.publish("Files", "_smb._tcp", 445, on: "h1")
            try lab.publishFile("shell", named: "Shell", "_ssh._tcp", 22, on: "h1", txt: "rev=1")
            try await list.line(within: .seconds(60)) { $0.contains("\"event\":\"arrived\"") }
            await files.send(15)
            try await list.line(within: .seconds(60)) { $0.contains("\"event\":\"changed\"") }
            try lab.publishFile("shell", named: "Shell", "_ssh._tcp", 2222, on: "h1", txt: "rev=2")
            try await list.line(within: .seconds(60)) {
                $0.contains("\"cause\":\"changed\"") && $0.contains("2222")
            }
            // Both hear a packet after everything has settled.
            try await lab.rest(4)
            _ = try await lab.publish("End", "_http._tcp", 81, on: "h1")
            try await list.line(within: .seconds(60)) { $0.contains("\"End\"") }
            try await lab.rest(4)
            await list.send(2)
            try await list.end(within: .seconds(60))
            await dump.send(2)
            try await dump.end(within: .seconds(60))

            let live = try await lab.directory.write(
                list.lines.map { $0 + "\n" }.joined(), to: "live.jsonl")
            let difference = try await FinishedProcess(
                [BuiltProducts.peerlist, "diff", live, capture])
            #expect(difference.status == 0, "\(difference.output)\(difference.errors)")
            #expect(try await account(live) == account(capture))
        }
    }

    /// Returns the sentences of a recording, without their times and the first one.
    private func account(_ path: String) async throws -> [String] {
        let replay = try await FinishedProcess(
            [BuiltProducts.peerlist, "replay", "--plain", path], environment: ["LC_ALL": "C.UTF-8"])
        #expect(replay.errors.isEmpty)
        return replay.output.split(separator: "\n").dropFirst().map { String($0.dropFirst(20)) }
    }
}
