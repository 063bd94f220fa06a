// A service of a list grouped by type, as members of a JSON object.
import FoundationEssentials
import PeerList

/// The fields that a listing has beside those of its service, in the order in which they are written.
enum ListingField: String, CaseIterable {
    case peer, `self`, presence, firstSeen, lastSeen

    func differs(_ was: ServiceListing, _ now: ServiceListing) -> Bool {
        switch self {
        case .peer: !was.peer.reads(as: now.peer)
        case .self: was.peer.isSelf != now.peer.isSelf
        case .presence: was.presence != now.presence
        case .firstSeen: was.firstSeen != now.firstSeen
        case .lastSeen: was.lastSeen != now.lastSeen
        }
    }

    func write(_ listing: ServiceListing, to members: inout JSONObjectWriter) {
        switch self {
        case .peer: members.object(rawValue) { listing.peer.write(to: &$0) }
        case .self: members.member(rawValue, listing.peer.isSelf)
        case .presence: members.member(rawValue, listing.presence.rawValue)
        case .firstSeen: members.member(rawValue, listing.firstSeen)
        case .lastSeen: members.member(rawValue, listing.lastSeen)
        }
    }
}

extension ServiceListing.Offerer {
    /// Writes the four fields by which a peer is known; `self` stands beside them.
    fileprivate func write(to members: inout JSONObjectWriter) {
        members.member("id", id)
        members.member("name", name)
        members.member("host", host)
        members.member("addresses", addresses)
    }

    /// Whether the four fields are equal.
    fileprivate func reads(as other: Self) -> Bool {
        id == other.id && name.isExactly(other.name) && host.isExactly(other.host)
            && addresses.areExactly(other.addresses)
    }
}

extension ServiceListing {
    /// Writes every field.
    func write(to members: inout JSONObjectWriter) {
        service.write(to: &members)
        for field in ListingField.allCases { field.write(self, to: &members) }
    }

    /// Writes `set` and `was`: the fields that differ from `old`.
    func writeChange(from old: ServiceListing, to members: inout JSONObjectWriter) {
        members.object("set") { writeFields(thatDifferFrom: old, of: self, to: &$0) }
        members.object("was") { writeFields(thatDifferFrom: old, of: old, to: &$0) }
    }

    private func writeFields(
        thatDifferFrom old: ServiceListing, of state: ServiceListing,
        to members: inout JSONObjectWriter
    ) {
        for field in ServiceField.allCases where field.differs(old.service, service) {
            field.write(state.service, to: &members)
        }
        for field in ListingField.allCases where field.differs(old, self) {
            field.write(state, to: &members)
        }
    }
}
