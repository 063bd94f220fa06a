// Holds removals by the backend that records heard on the link contradict, until the services were asked.
import DNSMessages
import FoundationEssentials
import HeardRecords

/// The sightings that the backend has dropped although no sender of their announcements has withdrawn these.
///
/// A packet of any machine can make a backend drop the records of others: a goodbye, or a PTR record with the
/// cache-flush bit, which RFC 6762, section 10.2, forbids. So such a service is asked past the cache. If it answers, the
/// backend browses for its type again and finds it, and the removal is not reported.
struct ContestedRemovals {
    /// The maximum number of sightings; the removals of others are reported at once.
    static let limit = 1_024

    private var dues: [Sighting: Duration] = [:]

    /// The time at which ``popDue(at:)`` has something to return.
    var deadline: Duration? { dues.values.min() }

    /// Whether there is room for a sighting.
    var hasRoom: Bool { dues.count < Self.limit }

    func contains(_ id: UUID) -> Bool { dues.keys.contains { $0.service.id == id } }

    mutating func add(_ sighting: Sighting, at now: Duration) {
        dues[sighting] = now + DiscoveryRules.contestTime
    }

    /// Drops the removal of a sighting that was found again.
    mutating func found(_ sighting: Sighting) { dues[sighting] = nil }

    /// Removes and returns the sightings of the services that a predicate holds for.
    mutating func removeAll(where isDropped: (UUID) -> Bool) -> [Sighting] {
        let dropped = dues.keys.filter { isDropped($0.service.id) }
        for sighting in dropped { dues[sighting] = nil }
        return dropped
    }

    /// Removes and returns the sightings of services with the UUID of a name on a path.
    mutating func removeAll(of id: UUID, on path: NetworkPath) -> [Sighting] {
        let ended = dues.keys.filter { $0.service.nameID == id && $0.place.path == path }
        for sighting in ended { dues[sighting] = nil }
        return ended
    }

    /// Removes and returns the sightings that were not found again in time.
    mutating func popDue(at now: Duration) -> [Sighting] {
        let due = dues.filter { $0.value <= now }.map(\.key)
        for sighting in due { dues[sighting] = nil }
        return due
    }
}

extension RecordServices {
    /// Whether the announcement of a sighting is believed, or was ended by another machine, so that it may be there
    /// although the backend has it no more.
    func contradictsRemoval(of sighting: Sighting) -> Bool {
        guard sighting.subtype == nil else { return false }
        return switch announcement(of: sighting.service.nameID, on: sighting.place.path) {
        case .heard, .ended(.withdrawnByOther), .ended(.replaced): true
        case .unheard, .ended(.withdrawn), .ended(.expired): false
        }
    }

    /// Whether a sender of the announcement of a sighting has withdrawn it.
    func isWithdrawn(_ sighting: Sighting) -> Bool {
        announcement(of: sighting.service.nameID, on: sighting.place.path) == .ended(.withdrawn)
            && sighting.subtype == nil
    }

    /// Returns the reason for which a sighting has ended that the backend has no more, as far as it was heard.
    func departure(of sighting: Sighting, isSilent: Bool) -> Departure {
        switch announcement(of: sighting.service.nameID, on: sighting.place.path) {
        case .unheard: .removed
        // The end was not heard.
        case .heard: isSilent ? .expired : .removed
        case .ended(let end): end.departure
        }
    }
}
