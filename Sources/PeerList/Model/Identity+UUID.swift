// Name-based UUIDs (RFC 9562, version 5) in the DNS namespace, and how names are brought into one form.
import CLibUUID
public import FoundationEssentials

extension Identity {
    /// The UUID that every observer computes for a DNS name: `uuidgen --sha1 --namespace @dns --name NAME`.
    ///
    /// - Parameter name: The name, already in the form of ``canonical(_:)``.
    /// - Returns: A UUID of version 5.
    public static func uuid(forName name: String) -> UUID {
        uuid(inNamespace: dnsNamespace, name: name)
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

    /// The UUID of a name within a namespace that is a UUID itself.
    static func uuid(inNamespace namespace: UUID, name: String) -> UUID {
        var name = name
        var result = [UInt8](repeating: 0, count: 16)
        unsafe withUnsafeBytes(of: namespace.uuid) { namespace in
            let namespace = unsafe namespace.assumingMemoryBound(to: UInt8.self).baseAddress
            name.withUTF8 { text in
                unsafe text.withMemoryRebound(to: CChar.self) { text in
                    unsafe uuid_generate_sha1(&result, namespace, text.baseAddress, text.count)
                }
            }
        }
        return unsafe result.withUnsafeBytes { unsafe UUID(uuid: $0.load(as: uuid_t.self)) }
    }
}
