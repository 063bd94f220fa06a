// Tests of the history of the list, and of the strip of an item's presence in the last hour.
import FoundationEssentials
import PeerHappenings
import PeerModel
import PeerListTestSupport
import TerminalList
import Testing

@testable import PeerScreen

@Suite struct ListHistoryTests {
    private let nas = device("nas", "smb:Files", address: "10.0.0.4", arrived: 0)
    private let tv = device("tv", "googlecast:客厅")

    /// Returns the history of the house up to a time.
    private func house(_ grouping: Grouping, upTo limit: Timestamp = House.time(999)) -> ToldHistory
    {
        var history = ToldHistory()
        for step in House.steps(grouping) {
            if case .update(let update, _) = step, update.items.time <= limit {
                history.record(update.items)
            }
        }
        return history
    }

    /// Returns changes at a time.
    private func update(
        _ script: inout ListScript, at seconds: Double, _ peers: [Peer],
        reason: Departure = .removed
    ) -> ItemChanges {
        script.change(
            .changed, reason: reason, at: House.time(seconds),
            to: peers.isEmpty
                ? [] : [ListSection(id: "local", items: peers.map(ListItem.peer))]
        ).items
    }

    @Test func `the log of an item has its changes in words, the latest first`() throws {
        let history = house(.device)
        let tv = try #require(history.departed.first { $0.item.name == "tv" })
        #expect(
            history.history.entries(of: [tv.id]).map {
                "\($0.time.description.suffix(16)) \($0.text)"
            }
                == [
                    "08:33:34.000000Z not found again after discovery restarted",
                    "08:32:12.000000Z does not answer",
                    "08:30:02.000000Z arrived: 10.0.0.30; offers googlecast",
                ].map { String($0) })
    }

    @Test func `departed items are kept with time and reason, the latest first`() {
        let departed = house(.device).departed
        #expect(
            departed.map { "\($0.item.name) \($0.reasonText)" } == [
                "brn30055c said goodbye",
                "tv not found again after discovery restarted",
            ])
        #expect(departed.map(\.time) == [House.time(300), House.time(214)])
    }

    @Test(arguments: [128, 129, 4_096])
    func `the first 128 services of a departed device are kept`(count: Int) throws {
        var (script, history) = (ListScript(), ToldHistory())
        var busy = nas
        busy.services = (0..<count).map { number in
            var service = nas.services[0]
            (service.id, service.name) = (UUID(), "s\(number)")
            return service
        }
        history.record(update(&script, at: 0, [busy]))
        history.record(update(&script, at: 10, []))
        guard let peer = history.departed.first?.item.peer else {
            return #expect(Bool(false), "nobody has left")
        }
        #expect(peer.services == Array(busy.services.prefix(128)))
    }

    @Test
    func `events are arrivals, departures and missing answers, but not changes of identifiers`() {
        let history = house(.device)
        #expect(
            history.events.map(\.kind)
                == [.arrived, .arrived, .arrived, .left, .left])
        #expect(
            history.events.flatMap(\.names) == ["anna", "brn30055c", "tv", "tv", "brn30055c"])
        var turned = history
        turned.rewind(to: House.time(3))
        #expect(turned.events.count == 3)
        let silent = house(.device, upTo: House.time(140))
        #expect(silent.events.last?.kind == .silent)
        #expect(silent.events.last?.names == ["tv"], "until it answers or leaves")
    }

    @Test func `the line has as many events as fit, the latest first`() {
        func line(_ columns: Int, key: String?) -> String {
            house(.device).history.eventLine(columns: columns, departedKey: key, charset: .unicode)
                .map(\.text).joined()
        }
        #expect(line(34, key: nil) == "  08:35 brn30055c left")
        #expect(line(50, key: "d") == "  08:35 brn30055c left   d shows departed")
        #expect(line(60, key: nil).hasPrefix("  08:35 brn30055c left   08:33 tv left"))
        #expect(!line(1000, key: nil).contains("08:32 tv does not answer"))
    }

    @Test func `an item that returns is not departed`() {
        var (script, history) = (ListScript(), ToldHistory())
        history.record(update(&script, at: 0, [nas]))
        history.record(update(&script, at: 10, []))
        #expect(history.history.departed(nas.id)?.time == House.time(10))
        history.record(update(&script, at: 20, [nas]))
        #expect(history.departed.isEmpty)
        #expect(
            history.history.entries(of: [nas.id]).map(\.text)
                == [
                    "is back after 10 seconds: 10.0.0.4; offers smb", "said goodbye",
                    "arrived: 10.0.0.4; offers smb",
                ])
    }

    @Test
    func
        `the history of a device goes on under its new identifier, and nothing arrives or departs`()
    {
        var (script, history) = (ListScript(), ToldHistory())
        history.record(update(&script, at: 0, [nas]))
        let next = device("box", "smb:Files")
        var change = script.change(
            .identity, reason: .identity, at: House.time(60),
            to: [ListSection(id: "local", items: [.peer(next)])]
        ).items
        change.replacements = [nas.id: next.id]
        history.record(change)

        #expect(history.departed.isEmpty)
        #expect(
            history.history.entries(of: [next.id]).map(\.text)
                == [
                    "name changed from nas to box; host changed from nas.local to box.local; "
                        + "lost address 10.0.0.4",
                    "known by box.local", "arrived: 10.0.0.4; offers smb",
                ])
        let rates = history.history.perMinute(until: House.time(61))
        #expect(rates.arrivals.reduce(0, +) == 1)
        #expect(rates.departures.reduce(0, +) == 0)
    }

    @Test func `a service whose host becomes known is not departed`() {
        let history = house(.device)
        #expect(!history.departed.contains { $0.item.name == "Office Printer" })
    }

    @Test func `arrivals and departures are counted by minute for an hour`() {
        var (script, history) = (ListScript(), ToldHistory())
        history.record(update(&script, at: 0, [nas, tv]))
        history.record(update(&script, at: 59.9, [nas]))
        history.record(update(&script, at: 60, [nas, tv]))
        history.record(update(&script, at: 180, []))

        let rates = history.history.perMinute(until: House.time(200))
        #expect(rates.arrivals.count == 60 && rates.departures.count == 60)
        #expect(rates.arrivals.suffix(5) == [0, 2, 1, 0, 0])
        #expect(rates.departures.suffix(5) == [0, 1, 0, 0, 2])
        let later = history.history.perMinute(until: House.time(59 * 60))
        #expect(later.arrivals.prefix(2) == [2, 1])
        let latest = history.history.perMinute(until: House.time(60 * 60))
        #expect(latest.arrivals.prefix(2) == [1, 0])
    }

    @Test func `only the last twenty changes of an item are kept`() {
        var (script, history) = (ListScript(), ToldHistory())
        history.record(update(&script, at: 0, [nas]))
        var peer = nas
        for number in 1...30 {
            peer.services[0].port = UInt16(number)
            history.record(update(&script, at: Double(number), [peer]))
        }
        let entries = history.history.entries(of: [nas.id])
        #expect(entries.count == 20)
        #expect(entries.first?.text == "service smb \"Files\": port changed from 29 to 30")
        #expect(entries.last?.text == "service smb \"Files\": port changed from 10 to 11")
    }

    @Test func `a very long entry is truncated`() throws {
        var (script, history) = (ListScript(), ToldHistory())
        var peer = nas
        peer.addresses = (0..<1000).map { "10.0.0.\($0)" }
        history.record(update(&script, at: 0, [peer]))
        let text = try #require(history.history.entries(of: [nas.id]).first?.text)
        #expect(text.count == ListHistory.entryWidth)
    }

    @Test(arguments: Grouping.allCases)
    func `after a step back in a recording the history is that of the earlier time`(
        grouping: Grouping
    ) {
        for seconds in [0.1, 0.65, 2, 9, 132, 200, 214, 250] {
            let time = House.time(seconds)
            var turned = house(grouping)
            turned.rewind(to: time)
            let direct = house(grouping, upTo: time)

            #expect(turned.departed.map(\.id) == direct.departed.map(\.id))
            #expect(turned.history.perMinute(until: time) == direct.history.perMinute(until: time))
            for step in House.steps(grouping) {
                guard case .update(let update, _) = step else { continue }
                for id in Array(update.items.arrivals.keys) + update.items.changes.keys
                where direct.histories[id] != nil || update.items.time > time {
                    #expect(turned.history.entries(of: [id]) == direct.history.entries(of: [id]))
                    #expect(
                        turned.history.strip(of: [id], until: time)
                            == direct.history.strip(of: [id], until: time))
                }
            }
        }
    }

    @Test func `a jump in a recording is not logged as arrivals and departures`() {
        var (script, history) = (ListScript(), ToldHistory())
        history.record(update(&script, at: 0, [nas]))
        history.record(update(&script, at: 600, [tv]), isSeek: true)
        #expect(history.departed.map(\.id) == [nas.id])
        #expect(history.history.entries(of: [tv.id]).isEmpty)
        #expect(history.history.perMinute(until: House.time(600)).arrivals.reduce(0, +) == 1)

        history.record(update(&script, at: 1, [nas]), isSeek: true)
        #expect(history.departed.isEmpty)
        #expect(history.histories[nas.id]?.latest.presence == .present)
        #expect(history.histories[tv.id] == nil)
        #expect(history.latestTime == House.time(1))
    }

    @Test func `an item is departed once, even if the clock was set back`() {
        var (script, history) = (ListScript(), ToldHistory())
        history.record(update(&script, at: 0, [nas]))
        history.record(update(&script, at: 10, []))
        history.record(update(&script, at: 20, [nas]))
        history.record(update(&script, at: 12, []))
        #expect(history.departed.map(\.time) == [House.time(12)])
        history.rewind(to: House.time(15))
        #expect(history.departed.map(\.id) == [nas.id])
        #expect(history.departed.map(\.time) == [House.time(12)])
        history.record(update(&script, at: 30, [nas]))
        #expect(history.departed.isEmpty)
    }

    @Test func `an item that returns is not departed, even if its history was dropped`() {
        var (script, history) = (ListScript(), ToldHistory())
        var flapping = nas
        history.record(update(&script, at: 0, [nas]))
        history.record(update(&script, at: 1, []))
        for second in 2..<600 {
            flapping.presence = second % 2 == 0 ? .present : .unanswered
            history.record(update(&script, at: Double(second), [flapping]))
        }
        history.rewind(to: House.time(1))
        #expect(history.histories[nas.id] == nil)
        #expect(history.departed.map(\.id) == [nas.id])

        var forward = ListScript()
        history.record(update(&forward, at: 2, [nas]))
        #expect(history.departed.isEmpty)
        history.record(update(&forward, at: 3, []))
        #expect(history.departed.map(\.time) == [House.time(3)])
    }

    @Test func `the searchable text of a departed item is bounded`() throws {
        var peer = nas
        let value = String(repeating: "v", count: 200)
        peer.services = (0..<2_000).map { number in
            var service = nas.services[0]
            service.name = "Files \(number) \(value)"
            return service
        }
        let departed = DepartedItem(.peer(peer), at: House.time(1), .goodbye)
        #expect(departed.searchText.bytes.count == DepartedItem.searchLimit)
    }

    @Test func `the TXT records of a departed item are bounded`() {
        let large = TXTRecord(
            (0..<34).map { number in
                .init(key: "k\(number)", value: .text(String(repeating: "v", count: 250)))
            })
        var peer = nas
        peer.services = (0..<50).map { number in
            var service = nas.services[0]
            service.name = "Files \(number)"
            service.txt = large
            return service
        }
        let departed = DepartedItem(.peer(peer), at: House.time(1), .goodbye)
        let kept = departed.item.peer
        #expect(kept.services.count == 50)
        #expect(kept.services.prefix { $0.txt == large }.count == 1)
        #expect(kept.services.dropFirst().allSatisfy { $0.txt == TXTRecord() })

        // A recording can have a service with a longer record than any packet.
        var service = nas.services[0]
        let more = large.pairs.map { TXTRecord.Pair(key: "more-\($0.key)", value: $0.value) }
        service.txt = TXTRecord(large.pairs + more)
        let item = DepartedItem(.service(service, of: nas), at: House.time(1), .goodbye).item
        #expect(item.service?.name == service.name)
        #expect(item.service?.txt == TXTRecord())
    }

    @Test func `only the latest departed items are kept, and the omission is reported`() {
        var (script, history) = (ListScript(), ToldHistory())
        for number in 0..<(ListHistory.departedLimit + 5) {
            let peer = device("peer\(number)", "ssh")
            history.record(update(&script, at: Double(2 * number), [peer]))
            history.record(update(&script, at: Double(2 * number + 1), []))
        }
        #expect(history.departed.count == ListHistory.departedLimit)
        #expect(history.departed.last?.item.name == "peer5")
        #expect(history.omission == "5 departures are forgotten")
    }

    @Test func `the number of histories of items that come and go is bounded`() {
        var (script, history) = (ListScript(), ToldHistory())
        for round in 0..<5 {
            let peers = (0..<600).map { device("peer\(round)-\($0)", "ssh") }
            history.record(update(&script, at: Double(2 * round), peers))
            history.record(update(&script, at: Double(2 * round + 1), []))
        }
        #expect(history.histories.count <= 2 * ListHistory.departedLimit + 601)
        var flapping = nas
        for second in 10..<2_000 {
            flapping.presence = second % 2 == 0 ? .present : .unanswered
            history.record(update(&script, at: Double(second), [flapping]))
        }
        #expect(
            history.history.strip(of: [nas.id], until: House.time(2_000))?.marks.last == .doubtful)
    }

    @Test func `a device that is back under another identifier has not departed`() {
        var (script, history) = (ListScript(), ToldHistory())
        var nas = device("nas", "smb", address: "10.0.0.5")
        history.record(update(&script, at: 0, [nas]))
        history.record(update(&script, at: 60, []))
        #expect(history.history.departed.map(\.id) == [nas.id])
        nas.id = UUID()
        history.record(update(&script, at: 120, [nas]))
        #expect(history.history.departed.isEmpty)
    }

    @Test func `a silence that goes on under another identifier ends under it`() {
        var (script, history) = (ListScript(), ToldHistory())
        var nas = device("nas", "smb", address: "10.0.0.5")
        history.record(update(&script, at: 0, [nas]))
        nas.presence = .unanswered
        history.record(update(&script, at: 60, [nas]))
        var items = ItemChanges(at: House.time(90))
        items.departures[nas.id] = (.peer(nas), .identity)
        let former = nas.id
        nas.id = UUID()
        items.arrivals[nas.id] = .peer(nas)
        items.replacements[former] = nas.id
        history.record(items)
        #expect(history.history.events.contains { $0.kind == .silent })
        let silent = nas
        nas.presence = .present
        items = ItemChanges(at: House.time(120))
        items.changes[nas.id] = .init(was: .peer(silent), now: .peer(nas))
        history.record(items)
        #expect(!history.history.events.contains { $0.kind == .silent })
    }
}

