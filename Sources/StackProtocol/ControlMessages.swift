// Reads what the kernel tells about a packet beside its bytes.
import Glibc

/// The ancillary data of a message that was received (cmsg(3)).
package struct ControlMessages: Sendable, Hashable {
    /// The hop limit, or the TTL of IPv4, with which a packet arrived (ip(7), RFC 3542, section 6.3).
    package private(set) var hopLimit: Int32?
    /// The index of the interface on which a packet arrived (RFC 3542, section 6.2).
    package private(set) var interface: Int32?
    /// The address to which a packet was sent, of 4 or 16 bytes.
    package private(set) var destination: [UInt8]?
    /// The descriptors that were passed over a unix socket (unix(7)).
    package private(set) var descriptors: [Int32] = []

    /// The size of a `cmsghdr`: a length, a level and a type.
    private static let headerSize = 16

    /// Reads ancillary data; messages of other kinds and messages that are cut short are left out.
    package init(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        var index = 0
        while index + Self.headerSize <= bytes.count {
            guard let length = Self.number(in: bytes, at: index, Int.self),
                length >= Self.headerSize, length <= bytes.count - index
            else { return }
            let level = Self.number(in: bytes, at: index + 8, Int32.self) ?? 0
            let type = Self.number(in: bytes, at: index + 12, Int32.self) ?? 0
            let data = Array(bytes[index + Self.headerSize..<index + length])
            let first = Self.number(in: data, at: 0, Int32.self)
            switch (Int(level), type) {
            case (IPPROTO_IP, IP_TTL), (IPPROTO_IPV6, IPV6_HOPLIMIT): hopLimit = first
            // Between the index and the address is the one from which a reply would be sent.
            case (IPPROTO_IP, IP_PKTINFO):
                (interface, destination) = (first, data.count == 12 ? Array(data[8...]) : nil)
            case (IPPROTO_IPV6, IPV6_PKTINFO):
                interface = Self.number(in: data, at: 16, Int32.self)
                destination = data.count == 20 ? Array(data[..<16]) : nil
            // SCM_RIGHTS
            case (Int(SOL_SOCKET), 1): descriptors += [first].compactMap(\.self)
            default: break
            }
            index += (length + 7) & ~7
        }
    }

    /// Returns the number at an index, or `nil` if the bytes end before.
    private static func number<Number: FixedWidthInteger>(
        in bytes: [UInt8], at index: Int, _ type: Number.Type
    ) -> Number? {
        guard index + MemoryLayout<Number>.size <= bytes.count else { return nil }
        return unsafe bytes.withUnsafeBytes { bytes in
            unsafe bytes.loadUnaligned(fromByteOffset: index, as: Number.self)
        }
    }
}
