// Tests when the addresses of a host are reported, and which hosts are watched at a low limit.
import PeerList
import PeerListTestSupport
import Testing

@Suite struct AddressTests {
    /// An engine that has known a service of a host with the addresses 10.0.0.1 and 10.0.0.2 for a while.
    private func settled() -> EngineScript {
        let script = EngineScript.running()
        script.bring("Web", on: "h1.local")
        script.exhaustAddresses(of: "h1.local")
        for last in 1...2 as ClosedRange<UInt8> { script.addressAppears(last, of: "h1.local") }
        script.pass(.seconds(60))
        return script
    }

    @Test func `first addresses are reported as they come, a later change as a whole`() {
        let script = settled()
        script.addressDisappears(1, of: "h1.local")
        script.addressAppears(7, of: "h1.local")
        script.pass(.milliseconds(2_500))
        script.addressAppears(8, of: "h1.local")
        script.addressDisappears(7, of: "h1.local")
        script.pass(.milliseconds(2_500))
        #expect(
            script.addresses(of: "h1.local") == [
                ["10.0.0.1"], ["10.0.0.1", "10.0.0.2"], ["10.0.0.2", "10.0.0.7"],
                ["10.0.0.2", "10.0.0.8"],
            ])
    }

    @Test func `after a backend's return the first addresses are reported together`() {
        let script = EngineScript.running()
        script.change { $0.state = .failed }
        script.connect(.daemon)
        script.bring("Web", on: "h1.local")
        script.exhaustAddresses(of: "h1.local")
        for last in 1...2 as ClosedRange<UInt8> { script.addressAppears(last, of: "h1.local") }
        script.pass(.milliseconds(300))
        script.addressAppears(3, of: "h1.local")
        #expect(
            script.addresses(of: "h1.local") == [
                ["10.0.0.1", "10.0.0.2"], ["10.0.0.1", "10.0.0.2", "10.0.0.3"],
            ])
    }

    @Test func `an address that returns within 2.5 s is no change`() {
        let script = settled()
        script.addressDisappears(1, of: "h1.local")
        script.pass(.seconds(1))
        script.addressAppears(1, of: "h1.local")
        script.pass(.seconds(10))
        #expect(script.addresses(of: "h1.local").count == 2)
        #expect(script.probes.isEmpty)
    }

    @Test func `a host that lost an address is probed, and the loss is reported if it answers`() {
        let script = settled()
        script.addressDisappears(1, of: "h1.local")
        script.pass(.milliseconds(2_500))
        let sent = script.answerProbes { Set($0.map(\.service.id)) }
        #expect(sent.map(\.id.purpose) == [.lostAddresses])
        #expect(script.addresses(of: "h1.local").last == ["10.0.0.2"])
        #expect(script.unanswered.isEmpty)
    }

    @Test func `a host that lost an address and does not answer is unanswered, and keeps it`() {
        let script = settled()
        script.addressDisappears(1, of: "h1.local")
        script.pass(.milliseconds(2_500))
        script.answerProbes { _ in [] }
        #expect(script.unanswered == ["Web"])
        #expect(script.addresses(of: "h1.local").last == ["10.0.0.1", "10.0.0.2"])
    }

    @Test func `a lost address is reported if the link cannot be queried`() {
        let script = settled()
        script.addressDisappears(1, of: "h1.local")
        script.pass(.milliseconds(2_500))
        script.answerProbes { _ throws(ProbeError) in throw ProbeError(code: 101) }
        #expect(script.addresses(of: "h1.local").last == ["10.0.0.2"])
    }

    /// Reports one address of each watched host until no host is watched; returns the sets of watched hosts.
    private func answerAll(_ script: EngineScript) -> [Set<String>] {
        var watched: [Set<String>] = []
        while let host = script.watchedHosts.min() {
            watched.append(script.watchedHosts)
            script.addressAppears(1, of: host)
            script.exhaustAddresses(of: host)
        }
        return watched
    }

    @Test func `if there are too many hosts to be watched, all are looked up in turn`() {
        let script = EngineScript.running()
        for number in 0..<100 { script.bring("s\(number)", on: "h\(number).local") }
        #expect(script.watchedHosts.count == 14)
        #expect(answerAll(script).allSatisfy { $0.count <= 14 })
        for number in 0..<100 {
            #expect(script.addresses(of: HostName("h\(number).local")) == [["10.0.0.1"]])
        }
    }

    @Test func `hosts are not looked up while many services wait to be resolved`() {
        let script = EngineScript.running()
        for number in 0..<130 { script.bring("s\(number)", on: "h.local") }
        _ = answerAll(script)
        for number in 0..<40 { script.appear("t\(number)") }
        for number in 0..<7 { script.answer("t\(number)", on: "h\(number).local") }
        #expect(script.watchedHosts == [], "a service has no room in flight yet")
        script.answer("t7", on: "h7.local")
        #expect(script.watchedHosts == Set((0..<8).map { "h\($0).local" }))
        for number in 8..<40 { script.answer("t\(number)", on: "h\(number).local") }
        #expect(answerAll(script).allSatisfy { $0.count <= 16 })
    }

    @Test
    func `a host that is not watched is looked up again when a lookup reports another address`() {
        let other = HostAddress(bytes: [10, 0, 0, 9], text: "10.0.0.9", interface: "eth0")
        let script = EngineScript.running()
        for number in 0..<200 { script.bring("s\(number)", on: "h1.local") }
        _ = answerAll(script)
        script.send(.verify([key("s7").id], 1))
        script.answerProbes { Set($0.map(\.service.id)) }
        script.answer("s7", on: "h1.local", at: other)
        #expect(script.watchedHosts == ["h1.local"])
    }

    @Test func `missing addresses of a host are waited for half a second`() {
        let script = EngineScript.running()
        for number in 0..<200 { script.bring("s\(number)", on: "h1.local") }
        script.exhaustAddresses(of: "h1.local")
        script.pass(.milliseconds(499))
        #expect(script.watchedHosts == ["h1.local"])
        script.pass(.milliseconds(1))
        #expect(script.watchedHosts == [])
    }

    @Test func `the link is queried for hosts that share an address, once, two seconds later`() {
        let script = EngineScript.running()
        for (host, last) in [("h1.local", 1), ("h2.local", 2), ("h3.local", 1)] {
            script.bring("Web of \(host)", on: host)
            script.addressAppears(UInt8(last), of: host)
            script.exhaustAddresses(of: host)
        }
        script.pass(.seconds(60))
        #expect(asked(script) == [["h1.local", "h3.local"]])
        script.addressAppears(9, of: "h2.local")
        script.pass(.seconds(60))
        #expect(asked(script).count == 1, "the hosts that share an address are the same")
        script.addressAppears(9, of: "h3.local")
        script.pass(.seconds(60))
        #expect(asked(script).last == ["h2.local", "h3.local"])
    }

    private func asked(_ script: EngineScript) -> [[String]] {
        script.others.compactMap { effect in
            if case .askForAddresses(let hosts, [EngineScript.eth0v4]) = effect {
                hosts
            } else {
                nil
            }
        }
    }
}
