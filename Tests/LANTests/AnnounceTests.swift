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
