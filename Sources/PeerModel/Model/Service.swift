// A service instance, its full name, and the order of a peer's services.
public import FoundationEssentials

/// The full name of a service instance, the same on every interface and family of a network.
///
/// Two keys are equal if DNS considers their names equal, on one network.
public struct ServiceKey: Sendable, Identifiable {
    /// The version-5 UUID of the full name, the same on every observer; of the name and the network if that is given.
    public let id: UUID

    /// The instance name, not escaped: up to 63 bytes of anything but NUL.
    public let name: String

    /// The service type, such as `_ipp._tcp`.
    public let type: String

    /// The domain, usually `local`.
    public let domain: String

    /// The first interface of this machine on the network of the service, if the name was found on another network
    /// before.
    public let network: String?

    /// Creates the key of an instance.
    public init(name: String, type: String, domain: String, network: String? = nil) {
        self.name = name
        self.type = type
        self.domain = domain
        self.network = network
        let canonical = Identity.canonical("\(name).\(type).\(domain)")
        id = Identity.uuid(forName: network.map { "\(canonical)%\($0)" } ?? canonical)
    }

    /// The version-5 UUID of the full name, whatever the network.
    package var nameID: UUID {
        network == nil ? id : Identity.uuid(forName: Identity.canonical(fullName))
    }

    /// Whether the name can be that of a service: a responder may announce any names.
    ///
    /// A type has two labels (RFC 6763, section 7) and is not that of lists of types (section 9); an instance is not the
    /// label before the type of a subtype.
    package var isPlausible: Bool {
        Self.isPlausible(type: type) && Identity.canonical(name) != "_sub" && !name.isEmpty
    }

    /// Whether a name can be that of a service type, without a subtype.
    package static func isPlausible(type: String) -> Bool {
        let labels = Identity.canonical(type).split(
            separator: ".", omittingEmptySubsequences: false)
        return labels.count == 2 && labels[0].hasPrefix("_") && labels[0].utf8.count > 1
            && ["_tcp", "_udp"].contains(labels[1]) && labels[0] != "_dns-sd"
    }

    /// `instance name.type.domain`, not escaped.
    public var fullName: String { "\(name).\(type).\(domain)" }
}

extension ServiceKey: Hashable {
    /// Whether both keys name the same service, as DNS compares names.
    public static func == (left: ServiceKey, right: ServiceKey) -> Bool { left.id == right.id }
    /// Hashes the name's UUID.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// A service instance (RFC 6763, section 4.1), on all interfaces and families.
public struct Service: Sendable, Hashable, Identifiable {
    /// The version-5 UUID of `instance name.type.domain`, the same on every observer.
    public var id: UUID

    /// The instance name: up to 63 bytes of UTF-8 chosen by the announcing host, not escaped.
    public var name: String

    /// The service type, such as `_ipp._tcp`.
    public var type: String

    /// The subtypes under which the service was found, such as `_printer`; only subtypes that were
    /// browsed.
    public var subtypes: [String]

    /// The domain, usually `local`.
    public var domain: String

    /// The TXT record; empty until the service is resolved.
    public var txt: TXTRecord

    // Last, so that there is no padding between the properties: recordings compare services as memory first.
    /// The port, or `nil` until the service is resolved.
    public var port: UInt16?

    /// Creates a service with all of its fields.
    public init(
        id: UUID, name: String, type: String, subtypes: [String] = [], domain: String,
        port: UInt16? = nil, txt: TXTRecord = TXTRecord()
    ) {
        self.id = id
        self.name = name
        self.type = type
        self.subtypes = subtypes
        self.domain = domain
        self.port = port
        self.txt = txt
    }

    /// `instance name.type.domain`, not escaped.
    package var fullName: String { "\(name).\(type).\(domain)" }

    /// Whether its name is one for people; by other protocols than multicast DNS it is the identifier of the device.
    package var hasOwnName: Bool { DiscoveryProtocol(ofType: type) == .mdns }

    /// Whether its port is one of TCP; descriptions of SSDP and WS-Discovery are at such ports.
    package var isOfTCP: Bool {
        type.hasSuffix("._tcp") || DiscoveryProtocol(ofType: type) != .mdns
    }

    /// The full name as DNS compares names.
    var canonicalName: String { Identity.canonical(fullName) }

    /// Whether the identifier is that of the name, whatever the network.
    var isNamedAlone: Bool { id == Identity.uuid(forName: canonicalName) }

    /// Whether this service sorts before another: by type, then name, then id.
    package func precedes(_ other: Service) -> Bool {
        // By UTF-8 bytes, because `==` considers two spellings of one character equal.
        for (left, right) in [(type.utf8, other.type.utf8), (name.utf8, other.name.utf8)] {
            if left.lexicographicallyPrecedes(right) { return true }
            if right.lexicographicallyPrecedes(left) { return false }
        }
        return id < other.id
    }
}

extension Identity {
    /// Creates the identity of a service whose host is not known yet: its full name.
    public init(unresolved service: Service) {
        self.init(source: .service, value: Identity.canonical(service.fullName))
    }
}

extension [Service] {
    /// Returns the index of a service, or the index at which to insert it, in the order of
    /// ``Service/precedes(_:)``.
    package func sortedIndex(of service: Service) -> Int {
        partitionIndex { !$0.precedes(service) }
    }

    /// Adds those services of another state of the same peer that this one lacks, in order.
    package mutating func formUnion(_ others: [Service]) {
        // By identifier, because the spelling of a name can differ.
        var missing = Set(others.lazy.map(\.id))
        for service in self where !missing.isEmpty { missing.remove(service.id) }
        for service in others where missing.remove(service.id) != nil {
            insert(service, at: sortedIndex(of: service))
        }
    }
}

extension Array {
    /// Returns the index of the first element that satisfies a predicate that is false for a prefix of
    /// the array and true for the rest (binary search).
    package func partitionIndex(where predicate: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
