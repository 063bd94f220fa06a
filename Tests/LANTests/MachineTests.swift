// Tests on a link which host names are one machine, and which services are one device.
import LabSupport
import PeerModel
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct MachineTests {
    /// Starts a responder, which runs until it is ended, with hosts that have one service each.
    private func play(
        _ lab: Lab, _ hosts: [(name: String, type: String)], as load: String, on machine: String,
        at address: String, _ options: String...
    ) async throws {
        let devices = hosts.map { name, type in
            """
            {"name": "\(name)", "host": "\(name).local", "addresses": ["\(address)"],
            "services": [{"instance": "\(name)", "type": "\(type)", "port": 80}]}
            """
        }
        let file = try lab.directory.write(
            "[" + devices.joined(separator: ",") + "]", to: "\(load).json")
        try await lab.perform(
            ["spawn", machine, load, "python3", BuiltProducts.package + "/Tests/Lab/load.py"]
                + ["--devices", file] + options)
    }

    private func start(_ lab: Lab, _ backend: String) async throws -> ListObserver {
        try await lab.perform("daemon", "h1", "stop")
        if backend == "embedded" { try await lab.perform("daemon", "h2", "stop") }
        return try ListObserver(lab, on: "h2", "--vouching", "--backend", backend)
    }

    @Test(arguments: ["daemon", "embedded"])
    func
        `machines with one name on two networks are two devices, each with the records of its network`(
            backend: String
        ) async throws
    {
        try await Lab.with(hosts: 3) { lab in
            for host in ["h2", "h3"] { try await lab.perform("add-interface", host, "1") }
            try await lab.perform("daemon", "h3", "stop")
            let observer = try await start(lab, backend)
            let services = [(name: "pi", type: "_http._tcp")]
            try await play(lab, services, as: "first", on: "h1", at: "10.99.0.1")
            try await play(
                lab, services, as: "second", on: "h3", at: "10.99.1.53", "--interface", "eth1")
            let list = try await observer.list(within: .seconds(60)) { list in
                list.items.count == 2
                    && list.items.allSatisfy { $0["addresses"].array.count == 1 }
            }
            #expect(list.items.map { $0["host"].string } == ["pi.local", "pi.local"])
            #expect(
                list.items.map { $0["identity"]["value"].string } == [
                    "pi.local%eth0", "pi.local%eth1",
                ])
            #expect(
                list.items.map { $0["addresses"].array[0].string } == ["10.99.0.1", "10.99.1.53"])
            #expect(list.items.allSatisfy { $0["presence"].string == "present" })
            try await lab.perform("kill", "h1", "first")
            let last = try await observer.list(within: .seconds(60)) { $0.items.count == 1 }
            #expect(last.items.map { $0["addresses"].array[0].string } == ["10.99.1.53"])
            #expect(last.items.map { $0["identity"]["value"].string } == ["pi.local"])
            #expect(try await observer.interrupt() == 130)
        }
    }

    @Test(arguments: ["daemon", "embedded"])
    func `a host that has the address of a silent one arrives at once, and that one is silent`(
        backend: String
    ) async throws {
        try await Lab.with { lab in
            let observer = try await start(lab, backend)
            try await play(lab, [("ann", "_http._tcp")], as: "first", on: "h1", at: "10.99.0.1")
            let ann = try await observer.peer(on: "ann.local")
            try await observer.list(within: .seconds(60)) { $0.events.contains("filled") }
            try await lab.perform("kill", "h1", "first", "KILL")
            _ = try await FinishedProcess(["sleep", "4"])
            try await play(lab, [("bob", "_ssh._tcp")], as: "second", on: "h1", at: "10.99.0.1")
            let bob = try await observer.peer(on: "bob.local")
            #expect(bob["id"].string != ann["id"].string)
            #expect(bob["services"].array.count == 1)
            let list = try await observer.list(within: .seconds(60)) {
                $0.peer(on: "ann.local")?["presence"].string == "unanswered"
            }
            #expect(list.peer(on: "ann.local")?["id"].string == ann["id"].string)
            #expect(try await observer.interrupt() == 130)
        }
    }

    @Test(arguments: ["daemon", "embedded"])
    func `twelve names at one address that answer are one device, which speaks for itself`(
        backend: String
    ) async throws {
        try await Lab.with { lab in
            let observer = try await start(lab, backend)
            let names = (1...12).map { (name: "app\($0)x", type: "_http._tcp") }
            try await play(lab, names, as: "apps", on: "h1", at: "10.99.0.1")
            let list = try await observer.list(within: .seconds(60)) { list in
                list.peer(on: "app10x.local").map {
                    $0["services"].array.count == 12 && $0["vouchedBy"]["by"].string == "own"
                } ?? false
            }
            #expect((1...12).count { list.peer(on: "app\($0)x.local") != nil } == 1)
            #expect(try await observer.interrupt() == 130)
        }
    }

    @Test(arguments: ["daemon", "embedded"])
    func `machines that announce the address of a bridge of their own are two devices`(
        backend: String
    ) async throws {
        try await Lab.with(hosts: 3) { lab in
            let observer = try await start(lab, backend)
            for (host, machine) in [("rov-a", "h1"), ("rov-b", "h3")] {
                try await play(lab, [(host, "_http._tcp")], as: host, on: machine, at: "172.17.0.1")
            }
            for host in ["rov-a.local", "rov-b.local"] {
                try await observer.peer(on: host) {
                    $0["services"].array.count == 1 && $0["vouchedBy"]["by"].string == "own"
                }
            }
            #expect(try await observer.interrupt() == 130)
        }
    }

    /// The records of a device live for 75 minutes in the daemon's cache.
    @Test func `a device that is gone is one row of a fresh list, as the ledger knows it`()
        async throws
    {
        try await Lab.with { lab in
            try await lab.perform("daemon", "h1", "stop")
            let services = ["_afpovertcp._tcp", "_http._tcp", "_smb._tcp"].map {
                #"{"instance": "Vault", "type": "\#($0)", "port": 80}"#
            }
            let file = try lab.directory.write(
                """
                [{"name": "Vault", "host": "vault.local", "addresses": ["10.99.0.1"],
                "services": [\(services.joined(separator: ","))]}]
                """, to: "vault.json")
            try await lab.perform(
                "spawn", "h1", "vault", "python3", BuiltProducts.package + "/Tests/Lab/load.py",
                "--devices", file, "--host-life", "3")
            let state = "XDG_STATE_HOME=" + lab.directory.path
            func observe() throws -> ListObserver {
                ListObserver(
                    try lab.start("h2", ["env", state, BuiltProducts.peerlist, "--json"]))
            }
            let first = try observe()
            let known = try await first.peer(on: "vault.local") { $0["services"].array.count == 3 }
            // The daemon has then asked for the records itself, and keeps them.
            try await first.list(within: .seconds(60)) { $0.events.contains("filled") }
            #expect(try await first.interrupt() == 130)
            try await lab.perform("kill", "h1", "vault", "KILL")
            _ = try await FinishedProcess(["sleep", "5"])
            let second = try observe()
            let list = try await second.list(within: .seconds(60)) { list in
                list.items.contains {
                    $0["presence"].string == "unanswered" && $0["services"].array.count == 3
                }
            }
            let gone = list.items.filter { $0["name"].string == "Vault" }
            #expect(gone.count == 1)
            #expect(gone.first?["id"].string == known["id"].string)
            #expect(try await second.interrupt() == 130)
        }
    }
}
