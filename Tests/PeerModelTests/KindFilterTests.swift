// Tests of lists of some kinds of devices, and of the order by kind.
import FoundationEssentials
import PeerListTestSupport
import PeerModel
import Testing

@Suite struct KindFilterTests {
    private func script(_ grouping: Grouping, _ kinds: DeviceKind...) -> EventScript {
        EventScript(ListOptions(grouping: grouping, kinds: kinds))
    }

    @Test func `only devices of the chosen kinds are listed`() {
        let script = script(.device, .printer, .nas)
        script.bring("Office", "_ipp._tcp", on: "h1.local")
        script.bring("Web", "_http._tcp", on: "h2.local")
        #expect(script.peers.map(\.host) == ["h1.local"])
        #expect(script.peers.first?.kind == .printer)
    }

    @Test func `a device is listed with all its services when its kind is learned`() {
        let script = script(.device, .printer)
        #expect(script.bring("Web", "_http._tcp", on: "h2.local") == nil)
        #expect(script.bring("Office", "_ipp._tcp", on: "h2.local")?.cause == .arrived)
        #expect(script.peers.first?.services.map(\.type) == ["_http._tcp", "_ipp._tcp"])
        script.feed(.removed(sighting("Office", "_ipp._tcp")))
        #expect(script.peers.first?.kind == .printer)
        let gone = script.feed(.forgotten(key("Office", "_ipp._tcp")))
        #expect(gone?.items.departures.values.map(\.reason) == [.removed])
        #expect(script.items.isEmpty)
    }

    @Test func `by type, only services of devices of the chosen kinds are listed`() {
        let script = script(.type, .printer)
        script.bring("Web", "_http._tcp", on: "h2.local")
        script.bring("Files", "_smb._tcp", on: "h3.local")
        #expect(script.items.isEmpty)
        script.bring("Office", "_ipp._tcp", on: "h2.local")
        #expect(script.items.map(\.name).sorted() == ["Office", "Web"])
        script.feed(.removed(sighting("Office", "_ipp._tcp")))
        script.feed(.forgotten(key("Office", "_ipp._tcp")))
        #expect(script.items.isEmpty)
    }

    @Test(arguments: Grouping.allCases)
    func `a service whose host is not known is of the kind that its type tells`(grouping: Grouping)
    {
        for kinds in [[], [DeviceKind.printer], [.camera]] {
            let script = EventScript(ListOptions(grouping: grouping, kinds: kinds))
            script.feed(.found(sighting("Office", "_ipp._tcp")))
            script.feed(.pending(key("Office", "_ipp._tcp")))
            #expect(script.items.isEmpty == (kinds == [.camera]))
        }
    }

    @Test func `by kind, titles are in order, then names, and devices of no kind are last`() {
        let script = EventScript(ListOptions(order: .kind))
        script.bring("a", "_http._tcp", on: "a.local")
        script.bring("zoo 10", "_ipp._tcp", on: "h1.local")
        script.bring("zoo 2", "_ipp._tcp", on: "h2.local")
        script.bring("cam", "_axis-video._tcp", on: "h3.local")
        #expect(script.peers.map(\.kind) == [.camera, .printer, .printer, nil])
        #expect(script.peers.map(\.name).dropFirst().dropLast() == ["zoo 2", "zoo 10"])
    }
}
