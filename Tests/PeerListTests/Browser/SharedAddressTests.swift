// Hosts that share addresses: the link is asked for them once.
import Testing

@testable import PeerList

@Suite struct SharedAddressTests {
    @Test func `hosts that share an address are asked for once, two seconds after a change`() {
        var shared = SharedAddresses()
        let hosts: [String: Set<HostAddress>] = [
            "h1.local": [address(1), address(2)], "h1-2.local": [address(1)],
            "h3.local": [address(3)],
        ]
        #expect(shared.takeDue(hosts, at: .seconds(9)).isEmpty)
        shared.addressesChanged(at: .seconds(10))
        shared.addressesChanged(at: .seconds(11))
        #expect(shared.due == .seconds(12))
        #expect(shared.takeDue(hosts, at: .seconds(11)).isEmpty)
        #expect(shared.takeDue(hosts, at: .seconds(12)) == ["h1-2.local", "h1.local"])
        shared.addressesChanged(at: .seconds(20))
        #expect(shared.takeDue(hosts, at: .seconds(22)).isEmpty, "they were asked for")
        shared.addressesChanged(at: .seconds(30))
        let others = hosts.merging(["h4.local": [address(3)]]) { first, _ in first }
        #expect(shared.takeDue(others, at: .seconds(32)) == ["h3.local", "h4.local"])
    }

    @Test func `the link is asked for the addresses of a host that another one has as well`() async
    {
        let browser = LinkBrowser()
        let (asked, entry) = AsyncStream<[String]>.makeStream()
        await browser.hear { browser, stack in
            browser.verifying.askForAddresses = { hosts, paths in
                if paths == [LinkPath(interface: 2, family: .ipv4)] { entry.yield(hosts) }
            }
            for (host, last) in [("h1.local", 1), ("h2.local", 2), ("h3.local", 1)] {
                stack.bring("Web of \(host)", on: host)
                stack.tell(
                    .appeared(
                        data: [10, 0, 0, UInt8(last)], LinkPath(interface: 2, family: .ipv4)),
                    of: host)
                stack.tellRest(of: host)
            }
            browser.start -= .seconds(3)
            browser.proceed()
        }
        await browser.stop()
        entry.finish()
        let questions = await asked.reduce(into: []) { $0.append($1) }
        #expect(questions == [["h1.local", "h3.local"]])
    }
}
