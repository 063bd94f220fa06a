// Golden screens and texts of devices for which other machines answer.
import FoundationEssentials
import PeerModel
import PeerListTestSupport
import TerminalList
import Testing

@testable import PeerScreen
@testable import PeerText

@MainActor @Suite(.timeLimit(.minutes(10))) struct VouchedScreenTests {
    /// Returns the screen of a household in which a router and a sleep proxy answer for some devices.
    private func screen(columns: Int, rows: Int, charset: Charset = .unicode) -> DrivenScreen {
        let driven = DrivenScreen(columns: columns, rows: rows, charset: charset) { grouping in
            var script = ListScript()
            let update = script.change(
                .arrived, at: House.time(1), to: Self.devices.sections(grouping))
            return [.update(update, list: script.sections)]
        }
        driven.live(until: 2)
        driven.wait(.seconds(30))
        _ = driven.frame
        return driven
    }

    private nonisolated static var devices: [Peer] {
        var peers = Scene.household.prefix(8).map { $0.peer(since: House.time(1)) }
        for index in peers.indices {
            peers[index].vouchedBy = Vouching(
                .own, sender: peers[index].addresses.first, since: House.time(1))
        }
        peers[1].vouchedBy = Vouching(
            .proxy, sender: "192.168.2.1", name: "fritz.box", since: House.time(0))
        peers[2].vouchedBy = Vouching(.unheard)
        peers[3].presence = .proxied
        peers[3].vouchedBy = Vouching(
            .sleepProxy, sender: "192.168.2.7", name: "TV", mac: "00:00:5e:00:53:01",
            since: House.time(0))
        peers[4].vouchedBy = Vouching(.reflector, sender: "192.168.2.9", since: House.time(0))
        return peers
    }

    @Test(arguments: [(80, 24), (40, 10)])
    func `a list marks the devices for which others answer`(columns: Int, rows: Int) throws {
        let driven = screen(columns: columns, rows: rows)
        let lines = driven.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { SafeText(String($0)).width <= columns })
        try expectCommitted(driven.text + "\n", "vouched-\(columns)x\(rows).txt")
    }

    @Test func `a long name is cut before the machine that answers`() throws {
        let driven = DrivenScreen()
        var long = device(String(repeating: "Name", count: 10), "http", address: "10.0.0.9")
        long.vouchedBy = Vouching(.proxy, sender: "192.168.2.1", since: House.time(0))
        var script = ListScript()
        driven.update(
            script.change(
                .arrived, at: House.time(1),
                to: (Scene.household.prefix(12).map { $0.peer(since: House.time(1)) } + [long])
                    .sections(.device)
            ).items)
        let line = try driven.line(with: "▸ Name")
        #expect(line.contains("…  via 192.168.2.1  "), "\(line)")
        driven.press(.character("?"))
        driven.press(.end)
        let help = driven.screen.view.helpSections.flatMap(\.entries)
        #expect(help.contains { $0.label == "»" })
    }

    @Test func `in ASCII the mark is a character of ASCII`() throws {
        let driven = screen(columns: 100, rows: 24, charset: .ascii)
        let isASCII = driven.text.unicodeScalars.allSatisfy(\.isASCII)
        #expect(isASCII)
        #expect(driven.text.contains("via fritz.box"))
        #expect(!driven.text.contains("unheard"))
    }

    @Test func `the details say who answers, since when and as what`() throws {
        let driven = screen(columns: 120, rows: 40)
        let names = Self.devices.map(\.name)
        func answers(_ index: Int) -> String {
            let id = RowID.device(Self.devices[index].id)
            let content = driven.screen.content
            let details = DetailText(
                seen: content.seen, history: content.history, charset: .ascii)
            return details.lines(of: id).map { $0.fields.map(\.text).joined() }
                .first { $0.contains("Answers") } ?? ""
        }
        #expect(answers(0).contains("itself, from"), "\(names[0])")
        #expect(answers(1).contains("fritz.box (192.168.2.1), since"))
        #expect(answers(1).contains("another host, such as a router"))
        #expect(answers(2).contains("not heard yet"))
        #expect(
            answers(3).contains("a sleep proxy, while it sleeps (MAC address 00:00:5e:00:53:01)"))
        #expect(answers(4).contains("192.168.2.9, since"))
        #expect(driven.screen.voucher(of: Self.devices[1].id) == "fritz.box")
        #expect(driven.screen.voucher(of: Self.devices[0].id) == nil)
    }

    @Test func `a row is not marked as changed when its device is heard itself`() {
        let device = Self.devices[0]
        func indexed(_ vouching: Vouching?, after former: IndexedDevice?) -> IndexedDevice? {
            var peer = device
            peer.vouchedBy = vouching
            return IndexedDevice([.peer(peer)], after: former)
        }
        let unheard = indexed(Vouching(.unheard), after: indexed(nil, after: nil))
        let own = indexed(Vouching(.own, sender: "10.0.0.1"), after: unheard)
        #expect(unheard == own)
        #expect(indexed(Vouching(.proxy, sender: "10.0.0.9"), after: own) != own)
    }

    @Test func `a change in words says that another machine answers, and that none does any more`()
    {
        var (was, now) = (Self.devices[0], Self.devices[0])
        now.vouchedBy = Vouching(.proxy, sender: "10.0.0.9", name: "Router")
        func phrases(_ was: Peer, _ now: Peer) -> [String] {
            ItemChanges.Change(was: .peer(was), now: .peer(now)).phrases
        }
        #expect(phrases(was, now) == ["Router answers for it"])
        #expect(phrases(now, was) == ["answers itself again"])
        was.vouchedBy = nil
        #expect(phrases(was, Self.devices[0]) == [])
        was.vouchedBy = Vouching(.unheard)
        #expect(phrases(was, Self.devices[0]) == [])
    }
}
