// The hardware address of a network interface.

/// A 48-bit MAC address (EUI-48) of a single interface.
///
/// Addresses that identify no interface are refused: the address of zeros, and multicast addresses.
public struct MACAddress: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The bytes as a number, the first byte highest.
    package let number: UInt64

    /// Creates an address of six bytes; `nil` for any other number of bytes, zeros, or a multicast address.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 6 else { return nil }
        self.init(number: bytes.reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Parses 12 hexadecimal digits, in pairs with colons or hyphens, in fours with dots, or without separators.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count <= 17 else { return nil }
        let separator = text.first { !$0.isHexDigit }
        let size: Int
        switch separator {
        case nil: size = 12
        case ":", "-": size = 2
        case ".": size = 4
        default: return nil
        }
        let groups = text.split(omittingEmptySubsequences: false) { $0 == separator }
        guard groups.count * size == 12, groups.allSatisfy({ $0.utf8.count == size }),
            let number = UInt64(groups.joined(), radix: 16)
        else { return nil }
        self.init(number: number)
    }

    private init?(number: UInt64) {
        guard number != 0, number >> 40 & 1 == 0 else { return nil }
        self.number = number
    }

    /// The bytes in hexadecimal, in lower case and with colons: `00:00:5e:00:53:01`.
    public var text: String {
        let digits = Array(description)
        return stride(from: 0, to: digits.count, by: 2)
            .map { String(digits[$0...($0 + 1)]) }.joined(separator: ":")
    }

    /// Whether the address was assigned by its maker, and not chosen by an administrator or at random.
    public var isUniversal: Bool { number >> 40 & 2 == 0 }

    /// The 12 hexadecimal digits, in lower case and without separators.
    public var description: String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 12 - digits.count) + digits
    }

    /// Orders addresses by their bytes.
    public static func < (left: MACAddress, right: MACAddress) -> Bool {
        left.number < right.number
    }
}
