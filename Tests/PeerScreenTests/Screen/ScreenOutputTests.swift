// Tests the output of a session to the screen: what a blocked screen receives.
import DiffCore
import FoundationEssentials
import LabSupport
import PeerHappenings
import PeerModel
import PeerListTestSupport
import PeerRecording
import Testing

@testable import PeerScreen
@testable import PeerText

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

    /// Sends an event that changes the list, or one after which it is not needed.
    private func send(
        _ event: OutputEvent, to output: ScreenOutput, at seconds: Double = 0,
        list: [ListSection] = []
    ) { output.handle(event, at: House.time(seconds)) { list } }

    @Test func `a blocked screen receives the missed updates as one`() async {
        let (output, events) = ScreenOutput.make()
        var script = ListScript()
        send(.began(header), to: output)
        for number in 1...(2 * ScreenOutput.limit) {
            let update = script.change(
                .changed, reason: .removed, at: House.time(Double(number)), to: list(number))
            send(.updated(update.items, .event(update)), to: output)
        }
        for code in [Notice.Code.objectLimit, .cacheLimit, .objectLimit] {
            send(.noticed(Notice(code, "\(code)", time: House.time(999))), to: output)
        }
        #expect(output.isBehind)
        let last = list(2 * ScreenOutput.limit)
        send(.tick, to: output, at: 1000, list: last)
        #expect(output.isBehind, "it has taken nothing yet")

        var (items, taken) = ([UUID: ListItem](), 0)
        var notices: [Notice.Code] = []
        func apply(_ update: ItemChanges) {
            let gone = items.filter { update.departures[$0.key] != nil }
            #expect(gone.count == update.departures.count)
            items = items.filter { update.departures[$0.key] == nil }
            items.merge(update.arrivals) { _, new in new }
            items.merge(update.changes.mapValues(\.now)) { _, new in new }
        }
        for await event in events {
            taken += 1
            switch event {
            case .updated(let update): apply(update)
            case .caughtUp(let all, let replaced, let time):
                let old = items
                apply(
                    ItemChanges(
                        from: old.keys, { old[$0] }, to: all, replaced: replaced, at: time))
                #expect(items == Dictionary(uniqueKeysWithValues: all[0].items.map { ($0.id, $0) }))
            case .noticed(let notice): notices.append(notice.code)
            default: break
            }
            if notices.count == 2 { break }
            if taken == ScreenOutput.limit { send(.tick, to: output, at: 1001, list: last) }
        }
        #expect(!output.isBehind)
        let listed = last.flatMap(\.items)
        #expect(items == Dictionary(uniqueKeysWithValues: listed.map { ($0.id, $0) }))
        #expect(notices == [.cacheLimit, .objectLimit], "of each kind the latest")
    }

    @Test
    func `a blocked screen learns that the initial fill is over, and which observers there are`()
        async
    {
        let pi = ObserverName(site: "home", observer: "pi")
        let (output, events) = ScreenOutput.make()
        send(.began(header), to: output)
        send(.fill(.running), to: output)
        for _ in 0..<ScreenOutput.limit { send(.sighted, to: output) }
        send(.fill(.over(House.time(4))), to: output)
        var sources = AbsentSources()
        for isOnline in [false, true] {
            sources.apply([pi: isOnline])
            send(.sources(sources), to: output)
        }
        #expect(output.isBehind)
        var (taken, fills, observers) = (0, [InitialFill](), [[ObserverName: Bool]]())
        for await event in events {
            taken += 1
            if case .fill(let fill) = event { fills.append(fill) }
            if case .observers(let online) = event { observers.append(online) }
            if taken == ScreenOutput.limit { send(.tick, to: output, at: 5) }
            if fills.count == 2, !observers.isEmpty { break }
        }
        #expect(observers == [[pi: true]])
        #expect(fills == [.running, .over(House.time(4))])
        #expect(!output.isBehind)
    }

    @Test func `replacements in missed updates are followed`() async throws {
        let (output, events) = ScreenOutput.make()
        var script = ListScript()
        let (first, last) = (list(0), list(3))
        send(.began(header), to: output)
        let arrival = script.change(.arrived, reason: .removed, at: House.time(1), to: first)
        send(.updated(arrival.items, .event(arrival)), to: output)
        for _ in 0..<ScreenOutput.limit { send(.sighted, to: output) }
        let old = try #require(first[0].items.first?.id)
        let new = try #require(last[0].items.last?.id)
        let between = UUID()
        for (from, to) in [(old, between), (between, new)] {
            send(
                .updated(ItemChanges(at: House.time(2), replacements: [from: to]), .lines),
                to: output)
        }
        var taken = 0
        for await event in events {
            taken += 1
            if taken == ScreenOutput.limit { send(.tick, to: output, at: 3, list: last) }
            guard case .caughtUp(let list, let replaced, let time) = event else { continue }
            let former = arrival.items.arrivals
            let update = ItemChanges(
                from: former.keys, { former[$0] }, to: list, replaced: replaced,
                at: time)
            #expect(update.replacements == [old: new])
            #expect(update.departures[old]?.reason == .identity)
            break
        }
    }
}
