// The list of the devices of a fleet.
import DiffCore
package import FoundationEssentials
package import PeerFleet
import PeerHappenings
package import PeerModel
import PeerRecording
import PeerText

/// The list of the devices of a fleet, as its observers publish them.
package struct FleetSource: ListSource {
    private var listing: FleetListing
    /// Whether the end of the initial fill was returned.
    private var isFilled = false
    /// The observers that have been online or away, and whether they are away.
    private var isAway: [ObserverName: Bool] = [:]
    /// The name of each broker; empty if there is only one.
    private let brokers: [String]
    /// The indices of the brokers whose connections are lost.
    private var lostBrokers: Set<Int> = []

    /// Creates an empty list of the observers of some brokers, in which the views of some sites are followed before
    /// those of others.
    package init(
        _ options: ListOptions, brokers: [String] = [""], trusting sites: [String] = []
    ) {
        listing = FleetListing(options: options, brokers: brokers.count, trusting: sites)
        self.brokers = brokers
    }

    package var devices: ListBuilder { listing.rows }
    package var services: ListBuilder? { nil }

    package mutating func apply(_ event: FleetEvent) -> SourceEffects {
        let before = listing.online
        // The names of observers that the event removes.
        let names = shownNames(in: event)
        let update = listing.apply(event)
        let conflicts = listing.conflicts.map {
            Notice(.observerConflict, $0, time: event.time)
        }
        return SourceEffects(
            devices: update, notices: event.notices + conflicts,
            happenings: happenings(of: event, names),
            online: listing.online == before ? nil : listing.online, failure: event.failure)
    }

    /// Returns what happened to the broker and the observers.
    private mutating func happenings(
        of event: FleetEvent, _ names: [ObserverName: ObserverName]
    ) -> [SourceHappening] {
        var happenings: [SourceHappening] = []
        let isLost = event.failure != nil
        if isFilled, isLost != lostBrokers.contains(event.broker) {
            happenings.append(
                SourceHappening(
                    isLost ? .brokerLost : .brokerBack, brokers[event.broker],
                    count: devices.snapshot.numberOfItems, at: event.time))
        }
        if isLost { lostBrokers.insert(event.broker) } else { lostBrokers.remove(event.broker) }
        // The observers of a broker that is away are away too, which is one event.
        for case .status(let own, let status) in event.changes where !isLost {
            let name =
                status == nil
                ? names[own] ?? own : listing.shownName(of: own, at: event.broker)
            guard let what = observerEvent(name, status?.state), isFilled else { continue }
            happenings.append(
                SourceHappening(
                    what, name.title, count: listing.peerCount(of: name), at: event.time))
        }
        return happenings
    }

    /// Returns the names by which observers whose status changes are shown so far.
    private func shownNames(in event: FleetEvent) -> [ObserverName: ObserverName] {
        var names: [ObserverName: ObserverName] = [:]
        for case .status(let name, nil) in event.changes {
            names[name] = listing.shownName(of: name, at: event.broker)
        }
        return names
    }

    private mutating func observerEvent(
        _ name: ObserverName, _ state: ObserverStatus.State?
    ) -> SourceHappening.Event? {
        switch (state, isAway[name]) {
        case (.online, let wasAway):
            isAway[name] = false
            return wasAway == nil ? .observerJoined : wasAway == true ? .observerBack : nil
        case (.offline, let wasAway) where wasAway != true:
            isAway[name] = true
            // One that was away at the start has not gone away.
            return wasAway == nil ? nil : .observerAway
        case (nil, _?):
            isAway[name] = nil
            return .observerForgotten
        default: return nil
        }
    }

    package mutating func fillEnd(before event: FleetEvent) -> Timestamp? { nil }

    package mutating func fillEnd(at time: Timestamp) -> Timestamp? {
        guard listing.isSettled, !isFilled else { return nil }
        isFilled = true
        return time
    }

    package var fillDue: Timestamp? { nil }

    package var searchText: String {
        let waiting = brokers.count - listing.settledCount
        return counted(devices.snapshot.numberOfItems, "device") + " of "
            + counted(listing.online.values.count { $0 }, "observer")
            + (waiting > 0 ? ", waiting for \(counted(waiting, "broker"))" : "")
    }

    package func isQuiet(_ oneShot: OneShot, silence: Duration, age: Duration) -> Bool {
        listing.isSettled
    }

    package func verify(_ ids: [UUID], _ reply: @escaping @Sendable (Verification) -> Void) {
        reply(.unavailable("the observers of the fleet verify their devices"))
    }
}

extension FleetEvent: SourceEvent {}
