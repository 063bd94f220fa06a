// Tests the parsing of broker URLs.
import PeerFleet
import Testing

@Suite struct BrokerURLTests {
    /// A URL and its parts.
    fileprivate struct Sample: Sendable, CustomTestStringConvertible {
        let text: String
        let canonical: String
        let user: String?
        let host: String

        init(_ text: String, _ canonical: String, user: String? = nil, host: String) {
            (self.text, self.canonical, self.user, self.host) = (text, canonical, user, host)
        }

        var testDescription: String { text }
    }

    @Test(arguments: [
        ("mqtts://fleet@10.99.0.4:8883/peerlist", "fleet@10.99.0.4"), ("mqtt://nas", "nas"),
        ("mqtts://nas:1883", "nas:1883"),
        ("mqtt://me@[fe80::1]/house/x", "me@[fe80::1]/house/x"),
    ])
    func `the title leaves out what is usual`(text: String, title: String) throws {
        #expect(try BrokerURL(text).title == title)
    }

    @Test(arguments: [
        Sample("mqtt://nas", "mqtt://nas:1883/peerlist", host: "nas"),
        Sample("mqtt://nas/", "mqtt://nas:1883/peerlist", host: "nas"),
        Sample("MQTTS://nas.local", "mqtts://nas.local:8883/peerlist", host: "nas.local"),
        Sample("mqtt://nas:1/a/b", "mqtt://nas:1/a/b", host: "nas"),
        Sample("mqtt://192.0.2.1:65535", "mqtt://192.0.2.1:65535/peerlist", host: "192.0.2.1"),
        Sample("mqtt://[2001:db8::1]", "mqtt://[2001:db8::1]:1883/peerlist", host: "2001:db8::1"),
        Sample("mqtts://[::1]:99/p", "mqtts://[::1]:99/p", host: "::1"),
        Sample(
            "mqtt://[fe80::1%eth0]", "mqtt://[fe80::1%eth0]:1883/peerlist", host: "fe80::1%eth0"),
        Sample("mqtt://me@nas", "mqtt://me@nas:1883/peerlist", user: "me", host: "nas"),
        Sample(
            "mqtt://me%40home%2F%3A@nas", "mqtt://me%40home%2F%3A@nas:1883/peerlist",
            user: "me@home/:", host: "nas"),
        Sample("mqtt://a@b@nas", "mqtt://a%40b@nas:1883/peerlist", user: "a@b", host: "nas"),
        Sample(
            "mqtt://Jörg@nas/büro", "mqtt://J%C3%B6rg@nas:1883/b%C3%BCro", user: "Jörg", host: "nas"
        ),
    ])
    fileprivate func `a URL has its parts, and its description is the same URL`(
        sample: Sample
    ) throws {
        let url = try BrokerURL(sample.text)

        #expect(url.description == sample.canonical)
        #expect(url.user == sample.user)
        #expect(url.host == sample.host)
        #expect(try BrokerURL(url.description) == url)
    }

    @Test(
        arguments: [
            "", "mqtt", "nas", "http://nas", "mqtt:/nas", "/run/mosquitto.socket",  // scheme
            "mqtt://", "mqtt:///prefix", "mqtt://:1883", "mqtt://@nas", "mqtt://user@",  // parts
            "mqtt:///run/mosquitto.socket", "mqtt://nas:0", "mqtt://nas:65536", "mqtt://nas:",
            "mqtt://nas:1883x", "mqtt://nas:+1", "mqtt://nas:-1", "mqtt://nas:99999999999999999999",
            "mqtt://::1", "mqtt://[::1", "mqtt://[::1]x", "mqtt://[::1]:", "mqtt://[nas]",
            "mqtt://[]", "mqtt://[fe80::1%]", "mqtt://[fe80::1%a/b]", "mqtt://[::1%\u{1B}]",
            "mqtt://-o", "mqtt://n as", "mqtt://nas\n", "mqtt://n\u{0}as", "mqtt://nas%20",
            "mqtt://\u{1B}[2J", "mqtt://nas\u{202E}", "mqtt://n\u{E4}s", "mqtt://nas?a",
            "mqtt://nas#a",
            "mqtt://a%0@nas", "mqtt://a%zz@nas", "mqtt://a%00@nas", "mqtt://%FF@nas",
            "mqtt://a%1B@nas", "mqtt://a\nb@nas",  // user
            "mqtt://nas/a/", "mqtt://nas//", "mqtt://nas//a", "mqtt://nas/a//b", "mqtt://nas/+",
            "mqtt://nas/a/#", "mqtt://nas/a%2B", "mqtt://nas/%23", "mqtt://nas/$SYS",
            "mqtt://nas/%24SYS", "mqtt://nas/a%00", "mqtt://nas/a\u{7}", "mqtt://nas/a%E2%80%AE",
            "mqtt://nas/a%E3%85%A4",
            "mqtt://nas/a?b", "mqtt://nas/%",  // prefix
            "mqtt://\(String(repeating: "a", count: 254))",
            "mqtt://\(String(repeating: "a", count: 201))@nas",
            "mqtt://nas/\(String(repeating: "a", count: 201))",
            "mqtt://nas/\(String(repeating: "a/", count: 10_000))",
        ])
    func `a malformed or hostile URL is refused`(text: String) {
        let error = #expect(throws: BrokerURLError.self) { try BrokerURL(text) }

        #expect(error.map { !$0.description.isEmpty && $0.description.count < 200 } == true)
    }

    @Test(arguments: ["mqtt://me:secret@nas", "mqtts://:secret@nas", "mqtt://me:@nas"])
    func `a password in a URL is refused without repeating it`(text: String) {
        let error = #expect(throws: BrokerURLError.self) { try BrokerURL(text) }

        #expect(error?.description.contains("--password-file") == true)
        #expect(error?.description.contains("secret") == false)
    }
}
