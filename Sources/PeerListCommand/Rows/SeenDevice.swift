// A device as the rows need it: with its services, and all texts as they are searched.
import FoundationEssentials
import PeerList

/// A service of a device; one for each state that it is in.
final class SeenService: Sendable {
    /// The service.
    let service: Service
    /// What is known about its being there: of itself where the session lists services, else of its device.
    let presence: Presence
    /// When it was first seen, as far as is known.
    let firstSeen: Timestamp

    /// A service in a state.
    init(_ service: Service, _ presence: Presence, _ firstSeen: Timestamp) {
        self.service = service
        self.presence = presence
        self.firstSeen = firstSeen
    }
}

/// A device with its services; a new one is made for each state that it is in.
final class SeenDevice: Sendable {
    /// More folded text than this is not searched: more than a TXT record in plain letters can be.
    static let searchLimit = 128 << 10

    /// The device.
    let peer: Peer
    /// Its services, each identifier once, by type and then by name.
    let services: [SeenService]
    /// Their identifiers, in the same order.
    let serviceIDs: [UUID]
    /// What is searched, folded: the device itself, then each of its services.
    let searched: [UInt8]
    /// Where in `searched` the device itself ends, and then each of its services.
    let ends: [Int]

    /// A device that the session lists; texts of the state before are taken over where they still hold.
    convenience init(_ peer: Peer, replacing old: SeenDevice?) {
        var ids: Set<UUID> = []
        // A recording may say anything; a row comes once.
        let single = peer.services.count == 1
        let services = peer.services.filter { single || ids.insert($0.id).inserted }
        self.init(
            peer, services.map { SeenService($0, peer.presence, peer.firstSeen) }, old)
    }

    /// A device made of what the session lists of its services; `nil` where that is nothing.
    convenience init?(
        of id: UUID, _ listings: [ServiceListing], replacing old: SeenDevice?
    ) {
        guard let peer = Peer(id, listings) else { return nil }
        let services = listings.map { SeenService($0.service, $0.presence, $0.firstSeen) }
        self.init(peer, services, old)
    }

    private init(
        _ peer: Peer, _ services: [SeenService], _ old: SeenDevice?
    ) {
        self.peer = peer
        self.services = services
        serviceIDs = services.map(\.service.id)
        var searched = Self.text(of: peer)
        var ends = [searched.count]
        if let old, old.peer.offersSame(as: peer) {
            searched += old.searched[old.ends[0]...]
            ends = old.ends.map { $0 - old.ends[0] + ends[0] }
            (self.searched, self.ends) = (searched, ends)
            return
        }
        var places: [UUID: Int] = [:]
        if let old, old.serviceIDs != serviceIDs {
            for (place, id) in old.serviceIDs.enumerated() { places[id] = place }
        }
        for (place, seen) in services.enumerated() {
            let place = places[seen.service.id] ?? place
            if let old, place < old.services.count, old.services[place].service == seen.service {
                searched += old.searched[old.ends[place]..<old.ends[place + 1]]
            } else {
                searched += Self.text(of: seen.service)
            }
            ends.append(searched.count)
        }
        self.searched = searched
        self.ends = ends
    }
}

// MARK: What is searched

extension SeenDevice {
    /// The fields of a device, each behind the other with a line's end between them.
    static func text(of peer: Peer) -> [UInt8] {
        text(
            [peer.name, peer.host ?? "", peer.identity.value] + peer.addresses + peer.interfaces)
    }

    /// The fields of a service: its names, its types and what they are called, its port, its TXT record.
    static func text(of service: Service) -> [UInt8] {
        let title = KnownServiceType.of(service.type)?.title ?? ""
        let port = service.port.map { "\($0)" } ?? ""
        let attributes = service.txt.pairs.map { pair in
            switch pair.value {
            case .none: pair.key
            case .text(let value): "\(pair.key)=\(value)"
            case .bytes(let bytes): "\(pair.key)=\(hexText(bytes))"
            }
        }
        return text(
            [service.name, service.type, title, service.domain, port] + service.subtypes
                + attributes)
    }

    private static func text(_ fields: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        for field in fields where !field.isEmpty {
            guard bytes.count < searchLimit else { break }
            FoldedText.append(field, to: &bytes)
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }
}

/// Bytes as people write them: `30 05 5c ff`.
func hexText(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
}

// MARK: Devices made of listings

extension Peer {
    /// A device as far as its services tell of it; `nil` without any.
    fileprivate init?(_ id: UUID, _ listings: [ServiceListing]) {
        guard let first = listings.first else { return nil }
        let offerer = first.peer
        let presences = Set(listings.map(\.presence))
        self.init(
            id: id, name: offerer.name ?? first.service.name, host: offerer.host,
            isSelf: offerer.isSelf,
            presence: [.present, .unknown, .unanswered].first(where: presences.contains)
                ?? .resolving,
            identity: Identity(id, of: first), addresses: offerer.addresses,
            services: listings.map(\.service),
            firstSeen: listings.map(\.firstSeen).min() ?? first.firstSeen,
            lastSeen: listings.map(\.lastSeen).max() ?? first.lastSeen)
    }
}

extension Identity {
    /// The evidence of an offerer, which a listing does not carry but which follows from what it does.
    fileprivate init(_ id: UUID, of listing: ServiceListing) {
        guard let host = listing.peer.host, listing.peer.id != nil else {
            let service = listing.service
            let name = "\(service.name).\(service.type).\(service.domain)"
            self.init(source: .service, value: Identity.canonical(name))
            return
        }
        let name = Identity.canonical(host)
        self =
            Identity.uuid(forName: name) == id
            ? Identity(source: .hostName, value: name)
            : Identity(source: .announced, value: id.uuidString.lowercased())
    }
}
