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

    @Test mutating func `a search finds a device that has just left, while its row is shown`() {
        show(tv, nas, at: 1)
        driven.wait(.seconds(60))
        show(nas, at: 70)
        driven.press(.character("/"))
        driven.type("tv")
        driven.press(.enter)
        #expect(!driven.text.contains("Nothing matches"))
        #expect(driven.text.contains("Departed"))
        #expect(driven.text.contains("left 08:31"))
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
