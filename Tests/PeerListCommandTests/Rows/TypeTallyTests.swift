// Tests the checklist of service types.
import PeerList
import Testing

@testable import PeerListCommand

@Suite struct TypeTallyTests {
    @Test func `types are ordered by title, and hidden types stay without services`() {
        let nas = device("nas", "http:a", "http:b", "zz")
        var network = Network(.device, [nas, device("p", "ipp", "http")])
        let hidden: Set = ["_ipp._tcp", "_ssh._tcp"]
        func rows(_ network: Network) -> [String] {
            TypeTally(network.seen, hidden: hidden).entries.map {
                "\($0.isShown ? "x" : "-") \($0.title) \($0.count)"
            }
        }
        #expect(
            rows(network) == [
                "- Internet printing 1", "- Secure shell 0", "x Web site 3", "x _zz._tcp 1",
            ])
        network.change { $0[nas.id] = nil }
        #expect(rows(network) == ["- Internet printing 1", "- Secure shell 0", "x Web site 1"])
    }
}
