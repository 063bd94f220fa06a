// Peer identifiers: their evidence, and the version-5 UUIDs (RFC 9562) computed from it.
import CLibUUID
public import FoundationEssentials

/// The evidence from which a peer's identifier is computed.
public struct Identity: Sendable, Hashable {
    /// The kinds of evidence.
    public enum Source: String, Sendable, Hashable, CaseIterable {
        /// The host name, in lower case, without its final dot.
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
    }

    /// The type of the service through which a peer announces its identifier.
    public static let serviceType = "_peerlist._tcp"

    /// The kind of evidence.
    public var source: Source

    /// The host name, the announced UUID, the full name of the service, or the ``Evidence/value`` of a
    /// TXT record or a name.
    public var value: String

    /// The type of the service whose TXT record or name contains the value; otherwise `nil`.
    public var type: String?

    /// The key of the TXT record, as documented for the type; otherwise `nil`.
    public var key: String?

    /// Creates the evidence of a kind.
    public init(source: Source, value: String, type: String? = nil, key: String? = nil) {
        self.source = source
        self.value = value
        self.type = type
        self.key = key
    }
}

extension Identity {
    /// Returns the version-5 UUID of a ``canonical(_:)`` DNS name, the same on every observer:
    /// `uuidgen --sha1 --namespace @dns --name NAME`.
    public static func uuid(forName name: String) -> UUID {
        UUID(name: name, inNamespace: dnsNamespace)
    }

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
        var (id, name) = (namespace.uuid, name)
        name.withUTF8 { text in
            unsafe withUnsafeMutableBytes(of: &id) { id in
                let octets = unsafe id.assumingMemoryBound(to: UInt8.self).baseAddress
                let text = unsafe UnsafeRawBufferPointer(text).assumingMemoryBound(to: CChar.self)
                unsafe uuid_generate_sha1(octets, octets, text.baseAddress, text.count)
            }
        }
        self.init(uuid: id)
    }

    /// Returns a random identifier, of version 4 (RFC 9562, section 5.4).
    ///
    /// Foundation returns the same UUID every time in a container without /dev/urandom.
    public static func randomByKernel() -> UUID {
        var generator = SystemRandomNumberGenerator()
        return .random(using: &generator)
    }
}
