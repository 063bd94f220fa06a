// Collects the services, hosts and rows that an event may have changed, and the notices of the event.
import FoundationEssentials

/// The services and hosts that an event may have changed, and the resulting notices.
struct StoreChanges {
    let time: Timestamp
    /// The keys of the hosts.
    var hosts: Set<String> = []
    var services: Set<UUID> = []
    /// The groups of services without a known host.
    var unresolved: Set<UnresolvedServices.Group> = []
    private(set) var notices: [Notice] = []

    init(at time: Timestamp) { self.time = time }

    /// The hosts and groups as sources of rows.
    var rowSources: Set<RowSource> {
        Set(unresolved.map(RowSource.unresolved)).union(hosts.map(RowSource.host))
    }

    mutating func report(
        _ code: Notice.Code, _ message: String, _ backend: Backend? = nil,
        interface: String? = nil
    ) {
        notices.append(
            Notice(code, message, backend: backend, interface: interface, time: time))
    }
}

/// The host or the services that a row shows, regardless of the row's identifier.
///
/// The order decides which of several sources with the same identifier gets the row.
enum RowSource: Hashable, Comparable {
    /// A host, by its key.
    case host(String)
    /// The services of a device without a known host.
    case unresolved(UnresolvedServices.Group)
}
