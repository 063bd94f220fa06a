// Identities of devices: the evidence for them, and the version-5 UUIDs (RFC 9562) computed from it.
public import FoundationEssentials

/// A value that identifies a device: a name, or a value in the records of its host.
///
/// Services that announce the same value in different forms, such as a MAC address with and without colons, give
/// identities with the same ``value`` and so with the same ``id``, whatever their types.
public struct Identity: Sendable, Identifiable {
    /// The kinds of places in which the value is found.
    public enum Source: String, Sendable, Hashable, CaseIterable {
        /// The host name, in lower case, without its final dot; followed by `%` and an interface of this machine if there
        /// are hosts of the name on several networks.
        case hostName = "host-name"
        /// The `id=` that the peer announces in its `_peerlist._tcp` service.
        case announced
        /// An attribute of a TXT record, such as the UUID of a printer.
        case txt
        /// A part of an instance name; or a part of the host name, if all devices that offer the service have an
        /// identifier there.
        case name
        /// A service whose host is not known yet.
        case service
        /// A text by which another protocol than multicast DNS tells a device apart, such as its MAC address.
        case endpoint
    }

    /// How long the value identifies the device, from the shortest to the longest.
    public enum Rank: Int, Sendable, Hashable, Comparable, CaseIterable {
        /// A service whose host is not known yet, or a transient host name.
        case service
        /// The host name, which the owner can change.
        case hostName
        /// The identifier of an installed program, which moves to another machine with a backup.
        case installation
        /// An identifier that lasts until the device is reset, or a locally administered MAC address.
        case pairing
        /// A universally administered MAC address.
        case hardwareAddress
        /// A UUID or a serial number.
        case serialNumber
        /// The identifier that peerlist announces.
        case announced

        /// Whether the first rank is weaker than the second.
        public static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }

    /// The type of the service through which a peer announces its identifier.
    public static let serviceType = "_peerlist._tcp"

    /// The kind of place.
    public var source: Source { didSet { derived = nil } }

    /// The value of a record or a name, normalized: `uuid:…`, `mac:…`, `serial:<vendor>:…` or `pairing:<type>:…`; or
    /// the host name, the announced UUID, the endpoint or the full name of the service, without a prefix.
    public var value: String { didSet { derived = nil } }

    /// The type of the service whose TXT record or name contains the value; otherwise `nil`.
    public var type: String?

    /// The key of the TXT record, as documented for the type; otherwise `nil`.
    public var key: String?

    /// The rank and the identifier, if they were computed already.
    private var derived: (rank: Rank, id: UUID)?

    /// Creates an identity.
    public init(source: Source, value: String, type: String? = nil, key: String? = nil) {
        self.source = source
        self.value = value
        self.type = type
        self.key = key
    }

    /// Creates the identity of a host name.
    public init(host: String) {
        self.init(source: .hostName, value: Identity.canonical(host))
        derived = (rank, id)
    }

    /// Creates the identity of a device without a host name.
    init(endpoint: String) {
        self.init(source: .endpoint, value: endpoint)
        derived = (rank, id)
    }

    /// Creates the identity of a host of whose name there is another host on another network: the name and the network.
    init(host: String, on network: String) {
        self.init(source: .hostName, value: "\(Identity.canonical(host))%\(network)")
    }

    /// Creates the identity of a rank by a value in the records of a service.
    init(_ rank: Rank, value: String, at place: RecordSource) {
        let isAnnounced = rank == .announced
        self.init(
            source: isAnnounced ? .announced : place.key == nil ? .name : .txt, value: value,
            type: isAnnounced ? nil : place.type, key: isAnnounced ? nil : place.key)
        derived = (rank, id)
    }

    /// The rank; of a value that was read from a file or the network, the lowest that a value of the hardware has.
    public var rank: Rank {
        if let derived { return derived.rank }
        switch source {
        case .service, .endpoint: return .service
        case .hostName:
            return Self.isTransient(label: value.prefix { $0 != "." }) ? .service : .hostName
        case .announced: return .announced
        case .txt, .name: return .pairing
        }
    }

    /// The device's identifier according to this identity, the same on every observer.
    ///
    /// It is the announced UUID itself; the version-5 UUID of a name in the DNS namespace (``uuid(forName:)``); or the
    /// version-5 UUID of any other ``value`` in the namespace `2e72ca69-8f12-4a07-98aa-28051b90491c`.
    public var id: UUID {
        if let derived { return derived.id }
        switch source {
        case .hostName, .service: return Self.uuid(forName: value)
        case .announced:
            if let id = UUID(uuidString: value) { return id }
            fallthrough
        case .txt, .name, .endpoint: return UUID(name: value, inNamespace: Self.valueNamespace)
        }
    }

