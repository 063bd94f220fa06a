// One datagram with all that the system tells of its way: the sender and the interface.
import Glibc

/// A datagram that arrived at a socket of one family or of both.
struct Datagram {
    let bytes: [UInt8]
    /// Who sent it; link-local addresses with the interface.
    let source: HostAddress?
    /// The number of the interface on which it arrived; `nil`: the socket was not told to say.
    let interface: Int32?

    /// The next one; `nil` where none is there.
    ///
    /// - Parameters:
    ///   - descriptor: A socket that does not wait.
    ///   - limit: More of it is cut off.
    init?(receivedBy descriptor: Int32, atMost limit: Int) {
        var bytes = [UInt8](repeating: 0, count: limit)
        var control = [UInt8](repeating: 0, count: 128)
        var sender = sockaddr_storage()
        let (count, used) = unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe control.withUnsafeMutableBytes { control in
                unsafe withUnsafeMutablePointer(to: &sender) { sender in
                    var part = unsafe iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                    return unsafe withUnsafeMutablePointer(to: &part) { part in
                        var message = unsafe msghdr()
                        unsafe message.msg_name = UnsafeMutableRawPointer(sender)
                        unsafe message.msg_namelen = socklen_t(MemoryLayout<sockaddr_storage>.size)
                        unsafe message.msg_iov = part
                        unsafe message.msg_iovlen = 1
                        unsafe message.msg_control = control.baseAddress
                        unsafe message.msg_controllen = control.count
                        let count = unsafe recvmsg(descriptor, &message, 0)
                        return unsafe (count, Int(message.msg_controllen))
                    }
                }
            }
        }
        guard count >= 0 else { return nil }
        self.bytes = Array(bytes.prefix(count))
        interface = Self.interface(in: Array(control.prefix(used)))
        source = unsafe withUnsafePointer(to: sender) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe HostAddress(senderOf: $0)
            }
        }
    }

    /// The interface in what is told beside a datagram (cmsg(3), ip(7), RFC 3542 section 6).
    static func interface(in control: [UInt8]) -> Int32? {
        let word = MemoryLayout<Int>.size
        let head = word + 8
        return unsafe control.withUnsafeBytes { bytes in
            var place = 0
            while place + head <= bytes.count {
                let length = unsafe bytes.loadUnaligned(fromByteOffset: place, as: Int.self)
                let level = unsafe bytes.loadUnaligned(
                    fromByteOffset: place + word, as: Int32.self)
                let kind = unsafe bytes.loadUnaligned(
                    fromByteOffset: place + word + 4, as: Int32.self)
                guard length >= head, length <= bytes.count - place else { return nil }
                // Of IPv4 the number stands first, of IPv6 behind an address.
                let offset: Int? =
                    switch (level, kind) {
                    case (Int32(IPPROTO_IP), IP_PKTINFO): head
                    case (Int32(IPPROTO_IPV6), IPV6_PKTINFO): head + 16
                    default: nil
                    }
                if let offset, offset + 4 <= length {
                    return unsafe bytes.loadUnaligned(
                        fromByteOffset: place + offset, as: Int32.self)
                }
                place += (length + word - 1) / word * word
            }
            return nil
        }
    }
}

extension HostAddress {
    /// The sender of a datagram; a socket of both families tells IPv4 as `::ffff:10.0.0.1`.
    fileprivate init?(senderOf address: UnsafePointer<sockaddr>) {
        let isIPv6 = unsafe Int32(address.pointee.sa_family) == AF_INET6
        let scope =
            isIPv6
            ? unsafe address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                unsafe $0.pointee.sin6_scope_id
            } : 0
        let interface = scope == 0 ? "" : NetworkInterface(index: Int32(scope)).name
        guard let plain = unsafe HostAddress(address, interface: interface) else { return nil }
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
        guard plain.bytes.starts(with: mapped) else {
            self = plain
            return
        }
        self.init(bytes: Array(plain.bytes.dropFirst(12)), interface: interface)
    }
}
