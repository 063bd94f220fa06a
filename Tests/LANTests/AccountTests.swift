// Tests the whole account of faults on the LAN: every output says what happened, once, and nothing else.
import LabSupport
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct AccountTests {
    @Test(arguments: ["daemon", "embedded"])
    func `a goodbye, a return, a link that is down and a daemon that restarts have one account`(
        backend: String
    ) async throws {
        try await Lab.with { lab in
            let (commands, recording) = (
                "\(lab.directory.path)/commands", "\(lab.directory.path)/rec"
            )
            try await lab.perform(
                "spawn", "h1", "load", "python3", BuiltProducts.package + "/Tests/Lab/load.py",
                "--devices", BuiltProducts.package + "/Tests/Lab/devices.json", "--commands",
                commands)
            let hook = try await lab.directory.writeProgram(
                "echo \"$PEERLIST_EVENT $PEERLIST_NAME\" >>'\(lab.directory.path)/hooks'",
                to: "hook")
            let list = try lab.peerlist(
                on: "h2",
                [
                    "--plain", "--backend", backend, "--output", recording, "--exec", hook, "--on",
                    "arrived,departed,changed,unanswered,link",
                ])
            var said: [String] = []
            /// Reads until a line that contains a text.
            func read(until text: String) async throws {
                while said.last?.contains(text) != true {
                    said.append(try await list.line(within: .seconds(120)))
                }
            }
            func tell(_ command: String) async throws {
                _ = try await FinishedProcess([
                    "sh", "-c", "echo \"$1\" >\"$2\"", "sh", command, commands,
                ])
            }
            let lines = try RunningProcess(["tail", "-n", "+1", "-F", recording])
            try await lines.line(within: .seconds(120)) { $0.contains(#""event":"filled""#) }
            try await tell("leave Kitchen speaker")
            try await read(until: "Left: Kitchen (")
            #expect(said.count { $0.contains("Already there: ") } == 10)
            // On a busy machine, more is learned of a device after the initial fill.
            said = said.suffix(1)
            try await tell("return Kitchen speaker")
            try await read(until: "Arrived: Kitchen (")
            try await lab.perform("if-down", "h2")
            try await read(until: "Notice: eth0 is down")
            try await lab.rest(4)
            try await lab.perform("if-up", "h2")
            try await read(until: "Notice: eth0 is back")
            // Until the link is caught up.
            try await lab.rest(12)
            if backend == "daemon" {
                try await lab.perform("daemon", "h2", "restart")
                try await read(until: "Notice: avahi-daemon is back")
                try await lab.rest(12)
            }
            try await tell("leave Brother printer")
            try await read(until: "Left: Brother")
            try await lab.rest(2)
            await list.send(2)
            #expect(try await list.end(within: .seconds(20)) == 130)
            await lines.send(15)

            let restart =
                backend == "daemon" ? ["Notice: avahi-daemon", "Notice: avahi-daemon"] : []
            let expected =
                [
                    "Left: Kitchen (", "Arrived: Kitchen (", "Notice: eth0 is down",
                    "Notice: eth0 is back",
                ]
                + restart + ["Left: Brother MFC-L3770CDW series ("]
            let isAsExpected =
                said.count == expected.count
                && zip(said, expected).allSatisfy { $0.dropFirst(20).hasPrefix($1) }
            #expect(isAsExpected, "\(said)")
            let hooks = try TextFile.read(lab.directory.path + "/hooks").split(separator: "\n")
            #expect(
                hooks.drop { $0 != "departed Kitchen" } == [
                    "departed Kitchen", "arrived Kitchen", "departed Brother MFC-L3770CDW series",
                ])

            let events = try TextFile.read(recording).split(separator: "\n")
                .map { try JSON(line: String($0)) }.filter { $0["type"].string == "event" }
            let names = events.filter {
                ["arrived", "left", "changed", "silent"].contains($0["event"].string)
            }
            .map {
                "\($0["event"].string) \($0["peer"]["name"].string) \($0["peer"]["services"].array.count)"
            }
            #expect(
                names.drop { $0 != "left Kitchen 4" } == [
                    "left Kitchen 4", "arrived Kitchen 4", "left Brother MFC-L3770CDW series 7",
                ])
            let arrival = events.first { $0["event"].string == "arrived" }
            #expect(arrival?["encounter"].string == "back")
            #expect(arrival?["awaySince"] == events.first { $0["event"].string == "left" }?["at"])

            let replay = try await lab.finishedPeerlist(on: "h2", "replay", "--plain", recording)
            let replayed = replay.output.split(separator: "\n").map(String.init)
            #expect(replayed.drop { !$0.contains("Left: Kitchen (") } == said[...])
        }
    }
}
