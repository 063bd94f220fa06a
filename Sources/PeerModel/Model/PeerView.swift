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
