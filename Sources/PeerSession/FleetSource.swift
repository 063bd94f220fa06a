// The list of the devices of a fleet.
package import FoundationEssentials
package import PeerFleet
package import PeerList

/// The list of the devices of a fleet, as its observers publish them.
package struct FleetSource: ListSource {
    private var listing: FleetListing
    /// Whether the end of the initial fill was returned.
    private var isFilled = false

    package init(_ options: ListOptions) { listing = FleetListing(options: options) }

    package var devices: ListBuilder { listing.rows }
    package var services: ListBuilder? { nil }

    package mutating func apply(_ event: FleetEvent) -> SourceEffects {
        let before = listing.online
        let update = listing.apply(event)
        return SourceEffects(
            devices: update, notices: event.notices,
            online: listing.online == before ? nil : listing.online, failure: event.failure)
    }

    package mutating func fillEnd(before event: FleetEvent) -> Timestamp? { nil }

    package mutating func fillEnd(at time: Timestamp) -> Timestamp? {
        guard listing.isSettled, !isFilled else { return nil }
        isFilled = true
        return time
    }

    package var unansweredNames: [String] { [] }

    package func isQuiet(_ oneShot: OneShot, silence: Duration, age: Duration) -> Bool {
        listing.isSettled
    }

    package func sightings(of ids: [UUID]) -> ItemSightings {
        ItemSightings(paths: [], lastSeen: ids.compactMap { devices.item($0)?.peer.lastSeen }.max())
    }

    package func verify(_ ids: [UUID], _ reply: @escaping @Sendable (Verification) -> Void) {
        reply(.unavailable("the observers of the fleet verify their devices"))
    }
}

extension FleetEvent: SourceEvent {}
