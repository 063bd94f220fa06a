// Tests fleets on the LAN: three observers on two segments, and a broker with TLS, users and access rights.
import FoundationEssentials
import Glibc
import LabSupport
import PeerModel
import PeerListTestSupport
import Testing

@Suite(.needsLab, .timeLimit(.minutes(10))) struct FleetTests {
    @Test func `a fleet lists each device once, as the observers of its segments list it`()
        async throws
    {
        try await FleetLab.with { fleet in
            let lab = fleet.lab
            let recording = lab.directory.path + "/fleet.jsonl"
            let list = try fleet.list("--output", recording)
            try await list.list(within: .seconds(60)) { $0.begin != .null }
            // The same devices on both segments, as on two networks with a reflector.
            for (segment, interface) in [("1", "eth1"), ("2", "eth2")] {
                try await lab.perform("add-interface", "h1", segment)
                let responder = try lab.start(
                    "h1",
                    [
                        "python3", BuiltProducts.package + "/Tests/Lab/load.py", "--devices",
                        Scene.file, "--interface", interface,
                    ])
                try await responder.line(within: .seconds(60)) { $0.hasPrefix("ready") }
            }
            try lab.publishFile("shell", named: "Shell", "_ssh._tcp", 22, on: "h3")
            try lab.publishFile("shell", named: "Shell", "_ssh._tcp", 22, on: "h4")
            let observers = try [
                fleet.observer(on: "h2"), fleet.observer(on: "h3"),
                fleet.observer(on: "h4"),
            ]
            let shown = try await fleet.agreesWithObservers(list)
            #expect(shown.begin["backend"].string == "fleet")
            #expect(shown.views(of: "h4.local") == ["h4 present"])
            #expect(shown.views(of: "h3.local") == ["h2 present", "h3 present"])
            let television = try #require(
                shown.items.first { $0["name"].string == "Living Room TV" })
            #expect(
                television["views"].array.map { $0["site"].string } == [
                    "cellar", "office", "office",
                ])
            #expect(shown.notices.isEmpty, "\(shown.messages)")

            let once = try await lab.run(
                "h1", [BuiltProducts.peerlist] + fleet.fleetCommand(["--once"]))
            let copy = try lab.directory.write(once.output + "\n", to: "once.jsonl")
            let difference = try await lab.finishedPeerlist(on: "h1", "diff", recording, copy)
            try await lab.expectSchema("lines", of: String(TextFile.read(recording).dropLast()))
            #expect(difference.status == 0, "\(difference.output)\(difference.errors)")
            let replay = try await lab.finishedPeerlist(
                on: "h1", "replay", "--plain", recording)
            #expect(replay.status == 0 && replay.errors == "", "\(replay.errors)")
            #expect(replay.output.contains("Living Room TV"))

            for observer in observers {
                #expect(try await observer.interrupt() == 130)
                #expect(await observer.lines.isEmpty)
                #expect(await observer.errors == "")
            }
            let away = try await fleet.agree(list) { $0.isAway }
            #expect(away.items.count == shown.items.count)
            #expect(try await list.interrupt() == 130)
        }
    }

    @Test
    func `after faults of the broker, a fleet equals a fresh one, and observers' lists go on`()
        async throws
    {
        try await FleetLab.with { fleet in
            let lab = fleet.lab
            try lab.publishFile("web", named: "Web", "_http._tcp", 80, on: "h2")
            try lab.publishFile("old", named: "Old", "_http._tcp", 80, on: "h4")
            let list = try fleet.list()
            let local = try ListObserver(
                lab.peerlist(on: "h2", ["--json"] + fleet.publishing(on: "h2")))
            let others = try [fleet.observer(on: "h3"), fleet.observer(on: "h4")]
            try await fleet.agree(list) {
                $0.views(of: "h2.local") == ["h2 present", "h3 present"]
                    && $0.views(of: "h4.local") == ["h4 present"]
            }

            // It comes back with the messages that it had saved before a device left and another came.
            try await fleet.saveMessages()
            try await lab.withdrawFile("old", on: "h4")
            try await list.list(within: .seconds(60)) { $0.views(of: "h4.local") == nil }
            try lab.publishFile("shell", named: "Shell", "_ssh._tcp", 22, on: "h3")
            try await list.list(within: .seconds(60)) { $0.views(of: "h3.local")?.count == 2 }
            try await fleet.killBroker()
            try await fleet.expectAway(list, local, event: 1)
            try await fleet.startBroker()
            try await fleet.agree(list) {
                $0.views(of: "h4.local") == nil
                    && $0.views(of: "h3.local") == ["h2 present", "h3 present"]
                    && $0.views(of: "h2.local") == ["h2 present", "h3 present"]
            }

            // It comes back with nothing.
            try await fleet.killBroker(forgetting: true)
            try await fleet.expectAway(list, local, event: 2)
            try lab.publishFile("new", named: "New", "_http._tcp", 80, on: "h4")
            try await fleet.startBroker()
            try await fleet.agree(list) {
                !$0.items.isEmpty && $0.isSeen && $0.views(of: "h4.local") != nil
            }

            // It stands still for 30 seconds, or until both keep-alives fail if that takes longer.
            try await fleet.pauseBroker()
            async let pause: Void = lab.rest(30)
            try await fleet.expectAway(list, local, event: 3)
            try await pause
            await fleet.resumeBroker()
            try await fleet.agree(list) { $0.items.count == 3 && $0.isSeen }

            // The broker may have told of the device that left once more.
            let deleted = try await list.lines.flatMap { line in
                try JSON(line: line)["changes"].array.filter { $0["op"].string == "delete" }
            }
            #expect(Set(deleted.map { $0["peer"]["host"].string }) == ["h4.local"])
            for observer in others {
                #expect(try await observer.interrupt() == 130)
                let messages = await observer.errors
                #expect(messages.contains("peerlist: the broker is away"), "\(messages)")
                #expect(messages.contains("peerlist: the broker is back"), "\(messages)")
            }
            #expect(try await local.interrupt() == 130)
            #expect(try await list.interrupt() == 130)
        }
    }

    @Test func `views of an observer that is killed or cut off are unknown until it is back`()
        async throws
    {
        try await FleetLab.with { fleet in
            let lab = fleet.lab
            try lab.publishFile("web", named: "Web", "_http._tcp", 80, on: "h2")
            try lab.publishFile("shell", named: "Shell", "_ssh._tcp", 22, on: "h4")
            let guest = try await lab.publish("Guest", "_http._tcp", 8080, on: "h3")
            let list = try fleet.list()
            let killed = try fleet.observer(on: "h2")
            let cut = try fleet.observer(on: "h3")
            _ = try fleet.observer(on: "h4")
            try await fleet.agree(list) {
                $0.views(of: "h2.local") == ["h2 present", "h3 present"]
                    && $0.views(of: "h3.local") == ["h2 present", "h3 present"]
                    && $0.views(of: "h4.local") == ["h4 present"]
            }

            await killed.send(SIGKILL)
            try await fleet.agree(list) {
                $0.views(of: "h2.local") == ["h2 unknown", "h3 present"]
                    && $0.peer(on: "h2.local")?["presence"].string == "present"
            }
            // What it published is not there any more when it comes back.
            await guest.send(SIGTERM)
            try await fleet.agree(list) { $0.views(of: "h3.local") == ["h2 unknown"] }
            let again = try fleet.observer(on: "h2")
            try await fleet.agree(list) {
                $0.views(of: "h2.local") == ["h2 present", "h3 present"]
                    && $0.views(of: "h3.local") == nil
            }

            // The broker notices only by the keep-alive.
            try await lab.perform("drop", "h3", "tcp dport 8883")
            try lab.publishFile("late", named: "Late", "_http._tcp", 80, on: "h3")
            try await list.list(within: .seconds(60)) { $0.views(of: "h3.local") == ["h2 present"] }
            try await fleet.agree(list) {
                $0.views(of: "h2.local") == ["h2 present", "h3 unknown"]
            }
            try await lab.perform("drop", "h3")
            try await fleet.agree(list) {
                $0.views(of: "h2.local") == ["h2 present", "h3 present"]
                    && $0.views(of: "h3.local") == ["h2 present", "h3 present"]
            }
            for observer in [again, cut] {
                #expect(try await observer.interrupt() == 130)
            }
            #expect(await again.errors == "")
            #expect(await list.list.notices.isEmpty)
        }
    }

    @Test func `no observer gives the device of others its name, host, kind and addresses`()
        async throws
    {
        try await FleetLab.with { fleet in
            let lab = fleet.lab
            let printer = try await lab.publish(
                "Den", "_ipp._tcp", 631, on: "h3",
                txt: "UUID=01234567-89ab-4def-8123-456789abcdef")
            let observers = try [fleet.observer(on: "h2"), fleet.observer(on: "h3")]
            let recording = lab.directory.path + "/fleet.jsonl"
            let list = try fleet.list("--output", recording)
            let honest = try await fleet.agree(list) {
                $0.views(of: "h3.local") == ["h2 present", "h3 present"]
            }
            let device = try #require(honest.peer(on: "h3.local"))
            let identity = device["identity"].members.map {
                "\"\($0.key)\":\"\($0.value.string)\""
            }
            let claim = """
                {"id": "\(device["id"].string)", "identity": {\(identity.joined(separator: ","))},
                "name": "Owned", "host": "evil.local", "kind": "tv", "addresses": ["10.66.6.6"]}
                """
            let published = try await lab.run(
                "h4",
                [
                    "python3", BuiltProducts.package + "/Tests/Lab/bad_observer.py", "10.99.0.1",
                    lab.directory.path + "/mosquitto/certs/ca.crt", "stranger",
                    "secret of stranger", "--claim", claim,
                ])
            #expect(published.status == 0, "\(published.errors)")

            // The list that knew the device before, one that most observers of the device convince, and one that is told
            // whom to trust.
            let views = ["stranger present", "h2 present", "h3 present"]
            try await fleet.agree(list) { $0.views(of: "h3.local") == views }
            let trusting = try await fleet.freshList(
                fleet.fleetCommand(["--once", "--trust", "office"]))
            for list in [await list.list, trusting] {
                let row = try #require(list.peer(on: "h3.local"))
                for key in ["name", "kind", "addresses", "services"] {
                    #expect(row[key] == device[key], "\(key)")
                }
                #expect(row["views"].array[0]["claims"]["host"].string == "evil.local")
            }
            #expect(trusting.notices == ["observer-conflict"], "\(trusting.messages)")
            try await list.list(within: .seconds(120)) { $0.notices == ["observer-conflict"] }
            let export = try await lab.finishedPeerlist(
                on: "h1", "export", "-f", "hosts", recording)
            #expect(export.output.contains("h3.local"))
            #expect(!export.output.contains("10.66.6.6") && !export.output.contains("evil"))

            // It stays by the word of the stranger alone.
            await printer.send(SIGTERM)
            let alone = try await list.list(within: .seconds(60)) {
                $0.peer(on: "h3.local") == nil && $0.views(of: "evil.local") != nil
            }
            #expect(alone.views(of: "evil.local") == ["stranger present"])
            for observer in observers { #expect(try await observer.interrupt() == 130) }
            #expect(try await list.interrupt() == 130)
        }
    }

    @Test func `a host name on two networks of a site is two devices, until one of them has left`()
        async throws
    {
        try await FleetLab.with { fleet in
            let lab = fleet.lab
            for host in ["h3", "h4"] {
                try await lab.perform("conf", host, "server.host-name=pi")
                try lab.publishFile("web", named: "Web", "_http._tcp", 80, on: host)
            }
            let list = try fleet.list()
            let observers = try [
                fleet.observer(on: "h2"), fleet.observer(on: "h3"),
                lab.peerlist(
                    on: "h4", ["--quiet"] + fleet.publishing(on: "h4", site: "office")),
            ]
            let shown = try await fleet.agree(list) { list in
                Set(list.namesakes("pi.local").map(\.views))
                    == [["h2 present", "h3 present"], ["h4 present"]]
            }
            let plain = Identity.uuid(forName: "office/pi.local").uuidString.lowercased()
            let ids = shown.namesakes("pi.local").map(\.id)
            #expect(Set(ids).count == 2 && !ids.contains(plain))
            let addresses = shown.items.filter { $0["host"].string == "pi.local" }
                .map { $0["addresses"].array.map(\.string).filter { $0.hasPrefix("10.") } }
            #expect(addresses.map(\.count) == [1, 1] && addresses[0] != addresses[1])
            #expect(shown.notices.isEmpty, "\(shown.messages)")

            try await lab.withdrawFile("web", on: "h4")
            try await fleet.agree(list) { list in
                list.namesakes("pi.local").map(\.id) == [plain]
            }
            try await list.list(within: .seconds(60)) { $0.events.contains("left") }
            #expect(try await list.interrupt() == 130)
            #expect(await list.list.events.count { $0 == "left" } == 1)
            for observer in observers { #expect(try await observer.interrupt() == 130) }
        }
    }

    @Test func `a device whose identifier changes while an observer is away does not depart`()
        async throws
    {
        try await FleetLab.with { fleet in
            let lab = fleet.lab
            try lab.publishFile("web", named: "Web", "_http._tcp", 80, on: "h3")
            let list = try fleet.list()
            let observers = try [fleet.observer(on: "h2"), fleet.observer(on: "h3")]
            try await fleet.agree(list) {
                $0.views(of: "h3.local") == ["h2 present", "h3 present"]
            }
            #expect(try await observers[1].interrupt() == 130)
            try await list.list(within: .seconds(60)) {
                $0.views(of: "h3.local") == ["h2 present", "h3 unknown"]
            }
            _ = try await lab.publish(
                "Den", "_ipp._tcp", 631, on: "h3",
                txt: "UUID=01234567-89ab-4def-8123-456789abcdef")
            try await list.list(within: .seconds(60)) { list in
                Set(list.namesakes("h3.local").map(\.views)) == [["h2 present"], ["h3 unknown"]]
            }
            let back = try fleet.observer(on: "h3")
            let shown = try await fleet.agree(list) { list in
                list.namesakes("h3.local").map(\.views) == [["h2 present", "h3 present"]]
            }
            #expect(
                shown.peer(on: "h3.local")?["identity"]["value"].string
                    == "uuid:01234567-89ab-4def-8123-456789abcdef")
            for observer in [observers[0], back] { #expect(try await observer.interrupt() == 130) }
            #expect(try await list.interrupt() == 130)
            let events = await list.list.events
            #expect(events.contains("identified"))
            #expect(!events.contains("left") && !events.contains("arrived"), "\(events)")
        }
    }

    @Test func `the documented commands for several brokers and parts of a fleet list them`()
        async throws
    {
        try await FleetLab.with { fleet in
            let lab = fleet.lab
            try lab.publishFile("web", named: "Web", "_http._tcp", 80, on: "h2")
            try lab.publishFile("shell", named: "Shell", "_ssh._tcp", 22, on: "h4")
            func observer(_ host: String, _ site: String, _ prefix: String) throws -> RunningProcess
            {
                try lab.peerlist(
                    on: host,
                    [
                        "--quiet", "--publish", "mqtts://\(host)@10.99.0.1/\(prefix)", "--site",
                        site,
                        "--interface", FleetLab.interface,
                    ] + fleet.login(password: host))
            }
            let observers = try [
                observer("h2", "office", "berlin"), observer("h4", "cellar", "paris"),
                observer("h2", "office", "peerlist"), observer("h4", "cellar", "peerlist"),
            ]
            // One broker stands for all of the documentation, so that one URL is there twice.
            let blocks = try TextFile.blocks(
                "sh", under: "### Several brokers, and parts of a fleet", of: "fleet.md")
            let commands = try #require(blocks.first).split(separator: "\n")
            #expect(commands.count == 4)
            let expected = [["h2", "h4"], ["h2", "h4"], ["h2"], ["h2"]]
            for (command, names) in zip(commands, expected) {
                let words = command.replacing(/(berlin|paris|broker)\.example/, with: "10.99.0.1")
                    .replacing("fleet.password", with: lab.directory.path + "/fleet.password")
                    .replacing("office/hall", with: "office/h2").split(separator: " ")
                    .map(String.init)
                let list = ListObserver(
                    try lab.peerlist(
                        on: "h1",
                        Array(words.dropFirst()) + [
                            "--json", "--ca-file", lab.directory.path + "/mosquitto/certs/ca.crt",
                        ]))
                try await list.list(within: .seconds(60)) { list in
                    ["h2", "h4"].filter {
                        list.views(of: "\($0).local")?.contains("\($0) present") == true
                    } == names
                }
                #expect(await list.list.notices.isEmpty, "\(command)")
                #expect(try await list.interrupt() == 130)
            }
            for observer in observers { #expect(try await observer.interrupt() == 130) }
        }
    }

    @Test func `one user of the broker neither hides the others nor floods the lines`()
        async throws
    {
        try await FleetLab.with { fleet in
            let lab = fleet.lab
            let bad = { (options: [String]) in
                [
                    "python3", BuiltProducts.package + "/Tests/Lab/bad_observer.py", "10.99.0.1",
                    lab.directory.path + "/mosquitto/certs/ca.crt", "stranger",
                    "secret of stranger",
                ] + options
            }
            let (peers, seconds) = (2_000, 20)
            let publish = { (options: [String]) in
                let finished = try await lab.run("h4", bad(["--peers", "\(peers)"] + options))
                #expect(finished.status == 0, "\(finished.errors)")
            }
            try await publish([])
            let list = try fleet.list()
            try await list.list(within: .seconds(60)) { list in
                list.items.count { $0["host"].string.hasPrefix("bad-") } == peers
            }

            // Observers are read whatever the user publishes at other sites, by a later fleet too.
            try await publish(["--sites", "20000"])
            try await list.list(within: .seconds(60)) { $0.notices == ["fleet-limit"] }
            #expect(
                await list.list.messages[0].hasPrefix(
                    "observer stranger is at more than 50 sites; it is not read at site a"))
            try lab.publishFile("web", named: "Web", "_http._tcp", 80, on: "h2")
            let honest = try fleet.observer(on: "h2")
            for list in [list, try fleet.list()] {
                try await list.list(within: .seconds(60)) { list in
                    list.views(of: "h2.local") == ["h2 present"]
                }
            }

            // An observer that goes on and off 100 times a second counts once a second.
            try await list.catchUp()
            let before = await list.lines.count
            let flapping = try lab.start(
                "h4", bad(["--peers", "\(peers)", "--flap", "\(seconds)"]))
            try await flapping.line(within: .seconds(60)) { $0 == "ready" }
            try lab.publishFile("shell", named: "Shell", "_ssh._tcp", 22, on: "h3")
            try await list.list(within: .seconds(60)) { $0.views(of: "h3.local") != nil }
            #expect(await flapping.status == nil, "the change arrived after the flapping only")
            #expect(try await flapping.end(within: .seconds(60)) == 0)
            // The last status counts.
            try await list.list(within: .seconds(60)) { list in
                list.items.allSatisfy { $0["presence"].string == "present" }
            }
            let bytes = await list.lines.dropFirst(before).reduce(0) { $0 + $1.utf8.count }
            // A peer that changes takes half a KiB.
            #expect((1...1_000 * peers * (seconds + 3)).contains(bytes))
            #expect(try await honest.interrupt() == 130)
            #expect(try await list.interrupt() == 130)
        }
    }

    @Test func `an observer's name is used once, and refusals of the broker are reported`()
        async throws
    {
        try await FleetLab.with { fleet in
            let lab = fleet.lab
            try lab.publishFile("web", named: "Web", "_http._tcp", 80, on: "h2")
            let list = try fleet.list()
            let first = try fleet.observer(on: "h2")
            try await fleet.agree(list) { $0.views(of: "h2.local") == ["h2 present"] }

            // The later one publishes, and the other one ends for good.
            let second = try fleet.observer(on: "h3", as: "h2")
            #expect(try await first.end(within: .seconds(60)) == 4)
            #expect(
                await first.errors
                    == "peerlist: --publish: another peerlist on h3.local has taken over observer h2 "
                    + "of site office\n")
            try lab.publishFile("shell", named: "Shell", "_ssh._tcp", 22, on: "h3")
            try await fleet.agree(list) { $0.views(of: "h3.local") == ["h2 present"] }
            #expect(await second.status == nil)

            // At a listener where the user is the name in the client's certificate.
            try lab.publishFile("lamp", named: "Lamp", "_http._tcp", 80, on: "h4")
            let certified = try lab.peerlist(
                on: "h4",
                [
                    "--quiet", "--group-by", "type", "--publish", "mqtts://10.99.0.1:8884",
                    "--site", "cellar",
                    "--interface", FleetLab.interface,
                ] + fleet.certificate(of: "h4"))
            try await fleet.agree(list) { $0.views(of: "h4.local") == ["h4 present"] }
            let certifiedList = try await fleet.freshList(
                ["fleet", "--once", "--json", "mqtts://10.99.0.1:8884"]
                    + fleet.certificate(of: "fleet"))
            #expect(certifiedList.views(of: "h4.local") == ["h4 present"])
            #expect(try await certified.interrupt() == 130)
            #expect(await certified.errors == "")

            let bare = try await lab.finishedPeerlist(
                on: "h4", "fleet", "mqtts://10.99.0.1:8884", "--once", "--ca-file",
                lab.directory.path + "/mosquitto/certs/ca.crt")
            #expect(bare.status == 3)
            // The alert of TLS, or without it the likely reason.
            #expect(
                bare.errors.contains(
                    /^peerlist: .*the broker.*(alert certificate required|require a client certificate)/
                ), "\(bare.errors)")

            let open = try lab.directory.write("secret of fleet\n", to: "open", mode: 0o644)
            let warned = try await lab.finishedPeerlist(
                on: "h4", "fleet", "mqtts://fleet@10.99.0.1", "--once", "--password-file", open,
                "--ca-file", lab.directory.path + "/mosquitto/certs/ca.crt")
            #expect(warned.status == 0)
            #expect(
                warned.errors
                    == "peerlist: --password-file: every user of this machine may read \(open); run "
                    + "'chmod 600' on it\n")

            // At another prefix, where the access rights let the user write nothing.
            let denied = try lab.peerlist(
                on: "h4",
                [
                    "--plain", "--publish", "mqtts://stranger@10.99.0.1/elsewhere", "--interface",
                    "eth1",
                ]
                    + fleet.login(password: "stranger"))
            try await denied.line(within: .seconds(60)) {
                $0.contains(
                    "the broker refused to publish as observer stranger of site home: not authorised"
                )
            }
            for (host, login, reason) in [
                (
                    "10.99.0.1", fleet.login(password: "h2"),
                    "wrong user name or password, or no access"
                ),
                (
                    "10.99.0.1", fleet.login(password: "fleet", authority: "other"),
                    "TLS: certificate verify failed"
                ),
                // The certificate does not name this address of the broker.
                ("[fd99::1]", fleet.login(password: "fleet"), "TLS: host name verification failed"),
            ] {
                let refused = try await lab.run(
                    "h4",
                    [BuiltProducts.peerlist, "fleet", "mqtts://fleet@\(host)", "--once"] + login)
                #expect(refused.status == 3)
                #expect(
                    refused.errors == "peerlist: no connection to the broker: \(reason)\n")
                let observer = try lab.peerlist(
                    on: "h4",
                    ["--plain", "--publish", "mqtts://h4@\(host)", "--interface", "eth1"] + login)
                try await observer.line(within: .seconds(60)) {
                    $0.contains("no connection to the broker: \(reason)")
                }
                #expect(try await observer.interrupt() == 130)
            }
        }
    }
}

