// The events of discovery, and the results that they carry.

/// One thing that discovery found out, and when.
public struct DiscoveryEvent: Sendable, Hashable {
    /// The time of the event.
    public let time: Timestamp

    /// The kind of event, with its values.
    public let kind: Kind

    /// Something that was found out at a time.
    public init(_ kind: Kind, at time: Timestamp) {
        self.kind = kind
        self.time = time
    }

    /// The things that can be found out.
    public enum Kind: Sendable, Hashable {
        /// The backend answers, and this machine is known by this host name.
        case running(host: String)
        /// All addresses that this machine has or had, without the loopback's.
        case ownAddresses(Set<HostAddress>)
        /// The backend went away; all that it told is unknown from now on. The reason is a clause, such as
        /// "avahi-daemon went away".
        case lost(reason: String)
        /// Another backend answers from now on, and what is there is found once more; until
        /// ``caughtUp`` nothing that the one before it told is doubted.
        case handedOver(to: Backend, host: String)
        /// This backend is used from now on and was not before; with a sentence for the user.
        case served(by: Backend, String)
        /// The time that things may take to be seen again after the backend's return is over.
        case caughtUp
        /// A service is announced on a path.
        case found(Sighting)
        /// A service is no longer announced on a path.
        case removed(Sighting)
        /// A service has been waiting for its first answer for half a second.
        case pending(ServiceKey)
        /// A service answered, for the first time or with something new.
        case resolved(ServiceKey, Resolution)
        /// A service answered a question, with nothing new.
        case answered(ServiceKey)
        /// A service does not answer any more, or never did.
        case unanswered(ServiceKey)
        /// All addresses of a host, or none where there are no more than its services tell.
        case addresses(host: String, [HostAddress])
        /// The device-info record in which a host describes its hardware, such as `model=Macmini9,1`.
        case deviceInfo(host: String, TXTRecord)
        /// All MAC addresses that this machine's kernel knows of a host's addresses, in order.
        case hardware(host: String, [MACAddress])
        /// A browse has seen what there is for now; others may go on.
        case settled
        /// This machine is announced under this name.
        case announced(name: String)
        /// Something that the user should be told.
        case notice(Notice.Code, String)
    }
}

/// A service on one path: the same service is usually announced on several.
public struct Sighting: Sendable, Hashable {
    /// The place at which a service is announced.
    package struct Place: Sendable, Hashable {
        package let path: NetworkPath
        /// The subtype through which the service was found, if it was asked for.
        package let subtype: String?
    }

    /// The service.
    public let service: ServiceKey
    package let place: Place

    /// The interface of this machine.
    public var interface: NetworkInterface { place.path.interface }
    /// The family over which the announcement came.
    public var family: AddressFamily { place.path.family }
    /// The subtype through which it was found, such as `_printer`, if it was asked for.
    public var subtype: String? { place.subtype }

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
    /// The host that offers it, without a final dot, not escaped.
    public var host: String
    /// The port.
    public var port: UInt16
    /// The TXT record.
    public var txt: TXTRecord
    /// One address of the host, whichever was known first.
    public var address: HostAddress?

    /// Creates the result of resolving a service.
    public init(host: String, port: UInt16, txt: TXTRecord, address: HostAddress?) {
        self.host = host
        self.port = port
        self.txt = txt
        self.address = address
    }
}

/// The result of verifying a peer's services.
public enum Verification: Sendable, Hashable {
    /// The number of services that answered, of those that were queried.
    case answered(services: Int, of: Int)
    /// None was, though the question went out and time was given.
    case unanswered
    /// It could not be asked, for this reason.
    case unavailable(String)
}
