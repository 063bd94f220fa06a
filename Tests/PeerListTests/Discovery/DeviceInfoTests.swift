// Tests which device-info records are looked up, and when.
import FoundationEssentials
import PeerList
import PeerListTestSupport
import StackProtocol
import Testing

@Suite struct DeviceInfoTests {
    private let model = "model=Macmini9,1"

    /// The data of a TXT record of strings.
    private func data(_ strings: String...) -> [UInt8] {
        strings.flatMap { [UInt8($0.utf8.count)] + $0.utf8 }
    }

    private func bring(
        _ script: EngineScript, _ name: String, _ type: String = "_http._tcp", on host: String
    ) {
        script.announceType(type)
        script.appear(name, type)
        let found = Resolution(host: host, port: 80, txt: TXTRecord(), address: nil)
        script.send(.resolved(found, isCached: false), of: .resolver(key(name, type).id))
    }

    private func answer(_ script: EngineScript, _ host: String, _ name: String, _ data: [UInt8]) {
        script.send(
            .recordAppeared(data: data, EngineScript.eth0v4),
            of: .deviceInfo(host: host, name: name))
    }

    /// The hosts and records that were reported, in order.
    private func reported(_ script: EngineScript) -> [String] {
        script.reports.compactMap { kind in
            guard case .deviceInfo(let host, let txt) = kind else { return nil }
            return ([host.name] + txt.pairs.map { "\($0.key)=\($0.value)" }).joined(separator: " ")
        }
    }

