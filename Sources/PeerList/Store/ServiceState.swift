// What is known of one service: where it is announced, and what resolving it gave.
import FoundationEssentials

/// What is known of one service.
struct ServiceState {
    let key: ServiceKey
    let firstSeen: Timestamp
    var lastSeen: Timestamp

    /// Where it is announced, each path with the backend's life in which it was last seen there.
    var sightings: [Sighting: Int] = [:]

    /// What resolving it gave, or `nil` while it has not been resolved.
    var resolution: Resolution?

    var presence = Presence.resolving

    /// Whether it may be a row of its own although its host is not known: it has waited long enough.
    var isOverdue = false

    init(_ key: ServiceKey, at time: Timestamp) {
        self.key = key
        firstSeen = time
        lastSeen = time
    }

    /// The host that offers it, in canonical form.
    var host: String? { resolution.map { Identity.canonical($0.host) } }

    /// Whether it still waits for its first answer.
    var isOpen: Bool { resolution == nil && presence == .resolving }

    /// The service as the list shows it.
    var service: Service {
        Service(
            id: key.id, name: key.name, type: key.type,
            subtypes: Set(sightings.keys.compactMap(\.subtype)).sorted(), domain: key.domain,
            port: resolution?.port, txt: resolution?.txt ?? TXTRecord())
    }

    /// The identifier that it announces for its host, where it is the service that does that.
    var claim: UUID? {
        guard key.type == LinkBrowser.identityType,
            case .text(let text)? = resolution?.txt["id"],
            let claim = UUID(uuidString: text), claim.isNameBased
        else { return nil }
        return claim
    }

    /// The interfaces on which it is announced.
    var interfaces: Set<String> { Set(sightings.keys.map(\.interface.name)) }
}

extension UUID {
    /// Whether it is of version 5 (RFC 9562, section 5.5).
    fileprivate var isNameBased: Bool { uuid.6 >> 4 == 5 }
}
