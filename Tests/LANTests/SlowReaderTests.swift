// Tests slow readers: waiting lines are bounded, and no loss is silent.
import LabSupport
import Testing

/// TXT records of 8 KB change continuously, and each line has two: 64 MiB are full within seconds.
@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct SlowReaderTests {
    private func loadNetwork(_ lab: Lab) async throws {
        try await lab.perform(
            "spawn", "h1", "load", "python3", BuiltProducts.package + "/Tests/Lab/load.py",
            "--services", "100", "--hosts", "10", "--text", "8000", "--edits", "80")
    }

    @Test func `a pipe that is no longer read ends the program with an error, in bounded memory`()
        async throws
    {
        try await Lab.with { lab in
            try await loadNetwork(lab)
            let reader = """
                import os, resource, subprocess, sys
                command = [sys.argv[1], "--json"]
                pipe = subprocess.PIPE
                # It ends in the midst of what was found, which a leak checker takes for lost; and what a
                # sanitizer does not give back is no matter of the list's.
                options = "detect_leaks=0:quarantine_size_mb=16"
                settings = dict(os.environ, ASAN_OPTIONS=options)
                list = subprocess.Popen(
                    command, stdout=pipe, stderr=pipe, bufsize=0, env=settings)
                list.stdout.readline()
                print(list.stderr.read().decode().strip())
                print(list.wait())
                print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10)
                """
            let end = try await lab.run(
                "h2", ["python3", "-c", reader, BuiltProducts.peerlist], within: .seconds(400))
            let told = end.output.split(separator: "\n")
            try #require(told.count == 3, "\(end.output) \(end.errors)")
            let failure = try #require(
                told[0].wholeMatch(
                    of: /peerlist: standard output: it is read too slowly: (\d+) KiB wait; .+/),
                "\(told[0])")
            // Lines are accepted until 64 MiB wait; the last ones, of 4 MiB at most, may exceed that.
            #expect((65_536...69_632).contains(Int(failure.1) ?? 0))
            #expect(told[1] == "3")
            // The limit is 64 MiB; a sanitizer uses twice that itself.
            #expect((Int(told[2]) ?? .max) < 400)
        }
    }

    @Test func `a slow reader of the output does not delay the list, and gets a fresh begin`()
        async throws
    {
        try await Lab.with { lab in
            let fifo = lab.directory.path + "/fifo"
            let hold = lab.directory.path + "/hold"
            _ = try await FinishedProcess(["mkfifo", fifo, hold])
            // Reads one line, waits until it may continue, and then prints the kind of each line.
            let reader = try RunningProcess([
                "bash", "-c",
                #"exec <"$1"; read -r line; echo first; read -r _ <"$2"; exec stdbuf -oL cut -c 1-99"#,
                "bash", fifo, hold,
            ])
            try await loadNetwork(lab)
            let command = "\(BuiltProducts.peerlist) --output \(fifo); echo status $?"
            let terminal = try await Tmux(in: lab, on: "h2", columns: 200, running: command)
            try await reader.line(within: .seconds(200)) { $0 == "first" }
            try await terminal.screen(within: .seconds(400)) {
                $0.contains("it is read too slowly")
            }

            try await lab.perform("kill", "h1", "load")
            _ = try await lab.publish("Late", "_ssh._tcp", 22, on: "h1")
            try await terminal.screen(within: .seconds(400)) { $0.contains("h1.local") }
            try lab.directory.write("go\n", to: "hold")
            try await reader.line(within: .seconds(200)) {
                $0.hasPrefix(#"{"type":"begin","seq":0"#)
            }
            try await terminal.screen(within: .seconds(200)) { !$0.contains("read too slowly") }
            try await terminal.type("q")
            try await terminal.screen(within: .seconds(200)) { $0.contains("status 0") }
            await reader.send(15)
        }
    }
}
