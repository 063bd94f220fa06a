// An invented recording of a home: peers arrive, leave and stop responding at random from a seed.
import DiffCore
import FoundationEssentials
import Glibc
import PeerModel
import PeerRecording

/// An invented recording in a file that is deleted with it.
final class HomeRecording {
    /// The path of the file.
    let path: String
    /// The number of differences.
    let changes: Int
    /// The size in bytes.
    private(set) var size = 0

    /// Writes a week of a home with a number of peers and differences.
    ///
    /// A quarter of the differences are arrivals, a quarter departures, the others changes of presence.
    init?(peers: Int, changes: Int) {
        self.changes = changes
        path = FileManager.default.temporaryDirectory
            .appending(path: "peerlist-bench-\(UUID().uuidString)").path(percentEncoded: false)
        guard let file = unsafe fopen(path, "w") else { return nil }
        var home = Home(peers: peers, pause: 604_800_000_000 / Int64(changes))
        var encoder = LineEncoder()
        let empty = ListSection(id: "local", items: [])
        var line = encoder.begin(header, sections: [empty], at: home.time)
        for _ in 0..<changes {
            size += unsafe fwrite(line, 1, line.count, file)
            line = encoder.update(home.change()) ?? []
        }
        size += unsafe fwrite(line, 1, line.count, file)
        unsafe fclose(file)
    }

    deinit { unsafe _ = unlink(path) }
}

/// Peers, some of which are present.
struct Home {
    private let peers: [Peer]
    private let pause: Int64
    private(set) var time = Timestamp(microseconds: 1_795_249_800_000_000)
    private var here: [UUID: Peer] = [:]
    private var snapshot = PeerListSnapshot()
    /// A simple random generator with a fixed seed, so that every recording is the same.
    private var state: UInt64 = 1

    init(peers count: Int, pause: Int64) {
        peers = (0..<count).map { _ in samplePeer() }
        self.pause = pause
        snapshot.appendSections(["local"])
    }

    private mutating func random(_ count: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % count
    }

    mutating func change() -> PeerListUpdate {
        time = Timestamp(microseconds: time.microseconds + pause)
        let peer = peers[random(peers.count)]
        guard let was = here[peer.id] else { return arrive(peer) }
        return random(3) == 0 ? leave(was) : fallSilent(was)
    }

    private mutating func arrive(_ peer: Peer) -> PeerListUpdate {
        here[peer.id] = peer
        return update(ItemChanges(at: time, arrivals: [peer.id: .peer(peer)])) {
            $0.appendItems([peer.id])
        }
    }

    private mutating func leave(_ peer: Peer) -> PeerListUpdate {
        here[peer.id] = nil
        return update(ItemChanges(at: time, departures: [peer.id: (.peer(peer), .removed)])) {
            $0.deleteItems([peer.id])
        }
    }

    private mutating func fallSilent(_ was: Peer) -> PeerListUpdate {
        var now = was
        now.presence = was.presence == .present ? .unanswered : .present
        here[was.id] = now
        let change = ItemChanges.Change(was: .peer(was), now: .peer(now))
        return update(ItemChanges(at: time, changes: [was.id: change])) { _ in }
    }

    private mutating func update(
        _ items: ItemChanges, _ edit: (inout PeerListSnapshot) -> Void
    ) -> PeerListUpdate {
        let before = snapshot
        edit(&snapshot)
        return PeerListUpdate(items, from: before, to: snapshot)
    }
}