    @Test func `a new host is asked by its label, and the first answer ends that for good`() {
        let script = EngineScript.running()
        bring(script, "Web", on: "H1.local")
        let lookup = LookupKey.deviceInfo(host: "h1.local", name: "h1")
        guard case .records(.txt, of: let record, _)? = script.open[lookup] else {
            Issue.record("no record browser is open")
            return
        }
        #expect(
            record == ServiceInstance(name: "h1", type: "_device-info._tcp", domain: "local"))
        script.send(.cacheExhausted, of: lookup)
        answer(script, "h1.local", "h1", data(model))
        #expect(script.deviceInfoNames.isEmpty)
        #expect(reported(script) == ["H1.local model=text(\"Macmini9,1\")"])
        bring(script, "Files", "_smb._tcp", on: "h1.local")
        script.pass(.seconds(200))
        #expect(script.opened.count { if case .deviceInfo = $0 { true } else { false } } == 1)
    }

    @Test func `a host that does not answer within 3 s is not asked again`() {
        let script = EngineScript.running()
        bring(script, "Web", on: "h1.local")
        script.pass(.milliseconds(2_999))
        #expect(script.deviceInfoNames == ["h1"])
        script.pass(.milliseconds(1))
        #expect(script.deviceInfoNames.isEmpty)
        script.answer("Web", on: "h1.local")
        script.pass(.seconds(200))
        #expect(script.opened.count { if case .deviceInfo = $0 { true } else { false } } == 1)
        #expect(reported(script).isEmpty)
        #expect(script.notices(.lookupFailed).isEmpty)
    }

    @Test func `a host is asked by the name of the computer too, but not by that of a room`() {
        let script = EngineScript.running()
        bring(script, "Living Room", "_airplay._tcp", on: "h1.local")
        bring(script, "H1", "_ssh._tcp", on: "h1.local")
        bring(script, "Ann's Mac", "_Companion-Link._tcp", on: "h1.local")
        bring(script, "Ann's Mac", "_smb._tcp", on: "h1.local")
        #expect(script.deviceInfoNames == ["Ann's Mac", "h1"])
        answer(script, "h1.local", "Ann's Mac", data(model))
        #expect(script.deviceInfoNames.isEmpty, "one answer ends both")
        #expect(reported(script).count == 1)
    }

    @Test func `a host is asked by three names at most`() {
        let script = EngineScript.running()
        for number in 0..<9 { bring(script, "Name \(number)", "_ssh._tcp", on: "h1.local") }
        #expect(script.deviceInfoNames == ["Name 0", "Name 1", "h1"])
    }

    @Test func `a host of another domain has no label to ask for`() {
        let script = EngineScript.running()
        bring(script, "Web", on: "h1.example.org")
        bring(script, "Web 2", on: "h2")
        #expect(script.deviceInfoNames == ["h2"])
    }

    @Test func `of many hosts eight are asked at once, and each in turn`() {
        let script = EngineScript.running()
        for number in 0..<100 { bring(script, "Web \(number)", on: "h\(number).local") }
        #expect(script.deviceInfoNames.count == 8)
        answer(script, "h3.local", "h3", data(model))
        #expect(script.deviceInfoNames.count == 8, "the place is taken by the next")
        script.pass(.seconds(3 * 13))
        #expect(script.deviceInfoNames.isEmpty)
        let asked = script.opened.compactMap {
            if case .deviceInfo(let host, _) = $0 { host } else { nil }
        }
        #expect(asked == (0..<100).map { "h\($0).local" })
    }

    @Test func `services that wait to be resolved come first`() {
        let script = EngineScript.running()
        script.announceType("_http._tcp")
        for number in 0..<40 { script.appear("Web \(number)") }
        script.answer("Web 0", on: "h0.local")
        #expect(script.deviceInfoNames.isEmpty)
        for number in 1..<40 { script.answer("Web \(number)", on: "h0.local") }
        #expect(script.deviceInfoNames == ["h0"])
    }

    @Test func `a host that is gone is not asked any more`() {
        let script = EngineScript.running()
        for number in 0..<9 { bring(script, "Web \(number)", on: "h\(number).local") }
        script.disappear("Web 8")
        script.disappear("Web 0")
        #expect(script.deviceInfoNames == (1..<8).map { "h\($0)" })
        script.pass(.seconds(60))
        bring(script, "Web 0", on: "h0.local")
        #expect(script.deviceInfoNames == ["h0"], "a host that comes back is new")
    }

    @Test func `records that are empty, large or damaged are not reported`() {
        let script = EngineScript.running()
        bring(script, "Web", on: "h1.local")
        let large = (0..<9).map { "k\($0)=" + String(repeating: "v", count: 200) }
        for data in [
            [], [0], [9, 0x61], data("=value"), large.flatMap { data($0) },
        ] as [[UInt8]] {
            answer(script, "h1.local", "h1", data)
        }
        #expect(reported(script).isEmpty)
        answer(script, "h1.local", "h1", data(model))
        #expect(reported(script).count == 1)
    }

    @Test func `lookups that the stack refuses are given up without a word`() {
        let script = EngineScript.running()
        script.refuses = { key in
            if case .deviceInfo = key { .tooManyObjects } else { nil }
        }
        bring(script, "Web", on: "h1.local")
        script.pass(.seconds(60))
        #expect(script.notices(.lookupFailed).isEmpty)
        #expect(script.notices(.objectLimit).isEmpty)
        #expect(script.recordBrowserCount == 2, "other lookups stay open")
        #expect(script.opened.contains(.resolver(key("Web").id)))
    }

    @Test func `lookups of records are closed before fewer services are resolved at once`() {
        let script = EngineScript.running()
        for number in 0..<140 { bring(script, "Web \(number)", on: "h\(number).local") }
        #expect(script.deviceInfoNames.count == 8)
        #expect(script.recordBrowserCount == 0)
        script.refuses = { if case .resolver = $0 { .tooManyObjects } else { nil } }
        script.appear("Refused")
        #expect(script.deviceInfoNames.isEmpty)
        script.refuses = { _ in nil }
        for number in 0..<40 { script.appear("Later \(number)") }
        let resolvers = script.open.keys.count { if case .resolver = $0 { true } else { false } }
        #expect(resolvers == 32)
    }

    @Test func `none are opened once the stack has refused other lookups`() {
        let script = EngineScript.running()
        script.refuses = { if case .resolver = $0 { .tooManyObjects } else { nil } }
        script.announceType("_http._tcp")
        script.appear("Web")
        script.refuses = { _ in nil }
        script.pass(.seconds(10))
        script.answer("Web", on: "h1.local")
        #expect(script.deviceInfoNames.isEmpty)
    }

    @Test func `after a backend's return hosts are asked again`() {
        let script = EngineScript.running()
        bring(script, "Web", on: "h1.local")
        script.change { $0.state = .failed }
        #expect(script.deviceInfoNames.isEmpty)
        script.connect(.daemon)
        #expect(script.deviceInfoNames.isEmpty)
        bring(script, "Web", on: "h1.local")
        #expect(script.deviceInfoNames == ["h1"])
    }
}
