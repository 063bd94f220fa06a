// Tests the whole account of faults on the LAN: every output says what happened, once, and nothing else.
import Glibc
import LabSupport
import PeerListTestSupport
import Testing

@Suite(.needsLab, .timeLimit(.minutes(10))) struct AccountTests {
    private static let backends = ["daemon", "embedded"]

    @Test(arguments: backends)
    func `devices of one, three and eight services leave, return and are killed`(backend: String)
        async throws
    {
        try await FleetLab.with { fleet in
            let names = ["Samsung television", "Document scanner", "Laptop", "Kodi"]
            let network = Network(lab: fleet.lab)
            try await network.play(names, as: "load")
            try await network.play(["Key light"], as: "killed", ttl: "{A: 6, SRV: 6, PTR: 90}")
            let account = try await Account(ofLinkOf: fleet, backend: backend, devices: 5)
            for service in ["Laptop: _smb._tcp", "Laptop: _airplay._tcp"] {
                try await account.part("One service of eight says goodbye: \(service)") {
                    try await network.tell("leave \(service)")
                }
                try await account.part("It returns") { try await network.tell("return \(service)") }
            }
            for device in names {
                try await account.part("A device says goodbye: \(device)", until: "Left: ") {
                    try await network.tell("leave \(device)")
                }
                try await account.part("It returns", until: "Arrived: ") {
                    try await network.tell("return \(device)")
                }
            }
            try await account.part("A device is killed: Key light", until: "Left: ") {
                try await network.lab.perform("kill", "h3", "killed", "KILL")
            }
            try await account.end("devices-\(backend)")
        }
    }

    @Test(arguments: backends)
    func `a link is down and has another name, the machine sleeps, and the daemon restarts`(
        backend: String
    ) async throws {
        try await FleetLab.with { fleet in
            let lab = fleet.lab
            for host in ["h2", "h4"] { try await lab.perform("add-interface", host, "3") }
            // From now on, the clocks of what is started can be set.
            try await lab.perform("clock", "h2", "0")
            try await lab.perform("daemon", "h2", "restart")
            let network = Network(lab: lab)
            try await network.play(["Samsung television", "Laptop"], as: "load")
            try await network.play(["Kodi"], as: "other", on: "h4", "eth2")
            let account = try await Account(ofLinkOf: fleet, backend: backend, devices: 3)
            for seconds in [4, 30] {
                try await account.part(
                    "eth1 is down for \(seconds) s, and eth2 is up", until: "eth1 is back"
                ) {
                    try await lab.perform("if-down", "h2", "eth1")
                    try await account.read(until: "eth1 is down")
                    try await lab.rest(Double(seconds))
                    try await lab.perform("if-up", "h2", "eth1")
                }
            }
            try await account.part("eth1 is now lan9", until: "eth1 is back") {
                for words in [
                    "link set eth1 down", "link set eth1 name lan9", "link set lan9 up",
                    "address replace fd99:1::52/64 dev lan9 nodad",
                    "route replace 224.0.0.0/4 dev lan9 metric 101",
                ] {
                    let words = words.split(separator: " ").map(String.init)
                    _ = try await lab.run("h2", ["ip"] + words)
                }
            }
            try await account.part("The machine sleeps for an hour") {
                try await lab.perform("sleep", "h2", "3600")
            }
            if backend == "daemon" {
                try await account.part("avahi-daemon restarts", until: "avahi-daemon is back") {
                    try await lab.perform("daemon", "h2", "restart")
                }
            }
            try await account.part("A device says goodbye: Samsung television", until: "Left: ") {
                try await network.tell("leave Samsung television")
            }
            try await account.end("links-\(backend)")
        }
    }

    @Test func `observers are killed, return and join, and a broker loses everything`() async throws
    {
        try await FleetLab.with { fleet in
            let lab = fleet.lab
            for segment in ["1", "2"] { try await lab.perform("add-interface", "h1", segment) }
            let network = Network(lab: lab)
            try await network.play(["Samsung television", "Laptop"], as: "load", on: "h1", "eth1")
            try await network.play(["Kodi"], as: "other", on: "h1", "eth2")
            let first = try fleet.observer(on: "h2")
            var second = try fleet.observer(on: "h3")
            let list = try fleet.list()
            try await list.list(within: .seconds(60)) { list in
                list.items.count == 2
                    && list.items.allSatisfy { item in
                        let views = item["views"].array
                        return views.count == 2
                            && views.allSatisfy { $0["presence"].string == "present" }
                    }
            }
            #expect(try await list.interrupt() == 130)
            let account = try await Account(of: fleet, devices: 2)
            try await account.part("An observer of two is killed", until: "office/h3 is away") {
                await second.send(SIGKILL)
            }
            try await account.part("It returns", until: "office/h3 is back") {
                second = try fleet.observer(on: "h3")
            }
            var third: RunningProcess?
            try await account.part("Another one joins", until: "cellar/h4 joined") {
                third = try fleet.observer(on: "h4")
            }
            try await account.part("A device says goodbye to two", until: "Left: ") {
                try await network.tell("leave Samsung television")
            }
            try await account.part("It returns", until: "Arrived: ") {
                try await network.tell("return Samsung television")
            }
            try await account.part("The only observer is killed", until: "cellar/h4 is away") {
                await third?.send(SIGKILL)
            }
            try await account.part("It returns", until: "cellar/h4 is back") {
                third = try fleet.observer(on: "h4")
            }
            try await account.part("The broker restarts and has lost all", until: "is back") {
                try await fleet.killBroker(forgetting: true)
                try await account.read(until: "the broker is away")
                try await fleet.startBroker()
            }
            for observer in [first, second, third] {
                #expect(try await observer?.interrupt() == 130)
            }
            try await account.end("fleet")
        }
    }
}

