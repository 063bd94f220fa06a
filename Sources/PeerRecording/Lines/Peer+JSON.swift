// A peer as members of a JSON object, whole and as old and new values of what changed.
import FoundationEssentials
import PeerList

/// The fields of a peer in the lines, in the order in which they are written.
enum PeerField: String, CaseIterable {
    case id, name, host, `self`, presence, identity, addresses, interfaces, services, firstSeen
    case lastSeen

    /// Whether the field differs between two states of a peer, whose services differ by `services`.
    func differs(_ was: Peer, _ now: Peer, services: ServiceChanges) -> Bool {
        switch self {
        case .id: was.id != now.id
        case .name: !was.name.isExactly(now.name)
        case .host: !was.host.isExactly(now.host)
        case .self: was.isSelf != now.isSelf
        case .presence: was.presence != now.presence
        case .identity: !was.identity.isExactly(now.identity)
        case .addresses: !was.addresses.areExactly(now.addresses)
        case .interfaces: !was.interfaces.areExactly(now.interfaces)
        case .services: !services.isEmpty
        case .firstSeen: was.firstSeen != now.firstSeen
        case .lastSeen: was.lastSeen != now.lastSeen
        }
    }

    /// Writes the field of `peer`; of its services those given.
    func write(_ peer: Peer, services: some Sequence<Service>, to members: inout JSONObjectWriter) {
        switch self {
        case .id: members.member(rawValue, peer.id)
        case .name: members.member(rawValue, peer.name)
        case .host: members.member(rawValue, peer.host)
        case .self: members.member(rawValue, peer.isSelf)
        case .presence: members.member(rawValue, peer.presence.rawValue)
        case .identity: members.object(rawValue) { peer.identity.write(to: &$0) }
        case .addresses: members.member(rawValue, peer.addresses)
        case .interfaces: members.member(rawValue, peer.interfaces)
        case .services:
            members.array(rawValue) { array in
                for service in services { array.object { service.write(to: &$0) } }
            }
        case .firstSeen: members.member(rawValue, peer.firstSeen)
        case .lastSeen: members.member(rawValue, peer.lastSeen)
        }
    }
}

extension Identity {
    /// Writes both fields.
    func write(to members: inout JSONObjectWriter) {
        members.member("source", source.rawValue)
        members.member("value", value)
    }
}

extension Peer {
    /// Writes every field.
    func write(to members: inout JSONObjectWriter) {
        for field in PeerField.allCases { field.write(self, services: services, to: &members) }
    }

    /// Writes `set` and `was`: the fields that differ from `old`.
    ///
    /// - Complexity: O(*n*), where *n* is the number of services of both.
    func writeChange(from old: Peer, to members: inout JSONObjectWriter) {
        let services = ServiceChanges(from: old.services, to: services)
        let fields = PeerField.allCases.filter { $0.differs(old, self, services: services) }
        members.object("set") { set in
            for field in fields { field.write(self, services: services.now, to: &set) }
        }
        members.object("was") { was in
            for field in fields { field.write(old, services: services.was, to: &was) }
        }
    }
}

/// The services that came, went or changed, matched by identifier.
struct ServiceChanges {
    /// Those that came, and those that changed, as they are.
    let now: [Service]

    /// Those that went, and those that changed, as they were.
    let was: [Service]

    var isEmpty: Bool { now.isEmpty && was.isEmpty }

    /// Compares what stands between the first and the last difference.
    init(from old: [Service], to new: [Service]) {
        // By index, for an iterator would copy every service.
        let common = min(old.count, new.count)
        var first = 0
        while first < common, old[first].isExactly(new[first]) { first += 1 }
        var last = 0
        while last < common - first,
            old[old.count - 1 - last].isExactly(new[new.count - 1 - last])
        {
            last += 1
        }
        let before = old[first..<(old.count - last)]
        let after = new[first..<(new.count - last)]

        let earlier = Dictionary(
            before.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        now = after.filter { earlier[$0.id]?.isExactly($0) != true }
        let later = Dictionary(after.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        was = before.filter { later[$0.id]?.isExactly($0) != true }
    }
}
