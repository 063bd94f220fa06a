// Peers, statuses and messages of observers for the tests.
import FoundationEssentials
import PeerFleet
import PeerModel
import PeerListTestSupport
import PeerRecording

let topics = FleetTopics(prefix: "peerlist")

extension ObserverName {
    static let attic = ObserverName(site: FleetTopics.standardSite, observer: "attic")
    static let cellar = ObserverName(site: FleetTopics.standardSite, observer: "cellar")
    static let office = ObserverName(site: "office", observer: "desk")
}

extension ObserverStatus {
    /// The status of an observer that has published a number of peers, the last one with a number.
    static func online(_ peers: Int? = nil, sequence: Int? = nil, host: String = "")
        -> ObserverStatus
    {
        var status = ObserverStatus(.online)
        (status.peers, status.sequence, status.host) = (peers, sequence, host)
        return status
    }
}

extension Peer {
    /// A device that its host name identifies.
    static func host(
        _ name: String, _ presence: Presence = .present, addresses: [String] = [],
        types: [String] = ["_http._tcp"], seen: Double = 0
    ) -> Peer {
        let host = "\(name).local"
        return Peer(
            id: Identity.uuid(forName: host), name: name, host: host, presence: presence,
            identity: Identity(source: .hostName, value: host), addresses: addresses,
            interfaces: ["eth0"], services: types.sorted().map { Service(name, $0) },
            firstSeen: House.time(seen), lastSeen: House.time(seen))
    }

    /// The same device, if it announced a UUID.
    func announcing(_ id: UUID) -> Peer {
        var peer = self
        peer.id = id
        peer.identity = Identity(source: .announced, value: id.uuidString.lowercased())
        return peer
    }

    /// The message about the peer with a number.
    func message(_ sequence: Int) -> [UInt8] {
        NumberedPeer(sequence: sequence, peer: self).payload
    }
}

extension Service {
    /// A service of a type.
    init(_ name: String, _ type: String) {
        self.init(
            id: Identity.uuid(forName: Identity.canonical("\(name).\(type).local")), name: name,
            type: type, domain: "local", port: 80)
    }
}

extension UUID {
    /// A UUID that a device announces.
    static func announced(_ number: Int) -> UUID { Identity.uuid(forName: "announced \(number)") }
}

extension [ListSection] {
    /// The devices of all sections.
    var peers: [Peer] { flatMap(\.items).map(\.peer) }

    /// Whether two lists differ at most in the times of the last signs of life.
    func isSame(as other: [ListSection]) -> Bool {
        map(\.id) == other.map(\.id)
            && zip(self, other).allSatisfy { left, right in
                left.items.count == right.items.count
                    && zip(left.items, right.items).allSatisfy { $0.isSame(as: $1) }
            }
    }
}

extension FleetListing {
    var sections: [ListSection] { rows.sections }

    func item(_ id: UUID) -> ListItem? { rows.item(id) }

    /// Applies changes.
    @discardableResult
    mutating func apply(
        _ changes: [FleetChange], from broker: Int = 0, at seconds: Double = 0,
        isSettled: Bool = false
    ) -> PeerListUpdate? {
        var event = FleetEvent(at: House.time(seconds))
        (event.changes, event.broker, event.isSettled) = (changes, broker, isSettled)
        return apply(event)
    }

    /// The list of changes.
    init(_ changes: [FleetChange]) {
        self.init()
        apply(changes)
    }
}
