// What is known of one host: what its services say of it together.
import FoundationEssentials

/// What is known of one host.
struct HostState {
    /// The name as announced, without a final dot.
    let name: String

    /// The UUID of its name.
    let id: UUID

    /// So many services of one host are listed at the most: each change of one costs a look at all.
    static let serviceLimit = 4_096
    /// So many of its addresses are told; more are a mistake or an attack.
    static let addressLimit = 64

    /// What it offers, by type, then name, then id; only what is listed.
    private(set) var services: [Service] = []

    /// What would be listed if there were not so many.
    private(set) var omitted: Set<UUID> = []

    /// All of its services, listed or not.
    private(set) var serviceIDs: Set<UUID> = []

    /// Its addresses as the record browsers know them; empty where these know none.
    private(set) var watchedAddresses: [HostAddress] = []
    private var watchedLife = 0

    private(set) var firstSeen: Timestamp
    private(set) var lastSeen: Timestamp

    private var presences = Tally<Presence>()
    private var interfaceNames = Tally<String>()
    private var resolvedAddresses = Tally<HostAddress>()

    /// The announcing services, each with the identifier that it claims and the name that it gives.
    private var claims: [UUID: (claim: UUID, name: String)] = [:]

    init(name: String, at time: Timestamp) {
        self.name = name
        id = Identity.uuid(forName: Identity.canonical(name))
        firstSeen = time
        lastSeen = time
    }

    /// Adds a service, or what is new about one after ``remove(_:)`` of what was.
    mutating func add(_ state: ServiceState, isListed: Bool) {
        serviceIDs.insert(state.key.id)
        presences.add(state.presence)
        for name in state.interfaces { interfaceNames.add(name) }
        if let address = state.resolution?.address { resolvedAddresses.add(address) }
        if let claim = state.claim { claims[state.key.id] = (claim, state.key.name) }
        if isListed { list(state) }
        firstSeen = min(firstSeen, state.firstSeen)
        lastSeen = max(lastSeen, state.lastSeen)
    }

    /// Lists a service that was added, unless there are too many.
    mutating func list(_ state: ServiceState) {
        guard services.count < Self.serviceLimit else {
            omitted.insert(state.key.id)
            return
        }
        omitted.remove(state.key.id)
        let service = state.service
        services.insert(service, at: services.place(of: service))
    }

    /// A service that was left out and now has room, if there is one.
    var nextOmitted: UUID? { services.count < Self.serviceLimit ? omitted.min() : nil }

    /// Removes a service in the very state in which it was added.
    mutating func remove(_ state: ServiceState) {
        serviceIDs.remove(state.key.id)
        presences.remove(state.presence)
        for name in state.interfaces { interfaceNames.remove(name) }
        if let address = state.resolution?.address { resolvedAddresses.remove(address) }
        claims[state.key.id] = nil
        guard omitted.remove(state.key.id) == nil else { return }
        let service = state.service
        let place = services.place(of: service)
        if place < services.count, services[place].id == service.id { services.remove(at: place) }
    }

    /// Takes note of all addresses, as known in a life of the backend.
    mutating func watch(_ addresses: [HostAddress], life: Int) {
        watchedAddresses = addresses
        watchedLife = life
    }

    /// Forgets addresses that are known from an earlier life of the backend only.
    mutating func forgetAddresses(before life: Int) {
        if watchedLife < life { watchedAddresses = [] }
    }

    /// The host with what is known of it under another name.
    func merged(with other: HostState) -> HostState {
        var merged = self
        for service in other.services {
            merged.services.insert(service, at: merged.services.place(of: service))
        }
        merged.serviceIDs.formUnion(other.serviceIDs)
        for presence in other.presences.elements { merged.presences.add(presence) }
        for name in other.interfaceNames.elements { merged.interfaceNames.add(name) }
        merged.firstSeen = min(firstSeen, other.firstSeen)
        merged.lastSeen = max(lastSeen, other.lastSeen)
        return merged
    }

    /// What is known about its being there, by its best service.
    var presence: Presence {
        [.present, .unknown, .unanswered].first(where: presences.contains) ?? .resolving
    }

    /// The identifier and the name that it announces; of several the first by the service's id.
    var announcement: (claim: UUID, name: String)? {
        claims.min { $0.key.uuidString < $1.key.uuidString }?.value
    }

    /// Its interfaces by name, the loopback only where there is no other.
    var interfaces: [String] {
        let names = interfaceNames.elements.filter { $0 != "lo" }
        return names.isEmpty ? interfaceNames.elements.sorted() : names.sorted()
    }

    /// Its addresses in order, each once, loopback ones only where there are no others; of very many
    /// the first.
    var addresses: [HostAddress] {
        let isWatched = !watchedAddresses.isEmpty
        let known = Set(isWatched ? watchedAddresses : Array(resolvedAddresses.elements))
        let reachable = known.filter { !$0.isLoopback }
        return Array(
            (reachable.isEmpty ? known.sorted() : reachable.sorted()).prefix(Self.addressLimit))
    }
}
