// Tests of what the screen shows of events: marks, the foot, and departed devices.
import FoundationEssentials
import PeerHappenings
import PeerModel
import PeerListTestSupport
import TerminalList
import Testing

@testable import PeerScreen

@MainActor @Suite struct HappeningScreenTests {
    private let driven = DrivenScreen()
    private let tv = device("tv", "googlecast", address: "10.0.0.30", arrived: -90)
    private let nas = device("nas", "smb", "http", address: "10.0.0.4", arrived: -90)
    private var script = ListScript()

    /// Changes the list to peers, says what happened by it, and draws a frame.
    private mutating func show(_ peers: Peer..., at seconds: Double) {
        driven.screen.content.clock = House.time(seconds)
        driven.update(
            script.change(.changed, at: House.time(seconds), to: peers.sections(.device)).items)
        _ = driven.frame
    }

    /// The sign before the name of a device.
    private func sign(of name: String) throws -> String {
        String(try driven.line(with: "▸ \(name)").dropFirst().prefix(1))
    }

    @Test mutating func `a label and a view are no change of a device, and have no mark`() throws {
        show(tv, nas, at: 1)
        driven.wait(.seconds(60))
        var labelled = tv
        labelled.label = "Television"
        show(labelled, nas, at: 70)
        #expect(try sign(of: "Television") == " ")
        labelled.addresses = ["10.0.0.31"]
        show(labelled, nas, at: 80)
        #expect(try sign(of: "Television") == "~")
    }

    @Test mutating func `a device that does not answer has its sign at once, and is counted`()
        throws
    {
        show(tv, nas, at: 1)
        driven.wait(.seconds(60))
        var silent = tv
        silent.presence = .unanswered
        show(silent, nas, at: 70)
        #expect(try sign(of: "tv") == "?")
        #expect(driven.text.contains("2 peers, 1 silent, 3 services"))
        #expect(driven.text.contains("tv does not answer"))
        show(tv, nas, at: 190)
        #expect(driven.text.contains("tv answers again after 2 minutes"))
        #expect(!driven.text.contains("does not answer"), "it is no longer true")
    }

    @Test(arguments: [0, 100], [false, true])
    func `a search finds a device that has left once, whether it was open before or not`(
        seconds: Int, isOpen: Bool
    ) {
        var test = self
        test.show(tv, nas, at: 1)
        driven.wait(.seconds(60))
        if isOpen {
            driven.press(.character("/"))
            driven.type("tv")
        }
        test.show(nas, at: 70)
        driven.wait(.seconds(seconds))
        if !isOpen {
            driven.press(.character("/"))
            driven.type("tv")
        }
        driven.press(.enter)
        #expect(!driven.text.contains("Nothing matches"))
        #expect(driven.text.contains("Departed"))
        #expect(driven.text.contains("0 of 1 peer, 0 of 2 services, /tv, 1 departed"))
        #expect(driven.text.split(separator: "\n").count { $0.contains("  tv  ") } == 1)
        #expect(driven.text.contains("left 08:31"))
        #expect(driven.screen.view.selectedItem == .departed(tv.id))
    }

    @Test mutating func `an empty list says that all have left, and the key that shows them`() {
        show(tv, nas, at: 1)
        show(at: 70)
        driven.wait(.seconds(60))
        #expect(driven.text.contains("All 2 devices have left; d shows them."))
        #expect(!driven.text.contains("Nothing found yet"))
        driven.press(.character("d"))
        #expect(driven.text.contains("left 08:31"))
        #expect(driven.text.contains("d hides departed"))
        driven.press(.character("d"), .character("/"))
        driven.type("printer")
        #expect(driven.text.contains("Nothing matches \"printer\"."))
    }

    @Test mutating func `a device that left service by service is shown with all of them`() throws {
        show(tv, nas, at: 1)
        driven.wait(.seconds(60))
        var account = Happenings()
        var less = nas
        less.services.removeFirst()
        for (peers, seconds) in [([tv, less], 70.0), ([tv], 70.4)] {
            let items = script.change(
                .changed, at: House.time(seconds), to: peers.sections(.device)
            ).items
            driven.screen.handle(.updated(items))
            account.apply(items)
            _ = driven.frame
        }
        driven.screen.handle(.happened(account.removeDue(at: House.time(75))))
        #expect(try driven.line(with: "- ▸ nas").contains("smb http"))
    }

