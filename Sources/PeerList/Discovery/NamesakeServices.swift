// Gathers the services that are others than the services of the same name on other networks.
import FoundationEssentials

/// Hidden services that turned out to be others than the services of the same name on other networks, until they are listed.
///
/// They are gathered, and those whose records identify their device are listed first: a machine on both networks is one
/// device if its evidence says so, and must not be two until that is read.
struct NamesakeServices {
    private var resolutions: [UUID: Resolution] = [:]
    /// The time at which they are listed; `nil` for never.
    private(set) var due: Duration?

    /// Adds a service with its resolution.
    mutating func add(_ id: UUID, _ resolution: Resolution, at now: Duration) {
        resolutions[id] = resolution
        due = due ?? now + AddressWatcher.gatheringTime
    }

    /// Removes and returns the services that are still hidden, if they are due.
    mutating func popDue(
        at now: Duration, in table: ServiceTable
    ) -> [(id: UUID, resolution: Resolution)] {
        guard let due, due <= now else { return [] }
        let ready = resolutions
        self = NamesakeServices()
        let rank = { (id: UUID) in
            DeviceClues.identify(table[id].map { Identity.canonical($0.key.type) } ?? "") ? 0 : 1
        }
        return ready.filter { table[$0.key]?.isHidden == true }
            .sorted { (rank($0.key), $0.key) < (rank($1.key), $1.key) }
            .map { ($0.key, $0.value) }
    }
}
