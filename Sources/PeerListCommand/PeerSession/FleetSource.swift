// The list of the devices of a fleet.
import FoundationEssentials
import PeerFleet
import PeerList

/// The list of the devices of a fleet, as its observers publish them.
struct FleetSource: ListSource {
    private var listing: FleetListing
    /// Whether the end of the initial fill was returned.
    private var isFilled = false

    init(_ options: ListOptions) { listing = FleetListing(options: options) }

    var snapshot: PeerListSnapshot { listing.snapshot }
    var sections: [ListSection] { listing.sections }
    func item(_ id: UUID) -> ListItem? { listing.item(id) }

    mutating func apply(_ event: FleetEvent) -> SourceEffects {
        let before = listing.online
        let update = listing.apply(event)
        return SourceEffects(
            update: update, notices: event.notices,
            online: listing.online == before ? nil : listing.online, failure: event.failure)
    }

    mutating func fillEnd(before event: FleetEvent) -> Timestamp? { nil }

    mutating func fillEnd(at time: Timestamp) -> Timestamp? {
        guard listing.isSettled, !isFilled else { return nil }
        isFilled = true
        return time
    }

    var unansweredNames: [String] { [] }

    func isQuiet(_ once: Once, since instant: ContinuousClock.Instant) -> Bool { listing.isSettled }

    func sightings(of ids: [UUID]) -> ItemSightings {
        ItemSightings(paths: [], lastSeen: ids.compactMap { item($0)?.peer.lastSeen }.max())
    }

    func verify(_ ids: [UUID], _ reply: @escaping @Sendable (Verification) -> Void) {
        reply(.unavailable("the observers of the fleet verify their devices"))
    }
}

extension FleetEvent: SourceEvent {}
