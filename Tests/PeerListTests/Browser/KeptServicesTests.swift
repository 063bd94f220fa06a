// What is kept of one service, and of what all of them say of themselves, however much is announced.
import Testing

@testable import PeerList

@Suite(.timeLimit(.minutes(10))) struct KeptServicesTests {
    /// Lets a browser do something without a stack, and returns the notices that it gave.
    private func notices(
        _ act: @Sendable (isolated LinkBrowser) -> Void
    ) async -> [Notice.Code] {
        let browser = LinkBrowser()
        async let codes: [Notice.Code] = browser.events.reduce(into: []) { codes, event in
            if case .notice(let code, _) = event.kind { codes.append(code) }
        }
        await browser.perform(act)
        await browser.stop()
        return await codes
    }

    @Test func `a service that is announced on very many paths is noted on 256 of them`() async {
        _ = await notices { browser in
            var noted = 0
            for number in 0..<LinkBrowser.sightingLimit + 44 where browser.sees("Web", number) {
                noted += 1
            }
            #expect(noted == LinkBrowser.sightingLimit)
            let service = browser.resolving.services[key("Web").id]
            #expect(service?.sightings.count == LinkBrowser.sightingLimit)
            let (again, other) = (browser.sees("Web", 0), browser.sees("Other", 0))
            #expect(again, "what is noted already stays so")
            #expect(other)
        }
    }

    @Test func `large TXT records are kept while there is room, small ones always`() async {
        let large = TXTRecord(strings: (0..<34).map { record("k\($0)", 250) })
        let small = TXTRecord(strings: [record("k", 20)])
        let room = LinkBrowser.attributeRoom / large.footprint
        let codes = await notices { browser in
            let kept = (0..<room + 5).map { browser.keeps(large, of: "Web \($0)") }
            #expect(kept == (0..<room + 5).map { $0 < room })
            let isSmallKept = browser.keeps(small, of: "Small")
            #expect(isSmallKept)
            // What says less, or leaves, makes room.
            let isSmallerKept = browser.keeps(small, of: "Web 0")
            #expect(isSmallerKept)
            browser.untrack(sighting("Web 1"), LinkPath(interface: 2, family: .ipv4))
            let isLateKept = browser.keeps(large, of: "Web \(room)")
            #expect(isLateKept)
            #expect(browser.resolving.attributeSize <= LinkBrowser.attributeRoom)
        }
        #expect(codes == [.serviceLimit])
    }

    @Test func `of very many attributes of one service the first are kept`() {
        let strings = (0..<1_000).map { Array("k\($0)".utf8) }
        let kept = TXTRecord(strings: strings)
        #expect(kept.pairs.map(\.key) == (0..<TXTRecord.attributeLimit).map { "k\($0)" })
    }

    /// An attribute with a value of so many bytes.
    private func record(_ key: String, _ count: Int) -> [UInt8] {
        Array("\(key)=\(String(repeating: "v", count: count))".utf8)
    }
}

extension LinkBrowser {
    fileprivate func perform(_ act: @Sendable (isolated LinkBrowser) -> Void) { act(self) }

    /// Whether a service is noted on an interface of this number.
    fileprivate func sees(_ name: String, _ interface: Int) -> Bool {
        let number = NetworkInterface(index: Int32(1_000 + interface))
        let sighting = Sighting(
            service: key(name), interface: number, family: .ipv4, subtype: nil)
        let instance = ServiceInstance(name: name, type: "_http._tcp", domain: "local")
        return track(sighting, instance)
    }

    /// Whether a TXT record is kept of a service, which is announced already or is now.
    fileprivate func keeps(_ txt: TXTRecord, of name: String) -> Bool {
        let instance = ServiceInstance(name: name, type: "_http._tcp", domain: "local")
        _ = track(sighting(name), instance)
        let found = Resolution(host: "h1.local", port: 80, txt: txt, address: nil)
        return kept(found, of: key(name).id).txt == txt
    }
}
