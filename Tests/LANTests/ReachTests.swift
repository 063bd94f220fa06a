// Whether addresses can work, and whether machines and ports answer, on a LAN.
import LabSupport
import PeerListTestSupport
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct ReachTests {
    /// Publishes a host name with an address on h2, and a service of it.
    private func publish(
        _ lab: Lab, _ host: String, at address: String, port: Int = 80
    ) async throws -> [RunningProcess] {
        let name = try lab.start(
            "h2", ["sh", "-c", "exec avahi-publish -a -R \(host).local \(address) 2>&1"])
        try await name.line(within: .seconds(60)) { $0.hasPrefix("Established") }
        let service = try lab.start(
            "h2",
            ["sh", "-c", "exec avahi-publish -s -H \(host).local \(host) _http._tcp \(port) 2>&1"])
        try await service.line(within: .seconds(60)) { $0.hasPrefix("Established") }
        return [name, service]
    }

    /// Waits for lines with a verdict on each of some addresses, in any order.
    private func wait(_ list: RunningProcess, for verdicts: [String: String]) async throws {
        var rest = Set(verdicts.map { "\"\($0)\":\"\($1)\"" })
        while !rest.isEmpty {
            let wanted = rest
            let line = try await list.line(within: .seconds(60)) { line in
                wanted.contains { line.contains($0) }
            }
            rest = rest.filter { !line.contains($0) }
        }
    }

    @Test func `verdicts follow the routes and interfaces of this machine, and nothing else does`()
        async throws
    {
        try await Lab.with { lab in
            let bridge = try await publish(lab, "bridge", at: "172.17.0.1")
            let far = try await publish(lab, "far", at: "192.168.77.7")
            let old = try await publish(lab, "old", at: "2001:db8:5::7")
            let near = try await lab.publish("Near", "_http._tcp", 80, on: "h2")
            let list = try lab.peerlist(on: "h1", ["--json", "--no-ledger"])
            try await wait(
                list,
                for: [
                    "172.17.0.1": "impossible", "10.99.0.2": "here", "192.168.77.7": "nowhere",
                    "2001:db8:5::7": "nowhere",
                ])

            try await lab.perform(
                "exec", "h1", "ip", "route", "add", "default", "via", "10.99.0.2")
            try await wait(list, for: ["192.168.77.7": "routed-default"])
            try await lab.perform(
                "exec", "h1", "ip", "route", "add", "192.168.77.0/24", "via", "10.99.0.2")
            try await wait(list, for: ["192.168.77.7": "routed"])
            try await lab.perform("exec", "h1", "ip", "route", "del", "192.168.77.0/24")
            try await wait(list, for: ["192.168.77.7": "routed-default"])
            try await lab.perform(
                "exec", "h1", "ip", "route", "add", "blackhole", "192.168.77.0/24")
            try await wait(list, for: ["192.168.77.7": "nowhere"])

            // A prefix that comes and goes, and a device that announces its address in it all the time.
            for (verb, verdict) in [("add", "here"), ("del", "nowhere")] {
                try await lab.perform(
                    "exec", "h1", "ip", "address", verb, "2001:db8:5::1/64", "dev", "eth0", "nodad")
                try await wait(list, for: ["2001:db8:5::7": verdict])
            }

            try await lab.perform("if-down", "h1")
            try await wait(list, for: ["10.99.0.2": "nowhere"])
            try await lab.perform("if-up", "h1")
            try await wait(list, for: ["10.99.0.2": "here"])

            let changes = await list.lines.filter { $0.contains("\"event\":\"changed\"") }
            #expect(
                changes.allSatisfy { !$0.contains("\"reach\":{\"192") || $0.contains("addresses") })
            for process in bridge + far + old + [near, list] { await process.send(15) }
        }
    }

    /// Returns the steps of the path to a device, each with its outcome, and the answers at its addresses.
    private func path(
        _ lab: Lab, to name: String
    ) async throws -> (first: String, steps: [String: String], answers: String) {
        let findings = try await lab.doctorFindings(
            on: "h1", ["--device", name, "--timeout", "3"])
        var steps: [String: String] = [:]
        for finding in findings {
            if let step = finding["step"].string as String?, !step.isEmpty {
                steps[step] = finding["outcome"].string
            }
        }
        let answers = findings.flatMap { $0["answers"].array.map(\.string) }
        return (findings.first?["step"].string ?? "", steps, answers.joined(separator: "\n"))
    }

    @Test func `the doctor finds the step at which the path to a device ends`() async throws {
        try await Lab.with(hosts: 3) { lab in
            try lab.publishFile("web", named: "Web", "_http._tcp", 8_000, on: "h2")
            try await lab.perform(
                "spawn", "h2", "server", "python3", "-m", "http.server", "8000")
            var path = try await path(lab, to: "h2")
            #expect(path.steps["machine"] == "ok")
            #expect(path.answers.contains("10.99.0.2: answers, port 8000 open"))

            try await lab.perform("drop", "h2", "tcp", "dport", "8000")
            path = try await self.path(lab, to: "h2")
            #expect(path.first == "ports")
            #expect(path.answers.contains("port 8000 is filtered"))
            try await lab.perform("drop", "h2")

            try await lab.perform("kill", "h2", "server")
            path = try await self.path(lab, to: "h2")
            #expect(path.first == "ports")
            #expect(path.answers.contains("port 8000 is closed"))

            // h2 has gone without a goodbye, as a machine does that loses its power.
            let list = try lab.peerlist(on: "h1", ["--json", "--no-ledger"])
            try await list.line(within: .seconds(60)) { $0.contains("10.99.0.2") }
            try await lab.perform("cut", "h2")
            try await lab.perform("exec", "h1", "ip", "neigh", "flush", "all")
            path = try await self.path(lab, to: "h2")
            #expect(path.first == "machine")
            #expect(path.answers.contains("nobody answers at this address"))

            // Another machine gets its address.
            try await lab.perform("daemon", "h3", "stop")
            try await lab.perform("address", "h3", "add", "10.99.0.2/24")
            path = try await self.path(lab, to: "h2")
            #expect(path.steps["machine"] != nil, "\(path)")
            #expect(path.answers.contains("10.99.0.2: "))
            await list.send(15)
        }
    }

    @Test func `a router that answers for a machine that is gone proves nothing`() async throws {
        try await Lab.with(hosts: 3) { lab in
            try lab.publishFile("web", named: "Web", "_http._tcp", 8_000, on: "h2")
            try await lab.perform(
                "exec", "h1", "ip", "route", "add", "default", "via", "10.99.0.3")
            // The kernel knows the router by its MAC address, as that of each machine on the Internet does.
            try await lab.perform("exec", "h1", "ping", "-c", "1", "10.99.0.3")
            let list = try lab.peerlist(on: "h1", ["--json", "--no-ledger"])
            try await list.line(within: .seconds(60)) { $0.contains("10.99.0.2") }
            let terminal = try await Tmux(
                in: lab, on: "h1", columns: 160, rows: 24,
                running: "exec '\(BuiltProducts.peerlist)' --no-ledger --ascii")
            try await terminal.screen(within: .seconds(60)) { $0.contains("10.99.0.2") }

            try await lab.perform("cut", "h2")
            // Proxy ARP for a machine that the router has behind itself.
            for words in [
                "ip link add behind type veth peer name beyond", "ip link set beyond up",
                "ip link set behind up", "ip route add 10.99.0.2/32 dev behind",
                "sysctl -q -w net.ipv4.conf.eth0.forwarding=1 net.ipv4.conf.eth0.proxy_arp=1",
                "sysctl -q -w net.ipv4.neigh.eth0.proxy_delay=0",
            ] {
                try await lab.perform(
                    ["exec", "h3"] + words.split(separator: " ").map(String.init))
            }
            try await lab.perform("exec", "h1", "ip", "neigh", "flush", "to", "10.99.0.2")
            // The doctor looks for devices, and avahi-daemon has this one for two minutes.
            let path = try await path(lab, to: "h2")
            #expect(path.first == "machine", "\(path)")
            #expect(path.steps["machine"] == "unknown", "\(path)")
            #expect(path.answers.contains("answers for it, as a router may"))
            try await terminal.type("v")
            try await terminal.screen(within: .seconds(60)) { $0.contains("answers for it") }
            let picked = try await lab.finishedPeerlist(
                on: "h1", "pick", "--one", "h2", "--reachable", "--no-ledger")
            #expect(picked.status == 1)
            try await terminal.type("q")
            await list.send(15)
        }
    }

    @Test func `v tells whether the machine answers, and pick leaves out what does not`()
        async throws
    {
        try await Lab.with(hosts: 3) { lab in
            let web = try await lab.publish("Web", "_http._tcp", 8_000, on: "h2")
            try await lab.perform(
                "spawn", "h2", "server", "python3", "-m", "http.server", "8000")
            let terminal = try await Tmux(
                in: lab, on: "h1", columns: 100, rows: 24,
                running: "exec '\(BuiltProducts.peerlist)' --no-ledger --ascii")
            // The answer is shown for some seconds.
            func verify(until text: String) async throws {
                for _ in 0..<3 {
                    try await terminal.type("v")
                    let shown = try? await terminal.screen(within: .seconds(30)) {
                        $0.contains(text)
                    }
                    if shown != nil { return }
                }
                let last = try await terminal.screen()
                Issue.record("\(text) is not shown: \(last)")
            }
            try await terminal.screen(within: .seconds(60)) { $0.contains("10.99.0.2") }
            try await verify(until: "h2 answers, port 8000 open")

            // Its mDNS is silent, and the machine is there.
            try await lab.perform("drop", "h2", "udp", "dport", "5353")
            try await verify(until: "the machine answers, its mDNS does not; port 8000 open")

            let picked = try await lab.finishedPeerlist(
                on: "h1", "pick", "--one", "h2", "--reachable", "--print", "target", "--no-ledger")
            #expect(picked.output.contains(":8000"), "\(picked.errors)")

            // Another machine gets the address of one that is gone.
            try await lab.perform("cut", "h2")
            try await lab.perform("daemon", "h3", "stop")
            try await lab.perform("address", "h3", "add", "10.99.0.2/24")
            try await lab.perform("exec", "h1", "ip", "neigh", "flush", "all")
            try await verify(until: "another machine has this address now")
            let left = try await lab.finishedPeerlist(
                on: "h1", "pick", "--one", "h2", "--reachable", "--no-ledger")
            #expect(left.status == 1)
            // It may have expired by now.
            #expect(
                left.errors.contains("left out: h2") || left.errors.contains("nothing matches"),
                "\(left.errors)")
            try await terminal.type("q")
            await web.send(15)
        }
    }

    @Test(.needs("tcpdump"))
    func `nothing is asked of a machine before the user wants to know`() async throws {
        try await Lab.with { lab in
            try lab.publishFile("web", named: "Web", "_http._tcp", 8_000, on: "h2")
            let capture = try lab.start(
                "h1",
                [
                    "sh", "-c",
                    "exec tcpdump -lnni eth0 'src host 10.99.0.1 or src net fd99::/64' 2>/dev/null",
                ])
            let list = try lab.peerlist(on: "h1", ["--json", "--no-ledger"])
            try await list.line(within: .seconds(60)) { $0.contains("\"10.99.0.2\":\"here\"") }
            func others() async -> [String] {
                await capture.lines.filter { line in
                    line.contains(" > 10.99.0.2") && !line.contains(".5353")
                        || line.contains("ICMP echo") || line.contains("Flags")
                }
            }
            let unasked = await others()
            #expect(unasked.isEmpty, "\(unasked)")
            _ = try await path(lab, to: "h2")
            let asked = await others()
            #expect(asked.contains { $0.contains("10.99.0.2.8000: Flags") }, "\(asked)")
            #expect(
                asked.allSatisfy { $0.contains(".8000") || $0.contains("ICMP") },
                "\(asked)")
            await list.send(15)
            await capture.send(15)
        }
    }
}
