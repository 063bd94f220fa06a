// What an address is: its family, how far it reaches, where it holds.
import Glibc

/// What can be said of an address by itself.
struct AddressInWords: Equatable {
    /// Whether it is an IPv6 address.
    let isIPv6: Bool
    /// The interface that it holds on, where it says so.
    let scope: String?
    /// How far it reaches: `link-local`, `private`, …; `nil` for one that all the world may reach.
    let reach: String?

    /// An address as text, `fe80::1%eth0`; `nil` where it is none.
    init?(_ text: String) {
        let number = text.prefix { $0 != "%" }
        isIPv6 = number.utf8.contains(UInt8(ascii: ":"))
        // C would read no further than a NUL.
        guard !number.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: isIPv6 ? 16 : 4)
        guard unsafe inet_pton(isIPv6 ? AF_INET6 : AF_INET, String(number), &bytes) == 1 else {
            return nil
        }
        let rest = text.dropFirst(number.count + 1)
        scope = rest.isEmpty ? nil : String(rest)
        reach = isIPv6 ? Self.reach(six: bytes) : Self.reach(four: bytes)
    }

    /// `IPv6, link-local, holds on eth0`.
    var text: String {
        ([isIPv6 ? "IPv6" : "IPv4", reach] + [scope.map { "holds on \($0)" }])
            .compactMap { $0 }.joined(separator: ", ")
    }

    /// RFC 6890, section 2.2.2.
    private static func reach(four bytes: [UInt8]) -> String? {
        switch (bytes[0], bytes[1]) {
        case (127, _): "this machine alone"
        case (169, 254): "link-local"
        case (10, _), (172, 16...31), (192, 168): "private"
        case (100, 64...127): "shared by a provider"
        case (224...239, _): "multicast"
        default: nil
        }
    }

    /// RFC 4291, section 2.4, and RFC 4193.
    private static func reach(six bytes: [UInt8]) -> String? {
        if bytes.last == 1, bytes.dropLast().allSatisfy({ $0 == 0 }) { return "this machine alone" }
        switch (bytes[0], bytes[1]) {
        case (0xFE, 0x80...0xBF): return "link-local"
        case (0xFC...0xFD, _): return "unique local"
        case (0xFF, _): return "multicast"
        default: return nil
        }
    }
}
