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
        let plain = PlainLines(charset: charset, localTime: utc)
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

    @Test func `every line says on which day it was, and at what time`() {
        for grouping in Grouping.allCases {
            for line in text(grouping).split(separator: "\n") {
                #expect(
                    line.contains(#/^2026-11-21 08:3\d:\d\d [A-Z][a-z]+: /#), "\(line)")
            }
        }
    }

    @Test func `every line is whole sentences, understood without symbols`() {
        for line in (text(.device) + text(.type)).split(separator: "\n") {
            #expect(line.hasSuffix("."), "\(line)")
            #expect(!line.contains("->") && !line.contains(";  ") && !line.contains("  "))
        }
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
        let plain = PlainLines(charset: .unicode, localTime: utc)
        let section = ListSection(id: "local", items: [.peer(peer)])
        let arrival = script.change(.arrived, at: House.time(1), to: [section])
        #expect(plain.update(arrival).joined().count < 200)
        peer.services = []
        let emptied = ListSection(id: "local", items: [.peer(peer)])
        let lines = plain.update(script.change(.changed, at: House.time(2), to: [emptied]))
        #expect(lines.joined().contains("There are 992 more changes."))
        #expect(lines.joined().count < 400)
    }
}

/// A moment in UTC, so that the texts do not depend on where the tests run.
private func utc(_ time: Timestamp) -> LocalTime {
    let parts = time.description.split { $0 == "T" || $0 == "." }
    return LocalTime(day: String(parts[0]), clock: String(parts[1]))
}
