// The events of discovery, and the results that they carry.
public import FoundationEssentials

/// An event of discovery, with its time.
public struct DiscoveryEvent: Sendable, Hashable {
    /// The time of the event.
    public let time: Timestamp

    /// The kind of event, with its values.
    public let kind: Kind

    /// Creates an event.
    public init(_ kind: Kind, at time: Timestamp) {
        self.kind = kind
        self.time = time
    }

    /// The kinds of events.
    public enum Kind: Sendable, Hashable {
        /// The backend answers; this machine has this host name.
        case running(host: String)
        /// All addresses that this machine has or had, without the loopback's.
        case ownAddresses(Set<HostAddress>)
        /// The backend went away; the presence of everything that it reported is unknown. The reason is a
        /// clause, such as "avahi-daemon went away".
        case lost(reason: String)
        /// Another backend answers from now on, and reports everything again. Until ``caughtUp``,
        /// everything that the former backend reported stays in the list.
        case handedOver(to: Backend, host: String)
        /// This backend is used from now on, after another backend or none. The text is a sentence for the user.
        case backendChanged(to: Backend, String)
        /// The time in which services can be seen again after a backend's return is over.
        case caughtUp
        /// An interface of this machine cannot receive over some families. The presence of services that were seen
        /// only through lost paths is unknown until they are resolved again. Sent again when the lost families change.
        /// The reason is a clause, such as "eth0 is down".
        case linkLost(NetworkInterface, Set<AddressFamily>, reason: String)
        /// An interface can receive over all families again. Until ``linkCaughtUp(_:gone:)``, everything that was seen
        /// through it stays in the list.
        case linkBack(NetworkInterface)
        /// The time in which services can be seen again after an interface's return is over. The sightings in `gone`
        /// have ended, and so have the sightings on the interface that only an earlier backend reported.
        case linkCaughtUp(NetworkInterface, gone: Set<Sighting>)
        /// Some families of an interface were lost for five minutes, or are back on another network. All sightings on
        /// these paths have ended.
        case linkExpired(NetworkInterface, Set<AddressFamily>)
        /// A service is announced on a path.
        case found(Sighting)
        /// A service is no longer announced on a path. A service without a path is gone, but its records still
        /// identify its device until ``forgotten(_:)``. The second value is the reason, as far as it is known.
        case removed(Sighting, Departure = .removed)
        /// Two seconds have passed since a service was gone. Its records no longer identify its device.
        case forgotten(ServiceKey)
        /// A service has been waiting for its first answer for a second.
        case pending(ServiceKey)
        /// A service answered for the first time, or its answer has changed.
        case resolved(ServiceKey, Resolution)
        /// A service answered a query; nothing has changed.
        case answered(ServiceKey)
        /// A service does not answer any more, or never did.
        case unanswered(ServiceKey)
        /// All addresses of a host; empty if only the addresses in the resolutions of its services are known.
        case addresses(host: HostName, [HostAddress])
        /// The device-info record that describes a host's hardware, such as `model=Macmini9,1`.
        case deviceInfo(host: HostName, TXTRecord)
        /// All MAC addresses of a host's addresses in this machine's kernel, in order.
        case hardware(host: HostName, [MACAddress])
        /// The senders that were heard on the link since the last event of this kind, each with the owner name of its
        /// records; empty when listening begins.
        case heard([HeardSender])
        /// The networks on the links of this machine and its routes; reported at the start, and when they change.
        case routes(RouteTable)
        /// A browse has reported all that is known for now; other browses may continue.
        case settled
        /// This machine is announced under this name.
        case announced(name: String)
        /// A notice for the user.
        case notice(Notice.Code, String)
    }
}

/// A service on one path. The same service is usually announced on several paths.
public struct Sighting: Sendable, Hashable {
    /// The path and the subtype of a sighting.
    package struct Place: Sendable, Hashable {
        package let path: NetworkPath
        /// The subtype that was browsed and found the service, if any.
        package let subtype: String?
    }

    /// The service.
    public let service: ServiceKey
    package let place: Place

    /// The interface of this machine.
    public var interface: NetworkInterface { place.path.interface }
    /// The family over which the announcement was received.
    public var family: AddressFamily { place.path.family }
    /// The subtype that was browsed and found the service, such as `_printer`, if any.
    public var subtype: String? { place.subtype }

    package init(service: ServiceKey, place: Place) {
        (self.service, self.place) = (service, place)
    }

    /// A service on a path.
    public init(
        service: ServiceKey, interface: NetworkInterface, family: AddressFamily,
        subtype: String? = nil
    ) {
        self.service = service
        place = Place(
            path: NetworkPath(interface: interface, family: family), subtype: subtype)
    }
}

/// The result of resolving a service: its host, port, TXT record and address.
public struct Resolution: Sendable, Hashable {
    /// The host that offers the service, without a final dot, not escaped.
    public var host: String
    /// The port.
    public var port: UInt16
    /// The TXT record.
    public var txt: TXTRecord
    /// The first known address of the host.
    public var address: HostAddress?
    /// Whether the backend resolved the service; otherwise its records were only heard on the link, and are not
    /// confirmed yet.
    public var isConfirmed: Bool
    /// The first interface of this machine on the network of the host, if a host of the same name was found on another
    /// network before.
    public var network: String?

    /// The text that tells a device without a host name apart: ``host`` is empty then.
    package var endpoint: String?

    /// The host's name, with its network if that is given.
    package var hostName: HostName {
        endpoint.map { HostName(endpoint: $0) } ?? HostName(host, on: network)
    }

    /// Creates the result of resolving a service.
    public init(
        host: String, port: UInt16, txt: TXTRecord, address: HostAddress?, isConfirmed: Bool = true,
        network: String? = nil
    ) {
        self.host = host
        self.network = network
        self.port = port
        self.txt = txt
        self.address = address
        self.isConfirmed = isConfirmed
    }

    /// Creates the result for a service of a device without a host name.
    package init(endpoint: String, port: UInt16, txt: TXTRecord, address: HostAddress?) {
        self.init(host: "", port: port, txt: txt, address: address)
        self.endpoint = endpoint
    }

    /// Returns this resolution, marked as confirmed if a former resolution with the same records was confirmed, such
    /// as by the previous backend.
    func confirmed(by former: Resolution?) -> Resolution {
        guard let former, former.isConfirmed, former.hostName == hostName,
            former.port == port, former.txt == txt
        else { return self }
        var resolution = self
        resolution.isConfirmed = true
        return resolution
    }
}

/// The result of verifying a peer's services.
public enum Verification: Sendable, Hashable {
    /// The services that answered, and the number of services that were queried.
    case answered(Set<UUID>, of: Int)
    /// The query was sent, but no service answered in time.
    case unanswered
    /// The link could not be queried; the text is the reason.
    case unavailable(String)

    /// The services that answered; `nil` if none could be queried.
    public var answeredServices: Set<UUID>? {
        switch self {
        case .answered(let services, _): services
        case .unanswered: []
        case .unavailable: nil
        }
    }
}
