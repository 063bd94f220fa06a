// Tests SIGHUP, which reopens a rotated output file, or ends a program without terminal.
import LabSupport
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct HangUpTests {
    private func follow(_ file: String) throws -> RunningProcess {
        try RunningProcess(["tail", "-n", "+1", "--follow=name", "--retry", file])
    }

    private func isBegin(_ line: String) -> Bool { line.contains(#""type":"begin""#) }

    @Test func `after a rename, SIGHUP starts a new file with the whole list`() async throws {
        try await Lab.with { lab in
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h1")
            let file = lab.directory.path + "/lines"
            let list = try lab.peerlist(on: "h2", ["--plain", "--output", file])
            try await list.line(within: .seconds(60)) { $0.contains("fd99::1") }
            _ = try await FinishedProcess(["mv", file, file + ".1"])
            await list.send(1)
            let lines = try follow(file)
            let begin = try await lines.line(within: .seconds(60), where: isBegin)
            #expect(begin.contains(#""host":"h1.local""#))

            await list.send(2)
            try await lines.line(within: .seconds(60)) { $0.contains("interrupted") }
            await lines.send(15)
            let same = try await FinishedProcess([
                BuiltProducts.peerlist, "diff", file + ".1", file,
            ])
            #expect(same.status == 0, "\(same.output) \(same.errors)")
        }
    }

    @Test func `a list on a terminal continues after SIGHUP`() async throws {
        try await Lab.with(hosts: 1) { lab in
            let (file, pid) = (lab.directory.path + "/lines", lab.directory.path + "/pid")
            let list = "sh -c 'echo $$ >\(pid); exec \(BuiltProducts.peerlist) -o \(file)'"
            let terminal = try await Tmux(
                in: lab, on: "h1", running: "\(list); echo status $?")
            try await terminal.screen(within: .seconds(60)) { $0.contains("0 peers") }
            _ = try await lab.run(
                "h1", ["sh", "-c", "mv \(file) \(file).1; kill -HUP $(cat \(pid))"])
            let lines = try follow(file)
            try await lines.line(within: .seconds(60), where: isBegin)
            let screen = try await terminal.screen()
            #expect(screen.contains("0 peers") && !screen.contains("status"))
            try await terminal.type("q")
            try await terminal.screen(within: .seconds(60)) { $0.contains("status 0") }
            try await lines.line(within: .seconds(60)) { $0.contains("finished") }
            await lines.send(15)
        }
    }

    /// The terminal is created by script(1) and disappears with it.
    @Test(arguments: ["", "--plain"])
    func `the program ends when its terminal is gone`(form: String) async throws {
        try await Lab.with(hosts: 1) { lab in
            let file = lab.directory.path + "/lines"
            let command = "\(BuiltProducts.peerlist) \(form) --output \(file)"
            let terminal = try lab.start(
                "h1", ["env", "TERM=xterm", "script", "-qfc", command, "/dev/null"])
            let lines = try follow(file)
            try await lines.line(within: .seconds(60), where: isBegin)
            await terminal.send(9)
            try await lines.line(within: .seconds(60)) { $0.contains(#""type":"end""#) }
            await lines.send(15)
        }
    }

    @Test func `without an output file, SIGHUP ends the program`() async throws {
        try await Lab.with(hosts: 1) { lab in
            let list = try lab.peerlist(on: "h1", ["--json"])
            try await list.line(within: .seconds(60), where: isBegin)
            await list.send(1)
            #expect(try await list.end(within: .seconds(60)) == 130)
        }
    }
}
