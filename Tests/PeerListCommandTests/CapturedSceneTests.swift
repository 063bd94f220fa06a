// Reads captures of the lab's scenes, which `--capture` has written there, as the lists that were live beside them.
import Foundation
import LabSupport
import PeerModel
import PeerListTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct CapturedSceneTests {
    private func replay(_ name: String, _ options: String...) async throws -> FinishedProcess {
        let folder = BuiltProducts.package + "/Tests/PeerListCommandTests/Captures"
        return try await FinishedProcess(
            [BuiltProducts.peerlist, "replay"] + options + ["\(folder)/\(name).pcapng.gz"],
            environment: ["LC_ALL": "C.UTF-8", "TZ": "UTC"])
    }

    /// The devices at the end of a capture.
    private func devices(of name: String) async throws -> [[String: Any]] {
        let replay = try await replay(name, "--json", "--at", "2100-01-01")
        let line = try JSONSerialization.jsonObject(with: Data(replay.output.utf8))
        let sections = (line as? [String: Any])?["sections"] as? [[String: Any]] ?? []
        return sections.flatMap { $0["items"] as? [[String: Any]] ?? [] }
    }

    @Test func `fifty devices are what a person said that they are`() async throws {
        let devices = try await devices(of: "household").reduce(into: [String: [String]]()) {
            table, device in
            let identity = device["identity"] as? [String: String]
            let kind = (device["kind"] as? String).flatMap(DeviceKind.init(rawValue:))?.title
            table[device["host"] as? String ?? ""] = [
                device["name"] as? String ?? "", kind ?? "-", device["model"] as? String ?? "-",
                identity?["value"] ?? "",
            ]
        }
        let expected = try Household.expected()
        for (host, row) in expected { #expect(devices[host] == row, "\(host)") }
        #expect(devices.count == expected.count)
    }

    @Test func `a device of eight services leaves and returns as one`() async throws {
        let replay = try await replay("farewell", "--plain")
        #expect(replay.status == 0 && replay.errors.isEmpty)
        try expectCommitted(replay.output + "\n", "farewell.txt")
    }

    @Test func `each device is judged by who speaks for it`() async throws {
        let rules = try await devices(of: "proxies").map { device in
            let vouching = device["vouchedBy"] as? [String: String]
            return [device["name"] as? String, vouching?["by"], vouching?["name"]]
        }
        // Which networks the machine was on is not in a capture, so a reflector that sends anew looks like a router.
        #expect(
            rules == [
                ["far", "reflector", "Router"], ["farther", "proxy", "Router"],
                ["laptop", "proxy", "Router"], ["Router", "own", nil],
                ["sensor", "registrar", "Router"], ["sleeper", "sleep-proxy", "Router"],
            ])
    }
}
