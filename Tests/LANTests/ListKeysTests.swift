// Tests the list on a terminal, with keys and mouse, real machines and daemons.
import Glibc
import LabSupport
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct ListKeysTests {
    private let command = "LC_ALL=C.UTF-8 '\(BuiltProducts.peerlist)'; echo status $?"

    /// Starts a list on h2 that shows the services of h1 and h3.
    private func withList(
        columns: Int = 100, rows: Int = 24, _ body: (Lab, Tmux) async throws -> Void
    ) async throws {
        try await Lab.with(hosts: 3) { lab in
            _ = try await lab.publish("Büro", "_ipp._tcp", 631, on: "h1", txt: "ty=Laser 2000")
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h1", txt: "path=/start")
            _ = try await lab.publish("Shell", "_ssh._tcp", 22, on: "h3")
            let terminal = try await Tmux(
                in: lab, on: "h2", columns: columns, rows: rows, running: command)
            try await terminal.screen(within: .seconds(60)) {
                $0.contains("2 peers, 3 services") && !$0.contains("resolving")
            }
            try await body(lab, terminal)
        }
    }

    /// Wheel tilts, releases, other buttons, motion and incomplete reports. No key follows.
    @Test func `after any mouse event arrivals are drawn, and a signal ends the list`() async throws
    {
        try await Lab.with(hosts: 3) { lab in
            _ = try await lab.publish("Shell", "_ssh._tcp", 22, on: "h1")
            let pid = "'\(lab.directory.path)/pid'"
            let terminal = try await Tmux(
                in: lab, on: "h2",
                running:
                    "sh -c \"echo \\$\\$ > \(pid); exec env LC_ALL=C.UTF-8 '\(BuiltProducts.peerlist)'\";"
                    + " echo status $?; read end")
            try await terminal.screen(within: .seconds(60)) { $0.contains("1 peer, 1 service") }
            let events = [
                "<0;10;5M", "<0;10;5m", "<1;10;5M", "<66;10;5M", "<35;9;9M", "<0;1", "M#*#",
            ]
            for event in events {
                try await terminal.type(bytes: [0x1b, 0x5b] + Array(event.utf8))
                let late = try await lab.publish("Late", "_http._tcp", 8080, on: "h3")
                try await terminal.screen(within: .seconds(60)) { $0.contains("2 peers") }
                await late.send(SIGTERM)
                try await terminal.screen(within: .seconds(60)) { $0.contains("1 peer, 1 service") }
            }
            _ = try await lab.run("h2", ["sh", "-c", "kill $(cat \(pid))"])
            try await terminal.screen(within: .seconds(60)) { $0.contains("status 130") }
        }
    }

    @Test func `a search ignores accents and finds TXT records, and Esc shows all again`()
        async throws
    {
        try await withList { _, terminal in
            try await terminal.type("/", "b", "u", "r", "o")
            let found = try await terminal.screen(within: .seconds(60)) {
                $0.contains("/buro") && !$0.contains("h3.local")
            }
            #expect(found.contains("1 of 2 peers"))
            #expect(found.contains("Büro"))
            try await terminal.type("Escape")
            try await terminal.screen(within: .seconds(60)) {
                $0.contains("2 peers, 3 services") && $0.contains("h3.local")
            }
        }
    }

    @Test func `a device unfolds, the list is sorted and grouped, and shows a departure`()
        async throws
    {
        try await withList { lab, terminal in
            let late = try await lab.publish("Late", "_http._tcp", 8080, on: "h3")
            try await terminal.screen(within: .seconds(60)) { $0.contains("4 services") }
            try await terminal.type("+")
            let unfolded = try await terminal.screen(within: .seconds(60)) {
                $0.contains("port 8080")
            }
            #expect(unfolded.contains("port 631"))
            try await terminal.type("s", "S")
            try await terminal.screen(within: .seconds(60)) { $0.contains("Addresses ▼") }
            try await terminal.type("g")
            let grouped = try await terminal.screen(within: .seconds(60)) {
                $0.contains("_http._tcp")
            }
            #expect(grouped.contains("_ssh._tcp"))

            // What leaves while the list fills has no mark; the list is filled when one started later is.
            let filled = try ListObserver(lab, on: "h2")
            try await filled.list(within: .seconds(60)) { $0.events.contains("filled") }
            await late.send(15)
            try await terminal.screen(within: .seconds(60)) { screen in
                screen.contains("3 services")
                    && screen.split(separator: "\n").contains {
                        $0.hasPrefix(" -") && $0.contains("Late")
                    }
            }
            try await terminal.screen(within: .seconds(60)) { !$0.contains("Late") }
            try await terminal.type("d")
            let departed = try await terminal.screen(within: .seconds(60)) {
                $0.contains("departed")
            }
            #expect(departed.contains("2 peers") || departed.contains("3 services"))
        }
    }

    /// The program is curl, which talks to a web server on another machine.
    @Test func `an action of the settings runs for a device, with hostile ones beside it`()
        async throws
    {
        try await Lab.with(hosts: 3) { lab in
            try lab.directory.write(
                """
                [actions]
                title = Fetch
                key = F6
                types = http
                command = curl -s -o /dev/null -w 'code %{{http_code} of %{{remote_ip}\\n' \
                    http://{address}:{port}/
                title = Show
                key = F7
                command = printf -- '<%s>\\n' {name} note={txt.note}
                """, to: "peerlist/config")
            try await lab.perform("spawn", "h1", "web", "python3", "-m", "http.server", "8080")
            _ = try await lab.publish("Web", "_http._tcp", 8080, on: "h1")
            let hostile = "z $(reboot) 'a' \"b\" ; ls"
            _ = try await lab.publish(
                hostile, "_telnet._tcp", 23, on: "h3", txt: "note=-rf $HOME `ls`")
            let environment = "LC_ALL=C.UTF-8 XDG_CONFIG_HOME='\(lab.directory.path)'"
            let terminal = try await Tmux(
                in: lab, on: "h2", running: "\(environment) '\(BuiltProducts.peerlist)'; read end")
            try await terminal.screen(within: .seconds(60)) {
                $0.contains("2 peers, 2 services") && !$0.contains("resolving")
            }
            try await terminal.type("F6")
            try await terminal.screen(within: .seconds(60)) {
                $0.contains("http://10.99.0.1:8080/")
            }
            try await terminal.type("Enter")
            try await terminal.screen(within: .seconds(60)) {
                $0.contains("code 200 of 10.99.0.1") && $0.contains("(status 0; Enter goes back)")
            }
            try await terminal.type("Enter")
            try await terminal.screen(within: .seconds(60)) {
                $0.contains("curl ended with status 0")
            }
            try await terminal.type("Down", "Right", "Down", "F7", "Enter")
            try await terminal.screen(within: .seconds(60)) {
                $0.contains("<\(hostile)>") && $0.contains("<note=-rf $HOME `ls`>")
            }
            try await terminal.type("Enter", "q")
        }
    }

    @Test func `details follow the selected peer, and verifying it succeeds`() async throws {
        try await withList(columns: 110) { lab, terminal in
            try await terminal.type("Enter")
            let details = try await terminal.screen(within: .seconds(60)) {
                $0.contains("State       present")
            }
            #expect(details.contains("10.99.0.1"))
            #expect(details.contains("▸ Shell "), "the list is beside it")
            try await terminal.type("Tab")
            try await terminal.screen(within: .seconds(60)) { $0.contains("eth0  IPv4, IPv6") }
            try await terminal.type("v")
            try await terminal.screen(within: .seconds(30)) { $0.contains("Büro answers") }

            try await lab.perform("daemon", "h1", "pause")
            try await terminal.type("v")
            try await terminal.screen(within: .seconds(30)) {
                $0.contains("Büro: the machine answers, its mDNS does not")
            }
            try await terminal.screen(within: .seconds(60)) { $0.contains(">? ▸ Büro") }
            try await lab.perform("daemon", "h1", "resume")
            try await terminal.type("v")
            try await terminal.screen(within: .seconds(30)) { $0.contains("Büro answers") }
        }
    }

    @Test func `the list continues after a resize, a suspension and the end of the daemon`()
        async throws
    {
        try await withList { lab, terminal in
            try await terminal.resize(columns: 40, rows: 10)
            try await terminal.screen(within: .seconds(60)) { screen in
                screen.split(separator: "\n").allSatisfy { $0.count <= 40 }
                    && screen.contains("Shell")
            }
            try await terminal.resize(columns: 120, rows: 30)
            try await terminal.screen(within: .seconds(60)) { $0.contains("h3.local") }

            try await lab.perform("daemon", "h2", "kill")
            try await terminal.screen(within: .seconds(60)) { $0.contains("unknown") }
            try await terminal.type("/", "h", "3")
            try await terminal.screen(within: .seconds(60)) { $0.contains("1 of 2 peers") }
            try await terminal.type("Escape")
            try await lab.perform("daemon", "h2", "start")
            try await terminal.screen(within: .seconds(60)) {
                !$0.contains("unknown") && $0.contains("2 peers")
            }
            try await terminal.type("q")
            try await terminal.screen(within: .seconds(60)) { $0.contains("status 0") }
        }
    }

    @Test func `Ctrl-Z restores the terminal, and fg shows the current list`() async throws {
        try await Lab.with { lab in
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h1")
            let terminal = try await Tmux(in: lab, on: "h2", columns: 100, running: "exec bash -i")
            try await terminal.type("'\(BuiltProducts.peerlist)'", "Enter")
            try await terminal.screen(within: .seconds(60)) { $0.contains("10.99.0.1") }
            try await terminal.type("C-z")
            try await terminal.screen(within: .seconds(60)) { $0.contains("Stopped") }
            let more = try await lab.publish("More", "_ipp._tcp", 631, on: "h1")
            try await terminal.type("fg", "Enter")
            try await terminal.screen(within: .seconds(60)) { $0.contains("2 services") }
            await more.send(15)
            try await terminal.type("q")
        }
    }
}
