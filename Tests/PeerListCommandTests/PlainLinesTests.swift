// The list in words is what the committed texts say.
import Foundation
import PeerList
import PeerListTestSupport
import TerminalList
import Testing

@testable import PeerListCommand

@Suite struct PlainLinesTests {
    /// All that happens in the house, in words.
    private func text(_ grouping: Grouping, charset: Charset = .unicode) -> String {
        var plain = PlainLines(charset: charset, localTime: utc)
        var lines = plain.begin(House.header(grouping), at: House.time(0))
        for step in House.steps(grouping) {
            switch step {
            case .update(let update, _): lines += plain.update(update)
            case .notice(let notice): lines += plain.notice(notice)
            }
        }
        return lines.map { "\($0)\n" }.joined()
    }

    @Test func `devices come, change and go in words`() throws {
        try expectCommitted(text(.device), "plain.txt")
    }

    @Test func `services come, change and go in words`() throws {
        try expectCommitted(text(.type), "plain-by-type.txt")
    }

    @Test func `where only ASCII may be sent, nothing else is`() {
        #expect(text(.device, charset: .ascii).utf8.allSatisfy { $0 < 0x7F })
    }

    @Test func `a new day is told before the first line of it`() {
        var plain = PlainLines(charset: .unicode, localTime: utc)
        _ = plain.begin(House.header(.device), at: House.time(0))
        let notice = Notice(.backendBack, "back", time: House.time(86_400))
        #expect(
            plain.notice(notice) == ["08:30:00 day     is now 2026-11-22", "08:30:00 notice  back"])
        #expect(plain.notice(notice) == ["08:30:00 notice  back"])
    }

    @Test func `a device with very many services is still one short line`() throws {
        guard case .peer(var peer)? = House.devices().first?.items.first else {
            Issue.record("the house is empty")
            return
        }
        peer.services = (0..<1000).map {
            Service(id: UUID(), name: "s\($0)", type: "_http._tcp", domain: "local", port: 80)
        }
        var script = ListScript()
        var plain = PlainLines(charset: .unicode, localTime: utc)
        let section = ListSection(id: "local", items: [.peer(peer)])
        let arrival = script.change(.arrived, at: House.time(1), to: [section])
        #expect(plain.update(arrival).joined().count < 200)
        peer.services = []
        let emptied = ListSection(id: "local", items: [.peer(peer)])
        let lines = plain.update(script.change(.changed, at: House.time(2), to: [emptied]))
        #expect(lines.joined().contains("and 992 more changes"))
        #expect(lines.joined().count < 400)
    }
}

/// A moment in UTC, so that the texts do not depend on where the tests run.
private func utc(_ time: Timestamp) -> LocalTime {
    let parts = time.description.split { $0 == "T" || $0 == "." }
    return LocalTime(day: String(parts[0]), clock: String(parts[1]))
}
