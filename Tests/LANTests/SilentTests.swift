// Devices that speak SSDP or WS-Discovery, and devices of the neighbour table, on a LAN.
import LabSupport
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct SilentTests {
    private static let player = BuiltProducts.package + "/Tests/Lab/silent.py"

    /// Plays devices on h2, with the lines that the player prints.
    static func play(
        _ lab: Lab, on host: String = "h2", _ arguments: String...
    ) async throws -> RunningProcess {
        let process = try lab.start(
            host,
            ["python3", player, "--address", "10.99.0.\(host.dropFirst())"] + arguments)
        try await process.line(within: .seconds(30)) { $0 == "ready" }
        return process
    }

    private func names(_ list: FoldedList) -> [String] {
        list.items.map(\.["name"].string).sorted()
    }

    @Test func `a device by three protocols is one row, and leaves when no protocol has it`()
        async throws
    {
        try await Lab.with { lab in
            let list = try ListObserver(lab, on: "h1")
            let tv = try await Self.play(lab, "--name", "Living Room")
            let first = try await list.list(within: .seconds(60)) { names($0) == ["Living Room"] }
            let row = try #require(first.items.first)
            #expect(row["maker"].string == "Acme" && row["model"].string == "Silent One")
            #expect(row["host"] == .null && row["kind"].string == "media-player")
            #expect(row["protocols"].array.map(\.string) == ["ssdp"])

            let camera = try await Self.play(lab, "--wsd", "--port", "8081", "--seed", "b")
            let web = try await lab.publish("Web", "_http._tcp", 80, on: "h2")
            let both = try await list.list(within: .seconds(60)) {
                $0.items.first?["protocols"].array.map(\.string) == ["mdns", "ssdp", "wsd"]
            }
            #expect(both.items.count == 1 && both.items.first?["host"].string == "h2.local")
            #expect(both.items.first?["id"] == row["id"], "its evidence is stronger")

            await camera.send(15)
            try await list.list(within: .seconds(60)) {
                $0.items.first?["protocols"].array.map(\.string) == ["mdns", "ssdp"]
            }
            await web.send(15)
            try await list.list(within: .seconds(60)) {
                $0.items.first?["protocols"].array.map(\.string) == ["ssdp"]
            }
            await tv.send(15)
            let last = try await list.list(within: .seconds(60)) { $0.items.isEmpty }
            // A row that joins another one is replaced by that, which is no departure.
            #expect(last.departureCount == 1)
        }
    }

    @Test
    func `while the own link is down a device of SSDP is unknown, and the same when it is back`()
        async throws
    {
        try await Lab.with { lab in
            let list = try ListObserver(lab, on: "h1")
            let tv = try await Self.play(lab, "--name", "Living Room")
            let before = try await list.list(within: .seconds(60)) { names($0) == ["Living Room"] }
            try await lab.perform("if-down", "h1")
            try await list.list(within: .seconds(60)) {
                $0.items.map(\.["presence"].string) == ["unknown"]
                    && $0.notices.last == "link-lost"
            }
            try await lab.perform("if-up", "h1")
            let back = try await list.list(within: .seconds(60)) {
                $0.items.map(\.["presence"].string) == ["present"]
                    && $0.notices.last == "link-back"
            }
            try await lab.rest(11)
            let after = await list.list
            #expect(back.items.first?["id"] == before.items.first?["id"])
            #expect(names(after) == ["Living Room"] && after.departureCount == 0)
            await tv.send(15)
        }
    }

    @Test func `what is not repeated within its time has expired`() async throws {
        try await Lab.with { lab in
            let list = try ListObserver(lab, on: "h1", "--also", "ssdp")
            let tv = try await Self.play(lab, "--age", "3", "--mute")
            try await list.list(within: .seconds(60)) { names($0) == ["Silent"] }
            try await list.list(within: .seconds(60)) { $0.items.isEmpty }
            #expect(await list.lines.last { $0.contains("\"expired\"") } != nil)
            await tv.send(15)
        }
    }

    @Test(arguments: ["huge", "slow", "bomb", "redirect", "elsewhere", "ssh"])
    func `a description that should hurt does not, and the device is listed`(trick: String)
        async throws
    {
        try await Lab.with(hosts: 3) { lab in
            let victim = try await Self.play(lab, on: "h3", "--mute")
            let list = try ListObserver(lab, on: "h1", "--also", "ssdp")
            try await list.list(within: .seconds(60)) {
                names($0) == ["10.99.0.3"] || names($0).isEmpty
            }
            let tv =
                switch trick {
                case "elsewhere":
                    try await Self.play(lab, "--location", "http://10.99.0.3:8080/aimed.xml")
                case "ssh": try await Self.play(lab, "--location", "http://10.99.0.2:22/")
                default: try await Self.play(lab, "--trick", trick)
                }
            let shown = try await list.list(within: .seconds(60)) {
                $0.items.contains { $0["addresses"].array.map(\.string) == ["10.99.0.2"] }
            }
            #expect(!shown.items.contains { $0["name"].string == "Silent" && $0["maker"] != .null })
            try await list.list(within: .seconds(60)) { told in
                told.items.flatMap { $0["services"].array }.contains {
                    $0["txt"]["description"].string.hasPrefix("not fetched: ")
                }
            }
            // Another device is described meanwhile.
            let other = try await Self.play(
                lab, on: "h3", "--port", "8090", "--name", "Other", "--seed", "c")
            try await list.list(within: .seconds(60)) { names($0).contains("Other") }
            #expect(await victim.lines.allSatisfy { !$0.contains("aimed") })
            for process in [tv, victim, other] { await process.send(15) }
        }
    }

    @Test func `two hundred devices with ten services each are listed, and leave`() async throws {
        try await Lab.with { lab in
            try await lab.perform(
                "exec", "h2", "sh", "-c",
                "for last in $(seq 20 219); do ip address add 10.99.0.$last/24 dev eth0; done")
            let list = try ListObserver(lab, on: "h1", "--also", "ssdp")
            let many = try lab.start(
                "h2",
                [
                    "python3", Self.player, "--address", "10.99.0.20", "--devices", "200",
                    "--services", "9", "--spread",
                ])
            let shown = try await list.list(within: .seconds(120)) {
                $0.items.count == 200 && $0.items.allSatisfy { $0["services"].array.count == 10 }
            }
            #expect(Set(names(shown)).count == 200)
            await many.send(15)
            try await list.list(within: .seconds(60)) { $0.items.isEmpty }
        }
    }

    @Test func `--only mdns sends nothing; else there is one search of each protocol on each path`()
        async throws
    {
        try await Lab.with { lab in
            let tv = try await Self.play(lab)
            let packets = try lab.start(
                "h1",
                [
                    "tcpdump", "-i", "eth0", "-n", "-l", "-Q", "out",
                    "udp port 1900 or udp port 3702 or tcp port 8080",
                ])
            let plain = try ListObserver(lab, on: "h1", "--only", "mdns")
            try await lab.rest(5)
            await plain.send(15)
            let quiet = await packets.lines.filter { $0.contains(" > ") }
            #expect(quiet.isEmpty, "\(quiet)")
            let list = try ListObserver(lab, on: "h1", "--no-descriptions")
            try await list.list(within: .seconds(60)) { names($0) == ["10.99.0.2"] }
            // In any order.
            var rest: Set = [".250.1900: ", ".250.3702: "]
            while !rest.isEmpty {
                let wanted = rest
                let line = try await packets.line(within: .seconds(30)) { line in
                    wanted.contains { line.contains($0) }
                }
                rest = rest.filter { !line.contains($0) }
            }
            let sent = await packets.lines.filter { $0.contains(" > ") }
            let searches = sent.filter { $0.contains(".1900: ") }
            let probes = sent.filter { $0.contains(".3702: ") }
            #expect(searches.count <= 2 && probes.count <= 4, "\(sent)")
            #expect(sent.count == searches.count + probes.count, "\(sent)")
            for process in [tv, packets] { await process.send(15) }
        }
    }

    @Test func `v asks by SSDP too, and a neighbour is listed by its MAC address`() async throws {
        try await Lab.with(hosts: 3) { lab in
            let tv = try await Self.play(lab, "--name", "Living Room")
            try await lab.perform("exec", "h1", "ping", "-c", "1", "10.99.0.3")
            _ = try lab.directory.write("[list]\nalso = ssdp, neighbours\n", to: "peerlist/config")
            let terminal = try await Tmux(
                in: lab, on: "h1", columns: 100, rows: 24,
                running: "XDG_CONFIG_HOME='\(lab.directory.path)' exec "
                    + "'\(BuiltProducts.peerlist)' --no-ledger --ascii"
            )
            try await terminal.screen(within: .seconds(60)) {
                $0.contains("Living Room") && $0.contains("10.99.0.3")
            }
            try await terminal.type("/Living\r")
            try await terminal.type("v")
            try await terminal.screen(within: .seconds(60)) {
                $0.contains("1 of 1") || $0.contains("answers")
            }
            await tv.send(15)
        }
    }
}
