// Tests what Home Assistant reads of devices on the LAN, by an observer's topics at a broker.
import FoundationEssentials
import Glibc
import LabSupport
import Testing

@Suite(.needsLab, .timeLimit(.minutes(10))) struct HomeTests {
    private static let printer = "UUID=01234567-89ab-4def-8123-456789abcdef"
    private static let options = ["--home-assistant", "--kind", "printer", "--consider-home", "5"]

    @Test func `a tracker is home, away or unavailable, whatever happens to all that is between`()
        async throws
    {
        try await FleetLab.with { fleet in
            let lab = fleet.lab
            var printer = try await lab.publish(
                "Den", "_ipp._tcp", 631, on: "h3", txt: Self.printer)
            var observer = try fleet.observer(on: "h2", Self.options)
            let reader = try HomeReader(fleet)
            let topic = try await reader.home("home")
            let kept = try await fleet.homeMessages()
            let config = try JSON(
                line: try #require(kept.first { $0.hasSuffix("/config") }?.payload))
            #expect(kept.count == 2, "\(kept)")
            #expect(config["state_topic"].string == topic)
            #expect(
                config["availability"].array.map { $0["topic"].string } == [
                    "peerlist/v1/office/h2/status", topic,
                ])

            // It leaves and returns within the time: the next message is that it is away later.
            await printer.send(SIGTERM)
            printer = try await lab.publish("Den", "_ipp._tcp", 631, on: "h3", txt: Self.printer)
            try await lab.rest(12)
            await printer.send(SIGTERM)
            try await reader.home("not_home")
            printer = try await lab.publish("Den", "_ipp._tcp", 631, on: "h3", txt: Self.printer)
            try await reader.home("home")

            // Another machine claims its identifier.
            let stranger = try await lab.publish(
                "Attic", "_ipp._tcp", 631, on: "h2", txt: Self.printer)
            try await reader.home("unavailable")
            try await lab.rest(12)
            await stranger.send(SIGTERM)
            try await reader.home("home")

            // The daemon is away, and back.
            try await lab.perform("daemon", "h2", "stop")
            try await reader.home("unavailable")
            try await lab.perform("daemon", "h2", "start")
            try await reader.home("home")

            // The observer's link is down, and up.
            _ = try await lab.run("h2", ["ip", "link", "set", "eth1", "down"])
            try await reader.home("unavailable")
            try await lab.rest(12)
            _ = try await lab.run("h2", ["ip", "link", "set", "eth1", "up"])
            try await reader.home("home")

            // The broker loses everything.
            try await fleet.killBroker(forgetting: true)
            try await fleet.startBroker()
            try await fleet.homeMessages { $0.sorted() == kept.sorted() }

            // The observer is killed, and returns: its trackers are unavailable meanwhile by its status.
            await observer.send(SIGKILL)
            try await fleet.homeMessages("peerlist/v1/office/h2/status") {
                $0.contains { $0.payload.contains("offline") }
            }
            #expect(try await fleet.homeMessages().sorted() == kept.sorted())
            observer = try fleet.observer(on: "h2", Self.options)
            try await fleet.homeMessages("peerlist/v1/office/h2/status") {
                $0.contains { $0.payload.contains("online") }
            }
            try await lab.rest(12)
            #expect(try await fleet.homeMessages().sorted() == kept.sorted())
            #expect(try await observer.interrupt() == 130)

            // Without the option, nothing is left.
            observer = try fleet.observer(on: "h2")
            try await fleet.homeMessages { $0.isEmpty }
            #expect(try await observer.interrupt() == 130)
            #expect(await observer.errors == "")
        }
    }

    @Test func `a device that does not answer for a minute, and returns, was at home`() async throws
    {
        try await FleetLab.with { fleet in
            let lab = fleet.lab
            let devices = """
                [{"name": "Den", "host": "den.local", "addresses": ["10.99.1.103"],
                  "ttl": {"A": 10, "SRV": 10}, "services": [{"instance": "Den", "type": "_ipp._tcp",
                  "port": 631, "txt": ["\(Self.printer)"]}]}]
                """
            let file = try lab.directory.write(devices, to: "den.json")
            try await lab.perform(
                "spawn", "h3", "load", "python3", BuiltProducts.package + "/Tests/Lab/load.py",
                "--devices", file, "--interface", "eth1")
            let observer = try fleet.observer(on: "h2", ["--home-assistant", "--kind", "printer"])
            let list = try fleet.list()
            let reader = try HomeReader(fleet)
            try await reader.home("home")
            try await lab.perform("kill", "h3", "load", "STOP")
            try await list.list(within: .seconds(120)) { list in
                list.peer(on: "den.local")?["presence"].string == "unanswered"
            }
            for _ in 1...2 { try await lab.rest(30) }
            try await lab.perform("kill", "h3", "load", "CONT")
            try await list.list(within: .seconds(60)) { list in
                list.peer(on: "den.local")?["presence"].string == "present"
            }
            // The next message is the one after its goodbye.
            try await lab.perform("kill", "h3", "load", "TERM")
            try await reader.home("not_home", within: .seconds(240))
            #expect(try await observer.interrupt() == 130)
            #expect(try await list.interrupt() == 130)
        }
    }
}

