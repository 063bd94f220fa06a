// Tests that services of another machine arrive, change and depart.
import FoundationEssentials
import LabSupport
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct DiscoveryTests {
    @Test func `a service of another machine arrives, and leaves after its goodbye`() async throws {
        try await Lab.with { lab in
            let observer = try ListObserver(lab, on: "h2")
            let publisher = try await lab.publish("Web", "_http._tcp", 80, on: "h1", txt: "a=1")

            let peer = try await observer.peer(on: "h1.local", within: .seconds(2))
            #expect(peer["name"].string == "h1")
            #expect(peer["self"] == .bool(false))
            #expect(peer["services"].array.map { $0["name"].string } == ["Web"])
            #expect(peer["services"].array.first?["port"].integer == 80)
            #expect(peer["services"].array.first?["txt"] == .object(["a": .string("1")]))

            await publisher.send(15)
            let list = try await observer.list(within: .seconds(3)) { $0.items.isEmpty }
            #expect(list.operations.contains("departed delete"))
            #expect(list.sections.isEmpty)
            #expect(try await observer.interrupt() == 130)
        }
    }

    @Test func `a changed TXT record and a changed port are updates, not a new peer`() async throws
    {
        try await Lab.with { lab in
            try lab.publishFile("web", named: "Web", "_http._tcp", 80, on: "h1", txt: "rev=1")
            let observer = try ListObserver(lab, on: "h2")
            let before = try await observer.peer(on: "h1.local", within: .seconds(60)) {
                $0["addresses"].array.count == 2
            }
            let known = await observer.list.operations.count

            try lab.publishFile("web", named: "Web", "_http._tcp", 81, on: "h1", txt: "rev=2")
            let after = try await observer.peer(on: "h1.local", within: .seconds(60)) {
                $0["services"].array.first?["txt"]["rev"] == .string("2")
                    && $0["services"].array.first?["port"].integer == 81
            }

            #expect(after["id"] == before["id"])
            #expect(
                after["services"].array.map { $0["id"] }
                    == before["services"].array.map { $0["id"] })
            let operations = await observer.list.operations[known...]
            #expect(operations.allSatisfy { $0 == "changed update" }, "\(operations)")
        }
    }

    @Test(arguments: ["daemon", "embedded"])
    func `a record that changes within a second of its announcement is shown`(
        backend: String
    ) async throws {
        try await Lab.with { lab in
            if backend == "embedded" { try await lab.perform("daemon", "h2", "stop") }
            let observer = try ListObserver(lab, on: "h2", "--backend", backend)
            // The raw responder answers no queries, so its announcement must be received.
            try await observer.list(within: .seconds(60)) { _ in true }
            try await lab.startStranger(on: "h1", ["revises", "400"])
            for (text, port) in [("1", 80), ("2", 80), ("2", 81), ("3", 81)] {
                try await observer.peer(on: "stranger.local", within: .seconds(60)) {
                    let service = $0["services"].array.first
                    return service?["txt"]["a"].string == text && service?["port"].integer == port
                }
                try await lab.perform("kill", "h1", "stranger", "USR1")
            }
        }
    }

    @Test func `a type that one of two machines withdrew is found by a list started afterwards`()
        async throws
    {
        try await Lab.with(hosts: 3) { lab in
            try await lab.perform("clock", "h2", "0")
            try await lab.perform("daemon", "h2", "restart")
            for host in ["h1", "h3"] { try await lab.startLoad(on: host, "--name", host) }
            let other = try lab.start("h2", ["stdbuf", "--output=L", "avahi-browse", "--all"])
            for _ in 1...4 { try await other.line(within: .seconds(60)) { $0.hasPrefix("+") } }
            // The daemon queries types for both programs, and does so again only after ten minutes.
            try await lab.perform("clock", "h2", "-600")
            try await lab.perform("kill", "h3", "load")
            for _ in 1...2 { try await other.line(within: .seconds(60)) { $0.hasPrefix("-") } }

            let once = try await lab.finishedPeerlist(on: "h2", "--once", "--backend", "daemon")
            #expect(once.output.contains("load.local"), "\(once.errors)")
        }
    }

    @Test(arguments: ["daemon", "embedded"])
    func `a service of a common type is found though its responder does not list the type`(
        backend: String
    ) async throws {
        try await Lab.with { lab in
            try await lab.startLoad(on: "h1", "--unlisted")
            let once = try await lab.finishedPeerlist(on: "h2", "--once", "--backend", backend)
            #expect(once.output.contains("load.local"), "\(once.errors)")
        }
    }

    @Test func `with a type filter, only services of that type and their peers are listed`()
        async throws
    {
        try await Lab.with(hosts: 3) { lab in
            _ = try await lab.publish("Shell", "_ssh._tcp", 22, on: "h1")
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h1")
            _ = try await lab.publish("Web 3", "_http._tcp", 80, on: "h3")
            let all = try ListObserver(lab, on: "h2")
            try await all.list(within: .seconds(60)) {
                $0.peer(on: "h1.local")?["services"].array.count == 2
                    && $0.peer(on: "h3.local")?["presence"] == .string("present")
            }

            let once = try await lab.finishedPeerlist(
                on: "h2", "-1", "--json", "--type", "_ssh._tcp")

            var list = FoldedList()
            for line in once.output.split(separator: "\n") { try list.fold(String(line)) }
            #expect(list.items.map { $0["host"].string } == ["h1.local"])
            #expect(list.items.first?["services"].array.map { $0["type"].string } == ["_ssh._tcp"])
            #expect(list.begin["filter"]["types"] == .array([.string("_ssh._tcp")]))
            #expect(list.ending == "finished")
        }
    }

    @Test func `grouped by type, every service is a row`() async throws {
        try await Lab.with { lab in
            let observer = try ListObserver(lab, on: "h2", "--group-by", "type")
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h1")
            let shell = try await lab.publish("Shell", "_ssh._tcp", 22, on: "h1")
            let isComplete: @Sendable (FoldedList) -> Bool = { list in
                list.sections.map(\.id) == ["_http._tcp", "_ssh._tcp"]
                    && list.items.allSatisfy { $0["peer"]["host"].string == "h1.local" }
            }
            let list = try await observer.list(within: .seconds(60), where: isComplete)
            #expect(list.items.map { $0["name"].string } == ["Web", "Shell"])

            await shell.send(15)
            try await observer.list(within: .seconds(60)) {
                $0.sections.map(\.id) == ["_http._tcp"]
            }
        }
    }

    @Test func `a peer on two interfaces and both families is one row`() async throws {
        try await Lab.with { lab in
            for host in ["h1", "h2"] { try await lab.perform("add-interface", host, "1") }
            // Without it, the machine is a device on each of both networks.
            try lab.publishEvidence(on: "h1")
            let observer = try ListObserver(lab, on: "h2")
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h1")

            let peer = try await observer.peer(on: "h1.local") {
                $0["services"].array.count == 2 && $0["interfaces"].array.count == 2
                    && $0["addresses"].array.count >= 4
            }
            #expect(peer["interfaces"] == .array([.string("eth0"), .string("eth1")]))
            #expect(await observer.list.items.count == 1)

            // Losing one path is not a departure.
            let known = await observer.list.operations.count
            try await lab.perform("if-down", "h2", "eth1")
            try await observer.peer(on: "h1.local") {
                $0["interfaces"] == .array([.string("eth0")])
            }
            let operations = await observer.list.operations[known...]
            #expect(operations.allSatisfy { $0.hasSuffix(" update") }, "\(operations)")
        }
    }

    @Test func `a machine with one address family is found`() async throws {
        try await Lab.with(hosts: 3) { lab in
            try await lab.perform("conf", "h1", "server.use-ipv4=no")
            try await lab.perform("conf", "h3", "server.use-ipv6=no")
            let observer = try ListObserver(lab, on: "h2")
            let other = try ListObserver(lab, on: "h3")
            _ = try await lab.publish("Six", "_http._tcp", 80, on: "h1")
            _ = try await lab.publish("Both", "_http._tcp", 80, on: "h2")

            let peer = try await observer.peer(on: "h1.local", within: .seconds(60))
            #expect(peer["addresses"].array.allSatisfy { $0.string.contains(":") })
            #expect(!peer["addresses"].array.isEmpty)
            try await other.peer(on: "h2.local", within: .seconds(60))
            #expect(await other.list.items.map { $0["host"].string } == ["h2.local"])
            #expect(await other.list.notices.isEmpty)
        }
    }

    @Test func `a service whose name is taken gets another, and both are listed`() async throws {
        try await Lab.with(hosts: 3) { lab in
            let observer = try ListObserver(lab, on: "h3")
            _ = try await lab.publish("Printer", "_ipp._tcp", 631, on: "h1")
            _ = try await lab.publish("Printer", "_ipp._tcp", 631, on: "h2")

            let list = try await observer.list(within: .seconds(60)) {
                $0.items.count == 2 && $0.items.allSatisfy { $0["presence"].string == "present" }
            }
            let names = list.items.flatMap { $0["services"].array.map { $0["name"].string } }
            #expect(names.sorted() == ["Printer", "Printer #2"])
            #expect(Set(list.items.map { $0["host"].string }) == ["h1.local", "h2.local"])
        }
    }

    @Test func `a search shows what it has found on the terminal, and nothing of that stays`()
        async throws
    {
        try await Lab.with(hosts: 2) { lab in
            _ = try await lab.publish("Web", "_http._tcp", 8080, on: "h1")
            let search = "looking for devices: 1 device"
            for (command, line, result) in [
                ("--once --timeout 30", search, "http"), ("types --timeout 30", search, "http"),
                ("export -f csv --timeout 30", search, "_http._tcp,local,8080"),
                ("pick --one -t http --timeout 30", search, "10.99.0.1"),
                ("doctor", "waiting for replies of other machines, at most", ".\r\n"),
            ] {
                let words = "TERM=xterm \(BuiltProducts.peerlist) \(command)"
                let finished = try await lab.run("h2", ["script", "-qec", words, "/dev/null"])
                let parts = finished.output.components(separatedBy: "\r\u{1b}[K")
                #expect(parts.contains { $0.hasPrefix(line) }, "\(command)")
                #expect(parts.last?.contains(result) == true && parts.count > 2, "\(command)")
                #expect(parts.last?.contains("looking") == false)
            }
        }
    }
}
