// Recognises a device that is back, under whatever identifier.
import FoundationEssentials
import PeerModel

/// The latest departure of each item that has not returned.
///
/// A device whose records have changed while it was away, or are not all known yet, is back under another
/// identifier. It is the departed one if both have evidence in common that lasts; or if they have the host name
/// in common and one of them has no such evidence.
struct Departures: Sendable {
    /// The maximum number of departures.
    static let limit = 10_000

    struct Departure: Sendable {
        let id: UUID
        let time: Timestamp
        /// Whether the item has left for an interface of this machine.
        let isOfLink: Bool
        fileprivate let traces: Traces
    }

    private var departures: [UUID: Departure] = [:]
    /// The identifier of the latest departure by each of its traces.
    private var owners: [UUID: UUID] = [:]

    mutating func add(_ item: ListItem, at time: Timestamp, isOfLink: Bool) {
        _ = remove(item.id)
        if departures.count >= Self.limit { self = Departures() }
        let traces = Traces(item)
        departures[item.id] = Departure(
            id: item.id, time: time, isOfLink: isOfLink, traces: traces)
        for trace in traces.all { owners[trace] = item.id }
    }

    /// Removes and returns the departure of an item that is back; `nil` if it has not left.
    mutating func remove(returning item: ListItem) -> Departure? {
        if let departure = remove(item.id) { return departure }
        let traces = Traces(item)
        for trace in traces.all {
            guard let id = owners[trace], let former = departures[id] else { continue }
            if former.traces.areOfOneDevice(with: traces) { return remove(id) }
        }
        return nil
    }

    private mutating func remove(_ id: UUID) -> Departure? {
        guard let departure = departures.removeValue(forKey: id) else { return nil }
        for trace in departure.traces.all where owners[trace] == id { owners[trace] = nil }
        return departure
    }
}

/// The values by which a device can be recognised, as identifiers; none of a service.
private struct Traces: Sendable {
    /// The maximum number of values of each kind.
    private static let limit = 4

    /// The evidence that lasts, the strongest first.
    private let lasting: ArraySlice<UUID>
    /// The host name, at each site of a fleet where the device was seen.
    private let hosts: ArraySlice<UUID>

    var all: ArraySlice<UUID> { lasting + hosts }

    init(_ item: ListItem) {
        guard !item.isService, let host = item.peer.host else {
            (lasting, hosts) = ([], [])
            return
        }
        let evidence = item.peer.evidence ?? Identity.all(of: item.peer.services, host: host)
        lasting = evidence.filter(\.isLasting).map(\.id).prefix(Self.limit)
        let name = Identity(host: host)
        // A host name that changes at each connection is soon that of another device.
        guard name.rank == .hostName else {
            hosts = []
            return
        }
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
