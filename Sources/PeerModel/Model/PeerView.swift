// The state of a peer as one observer of a fleet knows it.

/// The name of an observer, unique in its fleet.
public struct ObserverName: Sendable, Hashable, Comparable {
    /// The site, in which host names are unique.
    public var site: String
    /// The name within the site.
    public var observer: String

    /// Creates a name.
    public init(site: String, observer: String) {
        (self.site, self.observer) = (site, observer)
    }

    /// The site and the observer, as in `office/pi`; names have no slash.
    package var title: String { "\(site)/\(observer)" }

    /// Whether two names have the same bytes, as in the topics of a broker: two spellings of a character are
    /// different names.
    public static func == (left: ObserverName, right: ObserverName) -> Bool {
        left.site.utf8.elementsEqual(right.site.utf8)
            && left.observer.utf8.elementsEqual(right.observer.utf8)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        for text in [site, observer] {
            for byte in text.utf8 { hasher.combine(byte) }
            hasher.combine(UInt8.max)
        }
    }

    /// Whether the first name sorts before the second: by site, then by observer, by their bytes.
    public static func < (left: ObserverName, right: ObserverName) -> Bool {
        if left.site.utf8.elementsEqual(right.site.utf8) {
            return left.observer.utf8.lexicographicallyPrecedes(right.observer.utf8)
        }
        return left.site.utf8.lexicographicallyPrecedes(right.site.utf8)
    }
}

/// The properties by which a person knows a device, as an observer of a fleet claims them.
public struct DeviceClaim: Sendable, Hashable {
    /// The name; `nil` if it is not claimed.
    public var name: String?
    /// The host name; `nil` if it is not claimed.
    public var host: String?
    /// The kind; `nil` if it is not claimed.
    public var kind: DeviceKind?

    /// Creates a claim.
    public init(name: String? = nil, host: String? = nil, kind: DeviceKind? = nil) {
        (self.name, self.host, self.kind) = (name, host, kind)
    }

    /// Returns the properties that contradict another claim, or all if it is of another device; `nil` if none does.
    ///
    /// A name that an observer has continued to tell two devices apart, as in `TV (lounge)`, is no contradiction.
    package func contradiction(of other: DeviceClaim, isOther: Bool) -> DeviceClaim? {
        guard !isOther else { return self }
        guard self != other else { return nil }
        var claim = DeviceClaim()
        if Self.base(name) != Self.base(other.name) { claim.name = name }
        if let kind, let other = other.kind, kind != other { claim.kind = kind }
        return claim == DeviceClaim() ? nil : claim
    }

    /// Returns a name without what was added to tell two devices apart, as in `TV (lounge)`.
    package static func base(_ name: String?) -> Substring? {
        guard let name, name.hasSuffix(")"), let start = name.lastIndex(of: "("),
            name[..<start].hasSuffix(" ")
        else { return name.map { $0[...] } }
        return name[..<start].dropLast()
    }
}

/// The state of a peer as one observer of a fleet knows it.
public struct PeerView: Sendable, Hashable {
    /// The observer.
    public var name: ObserverName
    /// The host name of the observer; empty while it is not known.
    public var host: String
    /// The presence of the peer as the observer reported it; unknown while the observer is away.
    public var presence: Presence
    /// The time, by the observer's clock, at which the observer first saw the peer.
    public var since: Timestamp
    /// The interfaces on which the observer sees the peer.
    public var interfaces: [String]
    /// The machine that answers for the peer; `nil` unless the observer hears packets.
    public var vouchedBy: Vouching? {
        get { vouching.value }
        set { vouching = StoredVouching(newValue) }
    }
    private var vouching: StoredVouching
    /// The claims of the observer that contradict the row, which follows another observer; `nil` if it
    /// contradicts nothing.
    public var claim: DeviceClaim? {
        get { claims.first }
        set { claims = newValue.map { [$0] } ?? [] }
    }
    /// At most one, in memory of its own, as hardly any view has one.
    private var claims: [DeviceClaim] = []

    /// Creates a view.
    public init(
        name: ObserverName, host: String, presence: Presence, since: Timestamp,
        interfaces: [String] = [], vouchedBy: Vouching? = nil
    ) {
        self.name = name
        self.host = host
        self.presence = presence
        self.since = since
        self.interfaces = interfaces
        vouching = StoredVouching(vouchedBy)
    }

    /// Creates a view that shares the memory of a vouching.
    package init(
        name: ObserverName, host: String, presence: Presence, since: Timestamp,
        interfaces: [String], vouching: StoredVouching
    ) {
        self.init(
            name: name, host: host, presence: presence, since: since, interfaces: interfaces)
        self.vouching = vouching
    }
}
