// Runs the recipes of docs/hooks.md as hooks, with the programs that they call.
import Glibc
import LabSupport
import PeerHappenings
import PeerModel
import PeerListTestSupport
import PeerRecording
import Testing

@testable import PeerHooks

@Suite(.timeLimit(.minutes(10))) struct HookRecipeTests {
    private let directory: TemporaryDirectory
    private var laptop: Peer

    init() throws {
        directory = try TemporaryDirectory()
        var laptop = try #require(House.devices().flatMap(\.items).first { $0.peer.name == "anna" })
            .peer
        laptop.name = "-v <b>$(id)</b>\n\u{1b}[2J\"'"
        self.laptop = laptop
    }

    /// Runs the recipe that has a text as a hook for a device with a hostile name, with parts of it replaced and
    /// more variables in its environment.
    private func run(
        _ text: String, _ replacements: [(String, String)] = [], _ variables: [String] = [],
        _ event: Hook.Event = .arrived
    ) async throws {
        let section = try #require(
            try TextFile.read(BuiltProducts.package + "/docs/hooks.md")
                .split(separator: "\n## Recipes\n").last)
        let recipe = try #require(
            section.split(separator: "```", omittingEmptySubsequences: false)
                .first { $0.hasPrefix("sh\n#!/bin/sh\n") && $0.contains(text) })
        let script = replacements.reduce(String(recipe.dropFirst("sh\n#!/bin/sh\n".count))) {
            #expect($0.contains($1.0))
            return $0.replacing($1.0, with: $1.1)
        }
        let program = try await directory.writeProgram(script, to: "recipe")
        let runner = HookRunner(
            Hook(events: [event], arguments: ["env"] + variables + [program]), output: nil,
            limits: .init(time: .seconds(600))
        ) { Issue.record("\($0): \($1)") }
        var peer = laptop
        peer.isNew = event == .new
        runner.add(ItemHappening(.arrived, .peer(peer), at: House.time(7)))
        #expect(await runner.stop(within: .seconds(600)) == [])
    }

    /// Starts to receive a message; returns the port.
    private func receive(_ kind: String) async throws -> (RunningProcess, port: String) {
        let receiver = try RunningProcess([
            BuiltProducts.package + "/Tests/Receivers/receive", kind,
        ])
        return (receiver, try await receiver.line(within: .seconds(600)))
    }

    @Test func `a desktop notification has the name as its title`() async throws {
        let bus = try RunningProcess([
            "dbus-run-session", "--", "sh", "-c",
            "echo \"$DBUS_SESSION_BUS_ADDRESS\"; echo $$; "
                + "exec /usr/bin/python3 -u -m dbusmock --template notification_daemon",
        ])
        let address = try await bus.line(within: .seconds(600))
        // The bus ends with this program, and not with the one that started both.
        let notifications = try #require(Int32(try await bus.line(within: .seconds(600))))
        let wait = try await FinishedProcess(
            [
                "gdbus", "wait", "--session", "--timeout", "600", "org.freedesktop.Notifications",
            ], environment: ["DBUS_SESSION_BUS_ADDRESS": address])
        #expect(wait.status == 0, "\(wait.errors)")
        try await run("notify-send", [], ["DBUS_SESSION_BUS_ADDRESS=\(address)"])
        let call = try await bus.line(within: .seconds(600)) { $0.contains(" Notify ") }
        #expect(call.contains(#""peerlist""#))
        #expect(call.contains("-v <b>$(id)</b>[2J"), "\(call)")
        #expect(call.contains(#""10.0.0.2""#), "\(call)")
        kill(notifications, SIGTERM)
        _ = try await bus.end(within: .seconds(600))
        await directory.remove()
    }

    /// A name that is a full stop would end the message; SMTP doubles it.
    @Test(arguments: [
        ("-v <b>$(id)</b>\n\u{1b}[2J\"'", "-v <b>$(id)</b>[2J\"'"), (".", ".."),
    ])
    mutating func `a mail has the values of a new device in its body`(
        name: String, sent: String
    ) async throws {
        laptop.name = name
        let (receiver, port) = try await receive("smtp")
        try directory.write(
            "account default\nhost 127.0.0.1\nport \(port)\nfrom peerlist@example.org\n",
            to: ".msmtprc", mode: 0o600)
        // msmtp ignores -i; the programs of mail servers end a message at a full stop without it.
        try await directory.writeProgram(
            "case \" $* \" in *\" -i \"*) exec msmtp \"$@\" ;; *) sed '/^[.]$/Q' | msmtp \"$@\" ;; esac",
            to: "bin/sendmail")
        try await run(
            "sendmail -t -i",
            [("To: root", "To: root@example.org"), ("/usr/sbin", "\(directory.path)/bin")],
            ["HOME=\(directory.path)"], .new)
        #expect(try await receiver.end(within: .seconds(600)) == 0)
        let lines = await receiver.lines
        #expect(lines.contains { $0.uppercased().hasPrefix("RCPT TO:<ROOT@EXAMPLE.ORG>") })
        let end = try #require(lines.firstIndex(of: ""))
        #expect(lines[..<end].contains("Subject: a new device on the network"))
        #expect(lines[(end + 1)...].prefix(2) == [sent, "anna.local"])
        await directory.remove()
    }

    @Test func `a webhook gets the line as the body of a request`() async throws {
        let (receiver, port) = try await receive("http")
        try await run("curl", [("https://example.org/peers", "http://127.0.0.1:\(port)/peers")])
        #expect(try await receiver.end(within: .seconds(600)) == 0)
        let lines = await receiver.lines
        #expect(lines.dropFirst().first == "POST /peers application/json")
        let line = ItemHappening(.arrived, .peer(laptop), at: House.time(7)).changeLine("arrived")
        #expect(lines.dropFirst(2).first.map { Array(($0 + "\n").utf8) } == line)
        await directory.remove()
    }

    @Test func `a packet wakes the NAS when one device arrives`() async throws {
        let (receiver, port) = try await receive("udp")
        try await run("wakeonlan", [("wakeonlan ", "wakeonlan -i 127.0.0.1 -p \(port) ")])
        let packet = try await receiver.line(within: .seconds(600))
        #expect(
            packet == "ffffffffffff" + String(repeating: "0011320a0b0c", count: 16), "\(packet)")
        await directory.remove()
    }

    @Test func `a log has a line for each change, with control characters escaped`() async throws {
        try await run("printers.log", [], ["XDG_STATE_HOME=\(directory.path)"])
        let line = try TextFile.read(directory.path + "/printers.log")
        #expect(
            line == #"2026-11-21T08:30:07.000000Z arrived "-v <b>$(id)</b>\n\u001b[2J\"'""# + "\n")
        await directory.remove()
    }
}