/// A history to which everything is said as soon as it has happened.
@dynamicMemberLookup struct ToldHistory {
    private(set) var history = ListHistory()
    private var account = Happenings()

    mutating func record(_ items: ItemChanges, isSeek: Bool = false) {
        history.record(items, isSeek: isSeek)
        if isSeek { return account.reset() }
        account.fill = history.fill
        account.apply(items)
        history.record(account.removeAll())
    }

    mutating func rewind(to time: Timestamp) {
        history.rewind(to: time)
        account.reset()
    }

    subscript<Value>(dynamicMember member: WritableKeyPath<ListHistory, Value>) -> Value {
        get { history[keyPath: member] }
        set { history[keyPath: member] = newValue }
    }

    subscript<Value>(dynamicMember member: KeyPath<ListHistory, Value>) -> Value {
        history[keyPath: member]
    }
}

@Suite struct PresenceStripTests {
    /// Returns a history that starts at 08:30, with states by minute.
    private func history(_ steps: (minute: Double, presence: Presence?)...) -> ItemHistory {
        var history = ItemHistory(.peer(device("nas", "ssh")), at: House.time(0))
        for step in steps { history.enter(step.presence, at: House.time(step.minute * 60)) }
        return history
    }

    private func text(_ history: ItemHistory, until minute: Double, buckets: Int = 12) -> String {
        PresenceStrip(history, until: House.time(minute * 60), buckets: buckets)
            .text(charset: .unicode)
    }

