// Keeps the rows of several hosts that have one name, and so one identifier.
import FoundationEssentials
import PeerModel

/// One of several hosts of one name, which is a row of its own.
struct Namesake {
    let id: UUID
    /// The observer by whose name the row is told from the others.
    let observer: ObserverName
    /// The indices and the numbers of the observers that see the host.
    let observers: [(index: Int, number: Int)]
    /// The number of the observer that knew the host first; `nil` while it is not known.
    fileprivate(set) var first: Int?

    /// Creates the row of a host of a device.
    init(of device: UUID, observer: ObserverName, observers: [(index: Int, number: Int)]) {
        id = UUID(name: observer.title, inNamespace: device)
        (self.observer, self.observers) = (observer, observers)
    }

    func isSeen(by number: Int) -> Bool { observers.contains { $0.number == number } }
}

/// The rows of the devices that are several hosts.
struct Namesakes {
    private var rows: [UUID: [Namesake]] = [:]
    /// The devices of the rows, and the positions of the rows.
    private var places: [UUID: (device: UUID, index: Int)] = [:]

    /// The hosts that a device is; none if it is one.
    subscript(device: UUID) -> [Namesake] { rows[device] ?? [] }

    /// The identifiers of all rows.
    var ids: some Sequence<UUID> { places.keys }

    /// Returns a row with its device; `nil` if the device is one host.
    func row(_ id: UUID) -> (device: UUID, host: Namesake)? {
        guard let place = places[id], let hosts = rows[place.device] else { return nil }
        return (place.device, hosts[place.index])
    }

    /// Returns the row of a device that an observer with a number sees.
    func row(of device: UUID, at observer: Int?) -> UUID {
        guard let hosts = rows[device] else { return device }
        return (hosts.first { host in observer.map(host.isSeen) ?? false } ?? hosts[0]).id
    }

    /// Sets the hosts that a device is, which an observer knew first while it was one.
    mutating func set(_ hosts: [Namesake], of device: UUID, first: Int?) {
        let known = rows.removeValue(forKey: device) ?? []
        for row in known { places[row.id] = nil }
        guard !hosts.isEmpty else { return }
        let firsts = known.compactMap(\.first) + [first].compactMap(\.self)
        rows[device] = hosts.map { host in
            var host = host
            host.first = firsts.first(where: host.isSeen)
            return host
        }
        for (index, host) in hosts.enumerated() { places[host.id] = (device, index) }
    }

    /// Notes the observer that knew the host of a row first; returns `false` if there is no such row.
    mutating func setFirst(_ number: Int, of id: UUID) -> Bool {
        guard let place = places[id] else { return false }
        rows[place.device]?[place.index].first = number
        return true
    }
}