    @Test mutating func `what is gone before it had arrived leaves no row`() {
        driven.screen.handle(.fill(.running))
        for (peers, seconds) in [([tv, nas], 1.0), ([nas], 1.4)] {
            let items = script.change(
                .changed, at: House.time(seconds), to: peers.sections(.device)
            ).items
            driven.screen.handle(.updated(items))
            _ = driven.frame
        }
        driven.wait(.seconds(5))
        #expect(!driven.text.contains("▸ tv"))
        #expect(driven.text.contains("▸ nas"))
    }

    @Test mutating func `the last hour is shown from the first event on`() {
        driven.screen.handle(.fill(.running))
        show(tv, at: 1)
        driven.screen.handle(.fill(.over(House.time(5))))
        #expect(!driven.text.contains("last hour"))
        show(tv, device("guest", "http", address: "10.0.0.9", arrived: 70), at: 70)
        #expect(driven.text.contains("last hour"))
    }

    @Test(arguments: [80, 120])
    mutating func `the foot counts all that left and came back in a moment`(columns: Int) {
        driven.size.columns = columns
        let peers = DrivenScreen.devices(49)
        func show(_ count: Range<Int>, at seconds: Double) {
            driven.screen.content.clock = House.time(seconds)
            driven.update(
                script.change(
                    .changed, at: House.time(seconds), to: Array(peers[count]).sections(.device)
                ).items)
        }
        show(0..<49, at: 1)
        for step in 1...7 { show(0..<(49 - step * 7), at: 100 + Double(step) / 10) }
        #expect(driven.text.contains("08:31 49 left   "))
        #expect(driven.text.contains("-49 "))
        var known = peers
        for index in known.indices { known[index].lastSeenBefore = House.time(100) }
        let returned = Array(known[..<7])
        driven.update(
            script.change(.changed, at: House.time(300), to: returned.sections(.device)).items)
        #expect(driven.text.contains("7 are back") || driven.text.contains(" and "))
    }

    @Test func `a long event is not cut while there is room`() {
        let name = "home/hall-with-a-name-of-more-than-forty-letters"
        let event = SourceHappening(.observerAway, name, count: 49, at: House.time(90))
        driven.size.columns = 120
        driven.screen.handle(.happened([.source(event)]))
        driven.screen.handle(.updated(ItemChanges(at: House.time(91))))
        #expect(driven.text.contains("observer \(name) is away: 49 devices unknown"))
        driven.size.columns = 60
        #expect(driven.text.contains("08:31 observer home/hall"))
    }

    @Test mutating func `d goes to the latest of the departed devices`() {
        show(tv, nas, at: 1)
        driven.press(.character("d"))
        #expect(driven.text.contains("none has departed"))
        driven.press(.character("d"))
        driven.wait(.seconds(60))
        show(nas, at: 70)
        driven.wait(.seconds(60))
        driven.press(.character("d"))
        #expect(driven.screen.view.selectedItem == .departed(tv.id))
    }

    @Test mutating func `a device that is gone for less than a second has no mark`() throws {
        show(tv, nas, at: 1)
        driven.wait(.seconds(60))
        var account = Happenings()
        for (peers, seconds) in [([nas], 70.0), ([tv, nas], 70.4)] {
            let items = script.change(
                .changed, at: House.time(seconds), to: peers.sections(.device)
            ).items
            driven.screen.handle(.updated(items))
            account.apply(items)
            driven.screen.handle(.happened(account.removeDue(at: House.time(seconds))))
            #expect(try sign(of: "tv") == " ")
        }
        driven.screen.handle(.happened(account.removeDue(at: House.time(75))))
        #expect(try sign(of: "tv") == " ")
        #expect(driven.screen.content.history.departed.isEmpty)
    }
}
