// What strangers and failures do to the browses: bounded, tried again, and honest services found.
import Testing

@testable import PeerList

@Suite(.timeLimit(.minutes(5))) struct LinkBrowserTests {
    /// Lets a browser hear from a stack, and returns everything that it reported.
    private func reports(
        _ act: @Sendable (isolated LinkBrowser, ToldStack) -> Void
    ) async -> [DiscoveryEvent.Kind] {
        let browser = LinkBrowser()
        async let kinds = browser.events.reduce(into: []) { $0.append($1.kind) }
        await browser.hear(act)
        await browser.stop()
        return await kinds
    }

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
    fileprivate func hear(_ act: @Sendable (isolated LinkBrowser, ToldStack) -> Void) {
        let told = ToldStack()
        (stack, life) = (told, .running)
        beginBrowsing()
        act(self, told)
    }

    fileprivate func flood() {
        for _ in 0...Self.eventLimit + 1 { report(.settled) }
    }
}

extension ServiceEvent {
    fileprivate static func appeared(
        _ name: String, _ type: String = "_http._tcp", domain: String = "local"
    ) -> ServiceEvent {
        .appeared(
            ServiceInstance(name: name, type: type, domain: domain),
            LinkPath(interface: 2, family: .ipv4), isKnown: false)
    }

    fileprivate static func disappeared(
        _ name: String, domain: String = "local"
    ) -> ServiceEvent {
        .disappeared(
            ServiceInstance(name: name, type: "_http._tcp", domain: domain),
            LinkPath(interface: 2, family: .ipv4))
    }
}

extension DiscoveryEvent.Kind {
    fileprivate func isNotice(_ code: Notice.Code) -> Bool {
        if case .notice(code, _) = self { true } else { false }
    }
}

extension [DiscoveryEvent.Kind] {
    fileprivate func found(_ name: String) -> [Sighting] {
        compactMap { kind in
            guard case .found(let sighting) = kind, sighting.service.name == name else {
                return nil
            }
            return sighting
        }
    }
}
