// Tests what the doctor tells of other protocols than multicast DNS.
import PeerModel
import PeerSilent
import Testing

@testable import PeerDoctor

@Suite struct ProtocolsCheckTests {
    private static let eth0 = NetworkInterface(index: 2, name: "eth0")

    private static func inquiry(
        _ source: DiscoveryProtocol, _ family: AddressFamily, error: String? = nil
    ) -> SilentBrowser.Inquiry {
        SilentBrowser.Inquiry(
            source: source, path: NetworkPath(interface: eth0, family: family),
            time: Timestamp(microseconds: 1_000_000), error: error)
    }

    static let asked = ProtocolsCheck(
        inquiries: [
            inquiry(.ssdp, .ipv6), inquiry(.ssdp, .ipv4), inquiry(.wsd, .ipv4),
            inquiry(.wsd, .ipv6, error: "Network is unreachable"),
        ], counts: [.ssdp: 2])

    @Test func `each protocol tells where and when it asked, and how many answered`() {
        let findings = Self.asked.findings
        #expect(findings.map(\.outcome) == [.ok, .ok, .unknown])
        #expect(findings[0].text.hasPrefix("SSDP: 2 devices answered, asked at "))
        #expect(
            findings[0].text.hasSuffix(
                " on eth0 over IPv4 and IPv6; 'peerlist --only ssdp' lists them."))
        #expect(findings[1].text.hasPrefix("WS-Discovery: 0 devices answered, asked at "))
        #expect(
            findings[2].text
                == "WS-Discovery: not asked on eth0 over IPv6: Network is unreachable.")
    }

    @Test func `without an interface there is nothing to ask`() {
        #expect(ProtocolsCheck(inquiries: [], counts: [:]).findings.map(\.outcome) == [.unknown])
    }
}
