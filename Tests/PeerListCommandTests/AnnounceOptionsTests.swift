// What `peerlist announce` takes, and what it says of what becomes of a service.
import PeerList
import PeerRecording
import Testing

@testable import PeerListCommand

@Suite struct AnnounceOptionsTests {
    private func options(_ words: String...) throws -> AnnounceOptions {
        let invocation = try Invocation(["announce"] + words, interfaces: .two)
        guard case .announce(let options) = invocation else {
            throw UsageError("no announcement")
        }
        return options
    }

    @Test func `all parts of a service reach the one who announces it`() throws {
        let browse = try options(
            "--name", "Attic: Laser", "--type", "ipp", "--port", "631", "--txt", "rp=a=b",
            "--txt", "flag", "--subtype", "printer", "--subtype", "_color", "--subtype",
            "_color._sub._ipp._tcp", "-6"
        ).browseOptions

        #expect(
            browse.announcement
                == Announcement(
                    name: "Attic: Laser", type: "_ipp._tcp", port: 631, txt: ["rp=a=b", "flag"],
                    subtypes: ["_printer", "_color"]))
        #expect(browse.announcesOnly)
        #expect(browse.family == .ipv6)
    }

    @Test func `the longest name, attribute and port are taken`() throws {
        let name = String(repeating: "n", count: 63)
        let text = "k=" + String(repeating: "v", count: 253)
        let taken = try options("-n", name, "-t", "_a1._udp", "--port", "65535", "--txt", text)
        #expect(taken.name == name)
        #expect(taken.txt == [text])
        #expect(taken.port == 65_535)
    }

    @Test func `a key ends at the first equals sign, whatever is combined with it`() throws {
        let text = "key=\u{301}value"
        #expect(
            try options("-n", "a", "-t", "http", "--port", "1", "--txt", text).txt == [text])
    }
}

@Suite struct AnnouncementNewsTests {
    private let service: AnnounceOptions = {
        var options = AnnounceOptions()
        (options.name, options.type, options.port) = ("W\u{1b}eb", "_http._tcp", 80)
        return options
    }()

    @Test func `a sentence acts on no terminal and tells of another name`() {
        #expect(
            AnnouncementNews.announced(name: "W\u{1b}eb").sentence(of: service)
                == "'W\\u{1b}eb' is announced: _http._tcp, port 80. Ctrl-C withdraws it.")
        #expect(
            AnnouncementNews.announced(name: "Other").sentence(of: service)
                .hasPrefix("'Other' is announced in place of 'W\\u{1b}eb': "))
    }

    @Test func `a line is one JSON object that says which name it has`() {
        let line = AnnouncementNews.announced(name: "Web #2").json(
            of: service, at: Timestamp("2026-11-21T08:30:00.000000Z") ?? .now())
        #expect(
            line == """
                {"type":"announced","time":"2026-11-21T08:30:00.000000Z","name":"Web #2",\
                "wanted":"W\\u001beb","service":"_http._tcp","port":80}
                """)
    }

    @Test func `only what concerns the service is told`() {
        #expect(AnnouncementNews(.announced(name: "a")) == .announced(name: "a"))
        let announced = AnnouncementNews.announced(name: "a")
        #expect(announced.isNews(after: nil) && announced.isNews(after: .interrupted))
        #expect(announced.isNews(after: .announced(name: "b")))
        #expect(!announced.isNews(after: announced), "another backend goes on with it")
        #expect(AnnouncementNews(.lost(reason: "")) == .interrupted)
        #expect(AnnouncementNews(.notice(.nameConflict, "x")) == .renamed("x"))
        #expect(AnnouncementNews(.notice(.hostNameConflict, "x")) == .hostRenamed("x"))
        #expect(AnnouncementNews(.notice(.announceFailed, "x")) == .failed("x"))
        #expect(AnnouncementNews(.notice(.serviceLimit, "x")) == nil)
        #expect(AnnouncementNews(.settled) == nil)
    }
}
