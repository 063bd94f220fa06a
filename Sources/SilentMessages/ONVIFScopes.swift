// Reads what cameras tell about themselves in the scopes of WS-Discovery.

/// The name, the model and the place of a camera, from its scopes (ONVIF Core Specification, section 7.3.2.2).
package struct ONVIFScopes: Sendable, Hashable {
    package let name: String?
    package let hardware: String?
    /// The place, such as `country/china`.
    package let location: String?

    /// Reads the scopes of a message; of several of one category the first valid one counts.
    package init(_ scopes: [String]) {
        func first(_ category: String) -> String? {
            scopes.lazy.compactMap { scope in
                scope.dropping(prefix: "onvif://www.onvif.org/\(category)/").flatMap(Self.decoded)
            }.first
        }
        (name, location) = (first("name"), first("location"))
        hardware = first("hardware") ?? first("model")
    }

    /// Returns text without percent-encoding (RFC 3986, section 2.1); `nil` if it is not valid or not printable.
    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = Substring(rest.prefix(2))
            guard digits.utf8.count == 2, let value = UInt8(digits: digits, radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(printable: bytes)?.tidied
    }
}
