// What the browser asks of an mDNS stack, be it a daemon or one of our own.

/// An mDNS stack that answers lookups and announces services, for as long as it lives.
///
/// A stack that has failed is of no use any more: it is closed, and another one
/// is made. All calls are made on the event loop that it was made for, and all
/// events are delivered there.
protocol LookupStack: AnyObject {
    /// What the stack is doing now.
    var state: StackState { get }

    /// The host name that this machine is known by, such as `h1.local`.
    var hostName: String { get }

    /// What the user should know of the stack when it is asked, if there is anything.
    var warning: String? { get }

    /// Browses for the service types that are announced (RFC 6763, section 9).
    ///
    /// - Parameters:
    ///   - domain: Where to look, or `nil` for the stack's own domain.
    ///   - path: The path to look on.
    ///   - receive: Called on the loop.
    /// - Returns: The browse, open until it is closed; so with the other lookups.
    /// - Throws: Why it cannot be made; so with the other lookups.
    func browseTypes(
        in domain: String?, path: LookupPath, receive: @escaping @Sendable (TypeEvent) -> Void
    ) throws(AvahiError) -> any Lookup

    /// Browses for the services of one type (RFC 6763, section 4), in the stack's own domain where
    /// none is named.
    func browseServices(
        ofType type: String, domain: String, path: LookupPath,
        receive: @escaping @Sendable (ServiceEvent) -> Void
    ) throws(AvahiError) -> any Lookup

    /// Looks up where a service is: its SRV, TXT and address records.
    ///
    /// Left open, the lookup goes on reporting: changes of the records, and a time-out when the host
    /// falls silent, after which the same lookup may still find it again.
    func resolve(
        _ instance: ServiceInstance, path: LookupPath,
        receive: @escaping @Sendable (ResolveEvent) -> Void
    ) throws(AvahiError) -> any Lookup

    /// Browses for the records of one type under a name, as libavahi writes it.
    func browseRecords(
        _ type: RecordType, of name: String, path: LookupPath,
        receive: @escaping @Sendable (RecordEvent) -> Void
    ) throws(AvahiError) -> any Lookup

    /// Announces a service on a path until what is returned is closed, which says goodbye.
    ///
    /// Events may be delivered before this returns.
    func publish(
        _ announcement: Announcement, path: LookupPath,
        receive: @escaping @Sendable (PublishEvent) -> Void
    ) throws(AvahiError) -> any Lookup

    /// Ends the stack; its lookups must be closed by then. A second call does nothing.
    func close()
}

/// Something of a stack that is open until it is closed.
protocol Lookup: AnyObject {
    /// Ends it, so that it reports no more; a second call does nothing.
    func close()
}

/// What a stack is doing.
enum StackState: Sendable, Hashable {
    /// Not there yet, and waited for.
    case connecting
    /// It claims this machine's name: browsing works, publishing not yet.
    case registering
    /// All is well.
    case running
    /// This machine's name is taken on the network.
    case collision
    /// The stack is of no use any more.
    case failed

    /// Whether lookups may be made.
    var canBrowse: Bool { self == .running || self == .registering || self == .collision }
}
