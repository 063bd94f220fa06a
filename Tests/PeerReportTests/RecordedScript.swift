// Makes recordings for the tests of reports, step by step or as a week in a house.
import FoundationEssentials
import PeerModel
import PeerListTestSupport
import PeerRecording
import PeerSession
import Synchronization
import TestSupport

@testable import PeerReport

/// A recording that a test makes step by step; times are seconds after ``House/time(_:)`` 0.
struct RecordedScript {
    private var encoder = LineEncoder()
    private var list = ListScript()
    private let grouping: Grouping
    private(set) var lines: [String] = []
    /// The times at which the listed devices were first seen.
    private var arrivals: [UUID: Timestamp] = [:]

    init(_ grouping: Grouping = .device) { self.grouping = grouping }

    /// Starts a run, or goes on after an outage.
    mutating func begin(_ time: Double, _ peers: [Peer] = [], observer: String = "anna.local") {
        let header = LineHeader(
            run: UUID(), observerHost: observer, observerID: Identity.uuid(forName: observer),
            backend: "daemon", grouping: grouping)
        let sections = peers.sections(grouping)
        _ = list.change(.changed, at: House.time(time), to: sections)
        arrivals = Dictionary(peers.map { ($0.id, $0.firstSeen) }) { $1 }
        append(encoder.begin(header, sections: sections, at: House.time(time)))
    }

    mutating func change(_ time: Double, _ peers: [Peer]) { change(time, .arrived, peers) }

    mutating func change(_ time: Double, _ cause: PeerListUpdate.Cause, _ peers: [Peer]) {
        let peers = peers.map { $0.with(\.firstSeen, arrivals[$0.id] ?? House.time(time)) }
        arrivals = Dictionary(peers.map { ($0.id, $0.firstSeen) }) { $1 }
        let update = list.change(
            cause, reason: cause == .identity ? .identity : .removed, at: House.time(time),
            to: peers.sections(grouping))
        if let line = encoder.update(update) { append(line) }
    }

    mutating func end(_ time: Double) { append(encoder.end(.interrupted, at: House.time(time))) }

    private mutating func append(_ line: [UInt8]) {
        lines.append(String(decoding: line.dropLast(), as: UTF8.self))
    }
}

extension RecordedPresence {
    /// Returns who was there when, by a recording.
    static func read(_ path: String) async throws -> RecordedPresence {
        let found = Mutex(RecordedPresence())
        let output = PresenceOutput { presence in found.withLock { $0 = presence } }
        let session = Session(source: try RecordingSource([path]), outputs: [output])
        let damage = await session.play().damage
        var presence = found.withLock(\.self)
        presence.damage = damage
        return presence
    }
}

extension Peer {
    /// A device with services of some types.
    static func device(_ name: String, host: String? = nil, _ types: String...) -> Peer {
        let host = host ?? "\(name).local"
        let services = (types.isEmpty ? ["_ssh._tcp"] : types).map { type in
            Service(
                id: Identity.uuid(forName: "\(name).\(type).local"), name: name, type: type,
                domain: "local", port: 22)
        }
        return Peer(
            id: Identity.uuid(forName: host), name: name, host: host, presence: .present,
            identity: Identity(source: .hostName, value: host), addresses: ["10.0.0.2"],
            interfaces: ["eth0"], services: services, firstSeen: House.time(0),
            lastSeen: House.time(0))
    }

    /// Returns the peer with a property changed.
    func with<Part>(_ part: WritableKeyPath<Peer, Part>, _ value: Part) -> Peer {
        var peer = self
        peer[keyPath: part] = value
        return peer
    }
}

/// A seeded week of devices, most of which come, go and fall silent each day.
enum RecordedWeek {
    static let length = 7 * 86_400.0

    /// The lines that were made so far, by the number of devices and the seed.
    private static let made = Mutex<[[UInt64]: [String]]>([:])

    /// Returns the lines of devices of ``Scene/household``.
    static func lines(devices count: Int, seed: UInt64 = 21) -> [String] {
        made.withLock { made in
            let lines = made[[UInt64(count), seed]] ?? makeLines(devices: count, seed: seed)
            made[[UInt64(count), seed]] = lines
            return lines
        }
    }

    private static func makeLines(devices count: Int, seed: UInt64) -> [String] {
        var generator = SeededGenerator(seed: seed)
        var steps: [(time: Double, cause: PeerListUpdate.Cause, device: Int, presence: Presence?)] =
            []
        for device in 0..<count {
            // Everyone else is always there, there by day, or there for short times.
            let partsOfDay = [0, 1, 1, 6][device % 4]
            if partsOfDay == 0 { steps.append((1, .arrived, device, .present)) }
            for day in 0..<7 {
                let morning = Double(day) * 86_400 + 300
                for part in 0..<partsOfDay {
                    let span = 84_000 / Double(partsOfDay)
                    let start = morning + span * Double(part)
                    let arrival = start + span * .random(in: 0...0.4, using: &generator)
                    let departure = start + span * .random(in: 0.5...0.95, using: &generator)
                    steps.append((arrival, .arrived, device, .present))
                    steps.append((departure, .departed, device, nil))
                }
                guard partsOfDay < 2, Int.random(in: 0..<3, using: &generator) == 0 else {
                    continue
                }
                let silence = morning + .random(in: 34_000...38_000, using: &generator)
                steps.append((silence, .presence, device, .unanswered))
                steps.append((silence + 2400, .presence, device, .present))
            }
        }
        var script = RecordedScript()
        script.begin(0)
        var there: [Int: Peer] = [:]
        for step in steps.sorted(by: { $0.time < $1.time }) {
            if let presence = step.presence {
                // Presence changes only where the device is.
                guard step.cause == .arrived || there[step.device] != nil else { continue }
                let peer = Scene.household[step.device].peer(since: House.time(step.time))
                there[step.device] = peer.with(\.presence, presence)
                    .with(\.isNew, step.device % 7 == 3 && step.time > 86_400)
            } else {
                there[step.device] = nil
            }
            script.change(step.time, step.cause, Array(there.values))
        }
        script.end(length)
        return script.lines
    }
}

/// Texts that strangers could announce to break out of a page, or to mislead.
enum HostileText {
    static let all = [
        "</script><script>document.documentElement.id='owned'</script>",
        "<img src=x onerror=\"document.documentElement.id='owned'\">",
        "\"><svg onload=document.documentElement.id='owned'>",
        "' onmouseover='document.documentElement.id=1",
        "</title></style><style>*{display:none}</style>", "<!--", "]]>", "-->", "&lt;b&gt;&#0;",
        "javascript:alert(1)", "{{7*7}}", "${1}", "a\u{202e}gnp.exe", "\u{1b}[2J\u{0}\r\n\u{7f}",
        "\u{2028}\u{2029}\u{feff}", "אבג\u{2067}", "-rf", "\\u003cb\\u003e",
        String(repeating: "A", count: 100 << 10),
        String(repeating: "e\u{301}\u{301}", count: 50_000),
    ]
}
