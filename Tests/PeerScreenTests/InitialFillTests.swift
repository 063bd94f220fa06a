// What a session finds at its start was already there: the end of that time, and how outputs show it.
import FoundationEssentials
import PeerHappenings
import PeerModel
import PeerListTestSupport
import PeerRecording
import TerminalList
import Testing

@testable import PeerScreen
@testable import PeerSession
@testable import PeerText

@Suite struct InitialFillTests {
    private let key = ServiceKey(name: "Web", type: "_http._tcp", domain: "local")
    private var found: DiscoveryEvent.Kind {
        let eth0 = NetworkInterface(index: 2, name: "eth0")
        return .found(Sighting(service: key, interface: eth0, family: .ipv4))
    }
    private let running = DiscoveryEvent.Kind.running(host: "me.local")

    /// Returns the end of the fill in seconds after events, the last of which is a probe.
    private func end(
        _ events: [(Double, DiscoveryEvent.Kind)], probe: Double, openCount: Int = 0
    ) -> Double? {
        var fill = InitialFillEnd()
        for (seconds, kind) in events {
            let event = DiscoveryEvent(kind, at: House.time(seconds))
            if let end = fill.end(before: event, openCount: openCount) { return self.seconds(end) }
        }
        let event = DiscoveryEvent(found, at: House.time(probe))
        return fill.end(before: event, openCount: openCount).map(seconds)
    }

    private func seconds(_ time: Timestamp) -> Double {
        Double(time.microseconds - House.time(0).microseconds) / 1_000_000
    }

    @Test func `the fill ends when nothing was found for a second, after four seconds at least`() {
        #expect(end([(0, running), (0.3, found)], probe: 3.9) == nil)
        #expect(end([(0, running), (0.3, found)], probe: 4) == 4)
        #expect(end([(0, running), (0.3, found)], probe: 900) == 4)
        #expect(end([(0, running), (3.7, found)], probe: 4.6) == nil)
        #expect(end([(0, running), (3.7, found)], probe: 4.8) == 4.7)
    }

    @Test func `it ends after ten seconds even if more is found or lookups are open`() {
        let steady = (1..<30).map { (Double($0) / 2, found) }
        #expect(end([(0, running)] + steady, probe: 20) == 10)
        #expect(end([(0, running), (0.3, found)], probe: 9.9, openCount: 1) == nil)
        #expect(end([(0, running), (0.3, found)], probe: 60, openCount: 1) == 10)
    }

    @Test func `it begins when a backend answers, and again when one is lost in it`() {
        let probe = (30.0, DiscoveryEvent.Kind.settled)
        #expect(end([probe, (60, running), (60.5, found)], probe: 63) == nil)
        #expect(end([probe, (60, running), (60.5, found)], probe: 100) == 64)
        let lost = DiscoveryEvent.Kind.lost(reason: "gone")
        let back = DiscoveryEvent.Kind.handedOver(to: .embedded, host: "me.local")
        #expect(end([(0, running), (2, lost), (50, back), (51, found)], probe: 53) == nil)
        #expect(end([(0, running), (2, lost), (50, back), (51, found)], probe: 60) == 54)
    }

    @Test func `without a report of a backend, it begins with the first service`() {
        #expect(end([(7, found)], probe: 10.5) == nil)
        #expect(end([(7, found)], probe: 12) == 11)
    }

    @Test func `when the clock is set back, it begins again`() {
        #expect(end([(0, running), (1, found), (-500, found)], probe: -498) == nil)
        #expect(end([(0, running), (1, found), (-500, found)], probe: -400) == -496)
    }

    @Test func `it ends at a time without an event, too`() {
        var fill = InitialFillEnd()
        #expect(fill.end(at: House.time(60), openCount: 0) == nil, "no backend has answered")
        _ = fill.end(before: DiscoveryEvent(running, at: House.time(60)), openCount: 0)
        #expect(fill.end(at: House.time(63.9), openCount: 0) == nil)
        #expect(fill.end(at: House.time(65), openCount: 0).map(seconds) == 64)
        #expect(fill.end(at: House.time(66), openCount: 0) == nil)
    }

    @Test func `its end is returned once`() {
        var fill = InitialFillEnd()
        let ends = [0, 5, 50].map { seconds in
            fill.end(before: DiscoveryEvent(found, at: House.time(seconds)), openCount: 0)
        }
        #expect(ends.map { $0 != nil } == [false, true, false])
    }

    @Test func `what was first found in it is covered, also if it is resolved later`() {
        let fill = InitialFill.over(House.time(4))
        #expect(fill.covers(device("tv", "googlecast", arrived: 3.9)))
        #expect(fill.covers(device("tv", "googlecast", arrived: 4)))
        #expect(!fill.covers(device("tv", "googlecast", arrived: 4.1)))
        #expect(InitialFill.running.covers(device("tv", arrived: 99)))
        #expect(!InitialFill.none.covers(device("tv", arrived: 0)))
    }
}

@Suite struct InitialFillOutputTests {
    private let fill = InitialFill.over(House.time(4))

