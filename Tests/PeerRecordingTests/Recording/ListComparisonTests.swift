// Tests which differences between two lists are reported, and which depend on the observer.
import Foundation
import PeerModel
import PeerListTestSupport
import PeerRecording
import Testing

@Suite struct ListComparisonTests {
    private func list(_ lines: Int) throws -> RecordedList {
        var list = RecordedList()
        for line in try houseLines().prefix(lines) {
            try list.apply(RecordedLine(Array(line.utf8), grouping: .device))
        }
        return list
    }

    /// The list of somebody else who sees these peers.
    private func list(_ peers: [Peer]) throws -> RecordedList {
        var encoder = LineEncoder()
        let begin = encoder.begin(
            House.header(.device),
            sections: [ListSection(id: "local", items: peers.map(ListItem.peer))],
            at: House.time(500))
        var list = RecordedList()
        try list.apply(RecordedLine(begin, grouping: .device))
        return list
    }

    private func peers(_ list: RecordedList) -> [Peer] {
        list.listSections.flatMap(\.items).map(\.peer)
    }

    @Test(arguments: 1...14)
    func `a list is equal to itself`(lines: Int) throws {
        let comparison = ListComparison(from: try list(lines), to: try list(lines))
        #expect(comparison.isEqual)
        #expect(comparison.sameCount == (try list(lines).count))
    }

    @Test func `fields that depend on the observer are not compared`() throws {
        let mine = try list(6)
        let other = try list(
            peers(mine).reversed().map { peer in
                var peer = peer
                peer.isSelf.toggle()
                peer.interfaces = ["wlan7"]
                peer.addresses = peer.addresses.map { $0.replacing("%eth0", with: "%wlan7") }
                peer.firstSeen = House.time(499)
                peer.lastSeen = House.time(500)
                return peer
            })
        #expect(ListComparison(from: mine, to: other).isEqual)
        #expect(ListComparison(from: mine, to: other).sameCount == mine.count)
    }

    @Test func `items in one list only, and changed ones, are differences`() throws {
        let mine = try list(6)
        var seen = peers(mine)
        let gone = seen.removeFirst()
        seen[0].addresses.append("10.9.9.9")
        var new = gone
        new.id = Identity.uuid(forName: "new.local")
        seen.append(new)
        let comparison = ListComparison(from: mine, to: try list(seen))
        #expect(comparison.onlyInFirst == 1)
        #expect(comparison.onlyInSecond == 1)
        #expect(comparison.changedCount == 1)
        #expect(comparison.sameCount == mine.count - 2)
        #expect(comparison.update.items.departures[gone.id]?.item == .peer(gone))
        #expect(comparison.update.items.arrivals[new.id] == .peer(new))
        #expect(
            comparison.update.items.changes[seen[0].id]?.now
                != comparison.update.items.changes[seen[0].id]?.was
        )
    }
}
