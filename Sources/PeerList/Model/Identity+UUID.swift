// Name-based UUIDs (RFC 9562, version 5) in the DNS namespace, and how names are brought into one form.
public import FoundationEssentials

extension Identity {
    /// The UUID that every observer computes for a DNS name: `uuidgen --sha1 --namespace @dns --name NAME`.
    ///
    /// - Parameter name: The name, already in the form of ``canonical(_:)``.
    /// - Returns: A UUID of version 5.
    public static func uuid(forName name: String) -> UUID {
        UUID(name: name, inNamespace: dnsNamespace)
    }

    /// `6ba7b810-9dad-11d1-80b4-00c04fd430c8` (RFC 9562, section 6.6).
    private static let dnsNamespace = UUID(
        uuid: (
            0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1,
            0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8
        ))

    /// A name as it is compared and hashed: ASCII letters in lower case, no final dot.
    ///
    /// DNS compares ASCII letters without regard to case and all other bytes as
    /// they are (RFC 6762, section 16).
    public static func canonical(_ name: String) -> String {
        var bytes = name.utf8.map { $0 >= 0x41 && $0 <= 0x5a ? $0 | 0x20 : $0 }
        if bytes.last == 0x2e { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
