// Compares the sentences about changes with committed texts.
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
        plain.begin(House.header(grouping), at: House.time(0))
        var lines: [String] = []
        for step in House.steps(grouping) {
            switch step {
            case .update(let update, _):
                lines += plain.removeDueLines(at: update.time)
                plain.update(update)
            case .notice(let notice): plain.notice(notice)
            }
        }
        lines += plain.removeAllLines()
        return lines.map { "\($0)\n" }.joined()
    }

    @Test func `arrivals, changes and departures of devices are sentences`() throws {
        try expectCommitted(text(.device), "plain.txt")
    }

    @Test func `arrivals, changes and departures of services are sentences`() throws {
        try expectCommitted(text(.type), "plain-by-type.txt")
    }

    @Test func `with the ASCII character set all lines are ASCII`() {
        #expect(text(.device, charset: .ascii).utf8.allSatisfy { $0 < 0x7F })
    }

    @Test func `every line starts with its date and time`() {
        for grouping in Grouping.allCases {
            for line in text(grouping).split(separator: "\n") {
                #expect(
                    line.contains(#/^2026-11-21 08:3\d:\d\d [A-Z][a-z]+: /#), "\(line)")
            }
        }
    }

    @Test func `every line is whole sentences without symbols`() {
        for line in (text(.device) + text(.type)).split(separator: "\n") {
            #expect(line.hasSuffix("."), "\(line)")
            #expect(!line.contains("->") && !line.contains(";  ") && !line.contains("  "))
        }
    }

    @Test func `changes within a second of an arrival are in its line`() throws {
        var script = ListScript()
        var plain = PlainLines(charset: .unicode, localTime: utc)
        func list(_ items: ListItem...) -> [ListSection] {
            items.isEmpty ? [] : [ListSection(id: "local", items: items)]
        }
        let tv = device("tv", "googlecast")
        plain.update(script.change(.arrived, at: House.time(1), to: list(.peer(tv))))
        var nas = device("nas", "http")
        plain.update(script.change(.arrived, at: House.time(1.2), to: list(.peer(nas), .peer(tv))))
        nas = device("nas", "http", "smb")
        plain.update(script.change(.changed, at: House.time(1.9), to: list(.peer(nas), .peer(tv))))
        #expect(plain.removeDueLines(at: House.time(1.9)).isEmpty)
        #expect(plain.due == House.time(2))
        #expect(
            plain.removeDueLines(at: House.time(2)).map { $0.contains("Arrived: tv ") } == [true])

        plain.update(script.change(.departed, at: House.time(2.1), to: list(.peer(nas))))
        #expect(plain.removeDueLines(at: House.time(2.1)).isEmpty, "lines stay in order")
        let rest = plain.removeDueLines(at: House.time(2.2))
        #expect(rest.count == 2)
        #expect(rest.first?.contains("Arrived: nas ") == true)
        #expect(rest.first?.contains("http and smb") == true)
        #expect(rest.last?.contains("Left: tv ") == true)

        nas = device("nas", "http", "smb", "ssh")
        plain.update(script.change(.changed, at: House.time(2.3), to: list(.peer(nas))))
        #expect(
            plain.removeDueLines(at: House.time(2.3)).map { $0.contains("Changed: nas ") } == [true]
        )
        #expect(plain.due == nil)
    }

    @Test func `an unresolved service that joins a device within a second has no line`() {
        var script = ListScript()
        var plain = PlainLines(charset: .unicode, localTime: utc)
        func section(_ peers: Peer...) -> [ListSection] {
            [ListSection(id: "local", items: peers.map(ListItem.peer))]
        }
        let nas = device("nas", "http")
        plain.update(script.change(.arrived, at: House.time(1), to: section(nas)))
        #expect(plain.removeDueLines(at: House.time(2)).count == 1)
        let (service, whole) = (device("files", "smb:nas"), device("nas", "http", "smb"))
        plain.update(script.change(.arrived, at: House.time(3), to: section(service, nas)))
        plain.update(
            script.change(.identity, reason: .identity, at: House.time(3.5), to: section(whole)))
        let lines = plain.removeAllLines()
        #expect(lines.map { $0.contains("New service: smb \"nas\"") } == [true])
    }

    @Test func `a device that leaves within a second of its arrival has both lines`() {
        var script = ListScript()
        var plain = PlainLines(charset: .unicode, localTime: utc)
        let section = ListSection(id: "local", items: [.peer(device("tv", "googlecast"))])
        plain.update(script.change(.arrived, at: House.time(1), to: [section]))
        plain.update(script.change(.departed, at: House.time(1.5), to: []))
        let lines = plain.removeAllLines()
        #expect(lines.map { $0.contains("Arrived: tv ") } == [true, false])
        #expect(lines.last?.contains("Left: tv ") == true)
    }

    @Test func `names are not cut`() {
        let family = "👨\u{200d}👩\u{200d}👧"
        var script = ListScript()
        var plain = PlainLines(charset: .unicode, localTime: utc)
        let section = ListSection(id: "local", items: [.peer(device(family))])
        plain.update(script.change(.arrived, at: House.time(1), to: [section]))
        #expect(plain.removeAllLines().first?.contains(" Arrived: \(family) ") == true)
    }

    @Test func `a device with many services is one short line`() throws {
        guard var peer = House.devices().first?.items.first?.peer else {
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
        plain.update(arrival)
        #expect(plain.removeAllLines().joined().count < 200)
        peer.services = []
        let emptied = ListSection(id: "local", items: [.peer(peer)])
        plain.update(script.change(.changed, at: House.time(2), to: [emptied]))
        let lines = plain.removeAllLines()
        #expect(lines.joined().contains("There are 992 more changes."))
        #expect(lines.joined().count < 400)
    }
}

/// A moment in UTC, so that the texts do not depend on where the tests run.
private func utc(_ time: Timestamp) -> LocalTime {
    let parts = time.description.split { $0 == "T" || $0 == "." }
    return LocalTime(day: String(parts[0]), clock: String(parts[1]))
}
