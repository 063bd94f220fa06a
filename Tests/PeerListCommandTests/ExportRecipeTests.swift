// Runs the recipes of docs/export.md, of which those that need a network are in LANTests.
import LabSupport
import PeerListTestSupport
import PeerRecording
import Testing

@Suite(.timeLimit(.minutes(10))) struct ExportRecipeTests {
    private let folder: RecordingFolder

    init() throws {
        folder = try RecordingFolder()
        _ = try folder.file("monday.jsonl", House.lines()[..<9])
    }

    /// Runs a script with the built command, which exports a recording where the recipe browses.
    private func run(_ script: String) async throws -> String {
        _ = try folder.file(
            "peerlist",
            text: """
                #!/bin/sh
                case "$*" in *monday*) set -- "$@" ;; *) set -- "$@" '\(folder.path)monday.jsonl' ;; esac
                exec '\(BuiltProducts.peerlist)' "$@"
                """)
        let finished = try await FinishedProcess(
            [
                "bash", "-ec",
                "cd '\(folder.path)' && chmod +x peerlist && PATH=$PWD:$PATH && \(script)",
            ],
            environment: ["LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": String(folder.path.dropLast())])
        #expect(finished.status == 0, "\(finished.errors)")
        return finished.output
    }

    private func recipe(_ section: String, _ number: Int = 0, kind: String = "sh") throws -> String
    {
        let recipes = try TextFile.blocks(kind, under: section, of: "export.md")
        return try #require(recipes.indices.contains(number) ? recipes[number] : nil)
    }

    @Test func `the hosts file is replaced from the mark on`() async throws {
        let hosts = "127.0.0.1 localhost\n# mine\n10.9.9.9 mine\n"
        _ = try folder.file("hosts", text: hosts)
        let recipe = try recipe("## hosts")
        let once = try await run("\(recipe)\ncat hosts")
        let twice = try await run("\(recipe)\ncat hosts")
        #expect(once == twice)
        #expect(once.hasPrefix(hosts) && once.contains("\n10.0.0.30\ttv.local\t# tv"))
    }

    @Test(.needs("ssh")) func `ssh includes the hosts`() async throws {
        let config = try recipe("## ssh", kind: "ssh-config")
        _ = try folder.file(
            "config",
            text: "Host anna.local\n    Port 2200\n"
                + config.replacing("~", with: folder.path.dropLast())
        )
        let recipe = try recipe("## ssh")
        let output = try await run("mkdir .ssh\n\(recipe)\nssh -G -F config anna.local")
        #expect(output.contains("hostname 10.0.0.2\n"))
        #expect(output.contains("port 2200\n"), "the user's own setting")
    }

    @Test(.needs("ansible")) func `the script is an inventory`() async throws {
        let graph = try await run(try recipe("## Ansible"))
        #expect(graph.contains("@type_googlecast:\n  |  |--tv.local"))
        let hosts = try await run(try recipe("## Ansible", 1))
        #expect(hosts.split(separator: "\n").last == "    anna.local")
    }

    @Test(.needs("promtool")) func `the configuration of Prometheus is valid`() async throws {
        _ = try folder.file("prometheus.yml", text: try recipe("## Prometheus", kind: "yaml"))
        let script = try recipe("## Prometheus")
            .replacing("--watch", with: ">").replacing("prometheus-http", with: "googlecast")
        let output = try await run(
            """
            \(script)
            promtool check config prometheus.yml
            promtool check service-discovery --timeout=5s prometheus.yml peers
            """)
        #expect(output.contains(#""instance": "tv.local:8009""#))
        #expect(output.contains(#""device": "tv""#))
    }

    @Test(.needs("python3")) func `Python prints the hosts of the CSV`() async throws {
        let output = try await run(try recipe("## CSV"))
        #expect(output == "anna.local\nbrn30055c.local\ntv.local")
        let monday = try await run(
            "peerlist export --format csv --at 08:30:03 monday.jsonl > monday.csv; wc -l < monday.csv"
        )
        #expect(monday == "4")
    }

    @Test(.needs("jq")) func `jq prints the printers of the JSON`() async throws {
        #expect(try await run(try recipe("## JSON")) == "brn30055c: 10.0.0.10")
    }
}