extension RunningProcess {
    /// Ends the program as Ctrl-C does, and returns its exit status.
    func interrupt() async throws -> Int32 {
        send(SIGINT)
        return try await end(within: .seconds(60))
    }
}

extension FleetLab {
    /// Expects a list to say that the broker is away, and a list on h2 to go on.
    fileprivate func expectAway(
        _ list: ListObserver, _ local: ListObserver, event: Int
    ) async throws {
        let count = await list.list.items.count
        try await list.list(within: .seconds(60)) { list in
            list.notices.count { $0 == "broker-lost" } == event && list.isAway
        }
        #expect(await list.list.items.count == count)
        try await local.list(within: .seconds(60)) { list in
            list.notices.count { $0 == "broker-lost" } == event
        }
        try lab.publishFile("during", named: "During \(event)", "_ftp._tcp", 21, on: "h3")
        try await local.peer(on: "h3.local") { peer in
            peer["services"].array.contains { $0["name"].string == "During \(event)" }
        }
    }
}

extension FoldedList {
    /// Whether each observer is online.
    fileprivate var isSeen: Bool {
        items.allSatisfy { $0["views"].array.allSatisfy { $0["presence"].string == "present" } }
    }

    /// Whether the presence of each device and of each view is unknown.
    fileprivate var isAway: Bool {
        items.allSatisfy { item in
            (item["views"].array + [item]).allSatisfy { $0["presence"].string == "unknown" }
        }
    }
}
