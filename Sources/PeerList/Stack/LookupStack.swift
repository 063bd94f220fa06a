// The interface between discovery and an mDNS stack: requests to a stack, and events that it
// reports.
package import StackProtocol

/// An mDNS stack that answers lookups and announces services.
///
/// A stack that has failed is closed and replaced by another stack. All calls are made on the event loop of the
/// stack, and all events are delivered there.
protocol LookupStack: AnyObject {
    var status: StackStatus { get }

    /// Opens a lookup or announces a service, until the result is closed.
    ///
    /// `receive` is called on the loop. The events of an announcement may be delivered before this method returns.
    ///
    /// - Throws: ``StackError`` if the stack refuses the lookup.
    func open(
        _ request: LookupRequest, receive: @escaping @Sendable (LookupEvent) -> Void
    ) throws(StackError) -> any Lookup

    /// Ends the stack. Its lookups must have been closed. A second call does nothing.
    func close()

    /// Ends the stack with its lookups and announcements, as if its machine had lost power. If the stack can, it ends
    /// without a goodbye.
    func abandon()
}

/// An open lookup or announcement.
protocol Lookup: AnyObject {
    /// Ends the lookup, so that it reports nothing from then on. A second call does nothing.
    func close()
}

/// The state of a stack, and its information about this machine.
package struct StackStatus: Sendable, Hashable {
    package enum State: Sendable, Hashable {
        /// The stack is not connected yet.
        case connecting
        /// The stack claims this machine's host name; lookups work, announcing does not yet.
        case registering
        /// The stack has its host name.
        case running
        /// Another machine has this machine's host name.
        case collision
        /// The stack has failed.
        case failed
    }

    package var state: State
    /// The host name of this machine, such as `h1.local`.
    package var hostName: String
    /// The first host name that the stack claimed, or `nil` if the stack does not report it.
    var wantedHostName: String?
    /// A problem of the stack for the user, or `nil`.
    package var warning: String?
    /// The way in which a failed stack ended, or `nil` if that is unknown.
    package var ending: String?
    /// The maximum number of records that the stack caches for an interface and family.
    var cacheLimit: Int

    package init(state: State, hostName: String = "", warning: String? = nil, cacheLimit: Int = 0) {
        (self.state, self.hostName) = (state, hostName)
        (self.warning, self.cacheLimit) = (warning, cacheLimit)
    }

    var canBrowse: Bool { state == .running || state == .registering || state == .collision }
}

/// The reason for which a stack refuses or ends a lookup.
package struct StackError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of errors that discovery distinguishes.
    package enum Kind: Sendable, Hashable {
        /// The stack has too many objects or connections open.
        case tooManyObjects
        /// The name is taken.
        case collision
        /// The stack is gone, or the bus between.
        case stackGone
        /// Any other reason.
        case other
    }

    package let kind: Kind
    /// The stack's text for the error, such as "Daemon not running".
    package let description: String
}

/// A request for a lookup or an announcement.
package enum LookupRequest: Sendable, Hashable {
    /// Browses for the service types (RFC 6763, section 9) of a domain, or of the stack's own domain.
    case types(domain: String?, LookupPath)
    /// Browses for the services of a type (RFC 6763, section 4) in a domain, or in the stack's own domain.
    case services(type: String, domain: String?, LookupPath)
    /// Resolves a service: its SRV, TXT and address records.
    ///
    /// An open lookup reports changes of the records, and a time-out when they expire. After a time-out, the
    /// lookup may still find the service again.
    case resolve(ServiceInstance, LookupPath)
    /// Browses for the A or AAAA records of a host.
    case addresses(host: String, AddressFamily, LookupPath)
    /// Browses for the records of a service.
    case records(ServiceRecord, of: ServiceInstance, LookupPath)
    /// Announces a service; closing the announcement sends a goodbye.
    case publish(Announcement, LookupPath)
}

/// An event of a lookup or an announcement. The interface of a path may have only an index, and an empty name.
package enum LookupEvent: Sendable, Hashable {
    /// A type is announced in a domain.
    ///
    /// The withdrawal of a type is not reported, because the goodbye of one device withdraws a type that other
    /// devices still offer.
    case typeAppeared(String, domain: String)
    /// A service is announced on a path.
    case serviceAppeared(ServiceInstance, NetworkPath)
    /// A service is no longer announced on a path.
    case serviceDisappeared(ServiceInstance, NetworkPath)
    /// The browse has reported everything that is known for now.
    case settled
    /// A service was resolved for the first time, or its resolution has changed; `isCached` if a part of the
    /// resolution came from the cache.
    case resolved(Resolution, isCached: Bool)
    /// A service did not answer within 5 s of the start of the lookup, or before its records expired.
    case timedOut
    /// A record was added to the cache on a path.
    ///
    /// The data of an address has 4 or 16 bytes. The data of a TXT record may be omitted if it has more than
    /// 1,024 bytes.
    case recordAppeared(data: [UInt8], NetworkPath)
    /// A record was removed from the cache on a path.
    case recordDisappeared(data: [UInt8], NetworkPath)
    /// All records that were cached already have been reported.
    case cacheExhausted
    /// The service is announced under its name.
    case established
    /// The name of the service is taken.
    case collision
    /// The lookup could not be opened, or has ended.
    case failed(StackError)
}

extension LookupEvent {
    /// Returns the event with a changed path, or the same event if it has no path.
    func mapPath(_ change: (NetworkPath) -> NetworkPath) -> LookupEvent {
        switch self {
        case .serviceAppeared(let instance, let path): .serviceAppeared(instance, change(path))
        case .serviceDisappeared(let instance, let path):
            .serviceDisappeared(instance, change(path))
        case .recordAppeared(let data, let path): .recordAppeared(data: data, change(path))
        case .recordDisappeared(let data, let path): .recordDisappeared(data: data, change(path))
        default: self
        }
    }
}

/// The records of a service that are browsed for by name, with the numbers of their types in DNS.
package enum ServiceRecord: UInt16, Sendable, CaseIterable {
    case txt = 16
    case srv = 33
}

extension AddressFamily {
    /// The type of address records in DNS: A or AAAA.
    var recordType: UInt16 { self == .ipv4 ? 1 : 28 }
}

/// The interface and family of a lookup.
package struct LookupPath: Hashable, Sendable {
    /// The interface, or `nil` for any.
    package var interface: NetworkInterface?
    /// The family, or `nil` for either.
    package var family: AddressFamily?
}

extension NetworkPath {
    /// The path of a lookup on this path alone.
    var lookupPath: LookupPath { LookupPath(interface: interface, family: family) }
}
