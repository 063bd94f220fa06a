// What the browser remembers of where services are announced.
import Testing

@testable import PeerList

@Suite struct SightingTests {
    /// A browse may tell of a service from what it remembers and from what is announced meanwhile.
    @Test func `a service that a browse tells of twice on a path is forgotten with it`() async {
        let browser = LinkBrowser()
        let instance = ServiceInstance(name: "Web", type: "_http._tcp", domain: "local")
        let path = LinkPath(interface: eth0.index, family: .ipv4)
        for _ in 0..<2 { #expect(await browser.track(sighting("Web"), instance)) }
        #expect(await browser.serviceCount == 1)
        await browser.untrack(sighting("Web"), path)
        #expect(await browser.serviceCount == 0)
        await browser.stop()
    }

    @Test func `a service is remembered until the last of its subtypes' browses has lost it`() async
    {
        let browser = LinkBrowser()
        let instance = ServiceInstance(name: "Laser", type: "_http._tcp", domain: "local")
        let path = LinkPath(interface: eth0.index, family: .ipv4)
        let sightings = [nil, "_printer"].map { sighting("Laser", subtype: $0) }
        for sighting in sightings {
            #expect(await browser.track(sighting, instance))
        }
        await browser.untrack(sightings[1], path)
        #expect(await browser.serviceCount == 1)
        await browser.untrack(sightings[0], path)
        #expect(await browser.serviceCount == 0)
        await browser.stop()
    }
}

extension LinkBrowser {
    fileprivate var serviceCount: Int { resolving.services.count }
}
