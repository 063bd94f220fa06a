// Look-ups of hosts by the system's resolver.
import PeerSystem
import Testing

@Suite(.timeLimit(.minutes(10))) struct HostLookupTests {
    @Test func `names that the system resolves have their addresses, others none`() async {
        func addresses(_ host: String) async -> Set<String> {
            await HostLookup.addresses(of: host, within: .seconds(300))
        }
        #expect(await addresses("127.0.0.1") == ["127.0.0.1"])
        #expect(await !addresses("localhost").isDisjoint(with: ["127.0.0.1", "::1"]))
        #expect(await addresses("no such name").isEmpty)
        #expect(HostLookup.number("fe80::1%eth0") == "fe80::1")
    }
}
