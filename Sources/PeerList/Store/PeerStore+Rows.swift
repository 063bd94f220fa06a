// The rows that the store's services and hosts make, in either grouping.
import FoundationEssentials

/// What a row is made of, under whatever identifier.
///
/// Their order is that in which they get an identifier that several want, so that every run gives the
/// same list.
enum RowSource: Hashable, Comparable {
    /// A host, in canonical form.
    case host(String)
    /// A service.
    case service(UUID)
}

/// A row: in which section it stands, and what it shows.
struct Row {
    let section: String
    let item: ListItem
}

extension PeerStore {
    /// The row that a host or a service makes, or `nil` where it makes none.
    func row(_ source: RowSource) -> Row? {
        switch (source, options.grouping) {
        case (.host(let name), .device): device(name).flatMap { deviceRow(name, $0) }
        case (.host, .type): nil
        case (.service(let id), .device): services[id].flatMap(pendingRow)
        case (.service(let id), .type): services[id].flatMap(serviceRow)
        }
    }

    /// The UUID of a host, what it follows from, and what to call the host.
    func identity(
        of name: String, _ host: HostState
    ) -> (id: UUID, identity: Identity, name: String) {
        let label = host.name.split(separator: ".").first.map(String.init) ?? host.name
        let called = host.announcement?.name ?? label
        if let claim = host.announcement?.claim, claims.owner(of: claim) == name {
            let value = claim.uuidString.lowercased()
            return (claim, Identity(source: .announced, value: value), called)
        }
        return (host.id, Identity(source: .hostName, value: name), called)
    }

    /// All services of the device with an identifier, in no order; a service by itself is its own.
    func services(ofDevice id: UUID) -> [UUID] {
        if services[id] != nil { return [id] }
        let names = hosts.filter { name, host in identity(of: name, host).id == id }.keys
        return names.flatMap { device($0)?.serviceIDs ?? [] }
    }

    /// The device that a host is, or `nil` where it is listed under its full name.
    ///
    /// Some responders announce the bare name of a machine, `h1`, and others there `h1.local`. If both have the
    /// same addresses they are one device, under the full name.
    func device(_ name: String) -> HostState? {
        guard let host = hosts[name] else { return nil }
        guard let other = Self.otherName(of: name).flatMap({ hosts[$0] }),
            !host.addresses.isEmpty, host.addresses == other.addresses
        else { return host }
        return name.contains(".") ? host.merged(with: other) : nil
    }

    /// The full name of a bare host name, or the bare one of a full name; `nil` for other names.
    static func otherName(of name: String) -> String? {
        guard name.hasSuffix(".local") else { return name.contains(".") ? nil : name + ".local" }
        let bare = name.dropLast(".local".count)
        return bare.isEmpty || bare.contains(".") ? nil : String(bare)
    }

    /// Whether a host is this machine.
    ///
    /// Another machine may have this one's name, so addresses decide: under the name of this machine, one of its
    /// addresses or none but the loopback's; under another name, which another stack here may announce, no
    /// other addresses.
    func isSelf(_ name: String, _ host: HostState) -> Bool {
        let addresses = host.addresses.filter { !$0.isLoopback }
        return name == ownHost
            ? addresses.isEmpty || addresses.contains(where: ownAddresses.contains)
            : !addresses.isEmpty && addresses.allSatisfy(ownAddresses.contains)
    }

    /// What is said of the host of a service in a list that is grouped by type.
    func offerer(_ name: String) -> ServiceListing.Offerer? {
        guard let host = device(name) else {
            return hosts[name] == nil ? nil : Self.otherName(of: name).flatMap(offerer)
        }
        let (id, _, called) = identity(of: name, host)
        return ServiceListing.Offerer(
            id: id, name: called, host: host.name, isSelf: isSelf(name, host),
            addresses: host.addresses.map(\.description))
    }

    private func deviceRow(_ name: String, _ host: HostState) -> Row? {
        guard !host.services.isEmpty else { return nil }
        let (id, identity, called) = identity(of: name, host)
        let peer = Peer(
            id: id, name: called, host: host.name, isSelf: isSelf(name, host),
            presence: host.presence, identity: identity,
            addresses: host.addresses.map(\.description), interfaces: host.interfaces,
            services: host.services, firstSeen: host.firstSeen, lastSeen: host.lastSeen)
        return Row(section: host.services[0].domain, item: .peer(peer))
    }

    /// A service that waits for its host to be known is a row of its own.
    private func pendingRow(_ state: ServiceState) -> Row? {
        let service = state.service
        guard state.isOverdue, state.host == nil,
            options.lists(type: service.type, subtypes: service.subtypes)
        else { return nil }
        let peer = Peer(
            id: service.id, name: service.name, host: nil, presence: state.presence,
            identity: Identity(source: .service, value: Identity.canonical(state.key.fullName)),
            interfaces: state.interfaces.sorted(), services: [service],
            firstSeen: state.firstSeen, lastSeen: state.lastSeen)
        return Row(section: service.domain, item: .peer(peer))
    }

    private func serviceRow(_ state: ServiceState) -> Row? {
        let service = state.service
        guard options.lists(type: service.type, subtypes: service.subtypes) else { return nil }
        let listing = ServiceListing(
            service: service, peer: state.host.flatMap(offerer) ?? ServiceListing.Offerer(),
            presence: state.presence, firstSeen: state.firstSeen, lastSeen: state.lastSeen)
        return Row(section: service.type, item: .service(listing))
    }
}
