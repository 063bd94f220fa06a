// What the list knows of those who ask whether they are seen.
import FoundationEssentials

extension PeerListing {
    /// The type through which a peer announces itself; browsed whatever is asked for.
    static let identityType = LinkBrowser.identityType

    /// The host name that this machine is known by, once the backend has told it.
    var ownHost: String? { store.ownHost }

    /// The paths on which a service is announced now, by interface, then by family.
    func announcedPaths(of service: UUID) -> [NetworkPath] {
        let sightings = store.services[service]?.sightings.keys.map(\.self) ?? []
        return Set(
            sightings.map { NetworkPath(interface: $0.interface.name, family: $0.family) }
        ).sorted { ($0.interface, $0.family.rawValue) < ($1.interface, $1.family.rawValue) }
    }

    /// The paths on which a service is announced now, by the numbers of their interfaces.
    func linkPaths(of service: UUID) -> Set<LinkPath> {
        let sightings = store.services[service]?.sightings.keys.map(\.self) ?? []
        return Set(
            sightings.map { LinkPath(interface: $0.interface.index, family: $0.family) })
    }

    /// When a host was first heard of, by its name in lower case; `nil`: it is not in the list.
    func firstSeen(ofHost name: String) -> Timestamp? { store.hosts[name]?.firstSeen }

    /// All addresses that are known of a host, by its name in lower case.
    func addresses(ofHost name: String) -> [HostAddress] { store.hosts[name]?.addresses ?? [] }
}
