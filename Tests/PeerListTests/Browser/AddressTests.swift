// The addresses of a host: when they are told, as what, and whose are when there is little room.
import FoundationEssentials
import Testing

@testable import PeerList

@Suite(.timeLimit(.minutes(10))) struct AddressTests {
    private static let path = LinkPath(interface: 2, family: .ipv4)

    private static func come(_ last: UInt8) -> AddressEvent {
        .appeared(data: [10, 0, 0, last], path)
    }

    private static func go(_ last: UInt8) -> AddressEvent {
        .disappeared(data: [10, 0, 0, last], path)
    }

    /// Hears of a service of a host with the addresses 10.0.0.1 and 10.0.0.2, known for a while.
    private static func settle(_ browser: isolated LinkBrowser, _ stack: ToldStack) {
        stack.bring("Web", on: "h1.local")
        stack.tellRest(of: "h1.local")
        for last in 1...2 as ClosedRange<UInt8> { stack.tell(come(last), of: "h1.local") }
        browser.addressing.hosts["h1.local"]?.firstTold = browser.now - .seconds(60)
    }

    /// What comes now is due.
    private static func pass(_ browser: isolated LinkBrowser) {
        for id in browser.addressing.order where browser.addressing.hosts[id]?.due != nil {
            browser.addressing.hosts[id]?.due = .zero
        }
        browser.proceed()
    }

    @Test func `at first addresses are told as they come, later a change is told as a whole`() async
    {
        let kinds = await reports { browser, stack in
            Self.settle(browser, stack)
            stack.tell(Self.go(1), of: "h1.local")
            stack.tell(Self.come(7), of: "h1.local")
            Self.pass(browser)
            // And the other way round.
            stack.tell(Self.come(8), of: "h1.local")
            stack.tell(Self.go(7), of: "h1.local")
            Self.pass(browser)
        }
        #expect(
            kinds.compactMap { $0.addresses(of: "h1.local") } == [
                ["10.0.0.1"], ["10.0.0.1", "10.0.0.2"], ["10.0.0.2", "10.0.0.7"],
                ["10.0.0.2", "10.0.0.8"],
            ])
    }

    @Test func `after a backend's return the first addresses are told together`() async {
        let kinds = await reports { browser, stack in
            browser.caughtUpDue = browser.now + .seconds(10)
            stack.bring("Web", on: "h1.local")
            stack.tellRest(of: "h1.local")
            for last in 1...2 as ClosedRange<UInt8> { stack.tell(Self.come(last), of: "h1.local") }
            Self.pass(browser)
            stack.tell(Self.come(3), of: "h1.local")
        }
        #expect(
            kinds.compactMap { $0.addresses(of: "h1.local") } == [
                ["10.0.0.1", "10.0.0.2"], ["10.0.0.1", "10.0.0.2", "10.0.0.3"],
            ])
    }

    @Test func `an address that comes back while it is waited for is no change`() async {
        let kinds = await reports { browser, stack in
            Self.settle(browser, stack)
            stack.tell(Self.go(1), of: "h1.local")
            #expect(browser.addressing.hosts["h1.local"]?.due != nil)
            stack.tell(Self.come(1), of: "h1.local")
            #expect(browser.addressing.hosts["h1.local"]?.due == nil)
        }
        #expect(kinds.compactMap { $0.addresses(of: "h1.local") }.count == 2)
    }

    /// What the browser reports after an address is lost, up to the first thing that says why.
    private func afterLoss(
        _ ask: @escaping @Sendable ([LinkProbe.Question]) throws(ProbeError) -> Set<UUID>
    ) async -> DiscoveryEvent.Kind? {
        let browser = LinkBrowser()
        await browser.hear { browser, stack in
            browser.verifying.ask = { questions throws(ProbeError) in try ask(questions) }
            Self.settle(browser, stack)
            stack.tell(Self.go(1), of: "h1.local")
            Self.pass(browser)
        }
        var told = 0
        for await event in browser.events {
            if event.kind.addresses(of: "h1.local") != nil { told += 1 }
            guard told > 2 || event.kind == .unanswered(key("Web")) else { continue }
            await browser.stop()
            return event.kind
        }
        return nil
    }

    @Test func `a host that has lost an address is asked, and it is told where it answers`() async {
        let last = await afterLoss { Set($0.map(\.service.id)) }
        #expect(last?.addresses(of: "h1.local") == ["10.0.0.2"])
    }

    @Test func `a host that has lost an address and is silent is unanswered, and keeps it`() async {
        #expect(await afterLoss { _ in [] } == .unanswered(key("Web")))
    }

    @Test func `where nobody can be asked, a lost address is told`() async {
        let last = await afterLoss { _ throws(ProbeError) in throw ProbeError(code: 101) }
        #expect(last?.addresses(of: "h1.local") == ["10.0.0.2"])
    }

    @Test func `hosts that found no room are watched when there is some, the oldest first`() async {
        _ = await reports { browser, stack in
            for number in 0..<100 { stack.bring("s\(number)", on: "h\(number).local") }
            let few = Set((0..<14).map { "h\($0).local" })
            #expect(Set(browser.addressing.order) == few)

            let tell = stack.services["_http._tcp"]
            for number in 50..<100 { tell?(.disappeared("s\(number)")) }
            #expect(Set(browser.addressing.order) == few, "they have just been given up")
            browser.addressing.holdEnd = .zero
            browser.proceed()
            #expect(Set(browser.addressing.order) == Set((0..<39).map { "h\($0).local" }))

            for number in 39..<50 { tell?(.disappeared("s\(number)")) }
            #expect(browser.addressing.order.count == 39)
            #expect(!browser.addressing.isShort)
        }
    }

    @Test func `a host that never found room is watched as soon as there is some`() async {
        _ = await reports { browser, stack in
            for number in 0..<125 { stack.bring("s\(number)", on: "h1.local") }
            stack.bring("late", on: "h2.local")
            #expect(browser.addressing.order == ["h1.local"])
            stack.services["_http._tcp"]?(.disappeared("s0"))
            stack.services["_http._tcp"]?(.disappeared("s1"))
            #expect(browser.addressing.order == ["h1.local", "h2.local"])
        }
    }
}
