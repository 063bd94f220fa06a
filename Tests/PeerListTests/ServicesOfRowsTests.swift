// Which services stand behind a row, for asking after them.
import FoundationEssentials
import Testing

@testable import PeerList

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

    @Test func `a device stands for all of its services, also for those that are not listed`() {
        let all = script(ListOptions()).listing
        #expect(Set(all.services(of: device)) == both)
        let filtered = script(ListOptions(types: ["_http._tcp"])).listing
        #expect(Set(filtered.services(of: device)) == both)
    }

    @Test func `a service stands for itself, whether it is a row or not`() {
        for grouping in Grouping.allCases {
            let listing = script(ListOptions(grouping: grouping)).listing
            #expect(listing.services(of: key("Web").id) == [key("Web").id])
        }
    }

    @Test func `a device is known by its identifier in a list by type, too`() {
        let listing = script(ListOptions(grouping: .type)).listing
        #expect(Set(listing.services(of: device)) == both)
    }

    @Test func `what is not there has no services`() {
        #expect(script(ListOptions()).listing.services(of: Identity.uuid(forName: "h9")) == [])
    }
}
