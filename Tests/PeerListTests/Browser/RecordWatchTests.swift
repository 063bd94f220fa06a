// The record browsers beside open resolvers: when they renew a resolver, and how many are open.
import Testing

@testable import PeerList

@Suite(.timeLimit(.minutes(5))) struct RecordWatchTests {
    private static let path = LinkPath(interface: 2, family: .ipv4)

    @Test func `a record beyond the first of its type renews the resolver once it has settled`() {
        var watches = RecordWatches()
        let id = key("Web").id
        watches.add(id, on: Self.path)
        watches.appeared(.txt, of: id, at: .zero)
        watches.appeared(.srv, of: id, at: .zero)
        #expect(watches.deadline == nil)
        watches.appeared(.txt, of: id, at: .seconds(1))
        watches.appeared(.srv, of: id, at: .seconds(2))
        #expect(watches.deadline == .milliseconds(2_500), "one renewal for both")
        #expect(watches.takeDue(at: .seconds(2)).isEmpty)
        #expect(watches.takeDue(at: .seconds(3)) == [id])
        #expect(watches.deadline == nil)
    }

    @Test func `record browsers are open while resolvers stay open, and closed with them`() async {
        _ = await reports { _, stack in
            for number in 1...128 { stack.bring("Web \(number)", on: "h1.local") }
            #expect(stack.records.count == 256)
            stack.services["_http._tcp"]?(.disappeared("Web 1"))
            #expect(stack.records.count == 254)
            stack.bring("Web 1", on: "h1.local")
            stack.bring("Web 129", on: "h1.local")
            #expect(stack.records.isEmpty)
        }
    }

    @Test func `record browsers make room where the daemon refuses lookups`() async {
        _ = await reports { browser, stack in
            for number in 1...8 { stack.bring("Web \(number)", on: "h1.local") }
            browser.lowerLimits()
            #expect(stack.records.isEmpty)
            #expect(browser.resolving.schedule.limits.kept == 128)
            stack.bring("Web 9", on: "h1.local")
            #expect(stack.records.isEmpty)
            browser.lowerLimits()
            #expect(browser.resolving.schedule.limits.kept == 9)
        }
    }
}
