// Tests who vouches for a device, by the packets of real and played machines.
import LabSupport
import PeerListTestSupport
import Testing

@Suite(.needsLab, .timeLimit(.minutes(10))) struct VouchingTests {
    /// A device that a machine of the lab plays, though the address is not its own.
    private struct Played {
        let name: String
        let addresses: [String]
        /// The options of the responder, which tell what kind of proxy it is.
        var options: [String] = []
        let rule: String
    }

    private let played = [
        // A router that answers from its table for a laptop that has left.
        Played(name: "laptop", addresses: ["10.99.0.77"], rule: "proxy"),
        Played(
            name: "sleeper", addresses: ["10.99.0.78"], options: ["--owner", "02:00:5e:00:53:78"],
            rule: "sleep-proxy"),
        // A reflector that forwards packets, and one that sends them anew.
        Played(
            name: "far", addresses: ["192.168.50.5", "fe80::55"], options: ["--hop-limit", "1"],
            rule: "reflector"),
        Played(name: "farther", addresses: ["192.168.50.6"], rule: "reflector"),
        Played(
            name: "sensor", addresses: ["fd00:db8::7"], options: ["--age", "10"], rule: "registrar"),
    ]

    @Test(arguments: ["daemon", "embedded"])
    func `each device is judged by who speaks for it, and none of its own is a proxy's`(
        backend: String
    ) async throws {
        try await Lab.with(hosts: 4) { lab in
            let observer = try ListObserver(lab, on: "h2", "--backend", backend, "--vouching")
            try await observer.list(within: .seconds(60)) { $0.events.contains("filled") }
            // A machine on both families, one with two network cards, and a virtual machine behind the card of another.
            _ = try await lab.publish("Web", "_http._tcp", 80, on: "h1")
            try await lab.perform("add-interface", "h4")
            _ = try await lab.publish("Dual", "_http._tcp", 80, on: "h4")
            for words in [
                "link add link eth0 name vm0 type macvlan mode bridge", "link set vm0 up",
                "address add 10.99.0.44/24 dev vm0",
            ] {
                _ = try await lab.run("h1", ["ip"] + words.split(separator: " ").map(String.init))
            }
            try await play("vm", at: ["10.99.0.44"], on: "h1", ["--interface", "vm0"], in: lab)
            // The machine of the proxies has a row of its own, by which they are named.
            _ = try await lab.publish("Router", "_http._tcp", 80, on: "h3")
            for device in played {
                try await play(device.name, at: device.addresses, on: "h3", device.options, in: lab)
            }

            for host in ["h1", "h3", "h4", "vm"] {
                try await observer.peer(on: host + ".local") {
                    $0["vouchedBy"]["by"].string == "own"
                }
            }
            for device in played {
                let rule = device.rule
                try await observer.peer(on: device.name + ".local") { peer in
                    let vouching = peer["vouchedBy"]
                    return vouching["by"].string == rule && vouching["name"].string == "Router"
                }
            }
            // What the reflector passed on has a link-local address on a link that nobody reaches from here.
            try await observer.peer(on: "far.local") {
                $0["reach"]["fe80::55%eth0"].string == "impossible"
            }
            // Whatever was heard first, none of them was ever taken for another's.
            try await lab.rest(3)
            try await observer.catchUp()
            let list = await observer.list
            let own = ["h1", "h3", "h4", "vm"].compactMap {
                list.peer(on: $0 + ".local")?["id"].string
            }
            #expect(own.count == 4)
            for line in await observer.lines {
                for change in try JSON(line: line)["changes"].array {
                    let item = change["op"].string == "insert" ? change["peer"] : change["set"]
                    let id = change["id"].string
                    guard own.contains(id) else { continue }
                    #expect(
                        ["", "own", "unheard"].contains(item["vouchedBy"]["by"].string), "\(line)")
                }
            }
            #expect(try await observer.interrupt() == 130)
        }
    }

    /// Starts a responder for a device with one service and one address.
    private func play(
        _ name: String, at addresses: [String], on host: String, _ options: [String], in lab: Lab
    ) async throws {
        let file = try lab.directory.write(
            """
            [{"name": "\(name)", "host": "\(name).local", "addresses": \(addresses),
            "services": [{"instance": "\(name)", "type": "_http._tcp", "port": 80}]}]
            """, to: name + ".json")
        try await lab.perform(
            [
                "spawn", host, name, "python3", BuiltProducts.package + "/Tests/Lab/load.py",
                "--devices", file,
            ] + options)
    }
}
