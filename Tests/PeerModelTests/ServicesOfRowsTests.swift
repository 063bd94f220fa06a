// Tests which services and paths belong to a row.
import FoundationEssentials
import PeerModel
import PeerListTestSupport
import Testing

@Suite struct ServicesOfRowsTests {
    private let device = Identity.uuid(forName: "h1.local")
    private let both: Set = [key("Web").id, key("Files", "_smb._tcp").id]

    private func script(_ options: ListOptions) -> EventScript {
        let script = EventScript(options)
        script.bring("Web", on: "h1.local")
        script.bring("Files", "_smb._tcp", on: "h1.local")
        script.bring("Other", on: "h2.local")
        return script
    }

    @Test func `the services of a device include services that are not listed`() {
        let all = script(ListOptions()).listing
        #expect(Set(all.services(of: device)) == both)
        let filtered = script(ListOptions(types: ["_http._tcp"])).listing
        #expect(Set(filtered.services(of: device)) == both)
    }

    @Test func `the services of a service are itself, whether or not it is a row`() {
        for grouping in Grouping.allCases {
            let listing = script(ListOptions(grouping: grouping)).listing
            #expect(listing.services(of: key("Web").id) == [key("Web").id])
        }
    }

    @Test func `by type, the services of a device are found by its identifier`() {
        let listing = script(ListOptions(grouping: .type)).listing
        #expect(Set(listing.services(of: device)) == both)
    }

    @Test func `an unknown identifier has no services`() {
        #expect(script(ListOptions()).listing.services(of: Identity.uuid(forName: "h9")) == [])
    }

    @Test func `the paths of rows are those of all services, without lost paths`() {
        let script = EventScript(ListOptions())
        script.bring("Web", on: "h1.local")
        script.bring("Files", "_smb._tcp", on: "h1.local")
        let eth0v4 = NetworkPath("eth0", .ipv4)
        let eth1v6 = NetworkPath("eth1", .ipv6)
        #expect(script.listing.paths(of: [device]) == [eth0v4])
        _ = script.feed(.found(sighting("Web", on: eth1, .ipv6)))
        #expect(script.listing.paths(of: [device]) == [eth0v4, eth1v6])
        #expect(script.listing.paths(of: [key("Files", "_smb._tcp").id]) == [eth0v4])
        _ = script.feed(.removed(sighting("Web", on: eth1, .ipv6)))
        #expect(script.listing.paths(of: [device]) == [eth0v4])
        #expect(script.listing.paths(of: [Identity.uuid(forName: "h9")]) == [])
    }
}
