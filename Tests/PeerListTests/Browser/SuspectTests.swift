// Services that went on one path: asked for at once, and looked up on the other where they answer.
import FoundationEssentials
import Testing

@testable import PeerList

@Suite(.timeLimit(.minutes(10))) struct SuspectTests {
    private static let names = (1...100).map { "Web \($0)" }

    /// The browser that a hundred services were told to through both families, after their lookups
    /// through IPv4 timed out, up to when none of them is a suspect any more.
    private func afterTimeouts(
        _ ask: @escaping @Sendable ([LinkProbe.Question]) throws(ProbeError) -> Set<UUID>
    ) async -> LinkBrowser {
        let browser = LinkBrowser()
        await browser.hear { browser, stack in
            browser.verifying.ask = { questions throws(ProbeError) in try ask(questions) }
            for name in Self.names {
                stack.bring(name, on: "h1.local")
                stack.services["_http._tcp"]?(
                    .appeared(
                        ServiceInstance(name: name, type: "_http._tcp", domain: "local"),
                        LinkPath(interface: 2, family: .ipv6)))
            }
            browser.suspecting.due = .seconds(600)  // however long this takes
            for name in Self.names { stack.lookups[name]?(.timedOut) }
            #expect(browser.suspecting.suspects.count == 100)
            browser.suspecting.due = .zero
            browser.proceed()
        }
        while await browser.verifying.probeCount > 0 { await Task.yield() }
        #expect(await browser.suspecting.suspects.isEmpty)
        return browser
    }

    /// The services that were told to be unanswered; after a while they are asked again.
    private func unanswered(_ browser: LinkBrowser) async -> Set<ServiceKey> {
        await browser.stop()
        return await browser.events.reduce(into: []) { keys, event in
            if case .unanswered(let key) = event.kind { keys.insert(key) }
        }
    }

    @Test func `all are asked for in one go, and where none answers all are unanswered`() async {
        let browser = await afterTimeouts { questions in
            questions.count == 100 ? [] : Set(questions.map(\.service.id))
        }
        #expect(await browser.families == [.ipv4], "the lookups stay, to hear when it is back")
        #expect(await unanswered(browser).count == 100)
    }

    @Test func `who answers is there, and is looked up on the other path`() async {
        let browser = await afterTimeouts { Set($0.map(\.service.id)) }
        #expect(await browser.families.contains(.ipv6))
        #expect(await unanswered(browser).isEmpty)
    }

    @Test func `where nobody can be asked, the other path has to say`() async {
        let browser = await afterTimeouts { _ throws(ProbeError) in throw ProbeError(code: 1) }
        #expect(await browser.families.contains(.ipv6))
        #expect(await unanswered(browser).isEmpty)
    }
}

extension LinkBrowser {
    /// The families that the services are looked up through.
    fileprivate var families: Set<AddressFamily?> {
        Set(resolving.services.values.map(\.lookupPath?.family))
    }
}
