// Tests that all outputs agree on what happened, over one script.
@testable import PeerHooks
@testable import PeerLedger
import Foundation
import PeerHappenings
import PeerModel
import PeerListTestSupport
import PeerRecording
import Synchronization
import TerminalList
import Testing

@testable import PeerReport
@testable import PeerScreen
@testable import PeerSession
@testable import PeerText

@MainActor @Suite struct AgreementTests {
    /// The names of the devices that an output reports, in order.
    private struct Account: Equatable {
        var arrived: [String] = []
        var left: [String] = []
        var silent: [String] = []
    }

    /// A device of eight services, one that restarts, one that falls silent, a guest, and a backend that is
    /// away.
    private let steps: [(seconds: Double, peers: [Peer], reason: Departure)] = {
        let types = ["airplay", "http", "ipp", "raop", "smb", "sonos", "spotify", "ssh"]
        func sonos(_ count: Int, since: Double = 1) -> Peer {
            device(
                "sonos", services: Array(types.prefix(count)), address: "10.0.0.8", arrived: since)
        }
        let nas = device("nas", services: ["smb"], address: "10.0.0.4", arrived: 1)
        let tv = device("tv", services: ["googlecast"], address: "10.0.0.30", arrived: 1)
        let guest = device("guest", services: ["ssh"], address: "10.0.0.77", arrived: 60)
        func with(_ peer: Peer, _ presence: Presence) -> Peer {
            var peer = peer
            peer.presence = presence
            return peer
        }
        var steps: [(Double, [Peer], Departure)] = [
            (1, [sonos(2), nas, tv], .removed), (1.4, [sonos(8), nas, tv], .removed),
            (60, [sonos(8), nas, tv, guest], .removed),
            // The NAS restarts.
            (100, [sonos(8), tv, guest], .removed), (100.6, [sonos(8), nas, tv, guest], .removed),
            (150, [sonos(8), nas, with(tv, .unanswered), guest], .removed),
            (200, [sonos(8), nas, tv, guest], .removed),
        ]
        // The device of eight services says goodbye.
        for count in (0..<8).reversed() {
            let rest = count == 0 ? [] : [sonos(count)]
            steps.append((300 + Double(8 - count) * 0.1, rest + [nas, tv, guest], .removed))
        }
        let unknown = [with(nas, .unknown), with(tv, .unknown), with(guest, .unknown)]
        steps += [
            (400, unknown, .removed), (404, [nas, tv, with(guest, .unknown)], .removed),
            (414, [nas, tv], .backend),
            (500, [sonos(8, since: 500), nas, tv], .removed),
        ]
        return steps.map { (seconds: $0, peers: $1, reason: $2) }
    }()

    private let expected = Account(
        arrived: ["guest", "sonos"], left: ["sonos", "guest"], silent: ["tv"])

    /// Plays the script, and calls a function with each update and with what happened.
    private func play(
        _ update: (PeerListUpdate) -> Void, _ happened: ([Happening]) -> Void
    ) {
        var (script, account) = (ListScript(), Happenings())
        account.fill = .running
        for (seconds, peers, reason) in steps {
            let time = House.time(seconds)
            if seconds > 5 { account.fill = .over(House.time(5)) }
            happened(account.removeDue(at: time))
            let change = script.change(
                .changed, reason: reason, at: time, to: peers.sections(.device))
            update(change)
            account.apply(change.items)
        }
        happened(account.removeAll())
    }

