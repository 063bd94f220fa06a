// What lookups report, and the names and paths that they take.

/// What a browse for service types reports.
///
/// That a type is gone is not reported: one device's goodbye withdraws a type
/// that others still offer.
enum TypeEvent: Sendable, Hashable {
    /// A type is announced on some path.
    case appeared(type: String, domain: String)
    /// What there was to see has been seen, for now.
    case settled
    /// The browse failed and reports no more.
    case failed
}

/// What a browse for services reports.
enum ServiceEvent: Sendable, Hashable {
    /// A service is announced on a path.
    case appeared(ServiceInstance, LinkPath)
    /// A service is no longer announced on a path.
    case disappeared(ServiceInstance, LinkPath)
    /// What there was to see has been seen, for now.
    case settled
    /// The browse failed and reports no more.
    case failed
}

/// What the lookup of one service reports.
enum ResolveEvent: Sendable, Hashable {
    /// An answer: the first, or one that differs from the last; and whether some of it was known before.
    case found(Resolution, isCached: Bool)
    /// No answer within the stack's time, which is 5 s at first and the records' time to live later.
    case timedOut
    /// The lookup could not be made, or ended.
    case failed(AvahiError)
}

/// The record types that are browsed for by name, with their numbers in DNS.
enum RecordType: UInt16, Sendable {
    case a = 1
    case txt = 16
    case aaaa = 28
    case srv = 33
}

/// An event of a record browser.
enum RecordEvent: Sendable, Hashable {
    /// A record was added to the cache on a path; `data` is an address of 4 or 16 bytes, or of no concern.
    case appeared(data: [UInt8], LinkPath)
    /// A record was removed from the cache on a path.
    case disappeared(data: [UInt8], LinkPath)
    /// All records that were cached already have been reported.
    case cacheExhausted
}

/// What becomes of a service of our own.
enum PublishEvent: Sendable, Hashable {
    /// It is announced under its name.
    case established
    /// Its name is taken.
    case collision
    /// It could not be announced.
    case failed(AvahiError)
}

/// The names of a service as libavahi writes them: the type and the domain may hold escapes.
struct ServiceInstance: Sendable, Hashable {
    var name: String
    var type: String
    var domain: String
}

/// Where a service was seen: an interface and a family.
struct LinkPath: Hashable, Sendable {
    /// The kernel's number of the interface.
    var interface: Int32
    /// The family.
    var family: AddressFamily
}

/// Where a lookup is made: an interface and a family, either of which may be left open.
struct LookupPath: Hashable, Sendable {
    /// The kernel's number of the interface, or `nil` for any.
    var interface: Int32?
    /// The family, or `nil` for either.
    var family: AddressFamily?
}

extension LookupPath {
    /// The one path on which a service was seen.
    init(_ path: LinkPath) { self.init(interface: path.interface, family: path.family) }
}
