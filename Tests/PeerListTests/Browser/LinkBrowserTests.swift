// What strangers and failures do to the browses: bounded, tried again, and honest services found.
import Testing

@testable import PeerList

@Suite(.timeLimit(.minutes(5))) struct LinkBrowserTests {
    @Test func `types in other domains open nothing, and made-up types are bounded`() async {
        let kinds = await reports { _, stack in
            for number in 0..<600 {
                stack.types?(.appeared(type: "_http._tcp", domain: "e\(number)"))
                stack.types?(.appeared(type: "_t\(number)._tcp", domain: "local"))
            }
            #expect(stack.services["_http._tcp"] == nil)
            #expect(stack.services.count == LinkBrowser.typeLimit + 1, "and the identity's")
            stack.types?(.appeared(type: "_http._tcp", domain: "Local"))
            #expect(stack.services["_http._tcp"] != nil)
        }
        #expect(kinds.count(where: { $0.isNotice(.serviceLimit) }) == 1)
    }

    @Test func `made-up types that nobody offers give way to others`() async {
        _ = await reports { browser, stack in
            for number in 0...LinkBrowser.typeLimit {
                stack.types?(.appeared(type: "_t\(number)._tcp", domain: "local"))
            }
            stack.services["_t7._tcp"]?(.appeared("Seven", "_t7._tcp"))
            #expect(stack.services["_mine._tcp"] == nil)
            browser.roomCheckDue = .zero
            browser.continueTrying()
            stack.types?(.appeared(type: "_mine._tcp", domain: "local"))
            #expect(Set(stack.services.keys) == ["_mine._tcp", "_t7._tcp", "_peerlist._tcp"])
        }
    }

    @Test func `invented domains do not shut out the one that is browsed, and make room again`()
        async
    {
        let kinds = await reports { _, stack in
            stack.types?(.appeared(type: "_http._tcp", domain: "local"))
            let tell = stack.services["_http._tcp"]
            for number in 0..<40 { tell?(.appeared("Web", domain: "e\(number)")) }
            tell?(.appeared("Honest", domain: "local"))
            tell?(.disappeared("Web", domain: "e0"))
            tell?(.appeared("Late", domain: "e99"))
        }
        #expect(kinds.found("Web").count == LinkBrowser.domainLimit - 1)
        #expect(kinds.found("Honest").count == 1)
        #expect(kinds.found("Late").count == 1)
    }

    @Test func `services beyond the limit are looked for again when there is room`() async {
        let kinds = await reports { browser, stack in
            stack.types?(.appeared(type: "_http._tcp", domain: "local"))
            let tell = stack.services["_http._tcp"]
            for number in 0..<LinkBrowser.serviceLimit { tell?(.appeared("\(number)")) }
            tell?(.appeared("Honest"))
            #expect(browser.resolving.services.count == 20_000)
            browser.roomCheckDue = .zero
            browser.continueTrying()
            #expect(stack.services["_http._tcp"] != nil, "there is no room yet")
            for number in 0..<LinkBrowser.serviceLimit / 4 { tell?(.disappeared("\(number)")) }
            browser.roomCheckDue = .zero
            browser.continueTrying()
            stack.types?(.appeared(type: "_http._tcp", domain: "local"))
            stack.services["_http._tcp"]?(.appeared("Honest"))
        }
        #expect(kinds.count(where: { $0.isNotice(.serviceLimit) }) == 1)
        #expect(kinds.count(where: { $0.isNotice(.serviceRoom) }) == 1)
        #expect(kinds.found("Honest").count == 1)
        #expect(kinds.found("19999").count == 1)
    }

    @Test func `browses that fail are tried again`() async {
        let kinds = await reports { browser, stack in
            stack.types?(.appeared(type: "_http._tcp", domain: "local"))
            stack.refuses = true
            stack.types?(.appeared(type: "_ssh._tcp", domain: "local"))
            stack.services["_http._tcp"]?(.failed)
            stack.types?(.failed)
            #expect(Set(stack.services.keys) == ["_peerlist._tcp"])
            stack.refuses = false
            browser.browsing.retryDue = .zero
            browser.continueTrying()
            #expect(Set(stack.services.keys) == ["_http._tcp", "_peerlist._tcp", "_ssh._tcp"])
            #expect(browser.browsing.types != nil)
        }
        #expect(kinds.count(where: { $0.isNotice(.lookupFailed) }) == 2, "each reason once")
    }

    @Test func `types that the link names are browsed beside those that the stack reports`() async {
        let browser = LinkBrowser()
        let (browsed, entry) = AsyncStream<Set<String>>.makeStream()
        await browser.hear { browser, stack in
            stack.types?(.appeared(type: "_http._tcp", domain: "local"))
            browser.verifying.askForTypes = { known, _ in
                entry.yield(known)
                return AsyncStream { types in
                    for type in ["_http._tcp", "_ipp._tcp"] { types.yield(type) }
                    types.finish()
                }
            }
            browser.browsing.typeProbeDue = .zero
            browser.continueTrying()
            browser.continueTrying()
        }
        while await !browser.browses("_ipp._tcp") { await Task.yield() }
        await browser.stop()
        entry.finish()
        let questions = await browsed.reduce(into: []) { $0.append($1) }
        #expect(questions == [["_http._tcp", "_peerlist._tcp"]])
    }

    @Test func `another name of this machine is reported, once it is settled`() async {
        let kinds = await reports { browser, stack in
            browser.stacksChanged()
            (stack.hostName, stack.state) = ("me-2.local", .registering)
            browser.stacksChanged()
            stack.state = .running
            browser.stacksChanged()
            browser.stacksChanged()
        }
        #expect(kinds == [.running(host: "me.local"), .running(host: "me-2.local")])
    }

    @Test
    func `a stack that could not give up its rights is told of once, whoever it stands in for`()
        async
    {
        let kinds = await reports { browser, stack in
            // Else the daemon of this machine would be asked for.
            browser.backends.busDue = browser.now + .seconds(1_000)
            stack.warning = "it runs as root"
            browser.use(stack, .embedded)
            let next = ToldStack()
            next.warning = stack.warning
            browser.use(next, .embedded)
            browser.use(ToldStack(), .daemon)
        }
        #expect(kinds.count(where: { $0 == .notice(.notConfined, "it runs as root") }) == 1)
        let served = kinds.compactMap { kind -> Backend? in
            if case .served(let backend, _) = kind { backend } else { nil }
        }
        #expect(served == [.embedded, .daemon])
    }

    @Test
    func `after the clock was set nobody is believed to be gone, and all are looked for anew`()
        async
    {
        let browser = LinkBrowser()
        await browser.hear { browser, stack in
            stack.bring("Web", on: "h1.local")
            stack.services["_http._tcp"]?(.appeared("Old"))
            stack.services["_http._tcp"]?(.disappeared("Old"))
            browser.browsing.clockLead -= .seconds(3_600)
            stack.services["_http._tcp"]?(.disappeared("Web"))
            stack.lookups["Web"]?(.timedOut)
        }
        var told: [DiscoveryEvent.Kind] = []
        for await event in browser.events {
            told.append(event.kind)
            if event.kind == .handedOver(to: .daemon, host: "me.local") { break }
        }
        await browser.hearMore { browser, stack in
            #expect(browser.resolving.services.isEmpty)
            #expect(browser.caughtUpDue != nil)
            stack.bring("Web", on: "h1.local")
            stack.services["_http._tcp"]?(.disappeared("Web"))
        }
        await browser.stop()
        for await event in browser.events { told.append(event.kind) }
        #expect(told.found("Web").count == 2)
        let removed = told.compactMap { kind -> String? in
            if case .removed(let sighting) = kind { sighting.service.name } else { nil }
        }
        #expect(removed == ["Old", "Web"])
        #expect(!told.contains(.unanswered(key("Web"))))
    }

    @Test
    func `after the clock was set back who is gone is believed to be, and all are looked for anew`()
        async
    {
        let browser = LinkBrowser()
        await browser.hear { browser, stack in
            stack.bring("Web", on: "h1.local")
            stack.bring("Old", on: "h2.local")
            browser.browsing.clockLead += .seconds(3_600)
            stack.services["_http._tcp"]?(.disappeared("Old"))
            #expect(!browser.browsing.isStale, "it is not yet time to look at the clock")
            browser.browsing.clockDue = .zero
            browser.proceed()
            #expect(browser.browsing.isStale)
        }
        var told: [DiscoveryEvent.Kind] = []
        for await event in browser.events {
            told.append(event.kind)
            if event.kind == .handedOver(to: .daemon, host: "me.local") { break }
        }
        await browser.hearMore { browser, _ in
            #expect(browser.resolving.services.isEmpty)
            #expect(!browser.browsing.isStale)
        }
        await browser.stop()
        for await event in browser.events { told.append(event.kind) }
        let removed = told.compactMap { kind -> String? in
            if case .removed(let sighting) = kind { sighting.service.name } else { nil }
        }
        #expect(removed == ["Old"])
    }

    /// The reader begins when as many wait as may, and then more come than it can take at once.
    @Test func `no event is lost, and none comes out of order, when more come than may wait`() async
    {
        let browser = LinkBrowser()
        let (full, entry) = AsyncStream<Void>.makeStream()
        let count = LinkBrowser.eventLimit + 2_000
        async let flooded: Void = browser.flood(count) { entry.finish() }
        for await _ in full {}
        var next = 0
        for await event in browser.events {
            guard event.kind == .notice(.lookupFailed, "\(next)") else { break }
            next += 1
            if next == count { break }
        }
        #expect(next == count)
        await flooded
        await browser.stop()
    }

    @Test func `a browser that waits for its reader can be stopped`() async {
        let browser = LinkBrowser()
        async let flooded: Void = browser.flood()
        // What comes now is more than may wait, and nobody takes any of it.
        var events = browser.events.makeAsyncIterator()
        #expect(await events.next() != nil)
        await browser.stop()
        await flooded
    }
}

extension LinkBrowser {
    fileprivate func browses(_ type: String) -> Bool { browsing.services[type] != nil }

    fileprivate func flood() {
        for _ in 0...Self.eventLimit + 1 { report(.settled) }
    }

    /// Reports so many events, each with its number, and says when as many wait as may.
    fileprivate func flood(_ count: Int, whenFull: @Sendable () -> Void) {
        for number in 0..<count {
            if number == Self.eventLimit { whenFull() }
            report(.notice(.lookupFailed, "\(number)"))
        }
    }
}