    @Test func `an interval shows its worst state`() {
        let history = history(
            (11, .unanswered), (14, .present), (21, nil),
            (22, .present))
        #expect(text(history, until: 29) == "      ██▒█·█")
        #expect(
            PresenceStrip(history, until: House.time(29 * 60), buckets: 12).text(charset: .ascii)
                == "      ##?#.#")
    }

    @Test func `the last interval shows the current state`() {
        let back = history((10, nil), (12, .present))
        #expect(text(back, until: 13) == "         ███")
        #expect(text(back, until: 16) == "        ██·█")
        #expect(text(history((11, nil)), until: 13) == "         ██·")
        #expect(text(history((11, nil), (13, .present)), until: 12) == "         ██·")
    }

    @Test func `a new service is not doubtful for five seconds`() {
        let quick = history((10, .resolving), (10.05, .present))
        #expect(text(quick, until: 16) == "        ████")
        let slow = history((10, .resolving))
        #expect(text(slow, until: 10.05).last == "█")
        #expect(text(slow, until: 10.1).last == "▒")
    }

    @Test func `an item stays away, and states before the hour are not shown`() {
        let history = history((5, nil))
        #expect(text(history, until: 59) == "██··········".replacing("██", with: "█·"))
        #expect(text(history, until: 300) == "············")
    }

    @Test func `the strip shifts only when an interval is over`() {
        let history = history((11, .unanswered))
        #expect(text(history, until: 25) == text(history, until: 29.9))
        #expect(text(history, until: 29.9) != text(history, until: 30))
    }

    @Test(arguments: [1, 7, 12, 60])
    func `a strip has as many intervals as asked for`(buckets: Int) {
        let strip = PresenceStrip(history(), until: House.time(30), buckets: buckets)
        #expect(strip.marks.count == buckets)
        #expect(strip.marks.last == .present)
    }

    @Test func `a device is present while one of its services is`() throws {
        let one = history((10, nil))
        let two = history((5, nil), (8, .present))
        let end = House.time(20 * 60)
        let joined = PresenceStrip(one, until: end, buckets: 12).joined(
            with: PresenceStrip(two, until: end, buckets: 12))
        #expect(joined.text(charset: .ascii) == "       #####")
    }

    @Test func `a clock that was set back does not break the strip`() {
        let history = history((20, nil), (10, .present), (-90, .unknown))
        for minute in [-100.0, -60, 0, 15, 25] {
            #expect(text(history, until: minute).count == 12)
        }
    }

    @Test func `times before 1970 are in the right minutes`() {
        var (script, history) = (ListScript(), ToldHistory())
        var peers: [Peer] = []
        for time: Int64 in [-1, -60_000_000, -60_000_001, 0] {
            peers.append(device("peer\(peers.count)", "ssh", address: "10.0.0.\(peers.count)"))
            let section = ListSection(id: "local", items: peers.map(ListItem.peer))
            history.record(
                script.change(
                    .arrived, reason: .removed, at: Timestamp(microseconds: time), to: [section]
                ).items)
        }
        let arrivals = history.history.perMinute(until: Timestamp(microseconds: -1)).arrivals
        #expect(arrivals.suffix(2) == [1, 2])
        #expect(arrivals.reduce(0, +) == 3)
    }
}
