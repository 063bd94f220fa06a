// Somebody who has left: as last known, when and why.
import FoundationEssentials
import PeerList

/// An item that has left the session's list, as it was last known.
struct DepartedItem: Sendable, Identifiable {
    /// So many services of a device that has left are remembered.
    static let serviceLimit = 128
    /// What its services say of themselves is remembered up to so many bytes.
    static let attributeLimit = 16 << 10
    /// No more of its text than this is searched, in bytes.
    static let searchLimit = 16 << 10

    /// The item as last known, of a device with very many services the first.
    let item: ListItem
    /// When it left.
    let time: Timestamp
    /// Why it left.
    let reason: PeerListUpdate.Departure
    /// The identifier under which it goes on, where it does.
    let successor: (id: UUID, name: String)?
    /// What is searched of it, folded, at most ``searchLimit`` bytes.
    let searched: [UInt8]

    /// The item's identifier.
    var id: UUID { item.id }

    /// An item that leaves.
    init(
        _ item: ListItem, at time: Timestamp, _ reason: PeerListUpdate.Departure,
        successor: (id: UUID, name: String)? = nil
    ) {
        self.item = item.cut(toServices: Self.serviceLimit, attributes: Self.attributeLimit)
        self.time = time
        self.reason = reason
        self.successor = successor
        let limit = Self.searchLimit
        var text: [UInt8] = []
        switch item {
        case .peer(let peer):
            text = SeenDevice.text(of: peer)
            for service in peer.services {
                guard text.count < limit else { break }
                text += SeenDevice.text(of: service)
            }
        case .service(let listing): text = SeenDevice.text(of: listing.service)
        }
        searched = text.count > limit ? Array(text.prefix(limit)) : text
    }

    /// Why it left, in words that follow its name.
    var reasonInWords: String {
        if let successor { return "became \(successor.name)" }
        return switch reason {
        case .removed: "said goodbye, or expired"
        case .identity: "goes on under another identifier"
        case .backend: "not found again after discovery restarted"
        }
    }

    /// The same item with services that it lost just before it left.
    func with(_ lost: [Service]) -> DepartedItem {
        guard case .peer(var peer) = item, !lost.isEmpty else { return self }
        let known = Set(peer.services.map(\.id))
        for service in lost where !known.contains(service.id) {
            peer.services.insert(service, at: peer.services.place(of: service))
        }
        return DepartedItem(.peer(peer), at: time, reason, successor: successor)
    }

    /// The service types that it offered.
    var types: [String] {
        switch item {
        case .peer(let peer): peer.services.map(\.type)
        case .service(let listing): [listing.service.type]
        }
    }
}

extension ListItem {
    /// The item with the first of its services only, and what the first of those say of themselves.
    fileprivate func cut(toServices limit: Int, attributes most: Int) -> ListItem {
        guard case .peer(var peer) = self else { return self }
        if peer.services.count > limit { peer.services = Array(peer.services.prefix(limit)) }
        var room = most
        for place in peer.services.indices {
            room -= peer.services[place].txt.footprint
            if room < 0 { peer.services[place].txt = TXTRecord() }
        }
        return .peer(peer)
    }
}
