// The events of an announced service as sentences and lines of JSON.
import PeerModel
import Testing

@testable import PeerSession

@Suite struct AnnouncementEventTests {
    private let service = Announcement(
        name: "W\u{1b}eb", type: "_http._tcp", port: 80, txt: [])

    @Test func `a sentence escapes control characters and mentions a changed name`() {
        #expect(
            AnnouncementEvent.announced(name: "W\u{1b}eb").sentence(of: service)
                == "'W\\u{1b}eb' is announced: _http._tcp, port 80. Ctrl-C withdraws it.")
        #expect(
            AnnouncementEvent.announced(name: "Other").sentence(of: service)
                .hasPrefix("'Other' is announced instead of 'W\\u{1b}eb': "))
    }

    @Test func `a line is one JSON object with the announced and the requested name`() {
        let line = AnnouncementEvent.announced(name: "Web #2").json(
            of: service, at: Timestamp("2026-11-21T08:30:00.000000Z") ?? .now())
        #expect(
            line == """
                {"type":"announced","time":"2026-11-21T08:30:00.000000Z","name":"Web #2",\
                "wanted":"W\\u001beb","service":"_http._tcp","port":80}

                """)
    }

    @Test func `only discovery events about the service become announcement events`() {
        #expect(AnnouncementEvent(.announced(name: "a")) == .announced(name: "a"))
        #expect(AnnouncementEvent(.lost(reason: "")) == .interrupted)
        #expect(AnnouncementEvent(.notice(.nameConflict, "x")) == .message(.renamed, "x"))
        #expect(AnnouncementEvent(.notice(.hostNameConflict, "x")) == .message(.notice, "x"))
        #expect(AnnouncementEvent(.notice(.announceFailed, "x")) == .message(.failed, "x"))
        #expect(AnnouncementEvent(.notice(.serviceLimit, "x")) == nil)
        #expect(AnnouncementEvent(.settled) == nil)
    }
}
