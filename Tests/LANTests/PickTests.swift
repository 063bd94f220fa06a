// Tests `peerlist pick` in a terminal on the LAN: its choice is used by ssh(1), with a real server.
import LabSupport
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct PickTests {
    /// Starts sshd(8) on h1, which accepts a key of the lab on two ports, and announces both.
    private func startServer(_ lab: Lab) async throws {
        let path = lab.directory.path
        try lab.directory.write(
            """
            Port 22
            Port 2222
            HostKey \(path)/host-key
            AuthorizedKeysFile \(path)/key.pub
            StrictModes no
            UsePAM no
            PidFile none
            PermitRootLogin yes
            PasswordAuthentication no
            """, to: "sshd")
        for name in ["host-key", "key"] {
            let made = try await FinishedProcess(
                ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "\(path)/\(name)"])
            #expect(made.status == 0, "\(made.errors)")
        }
        // The directory that sshd confines itself to.
        let made = try await lab.run("h1", ["mkdir", "-p", "-m", "755", "/run/sshd"])
        #expect(made.status == 0, "\(made.errors)")
        try await lab.perform(
            "spawn", "h1", "sshd", "/usr/sbin/sshd", "-D", "-e", "-f", path + "/sshd")
        try lab.publishFile("ssh", named: "Shell", "_ssh._tcp", 22, on: "h1")
        try lab.publishFile("other", named: "Second shell", "_ssh._tcp", 2222, on: "h1")
    }

    /// Opens a shell on h2 whose ssh has the key and asks nothing.
    private func shell(_ lab: Lab, columns: Int = 80, rows: Int = 24) async throws -> Tmux {
        let path = lab.directory.path
        let bin = BuiltProducts.peerlist.split(separator: "/").dropLast().joined(separator: "/")
        try lab.directory.write(
            """
            export LC_ALL=C.UTF-8 PATH=/\(bin):$PATH PS1='READY '
            ssh() {
                command ssh -F none -i '\(path)/key' -o StrictHostKeyChecking=no \\
                    -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR "$@"
            }

            """, to: "bashrc")
        let terminal = try await Tmux(
            in: lab, on: "h2", columns: columns, rows: rows,
            running: "exec bash --rcfile '\(path)/bashrc' -i")
        try await terminal.screen(within: .seconds(60)) { $0.contains("READY") }
        return terminal
    }

    private func wait(_ terminal: Tmux, for text: String) async throws {
        try await terminal.screen(within: .seconds(60)) { $0.contains(text) }
    }

    @Test func `ssh logs in to the machine that was picked, on the port of its service`()
        async throws
    {
        try await Lab.with(hosts: 3) { lab in
            try await startServer(lab)
            _ = try await lab.publish("Shell", "_ssh._tcp", 22, on: "h3")
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h2")
            let terminal = try await shell(lab)

            let command = "'echo on $(hostname) by $SSH_CONNECTION'"
            try await terminal.type("ssh $(peerlist pick -t ssh) \(command)", "Enter")
            try await wait(terminal, for: "2 peers, 3 services")
            try await terminal.type("h1.local")
            let screen = try await terminal.screen(within: .seconds(60)) {
                $0.contains("1 of 2 peers")
            }
            #expect(screen.contains("> h1.local▏"))
            try await terminal.type("Enter")
            try await terminal.screen(within: .seconds(60)) {
                $0.contains("on h1 by 10.99.0.2 ") && $0.contains(" 10.99.0.1 22\nREADY")
            }

            try await terminal.type(
                "clear; ssh $(peerlist pick -t ssh --print url h1) \(command)", "Enter")
            try await wait(terminal, for: "> h1▏")
            try await terminal.type(" 2222")
            try await wait(terminal, for: "port 2222")
            try await terminal.type("Enter")
            try await terminal.screen(within: .seconds(60)) {
                $0.contains("on h1 by 10.99.0.2 ") && $0.contains(" 10.99.0.1 2222\nREADY")
            }
        }
    }

    @Test func `Esc and Ctrl-C print nothing, whatever the standard streams are`() async throws {
        try await Lab.with { lab in
            _ = try await lab.publish("Shell", "_ssh._tcp", 22, on: "h1")
            let terminal = try await shell(lab, columns: 40, rows: 10)
            for key in ["Escape", "C-c"] {
                try await terminal.type(
                    "clear; echo data | (peerlist pick; echo $? [$(cat)]) | sed s/^/out:/", "Enter")
                try await wait(terminal, for: "Shell")
                try await terminal.type("C-z", key)
                try await wait(terminal, for: "out:130 [data]")
                try await terminal.type("clear; host=$(peerlist pick) && echo chosen", "Enter")
                try await wait(terminal, for: "Shell")
                try await terminal.type(key)
                try await terminal.screen(within: .seconds(60)) { !$0.contains("Esc leave") }
                try await terminal.type("echo status $? $host.", "Enter")
                try await wait(terminal, for: "status 130 .")
            }
        }
    }

    @Test func `in some lines, the choice leaves what is above it, also after a resize`()
        async throws
    {
        try await Lab.with(hosts: 3) { lab in
            for host in ["h1", "h3"] {
                _ = try await lab.publish("Shell", "_ssh._tcp", 22, on: host)
            }
            let terminal = try await shell(lab)
            let command = "clear; seq 3; peerlist pick -t ssh --height 8; echo status $?"
            func start() async throws {
                try await terminal.type(command, "Enter")
                let screen = try await terminal.screen(within: .seconds(60)) {
                    $0.contains("2 peers, 2 services") && !$0.contains("resolving")
                }
                #expect(screen.hasPrefix("1\n2\n3\npeerlist pick"))
            }
            try await start()
            for (columns, rows) in [(60, 14), (100, 30), (80, 24)] {
                try await terminal.resize(columns: columns, rows: rows)
                try await terminal.screen(within: .seconds(60)) { screen in
                    let header = screen.split(separator: "\n").filter { $0.contains("2 peers") }
                    // tmux may have moved what is above out of the window.
                    return header.count == 1 && header[0].count == columns
                        && screen.trimmingPrefix("1\n2\n3\n").hasPrefix("peerlist pick")
                }
            }
            try await terminal.type("Down", "Escape")
            try await terminal.screen(within: .seconds(60)) {
                $0.trimmingPrefix("1\n2\n3\n").hasPrefix("status 130\nREADY")
            }
            try await start()
            try await terminal.type("h1.local")
            try await wait(terminal, for: "1 of 2 peers")
            try await terminal.type("Enter")
            try await terminal.screen(within: .seconds(60)) {
                $0.hasPrefix("1\n2\n3\n10.99.0.1\nstatus 0\nREADY")
            }
        }
    }

    /// Writes a script that picks, reports the status and what was printed, and compares the modes of
    /// the terminal with those before; the file `pid` has the process.
    private func writeScript(_ lab: Lab) throws -> String {
        let path = lab.directory.path
        return try lab.directory.write(
            """
            trap : HUP
            before=$(stty -g)
            sh -c 'echo $$ >\(path)/pid; exec \(BuiltProducts.peerlist) pick' >\(path)/out
            status="status $? [$(cat \(path)/out)]"
            echo "$status" >\(path)/status
            echo "$status"
            [ "$before" = "$(stty -g)" ] && echo same modes
            read wait
            """, to: "script")
    }

    @Test(arguments: ["HUP", "TERM"])
    func `a signal ends the choice, and the terminal is as before`(signal: String) async throws {
        try await Lab.with { lab in
            _ = try await lab.publish("Shell", "_ssh._tcp", 22, on: "h1")
            _ = try writeScript(lab)
            let path = lab.directory.path
            let terminal = try await Tmux(in: lab, on: "h2", running: "exec sh \(path)/script")
            try await wait(terminal, for: "Shell")
            _ = try await lab.run("h2", ["sh", "-c", "kill -\(signal) $(cat \(path)/pid)"])
            let screen = try await terminal.screen(within: .seconds(60)) {
                $0.contains("same modes")
            }
            #expect(screen.contains("status 130 []") && !screen.contains("Shell"))
        }
    }

    @Test func `the choice ends without output when its terminal is closed`() async throws {
        try await Lab.with { lab in
            _ = try await lab.publish("Shell", "_ssh._tcp", 22, on: "h1")
            _ = try writeScript(lab)
            let path = lab.directory.path
            let terminal = try await Tmux(in: lab, on: "h2", running: "exec sh \(path)/script")
            try await wait(terminal, for: "Shell")
            try await terminal.close()
            let status = try RunningProcess([
                "tail", "-n", "+1", "--follow=name", "--retry", path + "/status",
            ])
            let line = try await status.line(within: .seconds(60)) { $0.hasPrefix("status") }
            #expect(line == "status 130 []")
            await status.send(15)
        }
    }

    @Test func `curl and ssh use a machine that has IPv6 only`() async throws {
        try await Lab.with { lab in
            try lab.directory.write("hello over IPv6\n", to: "page")
            try await lab.perform(
                "spawn", "h1", "web", "python3", "-m", "http.server", "--bind", "::",
                "--directory", lab.directory.path, "8080")
            _ = try await lab.publish("Web", "_http._tcp", 8080, on: "h1", txt: "path=/page")
            try await startServer(lab)
            let pick = Self.words.joined(separator: " ") + " -6"
            for address in [
                "http://$(\(pick) -t http --print target)/page",
                "$(\(pick) -t http --print url)",
            ] {
                let fetched = try await lab.run(
                    "h2",
                    ["sh", "-c", "curl -gsS --retry 20 --retry-connrefused \"\(address)\""])
                #expect(fetched.output == "hello over IPv6", "\(fetched.errors)")
            }
            let url = try await self.pick(lab, "-6", "-t", "ssh", "--print", "url", "second")
            #expect(url.status == 1)
            #expect(url.output.isEmpty)
            #expect(
                url.errors.contains("ssh takes no IPv6 address in a URL; use --print address"))
            let terminal = try await shell(lab)
            try await terminal.type(
                "ssh \"$(peerlist pick -6 --one -t ssh --print address)\""
                    + " 'echo on $(hostname) by $SSH_CONNECTION'", "Enter")
            try await terminal.screen(within: .seconds(60)) { $0.contains("on h1 by fd99::2 ") }
        }
    }

    @Test func `several rows are marked and printed, a line for each`() async throws {
        try await Lab.with(hosts: 3) { lab in
            for host in ["h1", "h3"] {
                _ = try await lab.publish("Shell", "_ssh._tcp", 22, on: host)
            }
            let terminal = try await shell(lab)
            let command = "peerlist pick -t ssh --multi --print target"
            try await terminal.type("clear; \(command) | sort | sed s/^/out:/", "Enter")
            try await wait(terminal, for: "2 peers, 2 services")
            try await terminal.type("Space", "Tab")
            try await wait(terminal, for: "2 marked")
            try await terminal.type("Enter")
            try await terminal.screen(within: .seconds(60)) {
                $0.contains("out:10.99.0.1:22\nout:10.99.0.3:22\n")
            }
            try await terminal.type(
                "clear; peerlist pick --multi -t ssh | xargs -n 1 echo target:", "Enter")
            try await wait(terminal, for: "2 peers, 2 services")
            try await terminal.type("Space", "Down", "Space", "Enter")
            try await terminal.screen(within: .seconds(60)) {
                $0.contains("\ntarget: 10.99.0.") && !$0.contains("2 marked")
            }
        }
    }

    /// Runs `peerlist pick --one` on h2 without a terminal.
    private func pick(_ lab: Lab, _ options: String...) async throws -> FinishedProcess {
        try await lab.run("h2", Self.words + options)
    }

    /// The machine may be busy, and discovery slow.
    private static let words = [
        "setsid", "--wait", BuiltProducts.peerlist, "pick", "--one", "--timeout", "30",
    ]

    @Test func `a single match does not ask, and without a terminal nothing else is possible`()
        async throws
    {
        try await Lab.with(hosts: 3) { lab in
            _ = try await lab.publish("Shell", "_ssh._tcp", 2222, on: "h1")
            _ = try await lab.publish("Web", "_http._tcp", 8080, on: "h3", txt: "path=/start")
            let asked = try await lab.run(
                "h2", ["setsid", "--wait", BuiltProducts.peerlist, "pick", "-t", "ssh"])
            #expect(asked.status == 2)
            #expect(asked.output.isEmpty)
            #expect(asked.errors.contains("there is no terminal to choose on"))

            let none = try await pick(lab, "printer")
            #expect(none.status == 1)
            #expect(none.output.isEmpty)
            #expect(none.errors.contains("nothing matches 'printer'"))

            let several = try await pick(lab)
            #expect(several.status == 2)
            #expect(
                several.errors.contains(
                    "2 devices match; narrow the query, or run it in a terminal to choose:\nID "))
            let id = try #require(several.errors.split(separator: "\n").last?.prefix(8))
            #expect(try await pick(lab, String(id)).output.hasPrefix("10.99.0."))

            for (options, printed) in [
                (["-t", "ssh"], "10.99.0.1"), (["-t", "ssh", "--print", "host"], "h1.local"),
                (["--print", "target", "shell"], "10.99.0.1:2222"),
                (["--print", "url", "web"], "http://10.99.0.3:8080/start"),
            ] {
                let one = try await lab.run("h2", Self.words + options)
                #expect(one.status == 0, "\(one.errors)")
                #expect(one.output == printed)
                #expect(one.errors.isEmpty)
            }
            try lab.directory.write("[colors]\nno-tone = red\n", to: "peerlist/config")
            let faulty = ["env", "XDG_CONFIG_HOME=" + lab.directory.path]
            let unread = try await lab.run("h2", faulty + Self.words + ["-t", "ssh"])
            #expect(unread.output == "10.99.0.1", "the settings of the list do not matter")
            let shown = try await Tmux(
                in: lab, on: "h2",
                running: (faulty + Self.words.dropFirst(2)).joined(separator: " ")
                    + "; echo status $?; read wait")
            let refusal = try await shown.screen(within: .seconds(60)) { $0.contains("status 2") }
            #expect(refusal.replacing("\n", with: "").contains("no-tone"))
            let json = try await pick(lab, "-t", "http", "--print", "json")
            #expect(json.output.contains(#""host":"h3.local""#))

            try lab.directory.write("10.99.0.1 h1.local\n10.99.0.7 h3.local\n", to: "hosts")
            let hosts = lab.directory.path + "/hosts"
            let mounted = try await lab.run("h2", ["mount", "--bind", hosts, "/etc/hosts"])
            #expect(mounted.status == 0, "\(mounted.errors)")
            let resolved = try await pick(lab, "-t", "ssh", "--print", "target")
            #expect(resolved.output == "h1.local:2222")
            let misleading = try await pick(lab, "-t", "http")
            #expect(misleading.output == "10.99.0.3", "the name is that of another machine")
        }
    }

    @Test func `an option for a host name is never printed`() async throws {
        try await Lab.with { lab in
            let host = "-oProxyCommand=reboot.local"
            let address = try lab.start(
                "h1", ["avahi-publish", "--address", "--no-reverse", "--", host, "10.99.0.9"])
            let service = try lab.start(
                "h1", ["avahi-publish", "--service", "--host=\(host)", "Trap", "_ssh._tcp", "22"])
            let chosen = try await pick(lab, "-t", "ssh")
            #expect(chosen.output == "10.99.0.9", "\(chosen.errors)")
            let named = try await pick(lab, "-t", "ssh", "--print", "host")
            #expect(named.status == 1)
            #expect(named.output.isEmpty)
            #expect(named.errors.contains("is not safe for a command line"))

            _ = try await lab.publish("Shell", "_ssh._tcp", 22, on: "h1")
            let terminal = try await shell(lab)
            try await terminal.type(
                "clear; cd \(lab.directory.path); peerlist pick --multi -t ssh --print host >out "
                    + "2>errors; echo status $? $(cat out); cut -c 1-50 errors", "Enter")
            try await wait(terminal, for: "2 peers, 2 services")
            try await terminal.type("Space", "Tab")
            try await wait(terminal, for: "2 marked")
            try await terminal.type("Enter")
            _ = try await terminal.screen(within: .seconds(60)) {
                $0.contains("status 0 h1.local")
                    && $0.contains("peerlist: left out: the host name of Trap is not")
            }
            for publisher in [address, service] { await publisher.send(15) }
        }
    }
}
