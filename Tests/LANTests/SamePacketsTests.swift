// Tests that packets say the same on the link, to both backends, and in their capture.
import FoundationEssentials
import LabSupport
import PeerListTestSupport
import Testing

@Suite(.needsLab, .needs("tcpdump"), .timeLimit(.minutes(10))) struct SamePacketsTests {
    /// The interfaces of the scene with each seed; `PEERLIST_SCENES=N` in the environment plays more scenes than two.
    private static let scenes: [(seed: Int, interfaces: [String])] = {
        let count = ProcessInfo.processInfo.environment["PEERLIST_SCENES"].flatMap(Int.init) ?? 2
        return (1...max(count, 1)).map { ($0, $0.isMultiple(of: 2) ? ["eth0", "eth1"] : ["eth0"]) }
    }()

    @Test(arguments: scenes)
    func `a random scene has the same devices and account live and in its capture`(
        seed: Int, interfaces: [String]
    ) async throws {
        try await Lab.with(hosts: 4) { lab in
            for host in ["h1", "h3", "h4"] { try await lab.perform("daemon", host, "stop") }
            for host in interfaces.count > 1 ? ["h1", "h2", "h3", "h4"] : [] {
                try await lab.perform("add-interface", host, "1")
            }
            // Another machine, which speaks for the devices.
            try await lab.perform("address", "h1", "add", "10.99.0.200/24")
            let capture = lab.directory.path + "/scene.pcap"
            let link = interfaces.count > 1 ? "any" : interfaces[0]
            let dump = try lab.start("h4", ["sh", "-c", Self.dump, "sh", link, capture])
            try await dump.line(within: .seconds(60)) { $0.contains("listening on") }
            let options = ["--json", "--vouching", "--no-ledger", "--backend"]
            let daemon = try lab.peerlist(on: "h2", options + ["daemon"])
            let embedded = try lab.peerlist(on: "h3", options + ["embedded"])
            for list in [daemon, embedded] {
                try await list.line(within: .seconds(60)) { $0.contains("\"event\":\"filled\"") }
            }

            let player = [
                "python3", BuiltProducts.package + "/Tests/Lab/scenes.py", "\(seed)",
                "--interfaces",
            ]
            let scene = try lab.start("h1", player + interfaces)
            try await scene.line(within: .seconds(180)) { $0 == "done" }
            for process in [daemon, embedded, dump] {
                await process.send(2)
                try await process.end(within: .seconds(60))
            }
            let replay = try await FinishedProcess([
                BuiltProducts.peerlist, "replay", "--json", capture,
            ])
            // Which networks the links of a machine have is not in a capture, and decides who is a reflector.
            let knowsVouching = interfaces.count == 1
            let heard = try Account(
                replay.output.split(separator: "\n").map(String.init), knowsVouching)
            let acts = await scene.lines.joined(separator: "\n")
            #expect(heard.events.values.joined().count > 4, "\(acts)")
            for (name, list) in [("daemon", daemon), ("embedded", embedded)] {
                let live = try Account(await list.lines, knowsVouching)
                for host in Set(live.events.keys).union(heard.events.keys).sorted() {
                    #expect(
                        live.events[host] == heard.events[host], "\(host), \(name):\n\(acts)")
                }
                #expect(live.devices == heard.devices, "\(name):\n\(acts)")
            }
        }
    }

    private static let dump = """
        exec tcpdump -Z root -i "$1" --immediate-mode -U -w "$2" \
            udp port 5353 or host 224.0.0.251 or host ff02::fb 2>&1
        """
}

/// The last list in lines of JSON, and the events of each host, without their times.
private struct Account {
    private static let members = [
        "id", "name", "kind", "model", "host", "presence", "identity", "addresses", "services",
    ]

    private(set) var devices: [String: [JSON]] = [:]
    private(set) var events: [String: [[JSON]]] = [:]

    init(_ lines: [String], _ knowsVouching: Bool) throws {
        var list = FoldedList()
        for text in lines {
            try list.fold(text)
            let line = try JSON(line: text)
            guard line["type"].string == "event", line["peer"] != .null else { continue }
            let state = Self.members.map { line["peer"][$0] }
            events[line["peer"]["host"].string, default: []].append(
                [line["event"], line["departure"]] + state)
        }
        // Who speaks for a device is told from time to time.
        for peer in list.items {
            let vouching = knowsVouching ? ["by", "sender"].map { peer["vouchedBy"][$0] } : []
            devices[peer["id"].string] = Self.members.map { peer[$0] } + vouching
        }
    }
}
