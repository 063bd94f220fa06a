// Exports the services of another machine, which the programs of the formats read.
import LabSupport
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct ExportTests {
    /// The names of programs that are not installed.
    private static func missing(_ programs: String...) async throws -> [String] {
        var missing: [String] = []
        for program in programs {
            let found = try await FinishedProcess(["sh", "-c", "command -v \(program)"])
            if found.status != 0 { missing.append(program) }
        }
        return missing
    }

    /// Runs a script on h2 in the directory of the lab, where `$0` is the built `peerlist`; returns its output.
    private func read(_ script: String, in lab: Lab) async throws -> String {
        let place = lab.directory.path
        let finished = try await lab.run(
            "h2",
            [
                "env", "HOME=\(place)", "LC_ALL=C.UTF-8", "sh", "-c", "cd '\(place)' && \(script)",
                BuiltProducts.peerlist,
            ])
        #expect(finished.status == 0, "\(finished.errors)")
        return finished.output
    }

    @Test(
        .enabled("ssh or ansible-inventory is not installed; 'make test' installs them") {
            try await missing("ssh", "ansible-inventory").isEmpty
        }, arguments: ["daemon", "embedded"])
    func `getent, ssh and Ansible find a host of the network`(backend: String) async throws {
        try await Lab.with { lab in
            if backend == "embedded" { try await lab.perform("daemon", "h2", "stop") }
            _ = try await lab.publish("Shell", "_ssh._tcp", 2222, on: "h1")
            try lab.directory.write(
                "#!/bin/sh\nexec '\(BuiltProducts.peerlist)' export --format ansible \"$@\"\n",
                to: "peers", mode: 0o755)
            func run(_ script: String) async throws -> String { try await read(script, in: lab) }
            let addresses = try await run(
                """
                "$0" export --format hosts > hosts && exec unshare --mount sh -c \
                'mount --bind hosts /etc/hosts && getent -s files ahosts h1.local'
                """)
            #expect(addresses.contains("10.99.0.1 ") && addresses.contains("fd99::1 "))

            let settings = try await run(
                "\"$0\" export --format ssh-config > config && exec ssh -G -F config h1.local")
            #expect(settings.contains("hostname 10.99.0.1\n") && settings.contains("port 2222\n"))

            let inventory = try JSON(
                line: try await run("exec ansible-inventory -i ./peers --list"))
            #expect(inventory["type_ssh"]["hosts"].array.map { $0.string } == ["h1.local"])
            let host = inventory["_meta"]["hostvars"]["h1.local"]
            #expect(host["ansible_port"].integer == 2222)
            #expect(host["ansible_host"].string == "10.99.0.1")
        }
    }

    /// A device with the name of another machine, and one whose name is not safe to write.
    private let hostileDevices = #"""
        [{"name": "build", "host": "build.local", "addresses": ["10.99.0.150"], "services": [
            {"instance": "=1;@x,\"'\n{{ lookup('pipe', 'touch pwned') }}", "type": "_ssh._tcp", "port": 2222,
             "txt": ["path=#jinja2:variable_start_string:'<<'\n<< lookup('pipe', 'touch pwned') }}",
                     "joined=a\u200db;=1", "__ansible_vault=x"]}]},
         {"name": "evil", "host": "x\n  ProxyCommand touch pwned.local", "addresses": ["10.99.0.151"],
          "services": [{"instance": "evil", "type": "_ssh._tcp", "port": 22}]}]
        """#

    @Test(
        .enabled("ssh, ansible-inventory or promtool is not installed; 'make test' installs them") {
            try await missing("ssh", "ansible-inventory", "promtool").isEmpty
        })
    func `a hostile device of the network is a device in every format, and no more`() async throws {
        try await Lab.with { lab in
            let place = lab.directory.path
            try lab.directory.write(hostileDevices, to: "devices.json")
            try lab.directory.write(
                "scrape_configs: [{job_name: a, file_sd_configs: [{files: [\(place)/targets.json]}]}]",
                to: "prometheus.yml")
            let responder = try lab.start(
                "h1",
                [
                    "python3", BuiltProducts.package + "/Tests/Lab/load.py", "--devices",
                    place + "/devices.json",
                ])
            try await responder.line(within: .seconds(60)) { $0.hasPrefix("ready") }
            let name = "=1;@x,\"'\n{{ lookup('pipe', 'touch pwned') }}"

            let hosts = try await read(
                """
                "$0" export -f hosts -t ssh > hosts && exec unshare --mount sh -c \
                'mount --bind hosts /etc/hosts && getent -s files hosts'
                """, in: lab)
            #expect(hosts.split(separator: " ").map(String.init) == ["10.99.0.150", "build.local"])

            let full = try await read(
                "\"$0\" export -f ssh-config > config && exec ssh -G -F config build.local", in: lab
            )
            #expect(full.contains("hostname 10.99.0.150\n") && full.contains("port 2222\n"))
            #expect(!full.contains("proxycommand"))
            let short = try await read("exec ssh -G -F config build", in: lab)
            #expect(short.contains("hostname build\n") && !short.contains("hostkeyalias"))

            let inventory = try JSON(
                line: try await read(
                    """
                    "$0" export -f ansible -t ssh > peers.json && exec ansible-inventory -i peers.json --list
                    """, in: lab))
            #expect(inventory["_meta"]["hostvars"].members.keys.sorted() == ["build.local"])
            let variables = inventory["_meta"]["hostvars"]["build.local"]
            let service = try #require(variables["peerlist_services"].array.first)
            #expect(service["name"].members == ["__ansible_unsafe": .string(name)])
            #expect(service["txt"]["path"]["__ansible_unsafe"].string.hasPrefix("#jinja2:"))
            #expect(service["txt"].members.keys.sorted() == ["joined", "path"])

            let targets = try JSON(
                line: try await read(
                    """
                    "$0" export -f prometheus -t ssh > targets.json &&
                    exec promtool check service-discovery --timeout=5s prometheus.yml a
                    """, in: lab))
            let labels = targets.array.map { $0["discoveredLabels"] }
            let target = labels.first { $0["__address__"].string == "10.99.0.150:2222" }
            #expect(target?["__meta_peerlist_service"].string == name)

            let rows = try JSON(
                line: try await read(
                    """
                    "$0" export -f csv -t ssh > peers.csv && exec python3 -c '
                    import csv, json
                    rows = csv.DictReader(open("peers.csv", newline="", encoding="utf-8"), strict=True)
                    print(json.dumps([{**row, "txt": json.loads(row["txt"])} for row in rows]))'
                    """, in: lab))
            #expect(rows.array.count == 2)
            let row = rows.array.first { $0["port"].string == "2222" }
            let cell = "'=1;'@x,\"'\\u{a}{{ lookup('pipe', 'touch pwned') }}"
            #expect(row?["service"].string == cell)
            #expect(row?["txt"]["joined"].string == "a\u{200D}b;=1")

            let devices = try JSON(
                line: try await read("exec \"$0\" export -f json -t ssh", in: lab))
            let services = devices.array.flatMap { $0["services"].array }
            #expect(Set(services.map { $0["name"].string }) == [name, "evil"])
            _ = try await read("test ! -e pwned", in: lab)
            await responder.send(15)
        }
    }

    @Test(arguments: ["daemon", "embedded"])
    func `a host name of the internet that a stranger announces is in no export and not picked`(
        backend: String
    ) async throws {
        try await Lab.with { lab in
            if backend == "embedded" { try await lab.perform("daemon", "h2", "stop") }
            // Otherwise the stranger's address cannot work, and it is left out for that.
            try await lab.perform(
                "exec", "h2", "ip", "route", "add", "10.99.144.0/24", "dev", "eth0")
            let observer = try ListObserver(lab, on: "h2", "--backend", backend)
            try await observer.list(within: .seconds(60)) { $0.begin != .null }
            try await lab.startStranger(on: "h1", ["elsewhere", "5"])
            try await observer.peer(on: "github.com", within: .seconds(60)) { peer in
                peer["services"].array.map { $0["name"].string } == ["Front Desk"]
            }
            try await observer.list(within: .seconds(60)) { $0.notices == ["other-domain"] }

            for format in ["hosts", "ssh-config", "ansible", "prometheus", "csv", "json"] {
                let export = try await lab.finishedPeerlist(
                    on: "h2", "export", "-f", format, "-t", "ssh", "--backend", backend)
                // In JSON, `identity` says from what the identifier was computed.
                let identity = #""identity":{"source":"host-name","value":"github.com"}"#
                let text = export.output.replacing(identity, with: "")
                #expect(!text.lowercased().contains("github.com"), "\(format): \(text)")
                #expect(!text.contains("abroad"), "\(format): \(text)")
                #expect(export.errors.contains("outside of the domain that was browsed"))
                #expect(export.errors.contains("'abroad._ssh._tcp.com'"))
            }
            let pick = ["pick", "--one", "Front Desk", "-t", "ssh", "--backend", backend]
            for part in [[], ["--print", "target"], ["--print", "url"]] {
                let picked = try await lab.run("h2", [BuiltProducts.peerlist] + pick + part)
                #expect(picked.output.contains("10.99.144.66"), "\(picked.errors)")
                #expect(!picked.output.contains("github.com"))
            }
            let named = try await lab.run(
                "h2", [BuiltProducts.peerlist] + pick + ["--print", "host"])
            #expect(named.output.isEmpty)
            #expect(named.errors.contains("outside of the domain that was browsed: 'github.com'"))
            #expect(try await observer.interrupt() == 130)
        }
    }

    /// The targets that a Prometheus server on the machine scrapes; its API is asked until it names them.
    private let scraped = """
        import json, sys, threading, time, urllib.request
        wanted = sorted(sys.argv[1:])
        end = time.monotonic() + 50
        found = None
        while found != wanted and time.monotonic() < end:
            try:
                with urllib.request.urlopen("http://127.0.0.1:9090/api/v1/targets", timeout=5) as reply:
                    targets = json.load(reply)["data"]["activeTargets"]
                found = sorted(t["discoveredLabels"]["__address__"] for t in targets)
            except OSError:
                pass
            threading.Event().wait(0.1)
        print(found)
        sys.exit(found != wanted)
        """

    @Test(
        .enabled("prometheus is not installed; 'make test' installs it") {
            try await missing("prometheus").isEmpty
        })
    func `Prometheus follows a watched file, which no reader finds incomplete`() async throws {
        try await Lab.with { lab in
            let place = lab.directory.path
            let path = place + "/peers.json"
            try lab.directory.write(
                """
                scrape_configs:
                  - job_name: peers
                    file_sd_configs: [{files: [\(path)]}]
                """, to: "prometheus.yml")
            try lab.directory.write(scraped, to: "scraped.py")
            let first = try await lab.publish("First", "_prometheus-http._tcp", 9100, on: "h1")
            let watch = try lab.peerlist(
                on: "h2",
                ["export", "-f", "prometheus", "-t", "prometheus-http", "--watch", path])
            let server = try lab.start(
                "h2",
                [
                    "prometheus", "--config.file=\(place)/prometheus.yml",
                    "--storage.tsdb.path=\(place)/data", "--web.listen-address=127.0.0.1:9090",
                ])
            func expectTargets(_ targets: String...) async throws {
                let found = try await lab.run("h2", ["python3", "\(place)/scraped.py"] + targets)
                #expect(found.status == 0, "\(found.output) \(found.errors)")
            }
            try await expectTargets("10.99.0.1:9100")
            let reader = try RunningProcess([
                "sh", "-c", "while jq . \"$1\" > /dev/null; do :; done", "sh", path,
            ])
            let second = try await lab.publish("Second", "_prometheus-http._tcp", 9200, on: "h1")
            try await expectTargets("10.99.0.1:9100", "10.99.0.1:9200")
            await first.send(15)
            try await expectTargets("10.99.0.1:9200")
            await second.send(15)
            try await expectTargets()
            let complaint = await reader.errors
            #expect(await reader.status == nil, "\(complaint)")
            await reader.send(15)
            await watch.send(15)
            #expect(try await watch.end(within: .seconds(60)) == 0)
            #expect(await watch.lines.isEmpty)
            // On a busy machine, the host of a new service is looked up for longer than half a second.
            let errors = await watch.errors.replacing(
                "peerlist: left out, without a host name yet: 'Second'\n", with: "")
            #expect(errors == "")
            await server.send(15)
            try await server.end(within: .seconds(60))
        }
    }

    @Test func `two exports of a network that does not change are equal byte for byte`()
        async throws
    {
        try await Lab.with { lab in
            for host in ["h1", "h2"] {
                _ = try await lab.publish("Web of \(host)", "_http._tcp", 80, on: host)
                _ = try await lab.publish("Shell of \(host)", "_ssh._tcp", 22, on: host)
            }
            let script = """
                for number in 1 2; do
                    for format in hosts ssh-config ansible prometheus csv json; do
                        "$0" export -f $format -t http,ssh > $format.$number || exit
                    done
                done
                for format in hosts ssh-config ansible prometheus csv json; do
                    cmp $format.1 $format.2 || exit
                done
                "$0" export -f csv --no-ledger > none.csv
                exec "$0" devices --json
                """
            let known = try await read(script, in: lab).split(separator: "\n").map {
                try JSON(line: String($0))
            }
            #expect(known.count == 2)
            let place = lab.directory.path
            let rows = try TextFile.read(place + "/csv.1").split(separator: "\r\n").dropFirst()
            #expect(rows.count == 4)
            for row in rows {
                let cells = row.split(separator: ",", omittingEmptySubsequences: false)
                let device = known.first { $0["id"].string == cells[0] }
                #expect(device?["firstSeen"].string == cells[12].description, "\(row)")
                #expect(cells[11] == "present" && cells[13].isEmpty)
            }
            let none = try TextFile.read(place + "/none.csv").split(separator: "\r\n").dropFirst()
            #expect(none.count == 4 && none.allSatisfy { $0.contains(",present,,,") })
        }
    }

    @Test func `a watched file stays as it is while the daemon restarts`() async throws {
        try await Lab.with { lab in
            let path = lab.directory.path + "/hosts"
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h1")
            let watch = try lab.peerlist(on: "h2", ["export", "-f", "hosts", "--watch", path])
            func expectLine(_ text: String) async throws {
                let script = "until grep -q \"$1\" \"$2\" 2> /dev/null; do :; done"
                let limited = ["timeout", "60", "sh", "-c", script, "sh", text, path]
                let found = try await FinishedProcess(limited, within: .seconds(90))
                let errors = await watch.errors
                #expect(found.status == 0, "\(text): \(errors)")
            }
            try await expectLine("^10.99.0.1\th1.local")
            let reader = try RunningProcess([
                "sh", "-c", "while grep -q h1.local \"$1\"; do :; done", "sh", path,
            ])
            try await lab.perform("daemon", "h2", "restart")
            _ = try await lab.publish("Other", "_http._tcp", 81, on: "h2")
            try await expectLine("^10.99.0.2\th2.local")
            #expect(await reader.status == nil, "the host is in each content")
            await reader.send(15)
            await watch.send(2)
            #expect(try await watch.end(within: .seconds(60)) == 0)
        }
    }
}
