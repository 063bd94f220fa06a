// Tests the parsing of broker URLs.
import PeerFleet
import Testing

@Suite struct BrokerURLTests {
    @Test func `a text without a scheme is refused`() {
        #expect(throws: BrokerURLError.self) { try BrokerURL("broker.example") }
    }
}
