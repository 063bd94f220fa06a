// Holds the states of the reported services, and finds services of one name on several networks.
import FoundationEssentials

/// The state of one service, folded from its sightings and its resolution.
struct ServiceState {
    let key: ServiceKey
    let firstSeen: Timestamp
    var lastSeen: Timestamp

    /// The paths on which the service is announced, each with the last backend generation that
    /// reported it.
    var sightings: [Sighting.Place: Int] = [:]

    /// The result of resolving the service, or `nil` while it is not resolved.
    var resolution: Resolution?

    var presence = Presence.resolving

    /// Whether the service has waited a second for its first answer; then it is a row although its host is not
    /// known.
    var isOverdue = false

    /// The key of the service's host; `nil` until the service is resolved.
    var host: String? { resolution?.hostName.key }

    /// Whether the service has not been resolved yet and may still be.
    var isOpen: Bool { resolution == nil && presence == .resolving }

    /// Whether the service is reported by a backend, which may go away, and not by another protocol.
    var isOfBackend: Bool { DiscoveryProtocol(ofType: key.type) == .mdns }

    /// The subtypes under which the service was found, in order.
    var subtypes: [String] { Set(sightings.keys.compactMap(\.subtype)).sorted() }

    /// Whether the service is a visibility probe (`peerlist doctor`), which is not listed. A service of its type
    /// counts as a probe until it is resolved, because it may be one.
    var isProbe: Bool {
        guard key.type == Identity.serviceType else { return false }
        guard let txt = resolution?.txt else { return true }
        guard case .text(let text)? = txt[VisibilityNonce.key] else { return false }
        return VisibilityNonce(text) != nil
    }

    var service: Service {
        Service(
            id: key.id, name: key.name, type: key.type, subtypes: subtypes, domain: key.domain,
            port: resolution?.port, txt: resolution?.txt ?? TXTRecord())
    }

    var interfaces: Set<String> { Set(sightings.keys.map(\.path.interface.name)) }
}

/// The states of the reported services, by identifier.
struct ServiceStates {
    private(set) var all: [UUID: ServiceState] = [:]
    /// The services of which others with the same name are on other networks, by the UUIDs of the names.
    private var namesakes: [UUID: Set<UUID>] = [:]
    /// The number of services that wait for their first answer.
    private(set) var openCount = 0

    subscript(id: UUID) -> ServiceState? { all[id] }

    /// Adds, replaces or removes the state of a service.
    ///
    /// - Returns: The former state; `nil` for a new service.
    mutating func set(_ id: UUID, to after: ServiceState?) -> ServiceState? {
        let before = all[id]
        all[id] = after
        openCount += (after?.isOpen == true ? 1 : 0) - (before?.isOpen == true ? 1 : 0)
        if let key = (after ?? before)?.key, key.network != nil {
            namesakes[key.nameID, default: []].insert(id)
            if after == nil { namesakes[key.nameID]?.remove(id) }
            if namesakes[key.nameID]?.isEmpty == true { namesakes[key.nameID] = nil }
        }
        return before
    }

    /// Sets the time of the last sign of life of a service.
    mutating func noteLife(of id: UUID, at time: Timestamp) { all[id]?.lastSeen = time }

    /// Returns the services on other networks with the name of a service, given the UUID of the name.
    func namesakes(of nameID: UUID) -> Set<UUID> { namesakes[nameID] ?? [] }

    /// Returns the UUID of the name of a service.
    func nameID(of id: UUID) -> UUID { namesakes.isEmpty ? id : all[id]?.key.nameID ?? id }
}
