// Tests of devices that withdraw their services one after the other.
import FoundationEssentials
import PeerModel
import PeerListTestSupport
import Testing

@Suite struct WithdrawalTests {
    private let script = EventScript()
    private let uuid = ["UUID=4509a320-00a0-008f-00b6-008877510fca"]

    private func withdraw(_ name: String, _ type: String = "_http._tcp") -> PeerListUpdate? {
        script.feed(.removed(sighting(name, type)))
    }

    /// A printer with a web page, known by the UUID of its print service.
    private func bringPrinter(on host: String = "h1.local") {
        script.bring("Web", on: host)
        script.bring("Office", "_ipp._tcp", on: host, txt: uuid + ["ty=Brother HL-L2350DW"])
    }

    @Test func `a device that leaves keeps its identifier, name, kind and model to the end`() {
        bringPrinter()
        let before = script.peers.first
        let change = withdraw("Office", "_ipp._tcp")?.items
        #expect(change?.replacements.isEmpty == true)
        #expect(change?.departures.isEmpty == true)
        let kept = script.peers.first
        #expect(kept?.services.map(\.name) == ["Web"])
        #expect(kept?.id == before?.id && kept?.identity == before?.identity)
        #expect(kept?.name == before?.name && kept?.kind == .printer)
        #expect(kept?.model == before?.model)
        let end = withdraw("Web")?.items
        #expect(end?.departures.keys.map(\.self) == before.map { [$0.id] })
        #expect(script.feed(.forgotten(key("Office", "_ipp._tcp"))) == nil)
    }

    @Test func `a device that stays is known by its other records two seconds later`() {
        bringPrinter()
        let before = script.peers.first
        _ = withdraw("Office", "_ipp._tcp")
        let update = script.feed(.forgotten(key("Office", "_ipp._tcp")))
        #expect(update?.cause == .identity)
        #expect(update?.items.replacements[before?.id ?? UUID()] == script.peers.first?.id)
        let fresh = EventScript()
        fresh.bring("Web", on: "h1.local")
        #expect(script.peers.first?.id == fresh.peers.first?.id)
        #expect(script.peers.first?.kind == fresh.peers.first?.kind)
    }

    @Test func `the records are kept until the last of several withdrawn services is forgotten`() {
        bringPrinter()
        script.bring("Files", "_smb._tcp", on: "h1.local")
        let id = script.peers.first?.id
        _ = withdraw("Office", "_ipp._tcp")
        _ = withdraw("Files", "_smb._tcp")
        #expect(script.feed(.forgotten(key("Office", "_ipp._tcp"))) == nil)
        #expect(script.peers.first?.id == id)
        #expect(script.feed(.forgotten(key("Files", "_smb._tcp")))?.cause == .identity)
    }

    @Test func `a service that is found again has only its new records`() {
        bringPrinter()
        let before = script.peers.first
        _ = withdraw("Office", "_ipp._tcp")
        script.bring("Office", "_ipp._tcp", on: "h1.local", txt: ["ty=Another"])
        script.feed(.forgotten(key("Office", "_ipp._tcp")))
        #expect(script.peers.first?.identity.source == .hostName)
        #expect(script.peers.first?.model == "Another")
        #expect(script.peers.first?.id != before?.id)
    }

    @Test
    func `withdrawn evidence is granted to another host that announces it, without a conflict`() {
        bringPrinter()
        let id = script.peers.first?.id
        _ = withdraw("Office", "_ipp._tcp")
        script.bring("Office", "_ipp._tcp", on: "h2.local", txt: uuid)
        #expect(script.peers.first { $0.host == "h2.local" }?.id == id)
        #expect(script.notices.isEmpty)
    }

    @Test func `a host that withdraws any number of services keeps the records of some`() {
        script.bring("Web", on: "h1.local")
        for number in 0..<300 {
            script.bring("s\(number)", "_ipp._tcp", on: "h1.local", txt: uuid)
            _ = withdraw("s\(number)", "_ipp._tcp")
        }
        script.feed(.forgotten(key("s299", "_ipp._tcp")))
        #expect(script.peers.first?.identity.source == .hostName)
        #expect(script.peers.first?.services.map(\.name) == ["Web"])
    }

    @Test(arguments: Grouping.allCases)
    func `the probe of a machine that asks whether it is visible is not listed`(
        grouping: Grouping
    ) {
        let script = EventScript(ListOptions(grouping: grouping))
        let probe = key("doctor 845889", "_peerlist._tcp")
        script.feed(.found(sighting("doctor 845889", "_peerlist._tcp")))
        #expect(script.feed(.pending(probe)) == nil)
        let nonce = "probe=" + String(repeating: "0a", count: 16)
        let resolution = resolution("h7.local", txt: [nonce])
        #expect(script.feed(.resolved(probe, resolution)) == nil)
        #expect(script.items.isEmpty)
        script.bring("h7", "_peerlist._tcp", on: "h7.local")
        #expect(script.items.map(\.displayName) == ["h7"])
        #expect(script.items.flatMap(\.peer.services).map(\.name) == ["h7"])
    }
}
