// What libuuid does for us: UUIDs computed from names, and read from text.
import CLibUUID
package import FoundationEssentials

extension UUID {
    /// The nil UUID (RFC 9562, section 5.9).
    package static var blank: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }

    /// The UUID of a name within a namespace that is a UUID itself (RFC 9562, version 5).
    init(name: String, inNamespace namespace: UUID) {
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
        self.init(uuid: unsafe result.withUnsafeBytes { unsafe $0.load(as: uuid_t.self) })
    }

    /// The UUID of a text of 36 characters (RFC 9562, section 4), in UTF-8.
    ///
    /// Foundation's takes eight times as long, and reads from a `String` only.
    package init?(text: Span<UInt8>) {
        var id = Self.blank.uuid
        let isRead = unsafe text.withUnsafeBytes { text in
            unsafe withUnsafeMutableBytes(of: &id) { id in
                let start = unsafe text.baseAddress?.assumingMemoryBound(to: CChar.self)
                let octets = unsafe id.baseAddress?.assumingMemoryBound(to: UInt8.self)
                guard let start = unsafe start else { return false }
                return unsafe uuid_parse_range(start, start + text.count, octets) == 0
            }
        }
        guard isRead else { return nil }
        self.init(uuid: id)
    }
}
