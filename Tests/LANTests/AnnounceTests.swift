// An announced service is visible under a free name until it is withdrawn.
import LabSupport
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct AnnounceTests {
    private func announce(
        _ lab: Lab, on host: String, _ name: String = "Web", port: Int = 8080, _ more: String...
    ) throws -> RunningProcess {
        let words = ["announce", "--name", name, "--type", "http", "--port", "\(port)", "--json"]
        return try lab.peerlist(on: host, words + more)
    }

    private func announced(_ process: RunningProcess, as name: String) async throws {
        try await process.line(within: .seconds(60)) {
            $0.contains("\"announced\"") && $0.contains("\"name\":\"\(name)\"")
        }
    }

    @Test(arguments: ["daemon", "embedded"])
    func `a service is visible with its attributes, and is found by its subtype`(
        backend: String
    ) async throws {
        try await Lab.with { lab in
            let process = try announce(
                lab, on: "h1", "Attic", "--txt", "path=/shop", "--txt", "flag", "--subtype",
                "printer", "--backend", backend)
            try await announced(process, as: "Attic")
            let observer = try ListObserver(lab, on: "h2", "-t", "_printer._sub._http._tcp")
            try await observer.peer(on: "h1.local", within: .seconds(60)) { peer in
                peer["services"].array.contains {
                    $0["name"].string == "Attic" && $0["txt"]["path"].string == "/shop"
                        && $0["txt"]["flag"] == .null && $0["port"] == .number(8080)
                }
            }
        }
    }

    @Test(arguments: ["daemon", "embedded"])
    func `the service is withdrawn on every signal`(backend: String) async throws {
        try await Lab.with { lab in
            if backend == "embedded" { try await lab.perform("daemon", "h1", "stop") }
            let observer = try ListObserver(lab, on: "h2")
            for signal: Int32 in [2, 15, 1, 9] {
                let process = try announce(lab, on: "h1", "Web \(signal)", "--backend", backend)
                try await announced(process, as: "Web \(signal)")
                try await observer.peer(on: "h1.local")

                await process.send(signal)
                let status = try await process.end(within: .seconds(60))
                #expect(status == (signal == 9 ? 137 : 0))
                try await observer.list(within: .seconds(60)) { $0.items.isEmpty }
            }
        }
    }

    @Test func `a taken name is replaced by the next one, which is reported`() async throws {
        try await Lab.with { lab in
            let first = try announce(lab, on: "h1")
            try await announced(first, as: "Web")
            let second = try announce(lab, on: "h2", port: 8081)
            try await announced(second, as: "Web #2")
            #expect(await second.lines.contains { $0.contains("\"renamed\"") })
            await second.send(15)
            #expect(try await second.end(within: .seconds(60)) == 0)
            try await lab.expectSchema(
                "announce", of: await second.lines.joined(separator: "\n"))
        }
    }

    /// Starts announcers with one name at the same moment, one on each machine from h1 on; returns them with their names.
    ///
    /// Their ports and TXT records compare the other way around, so that each loses to the others by one of the two.
    private func announceTogether(
        _ lab: Lab, _ backends: [String]
    ) async throws -> [(process: RunningProcess, name: String)] {
        let processes = try backends.enumerated().map { index, backend in
            try announce(
                lab, on: "h\(index + 1)", "Twin", port: 8081 + index, "--txt", "id=\(9 - index)",
                "--backend", backend)
        }
        var announcers: [(RunningProcess, String)] = []
        for process in processes {
            let line = try await process.line(within: .seconds(10)) {
                $0.contains("\"announced\"")
            }
            announcers.append((process, try JSON(line: line)["name"].string))
        }
        return announcers
    }

    /// Starts a program on a machine that asks for web servers once a second.
    private func browse(_ lab: Lab, on host: String) throws -> RunningProcess {
        let script = "while :; do timeout 1 avahi-browse --parsable _http._tcp > /dev/null; done"
        return try lab.start(host, ["sh", "-c", script])
    }

    /// Waits until the daemon of a machine knows these web servers, and no others unless they are allowed.
    private func expectServers(
        _ names: Set<String>, allowsOthers: Bool = false, _ lab: Lab, on host: String
    ) async throws {
        let end = ContinuousClock.now + .seconds(30)
        let escaped = Set(
            names.map { name in
                var name = name
                for (text, code) in [(" ", 32), ("#", 35), ("(", 40), (")", 41)] {
                    name = name.replacing(text, with: "\\0\(code)")
                }
                return name
            })
        while true {
            let known = try await lab.run(
                host, ["avahi-browse", "--parsable", "--terminate", "--no-db-lookup", "_http._tcp"])
            let found = known.output.split(separator: "\n").map {
                String($0.split(separator: ";")[3])
            }
            if Set(found) == escaped || allowsOthers && escaped.isSubset(of: found) { return }
            try #require(ContinuousClock.now < end, "\(found) instead of \(escaped)")
        }
    }

    @Test(arguments: [
        ["embedded", "embedded"], ["embedded", "embedded", "embedded"], ["daemon", "embedded"],
        ["daemon", "daemon"], ["daemon", "daemon", "embedded"],
    ])
    func `machines that announce one name at once get a name each, and leave none behind`(
        backends: [String]
    ) async throws {
        // avahi-daemon answers for names that it is still probing, and does not withdraw those that it loses.
        let leavesOthers = backends.contains("daemon")
        try await Lab.with(hosts: backends.count + 1) { lab in
            for (index, backend) in backends.enumerated() where backend == "embedded" {
                try await lab.perform("daemon", "h\(index + 1)", "stop")
            }
            let observer = "h\(backends.count + 1)"
            let browsing = try browse(lab, on: observer)
            for _ in 0..<3 {
                let announcers = try await announceTogether(lab, backends)
                let names = Set(announcers.map(\.name))
                #expect(names.count == backends.count)
                try await expectServers(
                    names, allowsOthers: leavesOthers, lab, on: observer)
                for (process, _) in announcers { await process.send(15) }
                for (process, _) in announcers {
                    #expect(try await process.end(within: .seconds(60)) == 0)
                }
                try await expectServers([], allowsOthers: leavesOthers, lab, on: observer)
            }
            await browsing.send(15)
        }
    }

    @Test func `machines with one host name as well get a host name and a name each`() async throws
    {
        try await Lab.with(hosts: 3) { lab in
            for host in ["h1", "h2"] {
                try await lab.perform("daemon", host, "stop")
                _ = try await lab.run(host, ["hostname", "clone"])
            }
            // The IPv4 and IPv6 addresses compare the other way around.
            try await lab.perform("address", "h1", "add", "10.99.0.200/24")
            try await lab.perform("address", "h2", "add", "fd99::ffff/64")
            let observer = try ListObserver(lab, on: "h3")
            let announcers = try ["h1", "h2"].map { host in
                try announce(lab, on: host, "Twin", "--backend", "embedded")
            }
            for process in announcers {
                try await process.line(within: .seconds(30)) { $0.contains("\"announced\"") }
            }
            try await observer.list(within: .seconds(30)) { list in
                let devices = list.items.filter { !$0["services"].array.isEmpty }
                return devices.count == 2 && devices.allSatisfy { $0["services"].array.count == 1 }
            }
        }
    }

    @Test func `another responder on this machine that owns its host name is reported`()
        async throws
    {
        try await Lab.with { lab in
            try await lab.perform("daemon", "h1", "stop")
            try await lab.startStranger(on: "h1", ["namesake", "20"])
            let process = try announce(lab, on: "h1", "Web", "--backend", "embedded")
            let message =
                #"announced as h1-2.local, since another mDNS responder, probably one "#
                + #"on this machine, owns h1.local; 'peerlist doctor' names those that run here"#
            try await process.line(within: .seconds(60)) {
                $0.contains(#""type":"notice""#) && $0.contains(#""code":"host-name-conflict""#)
                    && $0.contains(#""message":"\#(message)""#)
            }
            await process.send(15)
            #expect(try await process.end(within: .seconds(60)) == 0)
            #expect(await process.errors.contains("peerlist: \(message)\n"))
            try await lab.expectSchema(
                "announce", of: await process.lines.joined(separator: "\n"))

            let list = try ListObserver(lab, on: "h1", "--announce", "--backend", "embedded")
            try await list.list(within: .seconds(60)) {
                $0.notices.contains("host-name-conflict")
            }
        }
    }

    @Test func `another machine that owns the host name is reported`() async throws {
        try await Lab.with { lab in
            try await lab.perform("daemon", "h1", "stop")
            // On h2 under the name of h1.
            let stranger = BuiltProducts.package + "/Tests/Lab/responder.py"
            let script = "hostname h1 && exec python3 \(stranger) namesake 20"
            let namesake = try lab.start("h2", ["unshare", "--uts", "sh", "-c", script])
            try await namesake.line(within: .seconds(60)) { $0 == "ready" }
            let process = try announce(lab, on: "h1", "Web", "--backend", "embedded")
            try await process.line(within: .seconds(60)) {
                $0.contains("announced as h1-2.local, since another machine owns h1.local")
            }
        }
    }

    @Test func `a service is announced again after the daemon restarts`() async throws {
        try await Lab.with { lab in
            let process = try announce(lab, on: "h1", "Web", "--backend", "daemon")
            try await announced(process, as: "Web")
            try await lab.perform("daemon", "h1", "kill")
            try await process.line(within: .seconds(60)) { $0.contains("\"interrupted\"") }
            try await lab.perform("daemon", "h1", "start")
            try await announced(process, as: "Web")
            let types = try await lab.finishedPeerlist(on: "h2", "types", "--json")
            #expect(types.output.contains("\"type\":\"_http._tcp\""))
            #expect(types.output.contains("\"services\":1,\"devices\":1}"))
            try await lab.expectSchema("types", of: types.output)
            try await lab.expectSchema(
                "announce", of: await process.lines.joined(separator: "\n"))
        }
    }

    @Test func `the embedded stack takes over the announcement when the daemon stops`() async throws
    {
        try await Lab.with { lab in
            let process = try announce(lab, on: "h1")
            try await announced(process, as: "Web")
            try await lab.perform("daemon", "h1", "stop")
            try await process.line(within: .seconds(60)) { $0.contains("\"interrupted\"") }
            try await announced(process, as: "Web")
            let observer = try ListObserver(lab, on: "h2")
            try await observer.peer(on: "h1.local", within: .seconds(60)) { peer in
                peer["services"].array.contains { $0["name"].string == "Web" }
            }
        }
    }

    @Test(arguments: ["daemon", "embedded"])
    func `a service is withdrawn when the reader of the output is gone`(
        backend: String
    ) async throws {
        try await Lab.with { lab in
            if backend == "embedded" { try await lab.perform("daemon", "h1", "stop") }
            let fifo = lab.directory.path + "/go"
            let script = """
                mkfifo "$1" && shift &&
                "$@" | { read -r line && echo "$line" && read -r _ <"$0"; }
                """
            let words = ["announce", "--name", "Web", "--type", "http", "--port", "80", "--json"]
            let pipeline = try lab.start(
                "h1", ["sh", "-c", script, fifo, fifo, BuiltProducts.peerlist] + words)
            let observer = try ListObserver(lab, on: "h2")
            try await observer.list(within: .seconds(60)) { $0.items.count == 1 }

            _ = try await FinishedProcess(["sh", "-c", "echo >\"$0\"", fifo])
            #expect(try await pipeline.end(within: .seconds(60)) == 0)
            // A goodbye counts after a second; what is not withdrawn stays for over an hour.
            try await observer.list(within: .seconds(60)) { $0.items.isEmpty }
        }
    }

    @Test func `a refused announcement is reported, and the status is 3`() async throws {
        try await Lab.with(hosts: 1, settings: ["publish.disable-user-service-publishing=yes"]) {
            lab in
            let process = try announce(lab, on: "h1")
            #expect(try await process.end(within: .seconds(60)) == 3)
            #expect(await process.errors.hasPrefix("peerlist: 'Web' cannot be announced: "))
        }
    }
}
