// Files that are put away while real peers come and go.
import LabSupport
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct KeepingTests {
    @Test func `files are put away by size, and each of those that stay stands alone`() async throws
    {
        try await Lab.with { lab in
            let file = lab.directory.path + "/lines"
            let list = try lab.peerlist(
                on: "h2", ["--plain", "--output", file, "--rotate", "4K", "--keep", "3"])
            for round in 1...12 {
                let peer = try await lab.publish("Web \(round)", "_http._tcp", 80, on: "h1")
                try await list.line(within: .seconds(60)) { $0.contains("offers") }
                await peer.send(15)
                try await list.line(within: .seconds(60)) { $0.contains("Left: ") }
            }
            await list.send(2)
            #expect(try await list.end(within: .seconds(60)) == 130)
            let last = try await KeptLines(of: file).lines(of: file).last
            #expect(last?.contains("interrupted") == true)

            try await Self.tidy(lab, ["--output", file, "--rotate", "1G", "--keep", "3"])
            let kept = try await KeptLines(of: file)
            #expect(kept.old.count == 3)
            #expect(try await kept.faults() == "")
            let files = try await kept.folded()
            for (before, after) in zip(files, files.dropFirst()) {
                #expect(after.begin.withoutTimes == before.end.withoutTimes)
                #expect(after.begin.begin["run"] == before.begin.begin["run"])
                #expect(before.end.notices == ["next-file"])
            }
            for (before, after) in zip(kept.paths, kept.paths.dropFirst()) {
                let compared = try await FinishedProcess([
                    BuiltProducts.peerlist, "diff", before, after,
                ])
                #expect(compared.status < 2 && compared.errors == "")
            }
        }
    }

    /// The time zone is made for it: midnight comes a few seconds after the start.
    @Test func `a day's file is put away at midnight, though nothing happens`() async throws {
        try await Lab.with(hosts: 1) { lab in
            let file = lab.directory.path + "/lines"
            try lab.directory.write("", to: "lines")
            let lines = try RunningProcess(["tail", "-n", "+1", "-F", file])
            let now = try await FinishedProcess(["date", "+%s"])
            let second = (Int(now.output) ?? 0) % 86_400
            let offset = 86_400 - second - 4
            let zone = "<LOC>-\(offset / 3600):\(offset / 60 % 60):\(offset % 60)"
            let list = try lab.start(
                "h1",
                ["env", "TZ=\(zone)", BuiltProducts.peerlist, "--plain", "--output", file]
                    + ["--rotate", "daily"])
            try await lines.line(within: .seconds(60)) { $0.contains(#""type":"begin""#) }
            try await lines.line(within: .seconds(60)) { $0.contains("next-file") }
            let begin = try await lines.line(within: .seconds(60)) { $0.contains(#""begin""#) }
            await list.send(15)
            try await list.end(within: .seconds(60))
            await lines.send(15)

            // Midnight, to the second, is where the next one begins.
            let time = try JSON(line: begin)["time"].string.split(separator: "T")[1].prefix(8)
            let parts = time.split(separator: ":").compactMap { Int($0) }
            #expect((parts[0] * 3600 + parts[1] * 60 + parts[2] + offset) % 86_400 < 3)
            let kept = try await KeptLines(of: file)
            #expect(kept.stamps.count == 1, "\(kept.paths)")
        }
    }

    /// Standard output and the file each have a writer of their own, and either may be ahead of the
    /// other: what they have in common is the beginning.
    @Test
    func `killed at any moment, a run loses nothing that was written`() async throws {
        try await Lab.with { lab in
            try await lab.perform(
                "spawn", "h1", "load", "python3", BuiltProducts.package + "/Tests/Lab/load.py",
                "--services", "60", "--hosts", "6", "--churn", "40", "--away", "1")
            let file = lab.directory.path + "/lines"
            let options = ["--output", file, "--rotate", "16K", "--keep", "1000"]
            var stood: [[Substring]] = []
            for round in 1...6 {
                let list = try lab.peerlist(on: "h2", ["--json"] + options)
                let last = 60 + 37 * round
                try await list.line(within: .seconds(90)) { $0.contains("\"seq\":\(last),") }
                try await list.stop()
                let written = try await KeptLines(of: file).differences(inRun: round - 1)
                await list.send(9)
                try await list.end(within: .seconds(60))
                // The last line of either may be torn.
                let told = await list.lines.compactMap(KeptLines.difference)
                let common = zip(told.dropLast(), written.dropLast())
                #expect(common.filter { $0 != $1 }.map(\.1) == [])
                stood.append(written.dropLast())
            }
            #expect(stood.joined().count > 500)
            try await Self.tidy(lab, options)
            let kept = try await KeptLines(of: file)
            #expect(try await kept.faults() == "")
            _ = try await kept.folded()
            for (run, before) in stood.enumerated() {
                let after = try await kept.differences(inRun: run)
                #expect(after.starts(with: before) && after.count <= before.count + 1)
            }
        }
    }

    /// Has later runs put right what the ones before had no time for, or left when they were killed.
    private static func tidy(_ lab: Lab, _ options: [String]) async throws {
        var names = try await FinishedProcess(["ls", lab.directory.path]).output
        for _ in 1...30 where !isTidy(names) {
            let run = try await lab.run(
                "h2", [BuiltProducts.peerlist, "--once"] + options, within: .seconds(60))
            #expect(run.status < 2)
            names = try await FinishedProcess(["ls", lab.directory.path]).output
        }
        #expect(isTidy(names), "\(names)")
    }

    /// Whether all old files are compressed, and none is unfinished.
    private static func isTidy(_ names: String) -> Bool {
        let old = names.split(separator: "\n").filter { $0.hasPrefix("lines-") }
        return !old.isEmpty && old.allSatisfy { $0.hasSuffix("Z.gz") }
    }
}
