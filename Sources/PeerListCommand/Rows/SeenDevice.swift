// A device as the rows need it: with its services, and all texts as they are searched.
import FoundationEssentials
import PeerList

/// A service of a device, with its texts as they are searched.
struct SeenService: Sendable {
    /// The service.
    let service: Service
    /// What is known about its being there: of itself where the session lists services, else of its device.
    let presence: Presence
    /// When it was first seen, as far as is known.
    let firstSeen: Timestamp
    /// What is searched, folded.
    let searched: [UInt8]
}

/// A device with its services; a new one is made for each state that it is in.
final class SeenDevice: Sendable {
    /// More folded text than this is not searched: more than a TXT record in plain letters can be.
    static let searchLimit = 128 << 10

    /// The device.
    let peer: Peer
    /// Its services, each identifier once, by type and then by name.
    let services: [SeenService]
    /// What is searched of the device itself, folded.
    let searched: [UInt8]

    /// A device that the session lists; texts of the state before are taken over where they still hold.
    init(_ peer: Peer, replacing old: SeenDevice?, titles: TypeTitles) {
        self.peer = peer
        searched = Self.text(of: peer)
        let known = Self.known(old, peer.services)
        var ids: Set<UUID> = []
        services = peer.services.enumerated().compactMap { place, service in
            // A recording may say anything; a row comes once.
            guard peer.services.count == 1 || ids.insert(service.id).inserted else { return nil }
            return SeenService(
                service: service, presence: peer.presence, firstSeen: peer.firstSeen,
                searched: known(place, service) ?? Self.text(of: service, titles))
        }
    }

    /// A device made of what the session lists of its services; `nil` where that is nothing.
    init?(
        of id: UUID, _ listings: [ServiceListing], replacing old: SeenDevice?, titles: TypeTitles
    ) {
        guard let peer = Peer(id, listings) else { return nil }
        self.peer = peer
        searched = Self.text(of: peer)
        let known = Self.known(old, peer.services)
        services = listings.enumerated().map { place, listing in
            SeenService(
                service: listing.service, presence: listing.presence, firstSeen: listing.firstSeen,
                searched: known(place, listing.service) ?? Self.text(of: listing.service, titles))
        }
    }

    /// The texts of a service as an earlier state has them, at its place or wherever it stood.
    private static func known(
        _ old: SeenDevice?, _ services: [Service]
    ) -> (_ place: Int, _ service: Service) -> [UInt8]? {
        guard let old else { return { _, _ in nil } }
        var places: [UUID: Int] = [:]
        if old.services.count != services.count {
            for (place, seen) in old.services.enumerated() { places[seen.service.id] = place }
        }
        return { place, service in
            let place = places[service.id] ?? place
            guard place < old.services.count, old.services[place].service == service else {
                return nil
            }
            return old.services[place].searched
        }
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
    static func text(of service: Service, _ titles: TypeTitles) -> [UInt8] {
        let title = titles.title(of: service.type) ?? ""
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
