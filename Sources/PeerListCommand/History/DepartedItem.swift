// Somebody who has left: as last known, when and why.
import FoundationEssentials
import PeerList

/// An item that has left the session's list, as it was last known.
struct DepartedItem: Sendable, Identifiable {
    /// So many services of a device that has left are remembered.
    static let serviceLimit = 128

    /// The item as last known, of a device with very many services the first.
    let item: ListItem
    /// When it left.
    let time: Timestamp
    /// Why it left.
    let reason: PeerListUpdate.Departure
    /// The identifier under which it goes on, where it does.
    let successor: (id: UUID, name: String)?
    /// What is searched of it, folded, at most ``SeenDevice/searchLimit`` bytes.
    let searched: [UInt8]

    /// The item's identifier.
    var id: UUID { item.id }

    /// An item that leaves.
    init(
        _ item: ListItem, at time: Timestamp, _ reason: PeerListUpdate.Departure,
        successor: (id: UUID, name: String)? = nil, titles: TypeTitles
    ) {
        self.item = item.cut(toServices: Self.serviceLimit)
        self.time = time
        self.reason = reason
        self.successor = successor
        let limit = SeenDevice.searchLimit
        var text: [UInt8] = []
        switch item {
        case .peer(let peer):
            text = SeenDevice.text(of: peer)
            for service in peer.services {
                guard text.count < limit else { break }
                text += SeenDevice.text(of: service, titles)
            }
        case .service(let listing): text = SeenDevice.text(of: listing.service, titles)
        }
        searched = text.count > limit ? Array(text.prefix(limit)) : text
    }

    /// Why it left, in words that follow its name.
    var reasonInWords: String {
        if let successor { return "became \(successor.name)" }
        return switch reason {
        case .removed: "left by itself or expired"
        case .identity: "goes on under another identifier"
        case .backend: "not found again when discovery began anew"
        }
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
    /// The item with the first of its services only, if there are more.
    fileprivate func cut(toServices limit: Int) -> ListItem {
        guard case .peer(var peer) = self, peer.services.count > limit else { return self }
        peer.services = Array(peer.services.prefix(limit))
        return .peer(peer)
    }
}
