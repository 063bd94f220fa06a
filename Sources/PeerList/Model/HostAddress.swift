// An address of a host, as text that can be handed to a program.

/// An IPv4 or IPv6 address, link-local ones with the interface that they hold on.
public struct HostAddress: Sendable, Hashable, CustomStringConvertible {
    /// The bytes in network order: 4 of them or 16.
    public let bytes: [UInt8]

    /// The interface that a link-local IPv6 address holds on.
    public let scope: String?

    /// The address as text, with its scope where it has one: `fe80::1%eth0` (RFC 4007, section 11).
    public let description: String

    /// An address of 4 or 16 bytes, seen on an interface.
    ///
    /// - Parameters:
    ///   - bytes: The address in network order.
    ///   - text: The same as text, without a scope.
    ///   - interface: The name of the interface that it was seen on; read for link-local addresses only.
    public init(bytes: [UInt8], text: String, interface: @autoclosure () -> String) {
        self.bytes = bytes
        let isLinkLocal = bytes.count == 16 && bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80
        let scope = isLinkLocal ? interface() : nil
        self.scope = scope
        description = scope.map { "\(text)%\($0)" } ?? text
    }

    /// The family that it belongs to.
    public var family: AddressFamily { bytes.count == 4 ? .ipv4 : .ipv6 }

    /// Whether it is this machine speaking to itself: 127.0.0.0/8 or ::1.
    public var isLoopback: Bool {
        if bytes.count == 4 { return bytes[0] == 127 }
        return bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
    }
}

extension HostAddress: Comparable {
    /// IPv4 before IPv6, then by number, then by scope; link-local addresses come last of their family.
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