/// Devices of the household that responders play.
private struct Network {
    let lab: Lab

    /// Starts a responder for some devices, whose records may have other TTLs than usual.
    func play(
        _ names: [String], as name: String, on host: String = "h3", _ interface: String = "eth1",
        ttl: String? = nil
    ) async throws {
        let ttl = ttl.map { "| .[].ttl = \($0)" }
        let chosen = try await FinishedProcess(
            [
                "jq", "[.[] | select(.name | IN($ARGS.positional[]))] \(ttl ?? "")",
                BuiltProducts.package + "/Tests/Lab/household.json", "--args",
            ] + names)
        let file = try lab.directory.write(chosen.output, to: name + ".json")
        try await lab.perform(
            "spawn", host, name, "python3", BuiltProducts.package + "/Tests/Lab/load.py",
            "--devices", file, "--interface", interface, "--commands",
            lab.directory.path + "/\(name).commands")
    }

    /// Has a device of the responder `load` leave or return.
    func tell(_ command: String) async throws {
        _ = try await FinishedProcess([
            "sh", "-c", "echo \"$1\" >\"$2\"", "sh", command,
            lab.directory.path + "/load.commands",
        ])
    }
}

/// The account that one list gives in all its outputs, part by part.
private actor Account {
    private static let kinds = "tv,scanner,computer,media-player,light"

    private let lab: Lab
    private let host: String
    private let list: RunningProcess
    private let home: RunningProcess
    private var hookCount = 0
    private var text = ""
    /// The names of devices by the identifiers in Home Assistant's topics.
    private var names: [String: String] = [:]
    /// The identifiers of the devices that Home Assistant has, by the topics of their configurations.
    private var configured: Set<String> = []
    /// The last state of each observer.
    private var states: [String: String] = [:]

    /// Starts the list of a link on h2, which publishes it too.
    init(ofLinkOf fleet: FleetLab, backend: String, devices: Int) async throws {
        let options = [
            "--backend", backend, "--publish", "mqtts://h2@10.99.0.1", "--site", "office",
        ]
        try await self.init(
            fleet.lab, on: "h2", options + fleet.login(password: "h2"), devices,
            readBy: fleet.reading(
                as: "homeassistant", "peerlist/v1/office/h2/home/+",
                ["-t", "peerlist/v1/office/h2/status", "-t", "homeassistant/#", "-F", "%t %p"]))
    }

    /// Starts the list of a fleet on h1.
    init(of fleet: FleetLab, devices: Int) async throws {
        try await self.init(
            fleet.lab, on: "h1",
            ["fleet", "mqtts://fleet@10.99.0.1"] + fleet.login(password: "fleet"), devices,
            readBy: fleet.reading(
                as: "homeassistant", "peerlist/v1/trackers/+",
                ["-t", "homeassistant/#", "-F", "%t %p"]))
    }

    private init(
        _ lab: Lab, on host: String, _ options: [String], _ devices: Int, readBy reader: [String]
    ) async throws {
        (self.lab, self.host) = (lab, host)
        let place = lab.directory.path
        try lab.directory.write("", to: "hooks")
        let hook = try await lab.directory.writeProgram(
            "echo \"$PEERLIST_EVENT $PEERLIST_NAME\" >>'\(place)/hooks'", to: "hook")
        home = try lab.start("h1", ["stdbuf", "-oL"] + reader)
        list = try lab.start(
            host,
            ["env", "XDG_STATE_HOME=\(place)", BuiltProducts.peerlist] + options + [
                "--plain", "--output", place + "/recording", "--exec", hook, "--on",
                "arrived,departed,changed,unanswered,link", "--home-assistant", "--consider-home",
                "2", "--kind", Self.kinds,
            ])
        for _ in 1...devices { try await read(until: "Already there: ") }
        // Until discovery has settled, so that what is learned late is no change.
        try await lab.rest(12)
        try await addPart("The start")
    }

    /// Reads until the list says a text.
    func read(until text: String) async throws {
        try await list.line(within: .seconds(120)) { $0.contains(text) }
    }

    /// Adds what all outputs say of an act, which the list ends with a text.
    func part(
        _ title: String, until ending: String? = nil, _ act: () async throws -> Void
    ) async throws {
        try await act()
        if let ending { try await read(until: ending) }
        // Longer than a device may be away for Home Assistant, which is decided every five seconds.
        try await lab.rest(8)
        try await addPart(title)
    }

    private var lineCount = 0

    private func addPart(_ title: String) async throws {
        var said = await list.lines[lineCount...].map(Self.timeless)
        lineCount += said.count
        // What was there at the start is said in the order in which it was found, and may have been found in part.
        if text.isEmpty { said = said.map { $0.replacing(#/ (Its|It) .*/#, with: "") }.sorted() }
        // What happens at one moment is said in the order of the answers.
        for index in said.indices.dropFirst() {
            var index = index
            while index > 0, Self.verb(said[index]) == "Changed",
                Self.verb(said[index - 1]) == "Changed", said[index] < said[index - 1]
            {
                said.swapAt(index, index - 1)
                index -= 1
            }
        }
        let all = try TextFile.read(lab.directory.path + "/hooks").split(separator: "\n")
        let hooks = all[hookCount...].sorted()
        hookCount = all.count
        text += "\n# \(title)\n" + said.map { "list: \($0)\n" }.joined()
        text += hooks.map { "hook: \($0)\n" }.joined()
        text += try await homeMessages().map { "home: \($0)\n" }.joined()
    }

    private static func verb(_ sentence: String) -> Substring { sentence.prefix { $0 != ":" } }

    /// A sentence without its date and time, the number of seconds, and an interface that went with addresses, or
    /// a moment before.
    private static func timeless(_ line: String) -> String {
        String(line.dropFirst(20)).replacing(/\d+ (second|minute|hour)s?/, with: "N seconds")
            .replacing(#/ (Lost|Gained) interface \S+\./#, with: "")
    }

    /// The messages for Home Assistant since the last call, those about one device in their order.
    private func homeMessages() async throws -> [String] {
        var messages: [String: [String]] = [:]
        while let line = await home.nextLine() {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            let levels = words[0].split(separator: "/").map(String.init)
            let payload = words.count > 1 ? words[1] : ""
            switch levels.last {
            case "status":
                let state = try JSON(line: payload)["state"].string
                guard states.updateValue(state, forKey: words[0]) != state else { continue }
                messages["the observer", default: []].append(state)
            case "config":
                let id = levels[levels.count - 2]
                let device = payload.isEmpty ? .null : try JSON(line: payload)["device"]
                if device != .null { names[id] = device["name"].string }
                // More of a device may be learned in its first seconds, and later on a busy machine.
                let isNew =
                    payload.isEmpty
                    ? configured.remove(id) != nil : configured.insert(id).inserted
                guard isNew else { continue }
                messages[id, default: []].append(payload.isEmpty ? "no config" : "config")
            case let id?:
                messages[id, default: []].append(payload.isEmpty ? "no state" : payload)
            case nil: break
            }
        }
        return messages.map { "\($0.key): \($0.value.joined(separator: ", "))" }.sorted()
    }

    /// Ends the list, adds what is remembered and reported, and expects the text that is committed.
    func end(_ name: String) async throws {
        await list.send(SIGINT)
        #expect(try await list.end(within: .seconds(20)) == 130)
        #expect(await list.errors == "")
        await home.send(SIGTERM)
        text += "\n# At the end\n"
        if host == "h2" {
            let ledger = try await lab.run(
                host,
                [
                    "env", "XDG_STATE_HOME=\(lab.directory.path)", BuiltProducts.peerlist,
                    "devices", "--json",
                ])
            text += try ledger.output.split(separator: "\n").map { line in
                let device = try JSON(line: String(line))
                // It may have had its host's name for a moment.
                let name = device["names"].array.first?.string ?? "-"
                return "ledger: \(name) (\(device["kind"].string))\n"
            }.sorted().joined()
        }
        let recording = lab.directory.path + "/recording"
        let report = try await lab.finishedPeerlist(on: host, "report", recording)
        let page = report.output.replacing(/<\/?a\b.*?>/, with: "")
        for figure in page.matches(of: /<dt>(.+?)<\/dt><dd>(.+?)<\/dd>/) {
            text += "report: \(figure.2.replacing(/<.+?>/, with: "")) \(figure.1)\n"
        }
        let replay = try await lab.finishedPeerlist(on: host, "replay", "--plain", recording)
        let replayed = replay.output.split(separator: "\n").map(String.init)
        let isEvent = { (line: String) in !line.contains(#/ (Already there|Browsing|Fleet): /#) }
        #expect(replayed.filter(isEvent) == (await list.lines).filter(isEvent))
        for (id, name) in names { text.replace(id, with: name) }
        try expectCommitted(text, name + ".txt")
    }
}
