// Receives the replies of machines that see this one.
import Glibc

/// A received reply and its origin.
public struct ReceivedReply: Sendable, Hashable {
    /// The content of the reply.
    public var reply: VisibilityReply
    /// The source address; a link-local IPv6 address includes its scope.
    public var source: HostAddress
    /// The index of the interface on which the reply arrived, if the system reported it.
    public var interface: Int32?

    /// Creates a received reply from its parts.
    public init(_ reply: VisibilityReply, from source: HostAddress, on interface: Int32? = nil) {
        self.reply = reply
        self.source = source
        self.interface = interface
    }
}

/// A UDP socket that receives visibility replies with a certain nonce.
///
/// Since any machine on the link can send to it, at most 256 replies are kept, 32 of them from one
/// address.
public final class VisibilityListener: Sendable {
    /// The replies received so far.
    public struct Replies: Sendable, Hashable {
        /// The distinct replies, in order of arrival.
        public var received: [ReceivedReply] = []
        /// The number of datagrams that were not replies.
        public var strayCount = 0

        /// Creates an empty result.
        public init() {}
    }

    /// The preferred port, 15353, which a firewall can be configured to accept.
    public static let usualPort: UInt16 = 15_353
    /// The maximum number of replies kept.
    static let replyLimit = 256
    /// The maximum number of replies kept from one address.
    static let sourceLimit = 32

    /// The nonce to announce.
    public let nonce = VisibilityNonce()
    /// The port to announce.
    public let port: UInt16
    private let descriptor: Int32

    /// Opens a socket on the usual port or, if that is taken, on one chosen by the system.
    ///
    /// The socket receives IPv4 and, if the system supports it, IPv6.
    ///
    /// - Throws: ``BackendError`` if no port is available.
    public init() throws(BackendError) {
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let dualStack = socket(AF_INET6, kind, 0)
        let isIPv4 = dualStack < 0
        descriptor = isIPv4 ? socket(AF_INET, kind, 0) : dualStack
        if !isIPv4 {
            _ = setOption(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0)
            _ = setOption(descriptor, Int32(IPPROTO_IPV6), IPV6_RECVPKTINFO, 1)
        }
        let port =
            Self.bind(descriptor, to: Self.usualPort, isIPv4: isIPv4)
            ?? Self.bind(descriptor, to: 0, isIPv4: isIPv4)
        guard descriptor >= 0, let port else {
            let reason = unsafe String(cString: strerror(errno))
            if descriptor >= 0 { close(descriptor) }
            throw BackendError("no UDP port for replies of other machines is available: \(reason)")
        }
        self.port = port
    }

    deinit { close(descriptor) }

    /// Receives replies on a separate thread for a certain time.
    public func replies(within time: Duration) async -> Replies {
        await withCheckedContinuation { continuation in
            let code = startThread { continuation.resume(returning: self.collect(for: time)) }
            if code != 0 { continuation.resume(returning: Replies()) }
        }
    }

    private func collect(for time: Duration) -> Replies {
        let end = ContinuousClock.now + time
        var (replies, counts) = (Replies(), [HostAddress: Int]())
        while case let rest = end - .now, rest > .zero {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let milliseconds = Int32(min(rest, .seconds(60)) / .milliseconds(1)) + 1
            guard unsafe poll(&waiting, 1, milliseconds) > 0 else { continue }
            guard let next = receive() else {
                replies.strayCount += 1
                continue
            }
            // A different nonce belongs to an earlier probe from this port.
            guard next.reply.nonce == nonce, replies.received.count < Self.replyLimit,
                counts[next.source, default: 0] < Self.sourceLimit,
                !replies.received.contains(next)
            else { continue }
            counts[next.source, default: 0] += 1
            replies.received.append(next)
        }
        return replies
    }

    /// Receives one datagram; returns `nil` if it is not a reply.
    private func receive() -> ReceivedReply? {
        var bytes = [UInt8](repeating: 0, count: VisibilityReply.sizeLimit + 1)
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
        guard count >= 0, let reply = VisibilityReply(bytes.prefix(count)),
            let source = unsafe withUnsafePointer(
                to: sender,
                { pointer in
                    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        unsafe HostAddress(sender: $0)
                    }
                })
        else { return nil }
        return ReceivedReply(
            reply, from: source, on: Self.interface(in: Array(control.prefix(max(0, used)))))
    }

    /// Returns the interface index in the control data of a datagram: one IPV6_PKTINFO message, for
    /// IPv4 as well (RFC 3542, section 6.2).
    static func interface(in control: [UInt8]) -> Int32? {
        let word = MemoryLayout<Int>.size
        let end = word + 8 + 20  // cmsghdr, then in6_pktinfo: an address and the index
        guard control.count >= end else { return nil }
        return unsafe control.withUnsafeBytes { bytes in
            guard unsafe bytes.loadUnaligned(as: Int.self) >= end,
                unsafe bytes.loadUnaligned(fromByteOffset: word, as: Int32.self) == IPPROTO_IPV6,
                unsafe bytes.loadUnaligned(fromByteOffset: word + 4, as: Int32.self) == IPV6_PKTINFO
            else { return nil }
            return unsafe bytes.loadUnaligned(fromByteOffset: end - 4, as: Int32.self)
        }
    }

    private static func bind(_ descriptor: Int32, to port: UInt16, isIPv4: Bool) -> UInt16? {
        var address = sockaddr_storage()
        address.ss_family = sa_family_t(isIPv4 ? AF_INET : AF_INET6)
        // The port has the same offset in both families.
        unsafe withUnsafeMutableBytes(of: &address) {
            unsafe ($0[2], $0[3]) = (UInt8(port >> 8), UInt8(port & 0xff))
        }
        var size = socklen_t(
            isIPv4 ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.bind(descriptor, $0, size) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isBound else { return nil }
        return unsafe withUnsafeBytes(of: address) { unsafe UInt16($0[2]) << 8 | UInt16($0[3]) }
    }
}

extension HostAddress {
    /// Creates the source address of a datagram; a dual-stack socket reports IPv4 as `::ffff:10.0.0.1`.
    fileprivate init?(sender: UnsafePointer<sockaddr>) {
        let isIPv6 = unsafe Int32(sender.pointee.sa_family) == AF_INET6
        let scope =
            isIPv6
            ? unsafe sender.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                unsafe $0.pointee.sin6_scope_id
            } : 0
        let interface = scope == 0 ? "" : NetworkInterface(index: Int32(scope)).name
        guard let plain = unsafe HostAddress(sender, interface: interface) else { return nil }
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
        guard plain.bytes.starts(with: mapped) else {
            self = plain
            return
        }
        self.init(bytes: Array(plain.bytes.dropFirst(12)), interface: interface)
    }
}
