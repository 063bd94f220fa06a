// Tests the reading of SSDP: what devices announce, what they get wrong, and what is refused.
import SilentMessages
import TestSupport
import Testing

/// Joins lines as a datagram of SSDP.
func datagram(_ lines: [String], end: String = "\r\n") -> [UInt8] {
    Array((lines + ["", ""]).joined(separator: end).utf8)
}

@Suite struct SSDPMessageTests {
    private let alive = [
        "NOTIFY * HTTP/1.1", "HOST: 239.255.255.250:1900", "CACHE-CONTROL: max-age=1810",
        "LOCATION: http://192.168.1.20:49152/description.xml", "NT: upnp:rootdevice",
        "NTS: ssdp:alive", "SERVER: Linux/5.4 UPnP/1.0 GUPnP/1.2.2",
        "USN: uuid:2F402F80-DA50-11E1-9B23-00178817122C::upnp:rootdevice",
    ]

    /// Returns the message of lines, with a header in place of another one, or without it.
    private func message(_ header: String, _ value: String?) -> SSDPMessage? {
        let lines = alive.filter { !$0.hasPrefix(header + ":") }
        return SSDPMessage(datagram(lines + (value.map { ["\(header): \($0)"] } ?? [])))
    }

    @Test func `an announcement has its values, and its UUID in lower case`() throws {
        let message = try #require(SSDPMessage(datagram(alive)))
        #expect(message.kind == .alive)
        #expect(message.usn == "uuid:2F402F80-DA50-11E1-9B23-00178817122C::upnp:rootdevice")
        #expect(message.udn == "uuid:2f402f80-da50-11e1-9b23-00178817122c")
        #expect(message.location == "http://192.168.1.20:49152/description.xml")
        #expect(message.maxAge == 1_810)
        #expect(message.server == "Linux/5.4 UPnP/1.0 GUPnP/1.2.2")
        #expect(message.isOfRootDevice)
        #expect(message.serviceType == nil)
    }

