// Tests which host names are one machine, and how devices of one name are told apart.
import FoundationEssentials
import PeerListTestSupport
import PeerModel
import Testing

@Suite struct MachineTests {
    /// Brings a host with one service and its addresses.
    private func bring(
        _ script: EventScript, _ host: String, _ type: String = "_ssh._tcp", name: String? = nil,
        txt: [String] = [], at addresses: HostAddress...
    ) {
        script.bring(name ?? host, type, on: "\(host).local", txt: txt)
        script.feed(.addresses(host: HostName("\(host).local"), addresses))
    }

    private let mac = (1...9).map { "mac=34:94:54:0e:8b:0\($0)" }

    // MARK: Machines

    @Test func `a host name with a conflict suffix and the same addresses is one machine`() {
        let script = EventScript()
        bring(script, "nas", "_wled._tcp", name: "a", txt: [mac[0]], at: address(1), address(2))
        bring(script, "nas-2", "_wled._tcp", name: "b", txt: [mac[1]], at: address(2), address(1))
        #expect(script.peers.map(\.host) == ["nas.local"])
        #expect(script.peers.first?.services.count == 2)
        script.feed(.addresses(host: "nas-2.local", [address(2)]))
        #expect(script.peers.count == 2, "with other addresses")
    }

    @Test func `hosts without evidence at the addresses of one machine are that machine`() {
        let script = EventScript()
        for host in ["cam", "dcs-1", "dcs-2a"] { bring(script, host, at: address(4)) }
        #expect(script.peers.map(\.host) == ["cam.local"])
        bring(script, "dcs-4", "_wled._tcp", txt: [mac[0]], at: address(4))
        #expect(script.peers.map(\.host) == ["dcs-4.local"], "the host with evidence")
        #expect(script.peers.first?.services.count == 4)
        script.feed(.removed(sighting("dcs-4", "_wled._tcp")))
        script.feed(.forgotten(key("dcs-4", "_wled._tcp")))
        #expect(script.peers.map(\.host) == ["cam.local"])
    }

    @Test func `bridges with identifiers of their own on one address stay apart`() {
        let script = EventScript()
        for number in 1...5 {
            bring(
                script, "bridge\(number)", "_hap._tcp",
                txt: ["ci=2", "id=AA:BB:CC:DD:EE:0\(number)"],
                at: address(9))
        }
        bring(script, "box", at: address(9))
        #expect(script.peers.count == 6)
    }

    @Test func `an address alone of two, or no address, joins nothing`() {
        let script = EventScript()
        bring(script, "one", at: address(1), address(2))
        bring(script, "two", at: address(1))
        script.bring("three", "_ssh._tcp", on: "h1.local")
        script.bring("four", "_ssh._tcp", on: "h2.local")
        #expect(script.peers.count == 4)
    }

    @Test func `a host that has left its address does not join the next one`() {
        let script = EventScript()
        bring(script, "old", at: address(7))
        script.feed(.unanswered(key("old", "_ssh._tcp")))
        bring(script, "new", at: address(7))
        #expect(script.peers.map(\.host) == ["new.local", "old.local"])
    }

    @Test func `many names of one machine are one device, and more are said to be too many`() {
        let script = EventScript()
        for number in 1...64 { bring(script, "app\(number)x", at: address(3)) }
        #expect(script.peers.map(\.services.count) == [64])
        #expect(script.notices.isEmpty)
        for number in 65...70 { bring(script, "app\(number)x", at: address(3)) }
        #expect(script.peers.map(\.services.count) == [64])
        #expect(script.notices.map(\.code) == [.serviceLimit])
        script.feed(.removed(sighting("app1x", "_ssh._tcp")))
        script.feed(.forgotten(key("app1x", "_ssh._tcp")))
        #expect(script.peers.map(\.services.count) == [64], "another name takes its place")
        // The queue of further names is thinned out before it has 140.
        for _ in 0..<150 {
            script.feed(.removed(sighting("app70x", "_ssh._tcp")))
            script.feed(.forgotten(key("app70x", "_ssh._tcp")))
            bring(script, "app70x", at: address(3))
        }
        for number in 2...8 {
            script.feed(.removed(sighting("app\(number)x", "_ssh._tcp")))
            script.feed(.forgotten(key("app\(number)x", "_ssh._tcp")))
        }
        #expect(script.peers.map(\.services.count).reduce(0, +) == 62, "all that are left")
    }

    @Test func `a label that is numbered again and again is one machine`() {
        let script = EventScript()
        bring(script, "pi", at: address(3))
        for number in 2...12 {
            script.pause(seconds: 3_600)
            bring(script, "pi-\(number)", at: address(3))
        }
        #expect(script.peers.map(\.host) == ["pi.local"])
        #expect(script.peers.first?.services.count == 12)
    }

