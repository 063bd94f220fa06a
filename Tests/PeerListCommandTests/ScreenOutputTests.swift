// Tests of events for a screen whose terminal is blocked.
import DiffCore
import FoundationEssentials
import PeerList
import PeerListTestSupport
import PeerRecording
import Testing

@testable import PeerListCommand

@Suite struct ScreenOutputTests {
    private let header = LineHeader(
        run: UUID(), observerHost: "me.local", observerID: UUID(), backend: "daemon",
        grouping: .device)

    /// The list of a number of devices that differ from one number to the next.
    private func list(_ number: Int) -> [ListSection] {
        let peers = (0..<3).map {
            device(
                "h\((number + $0) % 7)", "http:Web", address: "10.0.0.\(1 + number % 5)",
                arrived: 0)
        }
        return [ListSection(id: "local", items: peers.map(ListItem.peer))]
    }

    @Test func `a blocked screen receives the missed updates as one`()
        async
    {
        let (output, news) = ScreenOutput.make()
        var script = ListScript()
        output.begin(header, at: House.time(0))
        for number in 1...(2 * ScreenOutput.limit) {
            let update = script.change(
                .changed, reason: .removed, at: House.time(Double(number)), to: list(number))
            output.update(update, list: [])
        }
        for code in [Notice.Code.objectLimit, .cacheLimit, .objectLimit] {
            output.notice(Notice(code, "\(code)", time: House.time(999)), list: [])
        }
        #expect(output.isBehind)
        output.tick(at: House.time(1000), list: list(2 * ScreenOutput.limit))
        #expect(output.isBehind, "it has taken nothing yet")

        var (items, taken) = ([UUID: ListItem](), 0)
        var notices: [Notice.Code] = []
        for await item in news {
            taken += 1
            switch item {
            case .updated(let update), .passed(let update):
                let gone = items.filter { update.departures[$0.key] != nil }
                #expect(gone.count == update.departures.count)
                let marked = update.difference.reconfiguredItems.map(\.item)
                #expect(Set(marked) == Set(update.changes.keys))
                items = items.filter { update.departures[$0.key] == nil }
                items.merge(update.arrivals) { _, new in new }
                items.merge(update.changes.mapValues(\.now)) { _, new in new }
            case .noticed(let notice): notices.append(notice.code)
            default: break
            }
            if notices.count == 2 { break }
            if taken == ScreenOutput.limit {
                output.tick(at: House.time(1001), list: list(2 * ScreenOutput.limit))
            }
        }
        #expect(!output.isBehind)
        let last = list(2 * ScreenOutput.limit).flatMap(\.items)
        #expect(items == Dictionary(uniqueKeysWithValues: last.map { ($0.id, $0) }))
        #expect(notices == [.cacheLimit, .objectLimit], "of each kind the latest")
    }

    @Test func `replacements in missed updates are followed`()
        async throws
    {
        let (output, news) = ScreenOutput.make()
        var script = ListScript()
        let (first, last) = (list(0), list(3))
        output.begin(header, at: House.time(0))
        output.update(
            script.change(.arrived, reason: .removed, at: House.time(1), to: first), list: [])
        for _ in 0..<ScreenOutput.limit { output.sighted() }
        let (old, new) = (
            try #require(first[0].items.first?.id), try #require(last[0].items.last?.id)
        )
        let between = UUID()
        for (from, to) in [(old, between), (between, new)] {
            output.update(
                PeerListUpdate(
                    time: House.time(2), cause: .identity, snapshot: PeerListSnapshot(),
                    difference: PeerListSnapshot().difference(from: PeerListSnapshot()),
                    arrivals: [:], departures: [:], changes: [:], replacements: [from: to]),
                list: [])
        }
        var taken = 0
        for await item in news {
            taken += 1
            if taken == ScreenOutput.limit { output.tick(at: House.time(3), list: last) }
            guard case .passed(let update) = item else { continue }
            #expect(update.replacements == [old: new])
            #expect(update.departures[old]?.reason == .identity)
            break
        }
    }
}