    /// Returns the update in which devices are inserted, one after the other.
    private func arrivals(_ peers: Peer...) -> [PeerListUpdate] {
        var (script, listed) = (ListScript(), [Peer]())
        return peers.map { peer in
            listed.append(peer)
            return script.change(
                .arrived, at: peer.firstSeen,
                to: [ListSection(id: "local", items: listed.map(ListItem.peer))])
        }
    }

    private func known(_ peer: Peer, last: Double) -> Peer {
        var peer = peer
        (peer.firstEverSeen, peer.lastSeenBefore) = (House.time(-9e6), House.time(last))
        return peer
    }

    private let old = device("nas", "smb", arrived: 1)
    private let tv = device("tv", "googlecast", arrived: 60)
    private var stranger: Peer {
        var peer = device("cam", "http", arrived: 70)
        peer.isNew = true
        return peer
    }

    @Test func `plain output says what was already there, new or back`() {
        var plain = PlainLines(charset: .unicode) { _ in LocalTime(day: "D", clock: "C") }
        var account = Happenings()
        account.fill = fill
        let day = 86_400.0
        let updates = arrivals(
            old, known(device("pi", "ssh", arrived: 2), last: -21.5 * day),
            known(device("pc", "ssh", arrived: 3), last: -0.5 * day),
            known(tv, last: -300), stranger)
        for update in updates { account.apply(update.items) }
        for event in account.removeAll() { plain.add(event) }
        let text = String(decoding: plain.removeAll(), as: UTF8.self)
        #expect(
            text.split(separator: "\n") == [
                "D C Already there: nas (nas.local). It offers smb.",
                "D C Already there: pi (pi.local). It was last seen 3 weeks ago. It offers ssh.",
                "D C Already there: pc (pc.local). It offers ssh.",
                "D C Arrived: tv (tv.local). It is back after 6 minutes. It offers googlecast.",
                "D C Arrived: cam (cam.local). It was never seen before. It offers http.",
            ])
    }

    @Test func `the history has no arrivals of what was there, and says what is new or back`() {
        var history = ToldHistory()
        history.fill = .running
        let updates = arrivals(old, known(tv, last: -300), stranger)
        history.record(updates[0].items)
        #expect(history.events.isEmpty)
        history.fill = fill
        for update in updates.dropFirst() { history.record(update.items) }
        #expect(history.history.perMinute(until: House.time(80)).arrivals.reduce(0, +) == 2)
        let line = history.history.eventLine(columns: 200, departedKey: nil, charset: .unicode)
        let text = line.map(\.text).joined()
        #expect(text.contains("cam was never seen before "))
        #expect(text.contains("tv is back after 6 minutes"))
        #expect(
            history.history.entries(of: [old.id]).map(\.text) == ["was already there: offers smb"])
        #expect(
            history.history.entries(of: [stranger.id]).map(\.text)
                == ["arrived, never seen before: offers http"])
        #expect(
            history.history.entries(of: [tv.id]).map(\.text)
                == ["is back after 6 minutes: offers googlecast"])
    }

    @Test func `the presence of the last hour begins when a device was found`() throws {
        var history = ToldHistory()
        history.fill = fill
        for update in arrivals(old) { history.record(update.items) }
        let strip = try #require(
            history.history.strip(of: [old.id], until: House.time(300), buckets: 12))
        #expect(strip.text(charset: .ascii) == "          ##")
    }

    @Test func `details say that a device was there before it was found`() throws {
        var (seen, history) = (DeviceIndex(), ListHistory())
        history.fill = fill
        let weeks = known(tv, last: -21 * 86_400)
        for update in arrivals(old, weeks, stranger) {
            seen.apply(update.items)
            history.record(update.items)
        }
        var details = DetailText(seen: seen, history: history, charset: .ascii)
        details.localTime = { time in
            let text = time.description
            return LocalTime(
                day: String(text.prefix(10)), clock: String(text.dropFirst(11).prefix(8)))
        }
        func text(_ id: UUID) -> [String] {
            details.lines(of: .device(id)).map { $0.fields.map(\.text).joined() }
                .filter { $0.contains("First seen") || $0.contains("Arrived") }
        }
        #expect(text(old.id) == ["  First seen  08:30:01", "  Arrived     before 08:30:01"])
        #expect(
            text(weeks.id) == [
                "  First seen  2026-08-09 04:30:00, 3 months ago",
                "  Arrived     08:31:00, back after 3 weeks",
            ])
        #expect(text(stranger.id) == ["  First seen  08:31:10, never before"])
    }

    @Test(arguments: [
        (0.0, "0 seconds"), (1, "1 second"), (59.9, "59 seconds"), (60, "1 minute"),
        (7_199, "119 minutes"), (7_200, "2 hours"), (172_800, "2 days"), (1_209_600, "2 weeks"),
        (5_259_600, "2 months"), (63_115_200, "2 years"), (1e9, "31 years"),
    ])
    func `a time is spelled out`(seconds: Double, words: String) {
        #expect(spokenTime(from: House.time(0), to: House.time(seconds)) == words)
        #expect(spokenTime(from: House.time(1), to: House.time(0)) == nil)
    }
}
