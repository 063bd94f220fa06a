// Makes the rows of a list that is grouped by type.
import FoundationEssentials

/// The services of all devices as rows: the projection of the devices to a list that is grouped by type.
///
/// The rows are made from the store rather than from the rows of devices, because each row has the presence and the
/// times of its service, and because services are listed before they are resolved.
struct ServiceRows {
    private(set) var rows: ListBuilder
    /// The peers as the rows of their services contain them, by host.
    private var owners: [String: Peer] = [:]

    init(by order: SortOrder) { rows = ListBuilder(by: order) }

    /// Rebuilds the rows of services that may have changed, and of all services of hosts whose peer has changed.
    ///
    /// - Returns: The change of the list, or `nil` if nothing changed.
    mutating func update(
        _ touched: StoreChanges, in store: PeerStore, reason: Departure,
        cause: PeerListUpdate.Cause?
    ) -> PeerListUpdate? {
        var services = touched.services
        for host in touched.hosts {
            let owner = store.serviceOwner(host)
            guard owners[host] != owner else { continue }
            owners[host] = owner
            services.formUnion(store.hosts[host]?.serviceIDs ?? [])
        }
        return rows.update(services, at: touched.time, reason: reason, cause: cause) {
            store.serviceRow($0)
        }
    }
}