    /// The interface on whose network the host is, if hosts of its name are on several networks.
    package var network: Substring? {
        guard source == .hostName, let mark = value.lastIndex(of: "%") else { return nil }
        return value[value.index(after: mark)...]
    }

    /// The place of the value in the records of the device.
    package var place: RecordSource {
        source == .announced
            ? RecordSource(type: Self.serviceType, key: "id") : RecordSource(type: type, key: key)
    }

    /// Whether the value is of one device alone, also after that was renamed.
    package var isLasting: Bool { source == .announced || Self.isLasting(value) }

    /// Whether a normalized ``value`` of a record or a name is of one device alone. Locally administered MAC addresses
    /// are of several, such as the containers of all machines.
    package static func isLasting(_ value: String) -> Bool {
        guard value.hasPrefix("mac:") else {
            return ["uuid:", "serial:", "pairing:"].contains { value.hasPrefix($0) }
        }
        return value.dropFirst(5).first?.hexDigitValue.map { $0 & 2 == 0 } ?? false
    }

    /// Whether the first label of a host name changes each time the device connects: `Android_` and random digits, or an
    /// address such as `10-0-1-108`.
    private static func isTransient(label: Substring) -> Bool {
        let numbers = label.split(separator: "-", omittingEmptySubsequences: false)
        if numbers.count == 4, numbers.allSatisfy({ UInt8($0) != nil }) { return true }
        return label.hasPrefix("android_") && isHexadecimal(label.dropFirst(8).utf8)
    }
}

extension Identity: Hashable {
    /// Whether both are the same value from the same place.
    public static func == (left: Identity, right: Identity) -> Bool {
        left.source == right.source && left.value == right.value && left.type == right.type
            && left.key == right.key
    }

    /// Hashes the value and its place.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(source)
        hasher.combine(value)
        hasher.combine(type)
        hasher.combine(key)
    }
}

extension Identity {
    /// Returns the version-5 UUID of a ``canonical(_:)`` DNS name, the same on every observer:
    /// `uuidgen --sha1 --namespace @dns --name NAME`.
    public static func uuid(forName name: String) -> UUID {
        UUID(name: name, inNamespace: dnsNamespace)
    }

    /// The random UUID that is the namespace of values.
    private static let valueNamespace = UUID(
        uuid: (
            0x2e, 0x72, 0xca, 0x69, 0x8f, 0x12, 0x4a, 0x07,
            0x98, 0xaa, 0x28, 0x05, 0x1b, 0x90, 0x49, 0x1c
        ))

    /// `6ba7b810-9dad-11d1-80b4-00c04fd430c8` (RFC 9562, section 6.6).
    private static let dnsNamespace = UUID(
        uuid: (
            0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1,
            0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8
        ))

    /// Returns a name as names are compared: ASCII letters in lower case (RFC 6762, section 16), no final dot.
    public static func canonical(_ name: String) -> String {
        var bytes = name.utf8.map { $0 >= 0x41 && $0 <= 0x5a ? $0 | 0x20 : $0 }
        if bytes.last == 0x2e { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension UUID {
    /// The nil UUID (RFC 9562, section 5.9).
    package static var blank: UUID {
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }

    /// Computes the version-5 UUID of a name in a namespace (RFC 9562, section 5.5).
    package init(name: String, inNamespace namespace: UUID) {
        let octets = unsafe withUnsafeBytes(of: namespace.uuid) { unsafe Array($0) }
        var digest = SHA1.digest(of: octets + name.utf8)
        digest[6] = digest[6] & 0x0f | 0x50  // the version
        digest[8] = digest[8] & 0x3f | 0x80  // the variant
        self.init(
            uuid: (
                digest[0], digest[1], digest[2], digest[3], digest[4], digest[5], digest[6],
                digest[7], digest[8], digest[9], digest[10], digest[11], digest[12], digest[13],
                digest[14], digest[15]
            ))
    }

    /// Returns a random identifier, of version 4 (RFC 9562, section 5.4).
    ///
    /// Foundation returns the same UUID every time in a container without /dev/urandom.
    public static func randomByKernel() -> UUID {
        var generator = SystemRandomNumberGenerator()
        return .random(using: &generator)
    }
}

/// Whether a text is at least one hexadecimal digit and nothing else.
func isHexadecimal(_ text: some Collection<UInt8>) -> Bool {
    !text.isEmpty && text.allSatisfy(isHexadecimal)
}

func isHexadecimal(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || 0x61...0x66 ~= byte | 0x20
}
