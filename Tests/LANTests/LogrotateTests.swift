// The recipes for logrotate in docs/recording.md, run by logrotate(8) as root and as an ordinary user.
import LabSupport
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct LogrotateTests {
    @Test func `logrotate as root rotates the output file`() async throws {
        try await Lab.with { lab in
            let place = lab.directory.path
            let recipes = try Recipes().replacing([
                ("/var/log/peerlist", place), ("/run/peerlist.pid", "\(place)/pid"),
            ])
            try lab.directory.write(recipes.configurations[0], to: "logrotate.conf")
            try await rotate(
                in: lab, as: [], start: recipes.starts[0],
                logrotate: "/usr/sbin/logrotate --state \(place)/state \(place)/logrotate.conf",
                file: "\(place)/peers.jsonl", pid: "\(place)/pid")
        }
    }

    @Test func `logrotate as an ordinary user rotates the output file`() async throws {
        try await Lab.with { lab in
            let home = "\(lab.directory.path)/home"
            let recipes = try Recipes()
            try lab.directory.write(
                recipes.configurations[1], to: "home/.config/peerlist/logrotate.conf")
            let owned = try await FinishedProcess([
                "sh", "-c", "chmod 711 \"$1\" && chown -R 65534:65534 \"$1/home\"", "sh",
                lab.directory.path,
            ])
            #expect(owned.status == 0, "\(owned.errors)")
            let state = "\(home)/.local/state/peerlist"
            try await rotate(
                in: lab,
                as: [
                    "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env",
                    "HOME=\(home)", "XDG_STATE_HOME=\(home)/.local/state",
                ],
                start: recipes.starts[1], logrotate: recipes.cronCommand,
                file: "\(state)/peers.jsonl", pid: "\(state)/pid")
        }
    }

    /// Rotates the file three times, with a change of the list after each, and folds all files.
    private func rotate(
        in lab: Lab, as user: [String], start: String, logrotate: String, file: String, pid: String
    ) async throws {
        _ = try await lab.publish("Web", "_http._tcp", 80, on: "h1")
        let program = BuiltProducts.peerlist.split(separator: "/").dropLast()
        let shell =
            user + [
                "env", "PATH=/\(program.joined(separator: "/")):/usr/sbin:/usr/bin:/sbin:/bin",
                "sh",
                "-c",
            ]
        // `wait`, because the recipe starts the program in the background.
        let list = try lab.start("h2", shell + [start + "\nwait"])
        try await expectLine(in: file) { $0.contains("fd99::1") }
        for day in 1...3 {
            // Forced, because no day has passed.
            let rotated = try await lab.run("h2", shell + [logrotate + " --force"])
            #expect(rotated.status == 0, "\(rotated.errors)")
            try await expectLine(in: file) { $0.contains(#""type":"begin""#) }
            let peer = try await lab.publish("Day \(day)", "_ssh._tcp", 22, on: "h1")
            try await expectLine(in: file) { $0.contains("Day \(day)") }
            await peer.send(15)
            try await expectLine(in: file) { line in
                // In the old values, but not in the new ones.
                let parts = line.split(separator: "\"was\":")
                return parts.count == 2 && parts[1].contains("Day \(day)")
            }
        }
        let ended = try await FinishedProcess(["sh", "-c", "kill \"$(cat \"$1\")\"", "sh", pid])
        #expect(ended.status == 0, "\(ended.errors)")
        _ = try await list.end(within: .seconds(60))

        for name in ["", ".1", ".2.gz", ".3.gz"] {
            var folded = FoldedList()
            let read = try await FinishedProcess(["gzip", "-dcf", file + name])
            #expect(read.status == 0, "\(name): \(read.errors)")
            for line in read.output.split(separator: "\n") { try folded.fold(String(line)) }
            #expect(folded.peer(on: "h1.local") != nil, "\(name)")
            #expect(name.isEmpty || folded.notices == ["next-file"], "\(name)")
        }
        #expect(await list.errors == "")
    }

    /// Waits for a line of a file, which may not exist yet.
    private func expectLine(
        in file: String, where matches: @escaping @Sendable (String) -> Bool
    ) async throws {
        let lines = try RunningProcess(["tail", "-n", "+1", "--follow=name", "--retry", file])
        try await lines.line(within: .seconds(60), where: matches)
        await lines.send(15)
    }
}

/// The blocks of code in the section on rotation.
private struct Recipes {
    /// The configurations of logrotate: for root, and for an ordinary user.
    var configurations: [String]
    /// The scripts that start peerlist, in the same order.
    var starts: [String]
    /// The command of the user's crontab.
    var cronCommand: String

    init() throws {
        func texts(_ kind: String) throws -> [String] {
            try TextFile.blocks(kind, under: "### Rotation", of: "recording.md")
        }
        (configurations, starts) = (try texts("conf"), try texts("sh"))
        try #require(configurations.count == 2 && starts.count == 2)
        let line = try #require(texts("crontab").first)
        cronCommand = try #require(
            line.split(separator: " ", maxSplits: 5).last?.split(separator: "\n").first
        ).description
    }

    func replacing(_ pairs: [(String, String)]) -> Recipes {
        var copy = self
        func replaced(_ text: String) -> String {
            pairs.reduce(text) { $0.replacing($1.0, with: $1.1) }
        }
        copy.configurations = configurations.map(replaced)
        copy.starts = starts.map(replaced)
        return copy
    }
}
