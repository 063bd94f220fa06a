// Tests which row is this machine: decided by addresses, because any machine can have its name.
import PeerListTestSupport
import PeerModel
import Testing

@Suite struct OwnRowTests {
    private func own(_ script: EventScript) -> Set<String> {
        Set(script.peers.filter(\.isSelf).compactMap(\.host))
    }

    private func script() -> EventScript {
        let script = EventScript()
        script.feed(.running(host: "me.local"))
        script.feed(.ownAddresses([address(1), address(2)]))
        return script
    }

    /// Adds a host with a service and without addresses.
    private func bring(_ host: String, to script: EventScript) {
        let service = "Web of \(host)"
        script.feed(.found(sighting(service)))
        script.feed(.resolved(key(service), resolution(host, address: nil)))
    }

    @Test func `a machine with the name of this one and other addresses is another`() {
        let script = script()
        bring("me.local", to: script)
        #expect(own(script) == ["me.local"], "no address is known yet")
        script.feed(.addresses(host: "me.local", [address(9)]))
        #expect(own(script).isEmpty)
        script.feed(.addresses(host: "me.local", [address(2), address(9)]))
        #expect(own(script) == ["me.local"])
        script.feed(.ownAddresses([address(1)]))
        #expect(own(script).isEmpty)
    }

    @Test func `a host name that another program announces for this machine is this machine`() {
        let script = script()
        for host in ["me-2.local", "other.local", "unknown.local"] {
            bring(host, to: script)
        }
        script.feed(.addresses(host: "me-2.local", [address(1)]))
        script.feed(.addresses(host: "other.local", [address(1), address(9)]))
        #expect(own(script) == ["me-2.local"])
    }
}
