// Divides the header lines of HTTP, which SSDP uses too.

/// A header line: a name and a value (RFC 9112, section 5).
struct HeaderField {
    /// The name in lower case.
    let name: String
    /// The value, without spaces around it.
    let value: ArraySlice<UInt8>

    /// Divides a line; `nil` if it has no colon.
    init?(_ line: ArraySlice<UInt8>) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = Self.trimmed(line[..<colon])
        self.name = String(decoding: name, as: UTF8.self).lowercased()
        value = Self.trimmed(line[(colon + 1)...])
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let end = bytes.lastIndex { !$0.isBlank }.map { $0 + 1 } ?? bytes.startIndex
        return bytes[..<end].drop(while: \.isBlank)
    }
}
