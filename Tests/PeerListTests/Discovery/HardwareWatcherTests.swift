// Tests when the neighbour table is read.
import FoundationEssentials
import PeerList
import PeerListTestSupport
import StackProtocol
import Testing

@Suite struct HardwareWatcherTests {
    /// 00:00:5e:00:53:`last`.
    private func mac(_ last: UInt8) throws -> MACAddress {
        try #require(MACAddress(bytes: [0, 0, 0x5e, 0, 0x53, last]))
    }

    /// An engine with a host that has the address 10.0.0.`last`.
    private func bring(_ script: EngineScript, _ host: String = "h1.local", at last: UInt8 = 1) {
        script.bring("Web on \(host)", on: host)
        script.exhaustAddresses(of: Identity.canonical(host))
        script.addressAppears(last, of: Identity.canonical(host))
    }

    private func reported(_ script: EngineScript) -> [String] {
        script.reports.compactMap { kind in
            guard case .hardware(let host, let macs) = kind else { return nil }
            return ([host.name] + macs.map(\.text)).joined(separator: " ")
        }
    }

    // MARK: Reading the table

    @Test func `the table is read 0.5 s after the first report and 2 s after the last one`() {
        let script = EngineScript.running()
        script.pass(.seconds(60))
        #expect(script.readings.isEmpty)
        let start = script.now
        bring(script)
        script.pass(.milliseconds(200))
        bring(script, "h2.local", at: 2)
        script.pass(.seconds(1_000))
        #expect(
            script.readings == [
                start + .milliseconds(500), start + .milliseconds(2_200),
            ])
    }

    @Test func `it is read at most twice in 10 s, however many addresses are reported`() {
        let script = EngineScript.running()
        for number in UInt8(1)...60 {
            bring(script, "h\(number).local", at: number)
            script.pass(.milliseconds(700))
        }
        let readings = script.readings
        #expect(readings.count >= 5)
        for (first, third) in zip(readings, readings.dropFirst(2)) {
            #expect(third - first >= .seconds(10))
        }
    }

    @Test func `it is read when a verification is over, which tells what is silent`() throws {
        let script = EngineScript.running()
        bring(script)
        script.pass(.seconds(60))
        #expect(reported(script).isEmpty)
        script.neighbours.add(try mac(1), of: [10, 0, 0, 1], interface: 2)
        script.pass(.seconds(60))
        #expect(reported(script).isEmpty)
        script.send(.verify([key("Web on h1.local").id], 1))
        script.pass(.seconds(60))
        #expect(reported(script).isEmpty)
        script.answerProbes { _ in [] }
        script.pass(.seconds(1))
        #expect(reported(script) == ["h1.local 00:00:5e:00:53:01"])
    }

    @Test func `MAC addresses are reported once, and only of the interfaces of the host`() throws {
        let script = EngineScript.running()
        script.neighbours.add(try mac(1), of: [10, 0, 0, 1], interface: 2)
        script.neighbours.add(try mac(2), of: [10, 0, 0, 2], interface: 3)
        bring(script, "H1.local", at: 1)
        bring(script, "h2.local", at: 2)
        script.pass(.seconds(60))
        #expect(reported(script) == ["H1.local 00:00:5e:00:53:01"])
    }

    @Test func `a MAC address stays known while its host has the address`() throws {
        let script = EngineScript.running()
        script.neighbours.add(try mac(1), of: [10, 0, 0, 1], interface: 2)
        bring(script)
        script.pass(.seconds(20))
        script.neighbours = NeighbourTable()
        bring(script, "h2.local", at: 2)
        script.pass(.seconds(20))
        #expect(reported(script) == ["h1.local 00:00:5e:00:53:01"])
        script.addressDisappears(1, of: "h1.local")
        script.addressAppears(3, of: "h1.local")
        script.pass(.seconds(20))
        #expect(reported(script) == ["h1.local 00:00:5e:00:53:01", "h1.local"])
    }

    @Test func `of a host with many MAC addresses the first 16 are reported`() throws {
        let script = EngineScript.running()
        script.bring("Web", on: "h1.local")
        script.exhaustAddresses(of: "h1.local")
        for last in UInt8(1)...40 {
            script.neighbours.add(try mac(last), of: [10, 0, 0, last], interface: 2)
            script.addressAppears(last, of: "h1.local")
        }
        script.pass(.seconds(20))
        #expect(reported(script).last?.split(separator: " ").count == 17)
        #expect(reported(script).last?.hasSuffix(":53:10") == true)
    }

    @Test func `a host that is back, and all after a backend's return, are reported again`() throws
    {
        let script = EngineScript.running()
        script.neighbours.add(try mac(1), of: [10, 0, 0, 1], interface: 2)
        bring(script)
        script.pass(.seconds(20))
        script.disappear("Web on h1.local")
        bring(script)
        script.pass(.seconds(20))
        #expect(reported(script).count == 2)
        script.change { $0.state = .failed }
        script.connect(.daemon)
        script.pass(.seconds(20))
        bring(script)
        script.pass(.seconds(20))
        #expect(reported(script).count == 3)
    }
}
