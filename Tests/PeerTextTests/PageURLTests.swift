// Tests the links to the pages that devices describe by other protocols than multicast DNS.
import Foundation
import PeerModel
import PeerText
import Testing

@Suite struct PageURLTests {
    private func url(_ page: String, type: String = "upnp:MediaRenderer:1") throws -> String? {
        let service = Service(
            id: UUID(), name: "a", type: type, domain: "local", port: 8_200,
            txt: TXTRecord([.init(key: "presentationURL", value: .text(page))]))
        return SafeURL(of: service, at: try #require(SafeHost(address: "10.0.0.5")))?.text
    }

    @Test(arguments: [
        ("/", "http://10.0.0.5:8200/"), ("web/a b", "http://10.0.0.5:8200/web/a%20b"),
        ("http://10.0.0.5", "http://10.0.0.5/"), ("HTTP://10.0.0.5:81/x", "http://10.0.0.5:81/x"),
        ("http://example.com:22/x?y=1", "http://10.0.0.5:22/x?y=1"), ("", nil),
        ("http://10.0.0.5:99999/", nil), ("javascript://a", nil), ("/\u{1b}[2J", nil),
    ])
    func `a page is at the device itself, whatever host is written`(
        page: String, link: String?
    ) throws {
        #expect(try url(page) == link)
    }

    @Test func `a service of multicast DNS has no such page`() throws {
        #expect(try url("/", type: "_http._tcp") == "http://10.0.0.5:8200/")
        #expect(try url("/x", type: "_ssh._tcp") == nil)
    }
}