extension HomeTests {
    @Test func `a fleet has one tracker of a device, while any observer sees it`() async throws {
        try await FleetLab.with { fleet in
            let lab = fleet.lab
            let printer = try await lab.publish(
                "Den", "_ipp._tcp", 631, on: "h3", txt: Self.printer)
            var observers = try [fleet.observer(on: "h2"), fleet.observer(on: "h3")]
            let list = try lab.peerlist(
                on: "h1",
                ["fleet", "--quiet", "mqtts://fleet@10.99.0.1"] + fleet.login(password: "fleet")
                    + Self.options)
            let reader = try HomeReader(fleet, "peerlist/v1/trackers/+")
            let topic = try await reader.home("home")
            let id = try #require(topic.split(separator: "/").last)
            try await fleet.homeMessages("homeassistant/#") { messages in
                messages.map(\.topic) == ["homeassistant/device_tracker/__fleet/\(id)/config"]
            }
            // It is still seen by the other one, and at last by none.
            await observers[0].send(SIGKILL)
            try await fleet.homeMessages("peerlist/v1/office/h2/status") {
                $0.contains { $0.payload.contains("offline") }
            }
            await observers[1].send(SIGKILL)
            try await reader.home("unavailable")
            observers[0] = try fleet.observer(on: "h2")
            try await reader.home("home")
            // An observer that is gone for good.
            let forget = { host in
                try await lab.run(
                    "h1",
                    [
                        BuiltProducts.peerlist, "fleet", "--forget", host,
                        "mqtts://\(host)@10.99.0.1",
                    ]
                        + fleet.login(password: host))
            }
            let forgotten = try await forget("h3")
            #expect(forgotten.status == 0, "\(forgotten.errors)")
            #expect(forgotten.output.hasPrefix("forgot office/h3, "))
            try await fleet.homeMessages("peerlist/v1/office/h3/#") { $0.isEmpty }
            await printer.send(SIGTERM)
            // For a while after its return, an observer may not have found all yet.
            try await reader.process.line(within: .seconds(60)) { $0.hasSuffix(" not_home") }
            let online = try await forget("h2")
            #expect(online.status == 1)
            #expect(
                online.errors.hasSuffix(
                    "peerlist: observer office/h2 publishes on h2.local; end it first\n"),
                "\(online.errors)")
            #expect(try await observers[0].interrupt() == 130)
            #expect(try await list.interrupt() == 130)
            #expect(await list.errors == "")
        }
    }
}

/// A reader of the states of trackers, in order.
private struct HomeReader {
    let process: RunningProcess

    init(_ fleet: FleetLab, _ topic: String = "peerlist/v1/office/h2/home/+") throws {
        process = try fleet.lab.start(
            "h1",
            ["stdbuf", "-oL"]
                + fleet.reading(
                    as: "homeassistant", topic, ["-v", "-k", "5"]))
    }

    /// Expects the next state to be one; returns the topic.
    @discardableResult
    func home(_ state: String, within limit: Duration = .seconds(60)) async throws -> String {
        let words = try await process.line(within: limit) { !$0.contains("/status ") }.split(
            separator: " "
        ).map(String.init)
        #expect(words.last == state)
        return words[0]
    }
}

/// A message that a broker keeps.
private struct KeptMessage: Comparable, CustomStringConvertible {
    let topic: String
    let payload: String

    var description: String { "\(topic) \(payload)" }

    func hasSuffix(_ text: String) -> Bool { topic.hasSuffix(text) }

    static func < (left: Self, right: Self) -> Bool { left.description < right.description }
}

extension FleetLab {
    /// Returns the messages about trackers that the broker keeps, or those of another topic, when they meet a
    /// condition.
    @discardableResult
    fileprivate nonisolated func homeMessages(
        _ topic: String? = nil, where matches: ([KeptMessage]) -> Bool = { _ in true }
    ) async throws -> [KeptMessage] {
        let end = ContinuousClock.now + .seconds(60)
        while true {
            let more = topic == nil ? ["-t", "homeassistant/#"] : []
            let read = try await lab.run(
                "h1",
                reading(
                    as: "homeassistant", topic ?? "peerlist/v1/office/h2/home/+",
                    more + ["--retained-only", "-W", "2", "-F", "%t %p"]))
            let messages = read.output.split(separator: "\n").map { line in
                let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
                return KeptMessage(topic: parts[0], payload: parts.count > 1 ? parts[1] : "")
            }
            if matches(messages) { return messages }
            guard ContinuousClock.now < end else {
                throw Disagreement(description: "\(messages)")
            }
        }
    }
}