    @Test func `an answer of a Roku is read, whose identifier is no UUID`() throws {
        let message = try #require(
            SSDPMessage(
                datagram([
                    "HTTP/1.1 200 OK", "Cache-Control: max-age=3600", "ST: roku:ecp",
                    "USN: uuid:roku:ecp:P0A070000007", "Ext: ",
                    "Server: Roku UPnP/1.0 MiniUPnPd/1.4", "LOCATION: http://192.168.1.134:8060/",
                ])))
        #expect(message.kind == .answer)
        #expect(message.udn == "uuid:roku:ecp:P0A070000007")
        #expect(message.serviceType == "upnp:roku:ecp")
        #expect(!message.isOfRootDevice)
    }

    @Test func `a service of a Sonos leaves, without an address or a time`() throws {
        let message = try #require(
            SSDPMessage(
                datagram([
                    "NOTIFY * HTTP/1.1", "NTS: ssdp:byebye",
                    "NT: urn:schemas-upnp-org:service:AVTransport:1",
                    "USN: uuid:RINCON_000E58A0B1C201400_MR::urn:schemas-upnp-org:service:AVTransport:1",
                ])))
        #expect(message.kind == .byebye)
        #expect(message.udn == "uuid:RINCON_000E58A0B1C201400_MR")
        #expect(message.serviceType == "upnp:AVTransport:1")
        #expect(message.location == nil && message.server == nil)
        #expect(message.maxAge == 1_800)
    }

    @Test func `a value that is cut between two words has no space at its end`() throws {
        let word = String(repeating: "a", count: 254)
        #expect(try #require(message("SERVER", word + " b")).server == word)
    }

    @Test(arguments: [
        ("urn:schemas-upnp-org:device:MediaRenderer:1", "upnp:MediaRenderer:1"),
        ("urn:schemas-upnp-org:service:AVTransport:1", "upnp:AVTransport:1"),
        ("urn:dial-multiscreen-org:service:dial:1", "upnp:dial:1"),
        ("urn:samsung.com:device:RemoteControlReceiver:1", "upnp:RemoteControlReceiver:1"),
        ("urn:schemas-microsoft-com:nhed:presence:1", "upnp:presence:1"),
        ("urn:lge:tv", "upnp:lge:tv"), ("roku:ecp", "upnp:roku:ecp"), ("upnp:rootdevice", nil),
        ("UPnP:RootDevice", nil), ("ssdp:all", nil), ("uuid:abc", nil), ("urn:::", nil),
        ("a b", nil), ("ä", nil), (String(repeating: "a", count: 256), nil),
    ])
    func `a target is a type as users see it`(target: String, type: String?) {
        #expect(SSDPMessage.serviceType(of: target) == type)
    }

    @Test func `headers in any case, with spaces, in lines without carriage return are read`() {
        let odd = alive.map { line in
            let parts = line.split(separator: ": ", maxSplits: 1)
            return parts.count < 2 ? line : "\(parts[0].lowercased()) :\t \(parts[1])  "
        }
        #expect(SSDPMessage(datagram(odd, end: "\n")) == SSDPMessage(datagram(alive)))
    }

    @Test func `of headers with one name the first counts, and a line without colon is ignored`() {
        let twice = alive + ["NT: urn:x", "USN: uuid:b", "nonsense"]
        #expect(SSDPMessage(datagram(twice)) == SSDPMessage(datagram(alive)))
    }

    @Test(arguments: [
        ("max-age=1", 1), ("max-age=0", 1), ("MAX-AGE = 100", 100), ("max-age=99999999", 86_400),
        ("no-cache, max-age=60", 60), ("max-age=-5", 1_800), ("max-age=+5", 1_800),
        ("max-age=99999999999999999999", 1_800), ("max-age", 1_800), ("", 1_800), ("60", 1_800),
    ])
    func `a time is from a second to a day, and half an hour if it is missing`(
        text: String, expected: Int
    ) {
        #expect(message("CACHE-CONTROL", text)?.maxAge == expected)
        #expect(message("CACHE-CONTROL", nil)?.maxAge == 1_800)
    }

    @Test(arguments: [
        nil, "", "uuid:", "uuid", "2f402f80-da50-11e1-9b23-00178817122c", "uuid:a b", "uuid:ä",
        "::upnp:rootdevice", "uuid:" + String(repeating: "a", count: 256),
    ])
    func `a message without a usable identifier is refused`(usn: String?) {
        #expect(message("USN", usn) == nil)
    }

    @Test func `a search, another method and another status are no announcements`() {
        for host in [SSDPSearch.hostOfIPv4, SSDPSearch.hostOfIPv6] {
            #expect(SSDPMessage(SSDPSearch.message(host: host)) == nil)
        }
        for start in [
            "M-SEARCH * HTTP/1.1", "GET * HTTP/1.1", "NOTIFY /a HTTP/1.1", "HTTP/1.1 404 No", "",
        ] {
            let lines = [start] + alive.dropFirst() + ["ST: ssdp:all"]
            #expect(SSDPMessage(datagram(lines)) == nil, "\(start)")
        }
        #expect(message("NTS", "ssdp:propchange") == nil)
        #expect(message("NT", nil) == nil)
    }

    @Test(arguments: ["\0", "\u{1b}[2J", "a\tb", "\u{7f}", "\u{9b}31m", "\u{2028}", "a\rb"])
    func `a control character in a value makes a message invalid`(value: String) {
        #expect(message("SERVER", value) == nil)
    }

    @Test func `bytes that are not UTF-8 make a message invalid`() {
        let bytes = datagram(alive + ["X-NAME: ?"])
        #expect(SSDPMessage(bytes) != nil)
        for byte in [0xff, 0xc3, 0x80] as [UInt8] {
            #expect(SSDPMessage(bytes.map { $0 == UInt8(ascii: "?") ? byte : $0 }) == nil)
        }
    }

    @Test func `lines, headers and datagrams at their limits are read, and longer ones are not`() {
        #expect(message("X", String(repeating: "a", count: 1_024 - 3)) != nil)
        #expect(message("X", String(repeating: "a", count: 1_024 - 2)) == nil)
        let headers = (alive.count - 1..<64).map { "X-\($0): a" }
        #expect(SSDPMessage(datagram(alive + headers)) != nil)
        #expect(SSDPMessage(datagram(alive + headers + ["Y: a"])) == nil)
        #expect(SSDPMessage(datagram(alive + (0..<2_000).map { "a:\($0 % 10)" })) == nil)
        let whole = datagram(alive)
        let room = [UInt8](repeating: 0, count: SSDPMessage.sizeLimit - whole.count)
        #expect(SSDPMessage(whole + room) != nil)
        #expect(SSDPMessage(whole + room + [0]) == nil)
    }

    @Test func `a search has the headers of the standard`() {
        #expect(
            SSDPSearch.message(host: SSDPSearch.hostOfIPv6)
                == datagram([
                    "M-SEARCH * HTTP/1.1", "HOST: [FF02::C]:1900", "MAN: \"ssdp:discover\"",
                    "MX: 2", "ST: ssdp:all",
                ]))
    }

    @Test(arguments: 0..<400 as Range<UInt64>)
    func `any change of a message leaves it within bounds`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var bytes = datagram(alive)
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            bytes[.random(in: 0..<bytes.count, using: &generator)] =
                .random(in: 0...255, using: &generator)
        }
        guard let message = SSDPMessage(bytes) else { return }
        #expect(1...86_400 ~= message.maxAge)
        for text in [message.usn, message.udn, message.target, message.location, message.server] {
            #expect(text?.unicodeScalars.allSatisfy(\.isPrintable) != false)
        }
        #expect(message.udn.hasPrefix("uuid:"))
    }
}