    @Test(arguments: [[], ["mac=34:94:54:0e:8b:01"]])
    func `an address that passes to another host makes another device at once`(txt: [String]) {
        let script = EventScript()
        bring(script, "ann", txt: txt, at: address(7))
        let ann = script.peers.first
        script.pause(seconds: 10)
        bring(script, "bob", "_smb._tcp", at: address(7))
        #expect(script.peers.map(\.host) == ["ann.local", "bob.local"])
        #expect(script.peers.first?.id == ann?.id)
        script.feed(.unanswered(key("ann", "_ssh._tcp")))
        #expect(script.peers.map(\.presence) == [.unanswered, .present])
    }

    @Test
    func
        `names that both answer are one machine, unless another MAC address is behind the address`()
    {
        let macs = [1, 2].compactMap { MACAddress(bytes: [0xb8, 0x27, 0xeb, 0, 0, $0]) }
        for isOther in [false, true] {
            let script = EventScript()
            bring(script, "ann", at: address(7))
            script.feed(.hardware(host: "ann.local", [macs[0]]))
            script.pause(seconds: 10)
            bring(script, "bob", "_smb._tcp", at: address(7))
            if isOther {
                script.feed(.hardware(host: "bob.local", [macs[1]]))
                script.feed(.hardware(host: "ann.local", [macs[1]]))
            }
            script.feed(.answered(key("ann", "_ssh._tcp")))
            script.feed(.answered(key("bob", "_smb._tcp")))
            #expect(script.peers.count == (isOther ? 2 : 1))
            #expect(script.peers.first?.macs == [macs[0].text], "a host keeps its own")
        }
    }

    @Test func `machines that announce the address of a bridge of their own are apart`() {
        let script = EventScript()
        let bridge = HostAddress(bytes: [172, 17, 0, 1], interface: "eth0")
        bring(script, "rov-a", at: bridge)
        bring(script, "rov-b", at: bridge)
        #expect(script.peers.map(\.host) == ["rov-a.local", "rov-b.local"])
    }

    @Test func `a device with two network cards is one device of two hosts`() {
        let uuid = "UUID=e3248000-80ce-11db-8000-008092a00b71"
        func printer(
            _ script: EventScript, _ host: String, _ number: UInt8, _ name: String, _ txt: String...
        ) {
            bring(
                script, host, "_ipp._tcp", name: name, txt: [uuid, "ty=Brother MFC-J430W"] + txt,
                at: address(number))
        }
        let script = EventScript()
        printer(script, "BRN008092A00B71", 1, "Brother MFC-J430W")
        let id = script.peers.first?.id
        printer(script, "BRW008092A00B72", 2, "Brother MFC-J430W (2)")
        #expect(script.peers.map(\.id) == [id])
        #expect(script.peers.first?.addresses.count == 2)
        #expect(script.notices.isEmpty)
        script.feed(.removed(sighting("Brother MFC-J430W", "_ipp._tcp")))
        script.feed(.forgotten(key("Brother MFC-J430W", "_ipp._tcp")))
        #expect(script.peers.map(\.id) == [id], "the other card")
        for txt in ["note=Cellar", "ty=Brother HL-1110"] {
            let script = EventScript()
            printer(script, "BRN008092A00B71", 1, "Brother MFC-J430W", "note=Attic")
            bring(
                script, "BRW008092A00B72", "_ipp._tcp", name: "Brother MFC-J430W (2)",
                txt: [uuid, txt] + (txt.hasPrefix("ty") ? [] : ["ty=Brother MFC-J430W"]),
                at: address(2))
            #expect(script.peers.count == 2)
            #expect(script.notices.map(\.code) == [.identityConflict])
        }
    }

    // MARK: Names

