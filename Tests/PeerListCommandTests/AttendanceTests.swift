// Tests that Home Assistant, expectations and hooks give one answer to the question whether a device is away.
import FoundationEssentials
import PeerListTestSupport
import PeerModel
import PeerRecording
import Testing

@testable import PeerExpect
@testable import PeerFleet
@testable import PeerHappenings
@testable import PeerHooks

/// A list of the devices of a house, with a tracker, an expectation and a hook for the first of them; each says that
/// a device is away when that has lasted for 60 seconds.
private struct Scene {
    private var account = Happenings()
    private var script = ListScript()
    private var peers: [Peer] = []
    private var book: ExpectationBook
    private var trackers: HomeTrackers
    private var absences = LastingAbsences(for: .seconds(60))
    private var state = ""
    private let instant = SuspendingClock.now
    private let start = ContinuousClock.now
    private var seconds = 0.0
    /// The departures for which the hook is run, each with the time.
    private(set) var calls: [String] = []

    init(_ peers: [Peer], online: [ObserverName: Bool]? = nil) {
        let (file, errors) = ExpectationFile.parse(
            Array("[device \(peers[0].name)]\nfor = 1m".utf8))
        #expect(errors == [])
        book = ExpectationBook(file)
        let home = HomeAssistant(
            of: nil, topics: FleetTopics(prefix: "peerlist"), version: "1")
        trackers = HomeTrackers(home, after: .seconds(60), isOfKinds: true)
        trackers.beginRead()
        trackers.endRead(at: instant)
        book.begin()
        if let online { observe(online) }
        show(peers)
        pass(to: 10)
        book.becomeReady(at: time)
    }

    private var time: Timestamp { House.time(seconds) }

    mutating func show(_ peers: [Peer], reason: Departure = .removed) {
        self.peers = peers
        let items = script.change(
            .changed, reason: reason, at: time, to: peers.sections(.device)
        ).items
        account.apply(items)
        for change in items.changes.values { book.refresh(change.now, during: .none, at: time) }
        trackers.apply(items, at: instant + .seconds(seconds))
    }

    mutating func tell(_ event: SourceHappening.Event, _ name: String) {
        account.add(SourceHappening(event, name, count: 1, at: time))
        passSources()
    }

    mutating func observe(_ online: [ObserverName: Bool]) {
        account.note(online)
        passSources()
    }

    private mutating func passSources() {
        book.sources = account.attendance.sources
        trackers.apply(account.attendance.sources, at: instant + .seconds(seconds))
        absences.apply(account.attendance.sources, at: (time, start + .seconds(seconds)))
    }

    /// Lets time pass, second by second.
    mutating func pass(to end: Double) {
        while seconds < end {
            seconds += 1
            for happening in account.removeDue(at: time) {
                book.apply(happening)
                guard let event = happening.ofItem else { continue }
                if absences.passes(event, at: start + .seconds(seconds)) { note([event]) }
            }
            _ = book.removeDue(at: time)
            note(absences.removeDue(at: (time, start + .seconds(seconds))))
            trackers.advance(to: instant + .seconds(seconds), time)
            while let (payload, topic) = trackers.next() {
                if !topic.hasSuffix("/config") { state = String(decoding: payload, as: UTF8.self) }
            }
        }
    }

    private mutating func note(_ changes: [ItemHappening]) {
        for change in changes where change.hookEvents.contains(.departed) {
            calls.append("\(change.item.name) at \(Int(seconds))")
        }
    }

    /// The state for Home Assistant, and the one for `expect`.
    var answers: [String] {
        let expected = book.faults.isEmpty ? book.undecided.isEmpty ? "met" : "unknown" : "missing"
        return [state, expected]
    }
}

@Suite struct AttendanceTests {
    private var nas: Peer {
        var nas = device("nas", "smb", address: "10.0.0.5")
        nas.label = "nas"
        return nas
    }
    private let hall = ObserverName(site: "home", observer: "hall")
    private let cellar = ObserverName(site: "home", observer: "cellar")

