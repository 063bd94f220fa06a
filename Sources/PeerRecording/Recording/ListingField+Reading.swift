// The fields that a listing has beside those of its service, read from a line.
import FoundationEssentials
import PeerList

extension ListingField: RecordedField {
    static var blank: ServiceListing {
        ServiceListing(
            service: ServiceField.blank, peer: ServiceListing.Offerer(), presence: .resolving,
            firstSeen: Timestamp(microseconds: 0), lastSeen: Timestamp(microseconds: 0))
    }

    func read(_ reader: inout JSONReader, into listing: inout ServiceListing) throws(JSONError) {
        switch self {
        case .peer: listing.peer = try reader.offerer(isSelf: listing.peer.isSelf)
        case .self: listing.peer.isSelf = try reader.boolean()
        case .presence: listing.presence = try reader.word(of: Presence.self, "presence")
        case .firstSeen: listing.firstSeen = try reader.timestamp()
        case .lastSeen: listing.lastSeen = try reader.timestamp()
        }
    }

    func copy(from source: ServiceListing, to listing: inout ServiceListing) {
        switch self {
        case .peer:
            let isSelf = listing.peer.isSelf
            listing.peer = source.peer
            listing.peer.isSelf = isSelf
        case .self: listing.peer.isSelf = source.peer.isSelf
        case .presence: listing.presence = source.presence
        case .firstSeen: listing.firstSeen = source.firstSeen
        case .lastSeen: listing.lastSeen = source.lastSeen
        }
    }
}

extension JSONReader {
    fileprivate mutating func offerer(isSelf: Bool) throws(JSONError) -> ServiceListing.Offerer {
        var offerer = ServiceListing.Offerer(isSelf: isSelf)
        try object { (reader, key) throws(JSONError) in
            switch key {
            case "id": offerer.id = try reader.null() ? nil : try reader.uuid()
            case "name": offerer.name = try reader.stringOrNull()
            case "host": offerer.host = try reader.stringOrNull()
            case "addresses": offerer.addresses = try reader.strings()
            default: try reader.skip()
            }
        }
        return offerer
    }
}