    @Test func `two devices of one model are told apart by what they announce`() {
        let script = EventScript()
        let model = ["ty=HP OfficeJet Pro 8730"]
        bring(
            script, "hp1", "_ipp._tcp", name: "HP OfficeJet Pro 8730 [08C229]", txt: model,
            at: address(1))
        #expect(script.peers.map(\.name) == ["HP OfficeJet Pro 8730"])
        bring(
            script, "hp2", "_ipp._tcp", name: "HP OfficeJet Pro 8730 [A1B2C3]", txt: model,
            at: address(2))
        #expect(
            script.peers.map(\.name)
                == ["HP OfficeJet Pro 8730 [08C229]", "HP OfficeJet Pro 8730 [A1B2C3]"])
        let update = script.feed(.removed(sighting("HP OfficeJet Pro 8730 [08C229]", "_ipp._tcp")))
        script.feed(.forgotten(key("HP OfficeJet Pro 8730 [08C229]", "_ipp._tcp")))
        #expect(update?.items.changes.count == 1)
        #expect(script.peers.map(\.name) == ["HP OfficeJet Pro 8730"], "alone again")
    }

    @Test func `devices that announce nothing else are told apart by their hosts`() {
        let script = EventScript()
        bring(script, "tv-3", "_googlecast._tcp", name: "a", txt: ["fn=Den"], at: address(3))
        bring(script, "den", "_airplay._tcp", name: "Den", at: address(4))
        bring(
            script, "6b0f29d4-1e7a-83c5-94f0-2d7b8e51a3c6", "_amzn-wplay._tcp", name: "c",
            txt: ["n=Den"], at: address(5))
        #expect(script.peers.map(\.name) == ["Den", "Den (51a3c6)", "Den (tv-3)"])
    }

    @Test func `the names do not depend on the order of arrival`() {
        let devices = (1...4).map { ("h\($0)", $0 == 4 ? "Acme P1" : "Acme P1 (\($0))") }
        let lists = [devices, devices.reversed()].map { devices in
            let script = EventScript()
            for (host, name) in devices {
                script.bring(name, "_ipp._tcp", on: "\(host).local", txt: ["ty=Acme P1"])
            }
            return script.peers.map(\.name)
        }
        #expect(lists[0] == ["Acme P1 (1)", "Acme P1 (2)", "Acme P1 (3)", "Acme P1 (h4)"])
        #expect(lists[0] == lists[1])
    }

    @Test func `an arrival changes the name of at most one other device`() {
        let script = EventScript()
        for number in 1...50 {
            let update = script.bring(
                "x\(number)", "_googlecast._tcp", on: "h\(number).local", txt: ["fn=TV"])
            #expect((update?.items.changes.count ?? 0) == (number == 2 ? 1 : 0))
        }
        #expect(Set(script.peers.map(\.name)).count == 50)
    }

    // MARK: Services without a host

    private func announce(_ script: EventScript, _ name: String, _ types: String...) {
        for type in types {
            script.feed(.found(sighting(name, type)))
            script.feed(.pending(key(name, type)))
        }
    }

    @Test func `a service whose host is not known joins the device with its instance name`() {
        let script = EventScript()
        script.bring("Den", "_ssh._tcp", on: "h1.local")
        announce(script, "Den", "_smb._tcp")
        announce(script, "AA:BB:CC:00:11:22@Den", "_raop._tcp")
        announce(script, "Den [aa:bb:cc:00:11:22]", "_workstation._tcp")
        #expect(script.peers.map(\.name) == ["Den"])
        #expect(script.peers.first?.services.count == 4)
        #expect(script.peers.first?.presence == .present)
        script.bring("Den", "_http._tcp", on: "h2.local")
        #expect(
            script.peers.map(\.services.count).sorted() == [1, 1, 3], "of two, it is neither's")
    }

    @Test func `the services of one name without a host are one device`() {
        let script = EventScript()
        announce(script, "Vault", "_smb._tcp", "_http._tcp", "_afpovertcp._tcp")
        #expect(script.peers.map(\.name) == ["Vault"])
        #expect(script.peers.first?.services.count == 3)
        let id = script.peers.first?.id
        for type in ["_smb._tcp", "_http._tcp", "_afpovertcp._tcp"] {
            script.feed(.unanswered(key("Vault", type)))
        }
        #expect(script.peers.map(\.presence) == [.unanswered])
        #expect(script.peers.map(\.id) == [id])
        let update = script.bring("Vault", "_smb._tcp", on: "vault.local")
        #expect(script.peers.map(\.host) == ["vault.local"])
        #expect(id.map { update?.items.replacements[$0] } == script.peers.first?.id, "it goes on")
    }

    @Test func `a service with an identifier for a name waits for a failed lookup`() {
        let script = EventScript()
        announce(script, "A2F0C95D7E3B1864", "_trel._udp")
        #expect(script.peers.isEmpty)
        script.feed(.unanswered(key("A2F0C95D7E3B1864", "_trel._udp")))
        #expect(script.peers.count == 1)
    }

    @Test func `services of a device that was seen before are that device`() {
        let script = EventScript()
        let id = Identity(host: "vault.local").id
        script.listing.remember { service in
            ["_smb._tcp", "_trel._udp"].contains(service.type)
                ? KnownDevice(id: id, name: "Vault", kind: .nas) : nil
        }
        announce(script, "Vault", "_smb._tcp")
        announce(script, "A2F0C95D7E3B1864", "_trel._udp")
        #expect(script.peers.map(\.id) == [id])
        #expect(script.peers.first?.kind == .nas)
        #expect(script.peers.first?.services.count == 2)
        script.bring("Vault", "_smb._tcp", on: "vault.local")
        #expect(script.peers.map(\.id) == [id])
        #expect(script.peers.first?.host == "vault.local")
    }
}