    private func unknown(_ peer: Peer) -> Peer {
        var peer = peer
        peer.presence = .unknown
        for index in peer.views.indices { peer.views[index].presence = .unknown }
        return peer
    }

    private func seen(_ peer: Peer, by name: ObserverName) -> Peer {
        var peer = peer
        peer.views = [
            PeerView(name: name, host: "", presence: peer.presence, since: House.time(0))
        ]
        return peer
    }

    /// The device is found again or not.
    @Test(arguments: [true, false])
    func `while the only interface is lost it is known to nobody whether a device is away`(
        isFound: Bool
    ) {
        var scene = Scene([nas])
        #expect(scene.answers == ["home", "met"])
        scene.tell(.linkLost, "eth0")
        scene.show([unknown(nas)])
        scene.pass(to: 200)
        #expect(scene.answers == ["unavailable", "unknown"])
        scene.show([], reason: .link)
        scene.pass(to: 1000)
        #expect(scene.answers == ["unavailable", "unknown"])
        scene.tell(.linkBack, "eth0")
        scene.pass(to: 1012)
        #expect(scene.answers == ["unavailable", "unknown"])
        if isFound { scene.show([nas]) }
        scene.pass(to: 1200)
        #expect(scene.answers == (isFound ? ["home", "met"] : ["not_home", "missing"]))
        #expect(scene.calls == [])
    }

    @Test func `a device that left just before its interface was lost is not known to be away`() {
        var scene = Scene([nas])
        scene.show([])
        scene.pass(to: 20)
        scene.tell(.linkLost, "eth0")
        scene.pass(to: 500)
        #expect(scene.answers == ["unavailable", "unknown"])
        #expect(scene.calls == [])
        scene.tell(.linkBack, "eth0")
        scene.pass(to: 514)
        #expect(scene.answers == ["unavailable", "unknown"])
        #expect(scene.calls == [])
        scene.pass(to: 600)
        #expect(scene.answers == ["not_home", "missing"])
        #expect(scene.calls == ["nas at 515"])
    }

    @Test(arguments: [true, false])
    func `while its observer is away it is known to nobody whether a device is away`(
        hasLeft: Bool
    ) {
        let tv = seen(device("tv", "googlecast", address: "10.0.0.6"), by: cellar)
        let nas = seen(nas, by: hall)
        var scene = Scene([nas, tv], online: [hall: true, cellar: true])
        #expect(scene.answers[1] == "met")
        if hasLeft {
            scene.show([tv])
            scene.pass(to: 15)
        }
        scene.observe([hall: false, cellar: true])
        scene.tell(.observerAway, hall.title)
        if !hasLeft { scene.show([unknown(nas), tv]) }
        scene.pass(to: 900)
        #expect(scene.answers == ["unavailable", "unknown"])
        #expect(scene.calls == [])
        scene.observe([hall: true, cellar: true])
        scene.tell(.observerBack, hall.title)
        scene.show([nas, tv])
        scene.pass(to: 1100)
        #expect(scene.answers == ["home", "met"])
        #expect(scene.calls == [])
    }

    @Test func `a hook for lasting absences does not run for the devices of a forgotten observer`()
    {
        let tv = seen(device("tv", "googlecast", address: "10.0.0.6"), by: cellar)
        let nas = seen(nas, by: hall)
        var silent = nas
        silent.presence = .unanswered
        var scene = Scene([nas, tv], online: [hall: true, cellar: true])
        scene.show([silent, tv])
        scene.pass(to: 20)
        scene.observe([hall: false, cellar: true])
        scene.tell(.observerAway, hall.title)
        scene.show([unknown(nas), tv])
        scene.pass(to: 200)
        scene.show([tv])
        scene.observe([cellar: true])
        scene.tell(.observerForgotten, hall.title)
        scene.pass(to: 900)
        #expect(scene.calls == [])
        // That no observer has it is what an expectation asks; where it is, nobody knows.
        #expect(scene.answers == ["unavailable", "missing"])
    }
}
