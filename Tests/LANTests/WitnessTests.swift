// Tests the witness: what it hears makes rows sooner, takes nothing from the daemon, and is bounded.
import FoundationEssentials
import LabSupport
import PeerModel
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct WitnessTests {
    @Test(arguments: ["daemon", "embedded"])
    func `the first service of a type is a row within two seconds, though nobody lists the type`(
        backend: String
    ) async throws {
        try await Lab.with { lab in
            if backend == "embedded" { try await lab.perform("daemon", "h2", "stop") }
            let observer = try ListObserver(lab, on: "h2", "--backend", backend)
            // The link is no longer asked for types, which would hear the announcement too.
            try await observer.list(within: .seconds(60)) { $0.events.contains("filled") }
            let log = lab.directory.path + "/announced"
            try await lab.startLoad(on: "h1", "--unlisted", "--type", "_made-up._tcp", "--log", log)
            let peer = try await observer.peer(on: "load.local")

            let announced = try String(contentsOfFile: log, encoding: .utf8)
            let time = try #require(announced.split(separator: " ").first.flatMap { Double($0) })
            let seen = try #require(Timestamp(peer["firstSeen"].string)).microseconds
            #expect(Double(seen) / 1e6 - time < (BuiltProducts.areSanitized ? 10 : 2))
            #expect(try await observer.interrupt() == 130)
        }
    }

    @Test(arguments: ["daemon", "embedded"])
    func `a flood of types that nobody lists does not delay the type of another machine`(
        backend: String
    ) async throws {
        try await Lab.with(hosts: 3) { lab in
            if backend == "embedded" { try await lab.perform("daemon", "h2", "stop") }
            let observer = try ListObserver(lab, on: "h2", "--backend", backend)
            try await observer.list(within: .seconds(60)) { $0.events.contains("filled") }
            try await lab.startStranger(on: "h1", ["unlisted", "2000"])
            try await observer.list(within: .seconds(60)) { $0.notices.contains("service-limit") }
            let log = lab.directory.path + "/announced"
            try await lab.startLoad(on: "h3", "--unlisted", "--type", "_made-up._tcp", "--log", log)
            let peer = try await observer.peer(on: "load.local")

            let announced = try String(contentsOfFile: log, encoding: .utf8)
            let time = try #require(announced.split(separator: " ").first.flatMap { Double($0) })
            let seen = try #require(Timestamp(peer["firstSeen"].string)).microseconds
            // Within five seconds on a machine that does nothing else.
            #expect(Double(seen) / 1e6 - time < 30)
            #expect(try await observer.interrupt() == 130)
        }
    }

    @Test func `without the witness, such a type is not found`() async throws {
        try await Lab.with { lab in
            let observer = try ListObserver(lab, on: "h2", "--no-witness")
            // The link is no longer asked for types, which would hear the announcement too.
            try await observer.list(within: .seconds(60)) { $0.events.contains("filled") }
            #expect(try await HelperOfList.all(.witness, of: observer.pid).isEmpty)
            try await lab.startLoad(on: "h1", "--unlisted", "--type", "_made-up._tcp")
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h1")
            let list = try await observer.list(within: .seconds(60)) {
                $0.peer(on: "h1.local") != nil
            }
            #expect(list.peer(on: "load.local") == nil)
        }
    }

    /// The responder answers to the one that asked alone, and such a packet reaches only one socket of a machine.
    @Test func `the daemon resolves with a witness what it resolves without`() async throws {
        try await Lab.with { lab in
            try await lab.perform(
                "spawn", "h1", "load", "python3", BuiltProducts.package + "/Tests/Lab/load.py",
                "--services", "20", "--unicast")
            var resolved: [[String]] = []
            for option in ["--sort=name", "--no-witness"] {
                try await lab.perform("daemon", "h2", "restart")
                let observer = try ListObserver(lab, on: "h2", option)
                try await observer.list(within: .seconds(60)) { list in
                    list.peer(on: "load.local")?["services"].array.count == 20
                }
                var lines: Set<String> = []
                // Each service is there over IPv4 and IPv6; on a busy machine, a look may end before all are.
                for _ in 0..<10 where lines.count < 40 {
                    let found = try await lab.run(
                        "h2",
                        [
                            "avahi-browse", "--resolve", "--terminate", "--parsable", "_http._tcp",
                        ])
                    for line in found.output.split(separator: "\n") where line.hasPrefix("=") {
                        // Which of the two addresses of the host comes first is left to chance.
                        var fields = line.split(separator: ";", omittingEmptySubsequences: false)
                        fields.remove(at: 7)
                        lines.insert(fields.joined(separator: ";"))
                    }
                }
                resolved.append(lines.sorted())
                #expect(try await observer.interrupt() == 130)
            }
            #expect(!resolved[0].isEmpty)
            #expect(resolved[0] == resolved[1])
        }
    }

    @Test func `where the daemon has port 5353 for itself, a notice says so, and the list works`()
        async throws
    {
        try await Lab.with(settings: ["server.disallow-other-stacks=yes"]) { lab in
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h1")
            let observer = try ListObserver(lab, on: "h2")
            try await observer.peer(on: "h1.local")
            let list = try await observer.list(within: .seconds(60)) {
                $0.notices.contains("witness-failed")
            }
            #expect(list.messages.contains { $0.contains("disallow-other-stacks") })
            #expect(try await HelperOfList.all(.witness, of: observer.pid).isEmpty)
        }
    }

    @Test func `a witness that crashes is said, and the list goes on`() async throws {
        try await Lab.with { lab in
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h1")
            let observer = try ListObserver(lab, on: "h2")
            try await observer.peer(on: "h1.local")
            let witness = try #require(
                try await HelperOfList.all(.witness, of: observer.pid).first)
            _ = try await FinishedProcess(["kill", "-SEGV", "\(witness)"])
            try await observer.list(within: .seconds(60)) {
                $0.notices.contains("witness-failed")
            }
            _ = try await lab.publish("Shell", "_ssh._tcp", 22, on: "h1")
            try await observer.peer(on: "h1.local") { $0["services"].array.count == 2 }
        }
    }

    @Test func `a flood of names is bounded, and the list goes on`() async throws {
        try await Lab.with { lab in
            let honest = try await lab.publish("Honest", "_ssh._tcp", 22, on: "h1")
            let observer = try ListObserver(lab, on: "h2", "--type", "_ssh._tcp")
            try await observer.peer(on: "h1.local")
            try await lab.startStranger(on: "h1", ["names", "100000", "--pace", "2000"])
            try await observer.list(within: .seconds(120)) {
                $0.notices.contains("witness-limit")
            }
            let witness = try #require(
                try await HelperOfList.all(.witness, of: observer.pid).first)
            let status = try await FinishedProcess(["cat", "/proc/\(witness)/status"]).output
            let memory = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
                .flatMap { Int($0.filter(\.isNumber)) }
            #expect(try #require(memory) >> 10 < (BuiltProducts.areSanitized ? 400 : 60))
            await honest.send(15)
            try await observer.list(within: .seconds(60)) { $0.items.isEmpty }
            #expect(try await observer.interrupt() == 130)
        }
    }

    @Test(arguments: [("daemon", "flushes"), ("embedded", "flushes"), ("daemon", "withdraws")])
    func `no packet of another machine makes a device leave that answers`(
        backend: String, act: String
    ) async throws {
        try await Lab.with(hosts: 4) { lab in
            if backend == "embedded" { try await lab.perform("daemon", "h4", "stop") }
            let observer = try ListObserver(lab, on: "h4", "--backend", backend)
            let deaf = try ListObserver(lab, on: "h4", "--backend", backend, "--no-witness")
            for number in 1...2 {
                // A responder that does not announce its records again when another machine contradicts them.
                let file = try lab.directory.write(
                    """
                    [{"name": "m\(number)", "host": "m\(number).local", "addresses": ["10.99.0.\(number)"],
                    "services": [{"instance": "Web-\(number)", "type": "_http._tcp", "port": 80}]}]
                    """, to: "m\(number).json")
                try await lab.perform(
                    "spawn", "h\(number)", "m\(number)", "python3",
                    BuiltProducts.package + "/Tests/Lab/load.py", "--devices", file)
                for list in [observer, deaf] { try await list.peer(on: "m\(number).local") }
            }
            for list in [observer, deaf] {
                try await list.list(within: .seconds(60)) { $0.events.contains("filled") }
            }
            try await lab.startStranger(on: "h3", [act, "2"])
            // The backend drops the records after a second, for a moment if another list has it ask for them.
            try await deaf.list(within: .seconds(60)) { $0.peer(on: "m1.local") == nil }
            try await deaf.list(within: .seconds(60)) { list in
                (1...2).allSatisfy { list.peer(on: "m\($0).local") != nil }
            }
            try await observer.catchUp()
            #expect(await observer.lines.allSatisfy { !$0.contains(#""op":"delete""#) })
            let list = await observer.list
            for number in 1...2 {
                #expect(list.peer(on: "m\(number).local")?["presence"].string == "present")
            }
            for list in [observer, deaf] { #expect(try await list.interrupt() == 130) }
        }
    }

    @Test func `a sender whose address is not of the link is not believed`() async throws {
        try await Lab.with { lab in
            let observer = try ListObserver(lab, on: "h2")
            // The link is no longer asked for types, and any answer to that counts.
            try await observer.list(within: .seconds(60)) { $0.events.contains("filled") }
            _ = try await lab.run(
                "h1", ["ip", "address", "add", "192.0.2.7/32", "dev", "eth0"])
            for (address, type) in [("192.0.2.7", "_forged._tcp"), ("", "_honest._tcp")] {
                let sent = try await lab.run(
                    "h1",
                    [
                        "python3", "-B", "-c", Self.announcement,
                        BuiltProducts.package + "/Tests/Lab", address, type,
                    ])
                #expect(sent.status == 0, "\(sent.errors)")
            }
            // Both types were announced alike, and only a browse for a type finds its service in the cache.
            let list = try await observer.list(within: .seconds(60)) { list in
                list.items.contains { $0["services"].array.first?["type"].string == "_honest._tcp" }
            }
            let types = list.items.flatMap { $0["services"].array.map { $0["type"].string } }
            #expect(!types.contains("_forged._tcp"))
        }
    }

    /// Announces a service from an address, or else from the interface's own, without a record that lists its type.
    private static let announcement = """
        import socket, struct, sys
        sys.path.insert(0, sys.argv[1])
        from load import A, GROUPS, PORT, PTR, SHARED, SRV, TXT, UNIQUE, Packets, Record
        source, kind = sys.argv[2:4]
        opened = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        index = struct.pack("8xi", socket.if_nametoindex("eth0"))
        opened.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, index)
        opened.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
        opened.bind((source, PORT))
        name, host = f"{kind[1:].split('.')[0]}.{kind}.local", "stranger.local"
        for packet in Packets([
            Record(f"{kind}.local", PTR, SHARED, 4500, name=name),
            Record(name, SRV, UNIQUE, 120, struct.pack(">HHH", 0, 0, 80), host),
            Record(name, TXT, UNIQUE, 4500, bytes([3]) + b"a=1"),
            Record(host, A, UNIQUE, 120, bytes([10, 99, 144, 0])),
        ]).done:
            opened.sendto(packet, (GROUPS[socket.AF_INET], PORT))
        """
}
