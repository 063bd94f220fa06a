// An address of a host, as text that can be passed to a program.
import Glibc

/// An IPv4 or IPv6 address; a link-local IPv6 address includes its interface.
public struct HostAddress: Sendable, Hashable, CustomStringConvertible {
    /// The 4 or 16 bytes in network order.
    public let bytes: [UInt8]

    /// The interface of a link-local IPv6 address.
    public let scope: String?

    /// The address as text, with its scope if it has one: `fe80::1%eth0` (RFC 4007, section 11).
    public let description: String

    /// Creates an address of 4 or 16 bytes, seen on an interface.
    ///
    /// - Parameters:
    ///   - bytes: The address in network order.
    ///   - text: The address as text, without a scope.
    ///   - interface: The name of the interface on which the address was seen; evaluated for link-local
    ///     addresses only.
    public init(bytes: [UInt8], text: String, interface: @autoclosure () -> String) {
        self.bytes = bytes
        let isScoped = bytes.count == 16 && Self.isLinkLocal(bytes)
        let scope = isScoped ? interface() : nil
        self.scope = scope
        description = scope.map { "\(text)%\($0)" } ?? text
    }

    /// Creates an address of 4 or 16 bytes seen on an interface, with text formatted by inet_ntop(3).
    public init(bytes: [UInt8], interface: @autoclosure () -> String) {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        _ = unsafe inet_ntop(family, bytes, &text, socklen_t(text.count))
        self.init(bytes: bytes, text: String(beforeNUL: text), interface: interface())
    }

    /// Creates an address from its usual text without a scope, such as `10.0.0.2` or `2001:db8::1`; `nil` for other text.
    package init?(parsing text: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        if unsafe inet_pton(AF_INET, text, &bytes) == 1 {
            bytes.removeLast(12)
        } else if unsafe inet_pton(AF_INET6, text, &bytes) != 1 {
            return nil
        }
        self.init(bytes: bytes, interface: "")
    }

    /// Creates an address from its text as ``description`` has it, with a scope if it has one; `nil` for other text.
    package init?(scoped text: String) {
        let parts = text.split(separator: "%", maxSplits: 1)
        guard let first = parts.first, let address = HostAddress(parsing: String(first)) else {
            return nil
        }
        self.init(bytes: address.bytes, interface: parts.count > 1 ? String(parts[1]) : "")
    }

    /// The family of the address.
    public var family: AddressFamily { bytes.count == 4 ? .ipv4 : .ipv6 }

    /// Whether the address is a loopback address: in 127.0.0.0/8, or ::1.
    public var isLoopback: Bool {
        if bytes.count == 4 { return bytes[0] == 127 }
        return bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
    }

    /// Whether the address is 0.0.0.0 or ::.
    package var isUnspecified: Bool { bytes.allSatisfy { $0 == 0 } }

    /// Whether the address is that of a group, or of all machines on a link: from 224.0.0.0 on, or in ff00::/8.
    package var isMulticast: Bool { bytes.count == 4 ? bytes[0] >= 224 : bytes[0] == 0xff }

    /// Whether the address is an IPv4 address in the form of IPv6, ::ffff:0:0/96.
    package var isMapped: Bool {
        bytes.count == 16 && bytes[..<10].allSatisfy { $0 == 0 } && bytes[10...11] == [0xff, 0xff]
    }

    /// Whether the address is valid on its link only: in 169.254.0.0/16 or fe80::/10.
    package var isLinkLocal: Bool { Self.isLinkLocal(bytes) }

    private static func isLinkLocal(_ bytes: [UInt8]) -> Bool {
        bytes.count == 4
            ? bytes[0] == 169 && bytes[1] == 254 : bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80
    }

    /// Whether routers of the Internet do not forward to the address: a private one (RFC 1918), a shared one (RFC 6598), or
    /// a unique local one (RFC 4193).
    package var isPrivate: Bool {
        guard bytes.count == 4 else { return bytes[0] & 0xfe == 0xfc }
        return switch (bytes[0], bytes[1]) {
        case (10, _), (172, 16..<32), (192, 168), (100, 64..<128): true
        default: false
        }
    }

    /// Returns the first bits of the address, followed by zeros.
    ///
    /// - Precondition: The address has as many bits.
    package func prefix(_ length: Int) -> [UInt8] {
        var prefix = bytes
        for index in (length + 7) / 8..<bytes.count { prefix[index] = 0 }
        if length % 8 > 0 { prefix[length / 8] &= 0xff << UInt8(8 - length % 8) }
        return prefix
    }
}

extension HostAddress: Comparable {
    /// Whether the first address sorts before the second: IPv4 before IPv6, then by number, then by
    /// scope; link-local addresses are the last of their family.
    public static func < (left: HostAddress, right: HostAddress) -> Bool {
        guard left.bytes.count == right.bytes.count else {
            return left.bytes.count < right.bytes.count
        }
        guard (left.scope == nil) == (right.scope == nil) else { return left.scope == nil }
        guard left.bytes == right.bytes else {
            return left.bytes.lexicographicallyPrecedes(right.bytes)
        }
        return (left.scope ?? "") < (right.scope ?? "")
    }
}
