// Keeps which devices are away and since when, and recognises a device that is back, under whatever identifier.
import FoundationEssentials
import PeerModel

/// The register of the devices that are silent or have left, and of what devices are heard through.
///
/// Each account of what happened has one, and outputs are told what they need of it: an event has the number of
/// its absence, and outputs get the sources when these change.
///
/// A device whose records have changed while it was away, or are not all known yet, is back under another
/// identifier. It is the departed one if both have evidence in common that lasts; or if they have the host name
/// in common and one of them has no such evidence.
package struct Attendance: Sendable {
    /// The maximum number of devices that have left; silent ones are in the list, which is bounded.
    static let limit = 10_000

    /// The time for which a device does not answer, or is not there.
    struct Absence: Sendable {
        /// The number of the absence in this account, whatever identifiers its device has in turn.
        let number: Int
        /// The latest identifier of the device.
        var id: UUID
        /// The time of the departure, or of the begin of the silence.
        var since: Timestamp
        var hasLeft = false
        /// Whether the item has left for an interface of this machine.
        var isOfLink = false
        fileprivate var traces = Traces()
    }

    package internal(set) var sources = AbsentSources()
    private var absences: [UUID: Absence] = [:]
    private var leftCount = 0
    /// The identifier of the latest departure by each of its traces.
    private var owners: [UUID: UUID] = [:]
    /// The number of absences so far.
    private var count = 0

    /// The absence of an item; `nil` if it is there.
    subscript(id: UUID) -> Absence? { absences[id] }

    /// Whether an item is in the list and does not answer.
    func isSilent(_ id: UUID) -> Bool { absences[id].map { !$0.hasLeft } ?? false }

    /// Notes that an item does not answer; returns the number of its absence.
    mutating func silence(_ id: UUID, at time: Timestamp) -> Int {
        let absence = end(id) ?? begin(id, at: time)
        absences[id] = Absence(number: absence.number, id: id, since: time)
        return absence.number
    }

    /// Notes that an item has left; returns the absence, with the number of the silence before.
    mutating func leave(_ item: ListItem, at time: Timestamp, isOfLink: Bool) -> Absence {
        var absence = end(item.id) ?? begin(item.id, at: time)
        if leftCount >= Self.limit {
            absences = absences.filter { !$0.value.hasLeft }
            (leftCount, owners) = (0, [:])
        }
        (absence.since, absence.hasLeft, absence.isOfLink) = (time, true, isOfLink)
        absence.traces = Traces(item)
        absences[item.id] = absence
        leftCount += 1
        for trace in absence.traces.all { owners[trace] = item.id }
        return absence
    }

    /// Goes on with a silent item under another identifier.
    mutating func move(_ id: UUID, to new: UUID) {
        guard isSilent(id), var absence = end(id) else { return }
        absence.id = new
        _ = end(new)
        absences[new] = absence
    }

    /// Ends and returns the absence of an item; `nil` if it is there.
    mutating func end(_ id: UUID) -> Absence? {
        guard let absence = absences.removeValue(forKey: id) else { return nil }
        if absence.hasLeft { leftCount -= 1 }
        for trace in absence.traces.all where owners[trace] == id { owners[trace] = nil }
        return absence
    }

    /// Ends and returns the absence of an item that is back; `nil` if it was there.
    mutating func end(returning item: ListItem) -> Absence? {
        if let absence = end(item.id) { return absence }
        // The evidence of 100,000 views of a fleet takes longer than all else of their list.
        guard !owners.isEmpty else { return nil }
        let traces = Traces(item)
        for trace in traces.all {
            guard let id = owners[trace], let former = absences[id] else { continue }
            if former.traces.areOfOneDevice(with: traces) { return end(id) }
        }
        return nil
    }

    /// Forgets everything but the numbers that were given.
    mutating func reset() {
        (sources, absences, leftCount, owners) = (AbsentSources(), [:], 0, [:])
    }

    private mutating func begin(_ id: UUID, at time: Timestamp) -> Absence {
        count += 1
        return Absence(number: count, id: id, since: time)
    }
}

/// The values by which a device can be recognised, as identifiers; none of a service.
private struct Traces: Sendable {
    /// The maximum number of values of each kind.
    private static let limit = 4

    /// The evidence that lasts, the strongest first.
    private var lasting: ArraySlice<UUID> = []
    /// The host name, at each site of a fleet where the device was seen.
    private var hosts: ArraySlice<UUID> = []

    var all: ArraySlice<UUID> { lasting + hosts }

    init() {}

    init(_ item: ListItem) {
        guard !item.isService, let host = item.peer.host else { return }
        let evidence = item.peer.evidence ?? Identity.all(of: item.peer.services, host: host)
        lasting = evidence.filter(\.isLasting).map(\.id).prefix(Self.limit)
        let name = Identity(host: host)
        // A host name that changes at each connection is soon that of another device.
        guard name.rank == .hostName else { return }
        let sites = Set(item.peer.views.map(\.name.site)).sorted().prefix(Self.limit)
        hosts =
            sites.isEmpty
            ? [name.id] : sites.map { Identity.uuid(forName: "\($0)/\(name.value)") }[...]
    }

    func areOfOneDevice(with other: Traces) -> Bool {
        if lasting.isEmpty || other.lasting.isEmpty {
            return hosts.contains(where: other.hosts.contains)
        }
        return lasting.contains(where: other.lasting.contains)
    }
}
