// A range of IP addresses, such as 192.0.2.0/24.
import Glibc

/// The addresses with a common beginning (CIDR, RFC 4632), or one address.
package struct AddressRange: Equatable, Sendable {
    private let bytes: [UInt8]
    private let length: Int

    /// Whether it is a single address.
    var isOne: Bool { length == bytes.count * 8 }

    /// Parses `ADDRESS` or `ADDRESS/LENGTH`; returns `nil` for another text, or if bits after the length are set.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let bytes = Self.bytes(of: String(parts[0])) else { return nil }
        self.bytes = bytes
        length = parts.count == 2 ? Int(parts[1]) ?? -1 : bytes.count * 8
        guard (0...bytes.count * 8).contains(length),
            (length..<bytes.count * 8).allSatisfy({ bytes[$0 / 8] & (0x80 >> ($0 % 8)) == 0 })
        else { return nil }
    }

    /// Returns the bytes of an address, without its scope; `nil` if the text is none.
    static func bytes(of text: String) -> [UInt8]? {
        let address = String(text.prefix { $0 != "%" })
        var bytes = [UInt8](repeating: 0, count: 16)
        if unsafe inet_pton(AF_INET, address, &bytes) == 1 { return Array(bytes.prefix(4)) }
        return unsafe inet_pton(AF_INET6, address, &bytes) == 1 ? bytes : nil
    }

    /// Whether an address, by its bytes, is in the range.
    func contains(_ address: [UInt8]) -> Bool {
        guard address.count == bytes.count else { return false }
        let whole = length / 8
        guard address.prefix(whole) == bytes.prefix(whole) else { return false }
        let mask = UInt8(truncatingIfNeeded: 0xFF00 >> (length % 8))
        return whole == bytes.count || address[whole] & mask == bytes[whole] & mask
    }
}