    @Test func `sentences, hooks and lines say the same`() throws {
        var (plain, hooks, lines) = (Account(), Account(), Account())
        var sentences = PlainLines(charset: .ascii)
        var encoder = LineEncoder()
        play { _ in
        } _: { events in
            for event in events {
                sentences.add(event)
                let line = String(
                    decoding: encoder.happening(event, at: event.time), as: UTF8.self)
                guard let item = event.ofItem else { continue }
                if line.contains(#""event":"arrived""#) { lines.arrived.append(item.item.name) }
                if line.contains(#""event":"left""#) { lines.left.append(item.item.name) }
                if line.contains(#""event":"silent""#) { lines.silent.append(item.item.name) }
                let changes = item.hookEvents
                if changes.contains(.arrived) { hooks.arrived.append(item.item.name) }
                if changes.contains(.departed) { hooks.left.append(item.item.name) }
                if changes.contains(.unanswered) { hooks.silent.append(item.item.name) }
            }
        }
        for line in String(decoding: sentences.removeAll(), as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            if words[2] == "Arrived:" { plain.arrived.append(words[3]) }
            if words[2] == "Left:" { plain.left.append(words[3]) }
            if words[2] == "Silent:" { plain.silent.append(words[3]) }
        }
        #expect(plain == expected)
        #expect(hooks == expected)
        #expect(lines == expected)
    }

    @Test func `the foot, the strip, the departed devices and the marks say the same`() throws {
        let driven = DrivenScreen()
        driven.screen.handle(.fill(.running))
        var marked = Account()
        play { update in
            if update.items.time > House.time(5) {
                driven.screen.handle(.fill(.over(House.time(5))))
            }
            driven.screen.content.clock = update.items.time
            driven.screen.handle(.updated(update.items))
        } _: { events in
            driven.screen.handle(.happened(events))
            for line in driven.text.split(separator: "\n").dropFirst(2) {
                let words = line.split(separator: " ").map(String.init)
                guard let sign = words.first, words.contains("▸"),
                    let name = words.dropFirst(2).first
                else { continue }
                if sign.hasSuffix("+"), !marked.arrived.contains(name) {
                    marked.arrived.append(name)
                }
                if sign.hasSuffix("-"), !marked.left.contains(name) { marked.left.append(name) }
                if sign.hasSuffix("?"), name == "tv", driven.screen.content.rows.counts.silent > 0,
                    !marked.silent.contains(name)
                {
                    marked.silent.append(name)
                }
            }
            driven.wait(.seconds(60))
        }
        #expect(marked == expected)
        let history = driven.screen.content.history
        let (arrivals, departures) = history.perMinute(until: House.time(600))
        #expect(arrivals.reduce(0, +) == expected.arrived.count)
        #expect(departures.reduce(0, +) == expected.left.count)
        #expect(history.departed.map(\.item.name) == ["guest"], "the other one has returned")
        #expect(
            history.events.filter { $0.kind == .left }.flatMap(\.names) == expected.left)
        #expect(
            history.events.filter(\.kind.isArrival).flatMap(\.names) == expected.arrived)
    }

    /// The recording has no lines of events, as those of earlier versions.
    @Test func `a recording of the differences alone says the same, word for word`() async throws {
        var encoder = LineEncoder()
        var bytes = encoder.begin(House.header(.device), at: House.time(0))
        var live = PlainLines(charset: .ascii)
        play { update in
            bytes += encoder.update(update) ?? []
        } _: { events in
            events.forEach { live.add($0) }
        }
        let folder = try RecordingFolder()
        let path = try folder.file("all", text: String(decoding: bytes, as: UTF8.self))
        let descriptor = unsafe open(folder.path + "said", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        let writer = LineWriter(waitingFor: descriptor) { _ in }
        let session = Session(
            source: try RecordingSource([path]), outputs: [PlainOutput(writer, .ascii)])
        #expect(await session.play().end == .finished)
        close(descriptor)
        let replayed = try String(contentsOfFile: folder.path + "said", encoding: .utf8)
        let lines = String(decoding: live.removeAll(), as: UTF8.self).split(separator: "\n")
        #expect(lines.count { $0.contains("Arrived:") } == expected.arrived.count)
        // The first line is about the list.
        #expect(replayed.split(separator: "\n").dropFirst() == lines[...])
    }

    @Test func `the report and the ledger say the same`() async throws {
        var encoder = LineEncoder()
        var bytes = encoder.begin(House.header(.device), at: House.time(0))
        var keeper = LedgerKeeper(DeviceLedger(), of: LedgerFile(path: ""))
        var returns: [Peer] = []
        var left: [UUID: Timestamp] = [:]
        play { update in
            bytes += encoder.update(update) ?? []
            let items = keeper.recognize(update.items, during: .over(House.time(5))).devices
            returns += items?.arrivals.values.map(\.peer).filter { $0.lastSeenBefore != nil } ?? []
        } _: { events in
            for case .item(let event) in events where event.event == .left {
                left[event.item.id] = event.time
            }
        }
        // The restart of a device is an arrival in the ledger too, as it counts states.
        let back = try #require(returns.last)
        #expect(back.name == "sonos")
        #expect(back.lastSeenBefore == left[back.id])
        let folder = try RecordingFolder()
        let path = try folder.file("all", text: String(decoding: bytes, as: UTF8.self))
        let found = Mutex(RecordedPresence())
        let output = PresenceOutput { presence in found.withLock { $0 = presence } }
        _ = await Session(source: try RecordingSource([path]), outputs: [output]).play()
        let presence = found.withLock(\.self)
        let report = try #require(Report([presence]))
        #expect(report.arrivals == expected.arrived.count)
        #expect(report.departures == expected.left.count)
        #expect(report.unanswered.shown.map(\.facts.name) == expected.silent)
    }
}

/// Returns a device with services of some types.
private func device(
    _ name: String, services types: [String], address: String, arrived: Double
) -> Peer {
    var peer = PeerListTestSupport.device(name, address: address, arrived: arrived)
    peer.services = types.map { type in
        let key = ServiceKey(name: name, type: "_\(type)._tcp", domain: "local")
        return Service(id: key.id, name: name, type: key.type, domain: "local", port: 80)
    }
    return peer
}
