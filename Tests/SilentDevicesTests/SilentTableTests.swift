// Tests which devices and events are made of what SSDP, WS-Discovery and the neighbour table tell.
import FoundationEssentials
import PeerListTestSupport
import PeerModel
import SilentDevices
import SilentMessages
import Testing

@Suite struct SilentTableTests {
    private let mac = MACAddress("34940e8b0001")
    private let otherMAC = MACAddress("34940e8b0002")

    @Test func `a device is one row with its services, and its description names it`() throws {
        let script = SilentScript()
        script.renderer()
        #expect(script.rows.map(\.name) == ["10.0.0.1"])
        #expect(
            script.rows.first?.services.map(\.type) == [
                "upnp:AVTransport:1", "upnp:MediaRenderer:1",
            ])
        let path = NetworkPath(interface: eth0, family: .ipv4)
        let key = SilentDevice.Key(speaker: .ssdp, device: uuid(1))
        #expect(
            script.requests == [.fetch(key, url: "http://10.0.0.1:80/d", from: address(1), path)])
        script.describe(
            uuid(1), as: "upnp:MediaRenderer:1",
            ["friendlyName": "Living Room", "manufacturer": "Acme", "modelName": "X1"])
        let row = try #require(script.rows.first)
        #expect(row.name == "Living Room" && row.maker == "Acme" && row.model == "X1")
        #expect(row.host == nil && row.isResolved && row.presence == .present)
        #expect(row.addresses == ["10.0.0.1"] && row.protocols == [.ssdp])
        #expect(row.identity.value == uuid(1))
        #expect(script.list.listing.openCount == 0)
    }

    @Test func `the device that was there first does not blink when its types are heard`() {
        let script = SilentScript()
        script.hear(ssdp(uuid(1), at: "http://10.0.0.1/d"))
        script.renderer()
        script.describe(uuid(1), as: "upnp:MediaRenderer:1", ["friendlyName": "A"])
        var rows = 0
        for case .removed(let sighting, _) in script.reports {
            rows += 1
            #expect(sighting.service.type == "upnp:rootdevice")
        }
        #expect(rows == 1 && script.rows.count == 1)
    }

    @Test(arguments: [true, false])
    func `devices in a device are that device, whichever is heard first`(isRootFirst: Bool) {
        let script = SilentScript()
        let root = ssdp(uuid(1), at: "http://10.0.0.1/d")
        let inner = ssdp(uuid(2), "upnp:WANDevice:1", at: "http://10.0.0.1/d")
        for statement in isRootFirst ? [root, inner] : [inner, root] { script.hear(statement) }
        #expect(script.rows.map(\.identity.value) == [uuid(1)])
        #expect(script.rows.first?.services.map(\.type) == ["upnp:WANDevice:1"])
        script.hear(ssdp(uuid(2), "upnp:WANDevice:1", isGoodbye: true))
        #expect(script.rows.first?.services.map(\.type) == ["upnp:rootdevice"])
    }

    @Test func `a device that names no root within some seconds is one itself`() {
        let script = SilentScript()
        script.hear(ssdp(uuid(2), "upnp:Basic:1", at: "http://10.0.0.1/d"))
        #expect(script.rows.isEmpty)
        script.wait(3)
        #expect(script.rows.map(\.identity.value) == [uuid(2)])
    }

    @Test func `a goodbye of the root device is one of all, and of a service of that one`() {
        let script = SilentScript()
        script.renderer()
        script.hear(ssdp(uuid(1), "upnp:AVTransport:1", isGoodbye: true))
        #expect(script.rows.first?.services.map(\.type) == ["upnp:MediaRenderer:1"])
        script.hear(ssdp(uuid(1), isGoodbye: true))
        #expect(script.rows.isEmpty)
        guard case .forgotten? = script.reports.last else {
            Issue.record("its records are kept")
            return
        }
    }

    @Test func `what is not repeated within its time has expired, and returns when it is heard`() {
        let script = SilentScript()
        script.renderer(lifetime: 100)
        script.wait(60)
        script.hear(
            ssdp(uuid(1), "upnp:MediaRenderer:1", at: "http://10.0.0.1:80/d", lifetime: 100))
        script.wait(41)
        #expect(script.rows.first?.services.count == 2 && script.requests.last == .askAll)
        script.wait(10)
        #expect(script.rows.first?.services.map(\.type) == ["upnp:MediaRenderer:1"])
        script.wait(50)
        #expect(script.rows.count == 1 && script.requests.last == .askAll)
        script.wait(10)
        #expect(script.rows.isEmpty)
        let ends = script.reports.compactMap { kind -> Departure? in
            guard case .removed(let sighting, let departure) = kind else { return nil }
            return sighting.service.type == "upnp:rootdevice" ? nil : departure
        }
        #expect(ends.allSatisfy { $0 == .expired } && ends.count == 2)
        script.renderer()
        #expect(script.rows.count == 1)
        #expect(script.table.count == 1)
    }

    @Test func `a device of WS-Discovery that is silent for long is asked before it has left`() {
        let script = SilentScript()
        script.hear(wsd(uuid(3), ["wsd:pub:Computer"], at: "http://10.0.0.1:5357/x"))
        script.wait(1_800)
        #expect(script.requests.last == .askAll)
        #expect(script.rows.count == 1)
        script.hear(wsd(uuid(3), ["wsd:pub:Computer"], at: "http://10.0.0.1:5357/x"))
        script.wait(20)
        #expect(script.rows.count == 1, "it has answered")
        script.wait(1_800)
        script.wait(10)
        #expect(script.rows.isEmpty)
    }

    @Test func `a device that was not heard while the machine slept is asked before it has left`() {
        let script = SilentScript()
        script.renderer()
        script.wait(7_200)
        #expect(script.requests.last == .askAll)
        #expect(script.rows.first?.services.count == 2)
        script.renderer()
        script.wait(20)
        #expect(script.rows.first?.services.count == 2, "it has answered")
        script.wait(7_200)
        #expect(script.rows.count == 1)
        script.wait(10)
        #expect(script.rows.isEmpty)
    }

    @Test func `a device of WS-Discovery without an address is asked for it once`() {
        let script = SilentScript()
        let path = NetworkPath(interface: eth0, family: .ipv4)
        let key = SilentDevice.Key(speaker: .wsd, device: uuid(3))
        for _ in 0..<3 { script.hear(wsd(uuid(3), ["wsd:pub:Computer"])) }
        #expect(script.requests == [.resolve(key, path)])
        script.hear(wsd(uuid(3), ["wsd:pub:Computer"], at: "http://10.0.0.1:5357/x"))
        #expect(
            script.requests.last
                == .fetch(key, url: "http://10.0.0.1:5357/x", from: address(1), path))
    }

    @Test func `an address that another machine has now is no longer the device's`() {
        let script = SilentScript()
        script.renderer(uuid(1), from: 7, mac: mac)
        script.renderer(uuid(2), from: 7, mac: otherMAC)
        #expect(script.rows.map(\.identity.value) == [uuid(2)])
    }

    @Test func `another sender does not speak for a device, unless it is the same machine`() {
        let script = SilentScript()
        script.renderer(from: 1, mac: mac)
        script.renderer(from: 9, mac: otherMAC)
        #expect(script.rows.map(\.addresses) == [["10.0.0.1"]])
        script.renderer(from: 8)
        #expect(script.rows.map(\.addresses) == [["10.0.0.1"]])
        let path = NetworkPath(interface: eth0, family: .ipv4)
        #expect(
            script.requests.last == .ask(.ssdp, address(8), path),
            "so that its MAC address is known")
        script.renderer(from: 8, mac: mac)
        #expect(script.rows.map(\.addresses) == [["10.0.0.8"]], "it has another address now")
    }

    @Test func `a goodbye counts only from the machine of the device`() {
        let script = SilentScript()
        script.renderer(mac: mac)
        script.hear(ssdp(uuid(1), isGoodbye: true), from: 66, mac: otherMAC)
        script.hear(ssdp(uuid(1), isGoodbye: true), from: 66)
        #expect(script.rows.count == 1)
        script.hear(ssdp(uuid(1), isGoodbye: true), from: 8, mac: mac)
        #expect(script.rows.isEmpty, "from another address of its own")
    }

    @Test func `a goodbye of a device in a device is not one of the whole`() {
        let script = SilentScript()
        script.hear(ssdp(uuid(1), "upnp:Basic:1", at: "http://10.0.0.1/d"))
        script.hear(ssdp(uuid(1), at: "http://10.0.0.1/d"))
        script.hear(ssdp(uuid(2), "upnp:WANDevice:1", at: "http://10.0.0.1/d"))
        script.hear(ssdp(uuid(2), isGoodbye: true))
        #expect(script.rows.first?.services.map(\.type) == ["upnp:Basic:1", "upnp:WANDevice:1"])
    }

    @Test func `a sender whose MAC address is not known is no address of a known machine`() {
        let script = SilentScript()
        script.renderer(mac: mac)
        let ipv6 = HostAddress(
            bytes: [0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [0x66], interface: "eth0")
        script.hear(ssdp(uuid(1), at: "http://[fe80::66]/x"), from: ipv6)
        #expect(script.rows.map(\.addresses) == [["10.0.0.1"]])
        let path = NetworkPath(interface: eth0, family: .ipv6)
        #expect(script.requests.last == .ask(.ssdp, ipv6, path))
        script.hear(ssdp(uuid(1), at: "http://[fe80::66]/x"), from: ipv6, mac: otherMAC)
        #expect(script.rows.map(\.addresses) == [["10.0.0.1"]])
        let fetches = script.requests.filter { if case .fetch = $0 { true } else { false } }
        #expect(fetches.count == 1)
    }

    @Test func `a device that gets another address stays, with its description`() {
        let script = SilentScript()
        script.renderer(from: 1, mac: mac)
        script.describe(uuid(1), as: "upnp:MediaRenderer:1", ["friendlyName": "Living Room"])
        let id = script.rows.first?.id
        let reports = script.reports.count
        script.renderer(from: 8, mac: mac)
        #expect(script.rows.map(\.name) == ["Living Room"] && script.rows.first?.id == id)
        #expect(script.rows.map(\.addresses) == [["10.0.0.8"]])
        for case .removed in script.reports[reports...] { Issue.record("it has not left") }
    }

    @Test func `a computer with two types is asked once before it has left, also after a sleep`() {
        let script = SilentScript()
        let types = ["wsd:pub:Computer", "wsd:wsdp:Device"]
        script.hear(wsd(uuid(3), types, at: "http://10.0.0.1:5357/x"))
        script.wait(7_200)
        #expect(script.requests.filter { $0 == .askAll }.count == 1)
        #expect(script.rows.first?.services.count == 2)
        script.hear(wsd(uuid(3), types, at: "http://10.0.0.1:5357/x"))
        script.wait(20)
        #expect(script.rows.first?.services.count == 2)
        for case .removed in script.reports { Issue.record("it has not left") }
    }

    @Test func `a neighbour with two addresses keeps both`() throws {
        let script = SilentScript()
        let mac = try #require(mac)
        let path = NetworkPath(interface: eth0, family: .ipv4)
        for _ in 0..<3 {
            for last: UInt8 in [4, 5] {
                script.perform(
                    script.table.see(mac, at: address(last), on: path, script.now * 1_000_000))
            }
            script.wait(30)
        }
        #expect(script.rows.map(\.addresses) == [["10.0.0.4", "10.0.0.5"]])
        for case .removed in script.reports { Issue.record("it has not left") }
    }

    @Test func `why a description was not fetched is told, and it is tried again after a minute`() {
        let script = SilentScript()
        script.renderer()
        let key = SilentDevice.Key(speaker: .ssdp, device: uuid(1))
        script.perform(
            script.table.describe(
                key, as: "it takes more than two seconds", at: script.now * 1_000_000))
        let values = { script.rows.first?.services.first?.txt }
        #expect(
            values()?["description"] == .text("not fetched: it takes more than two seconds"))
        let fetches = {
            script.requests.count { if case .fetch = $0 { true } else { false } }
        }
        script.wait(30)
        script.renderer()
        #expect(fetches() == 1)
        script.wait(31)
        script.renderer()
        script.renderer()
        #expect(fetches() == 2)
        script.describe(uuid(1), as: nil, ["friendlyName": "A"])
        #expect(values()?["description"] == nil && script.rows.map(\.name) == ["A"])
        script.wait(61)
        script.renderer()
        #expect(fetches() == 2)
    }

    @Test func `URLs that differ by family are one description`() {
        let script = SilentScript()
        let ipv6 = HostAddress(
            bytes: [0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [1], interface: "eth0")
        for _ in 0..<3 {
            script.renderer()
            script.describe(uuid(1), as: nil, ["friendlyName": "A"])
            script.hear(ssdp(uuid(1), at: "http://[fe80::1]/d"), from: ipv6)
        }
        let fetches = script.requests.filter { if case .fetch = $0 { true } else { false } }
        #expect(fetches.count == 1)
    }

    @Test func `strangers cannot have many asked`() {
        let script = SilentScript()
        script.renderer(mac: mac)
        for last in UInt8(50)..<200 { script.renderer(from: last) }
        for number in 10..<60 { script.hear(wsd(uuid(number), ["wsd:pub:Computer"]), from: 2) }
        let asked = script.requests.filter { if case .fetch = $0 { false } else { true } }
        #expect(asked.count == 2, "one of each kind in a second")
    }

    @Test func `after a long loss of its link a device returns with its addresses`() {
        let script = SilentScript()
        script.renderer(mac: mac)
        let path = NetworkPath(interface: eth0, family: .ipv4)
        script.table.lose([path])
        script.list.feed(.linkExpired(eth0, [.ipv4]))
        #expect(script.rows.isEmpty)
        script.list.feed(.linkBack(eth0))
        script.table.find([path], at: script.now * 1_000_000)
        script.renderer(mac: mac)
        #expect(script.rows.map(\.addresses) == [["10.0.0.1"]])
        #expect(script.rows.first?.macs.count == 1)
        #expect(script.list.listing.openCount == 0)
    }

    @Test func `a device is heard over both families as one`() {
        let script = SilentScript()
        script.renderer()
        let ipv6 = HostAddress(
            bytes: [0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [1], interface: "eth0")
        script.hear(ssdp(uuid(1), "upnp:MediaRenderer:1", at: "http://10.0.0.1:80/d"), from: ipv6)
        #expect(script.rows.map(\.addresses) == [["10.0.0.1", "fe80::1%eth0"]])
        #expect(script.rows.first?.services.count == 2)
    }

    @Test func `a question that is not answered makes a device silent, until it is heard again`() {
        let script = SilentScript()
        script.renderer()
        let ids = script.rows.flatMap(\.services).map(\.id)
        #expect(ids.allSatisfy(script.table.hasService) && !script.table.hasService(UUID()))
        #expect(script.table.addresses(of: ids).map(\.0) == [address(1)])
        script.wait(5)
        let result = script.table.settle(ids, askedAt: script.now * 1_000_000)
        script.perform(result.effects)
        #expect(result.answered.isEmpty && script.rows.first?.presence == .unanswered)
        script.renderer()
        #expect(script.rows.first?.presence == .present)
        let again = script.table.settle(ids, askedAt: script.now * 1_000_000)
        #expect(again.answered == Set(ids))
    }

    @Test func `a device on a path that was lost has left unless it answers after the return`() {
        let script = SilentScript()
        script.renderer(uuid(1), from: 1)
        script.renderer(uuid(2), from: 2)
        let path = NetworkPath(interface: eth0, family: .ipv4)
        script.table.lose([path])
        script.list.feed(.linkLost(eth0, [.ipv4], reason: "eth0 is down"))
        #expect(script.rows.map(\.presence) == [.unknown, .unknown])
        script.list.feed(.linkBack(eth0))
        script.table.find([path], at: script.now * 1_000_000)
        script.renderer(uuid(1), from: 1)
        #expect(script.rows.map(\.presence) == [.present, .unknown])
        script.wait(10)
        #expect(script.rows.map(\.identity.value) == [uuid(1)])
    }

    @Test func `a daemon that goes away takes nothing with it that others tell`() {
        let script = SilentScript()
        script.renderer()
        script.list.feed(.lost(reason: "avahi-daemon went away"))
        #expect(script.rows.map(\.presence) == [.present])
        script.list.feed(.handedOver(to: .embedded, host: "me.local"))
        script.list.feed(.caughtUp)
        #expect(script.rows.count == 1)
    }

    @Test func `a neighbour is a row by its MAC address, and tells nothing`() throws {
        let script = SilentScript()
        let mac = try #require(mac)
        let path = NetworkPath(interface: eth0, family: .ipv4)
        script.perform(script.table.see(mac, at: address(4), on: path, 0))
        let row = try #require(script.rows.first)
        #expect(row.name == "10.0.0.4" && row.protocols == [.neighbours] && row.macs == [mac.text])
        #expect(row.identity.source == .endpoint && row.identity.value == "mac:" + mac.text)
        script.wait(301)
        #expect(script.rows.isEmpty)
    }

    @Test func `what one sender or all tell is bounded`() {
        let script = SilentScript()
        for number in 0..<SilentTable.senderLimit + 10 {
            script.hear(ssdp(uuid(number), at: "http://10.0.0.1/\(number)"))
        }
        #expect(script.table.count == SilentTable.senderLimit && script.table.omittedCount == 10)
        for number in 0..<SilentDevice.serviceLimit + 10 {
            script.hear(ssdp(uuid(0), "upnp:S\(number):1"))
        }
        let services = script.rows.flatMap(\.services).filter {
            $0.name == String(uuid(0).dropFirst(5))
        }
        #expect(services.count == SilentDevice.serviceLimit - 1, "one is of the device itself")
    }
}
