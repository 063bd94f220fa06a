// The addresses of a host: when they are told, as what, and whose are when there is little room.
import FoundationEssentials
import Testing

@testable import PeerList

@Suite(.timeLimit(.minutes(10))) struct AddressTests {
    private static let path = LinkPath(interface: 2, family: .ipv4)

    private static func come(_ last: UInt8) -> RecordEvent {
        .appeared(data: [10, 0, 0, last], path)
    }

    private static func go(_ last: UInt8) -> RecordEvent {
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
        for id in browser.addressing.open where browser.addressing.hosts[id]?.look?.due != nil {
            browser.addressing.hosts[id]?.look?.due = .zero
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
            #expect(browser.addressing.hosts["h1.local"]?.look?.due != nil)
            stack.tell(Self.come(1), of: "h1.local")
            #expect(browser.addressing.hosts["h1.local"]?.look?.due == nil)
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

    /// Tells one address of each host that is looked at, until none is any more.
    private static func answer(_ browser: isolated LinkBrowser, _ stack: ToldStack) -> [Set<String>]
    {
        var looks: [Set<String>] = []
        while let host = stack.lookedAt.first {
            looks.append(stack.lookedAt)
            stack.tell(come(1), of: host)
            stack.tellRest(of: host)
        }
        return looks
    }

    @Test func `where there are too many hosts to be watched, all are looked at in turn`() async {
        let kinds = await reports { browser, stack in
            for number in 0..<100 { stack.bring("s\(number)", on: "h\(number).local") }
            #expect(stack.lookedAt.count == 14)
            let looks = Self.answer(browser, stack)
            #expect(looks.allSatisfy { $0.count <= 14 })
            #expect(browser.addressing.open == [])
        }
        for number in 0..<100 {
            #expect(kinds.compactMap { $0.addresses(of: "h\(number).local") } == [["10.0.0.1"]])
        }
    }

    @Test func `hosts of a crowd wait until all its services have been asked for`() async {
        _ = await reports { browser, stack in
            for number in 0..<130 { stack.bring("s\(number)", on: "h.local") }
            _ = Self.answer(browser, stack)
            for number in 0..<40 { stack.bring("t\(number)", answering: false) }
            for number in 0..<7 { stack.answer("t\(number)", on: "h\(number).local") }
            #expect(stack.lookedAt == [], "one of them has no room in the window yet")
            stack.answer("t7", on: "h7.local")
            #expect(stack.lookedAt == Set((0..<8).map { "h\($0).local" }))
            for number in 8..<40 { stack.answer("t\(number)", on: "h\(number).local") }
            #expect(Self.answer(browser, stack).allSatisfy { $0.count <= 16 })
            #expect(stack.lookedAt == [])
        }
    }

    @Test func `a host is looked at again when a lookup tells another address`() async {
        let other = HostAddress(bytes: [10, 0, 0, 9], text: "10.0.0.9", interface: "eth0")
        _ = await reports { browser, stack in
            for number in 0..<200 { stack.bring("s\(number)", on: "h1.local") }
            _ = Self.answer(browser, stack)
            browser.lookUpAfresh(key("s7").id)
            browser.proceed()
            stack.answer("s7", on: "h1.local", at: other)
            #expect(stack.lookedAt == ["h1.local"])
        }
    }

    @Test func `what is missing of a host's addresses is waited for, though not for long`() async {
        _ = await reports { browser, stack in
            browser.addressing.schedule = LookupSchedule(
                limits: LookupSchedule.Limits(slow: .seconds(600)))
            for number in 0..<200 { stack.bring("s\(number)", on: "h1.local") }
            stack.tellRest(of: "h1.local")
            #expect(stack.lookedAt == ["h1.local"])
            browser.addressing.hosts["h1.local"]?.look?.isOverdue = true
            browser.proceed()
            #expect(stack.lookedAt == [])
        }
    }
}
