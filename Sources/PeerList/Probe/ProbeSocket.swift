// The socket through which a probe sends its queries on one path.
import Glibc

/// A socket that sends to the multicast DNS group on one path, and receives what is sent to it.
///
/// It is bound to the group's address, so it takes no unicast packets from a daemon on this machine.
/// Replies to port 5353 come by multicast, like those that discovery relies on; so a firewall that
/// allows discovery allows probes, and the daemon receives the replies too.
final class ProbeSocket {
    /// The descriptor, for `poll`.
    let descriptor: Int32
    /// The interface and family that queries are sent on.
    private let path: NetworkPath

    private static let port: UInt16 = 5353
    /// The maximum number of messages other than replies that are skipped in one read.
    private static let skipLimit = 64

    /// Opens a socket on a path.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - isLegacy: Whether to ask from a port of its own, as a simple resolver does (RFC 6762, section
    ///     6.7). Some responders answer by unicast alone, which from port 5353 reaches only one socket.
    /// - Throws: ``ProbeError`` if there is no socket.
    init(_ path: NetworkPath, isLegacy: Bool = false) throws(ProbeError) {
        let family = path.family == .ipv4 ? AF_INET : AF_INET6
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        descriptor = socket(family, kind, 0)
        self.path = path
        guard descriptor >= 0 else { throw ProbeError(code: errno) }
        guard isLegacy || share() && join(), path.family == .ipv4 ? aim4() : aim6() else {
            throw ProbeError(code: errno)
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Sends a message to the group; one that cannot be sent now is dropped, as a packet may be.
    ///
    /// - Returns: The error's number, or `nil`.
    func send(_ message: [UInt8]) -> Int32? {
        let sent = unsafe withGroup { unsafe sendto(descriptor, message, message.count, 0, $0, $1) }
        return sent >= 0 ? nil : errno
    }

    /// Returns the next message that has arrived from a responder; `nil` if none of the next 64 messages
    /// is from one, so that a flood of others does not block the caller.
    func receive() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 9_000)  // RFC 6762, section 17
        var sender = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        for _ in 0..<Self.skipLimit {
            let count = unsafe withUnsafeMutablePointer(to: &sender) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe recvfrom(descriptor, &buffer, buffer.count, 0, $0, &size)
                }
            }
            guard count >= 0 else { return nil }
            // A reply from another port is ignored (RFC 6762, section 6).
            if Self.port(of: sender) == Self.port { return Array(buffer.prefix(count)) }
        }
        return nil
    }

    /// Waits for messages from responders: at most one from each socket, none when the time is over.
    static func messages(on sockets: [ProbeSocket], within limit: Duration) -> [[UInt8]] {
        var waiting = sockets.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        let milliseconds = Int32(limit / .milliseconds(1)) + 1
        guard unsafe poll(&waiting, nfds_t(waiting.count), milliseconds) > 0 else { return [] }
        return zip(sockets, waiting).compactMap { socket, state in
            state.revents == 0 ? nil : socket.receive()
        }
    }

    private static func port(of sender: sockaddr_storage) -> UInt16 {
        unsafe withUnsafeBytes(of: sender) { bytes in
            unsafe UInt16(bytes[2]) << 8 | UInt16(bytes[3])  // at the same place in both families
        }
    }

    private func share() -> Bool { set(SOL_SOCKET, SO_REUSEADDR, Int32(1)) }

    private func join() -> Bool {
        if path.family == .ipv4 {
            return bindToGroup() && set(Int32(IPPROTO_IP), IP_ADD_MEMBERSHIP, membership4)
        }
        let group = ipv6_mreq(
            ipv6mr_multiaddr: Self.group6, ipv6mr_interface: UInt32(path.interface.index))
        return set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, Int32(1)) && bindToGroup()
            && set(Int32(IPPROTO_IPV6), IPV6_JOIN_GROUP, group)
    }

    /// The multicast group on the path's interface.
    private var membership4: ip_mreqn {
        ip_mreqn(
            imr_multiaddr: Self.group4, imr_address: in_addr(), imr_ifindex: path.interface.index)
    }

    private func aim4() -> Bool {
        set(Int32(IPPROTO_IP), IP_MULTICAST_IF, membership4)
            && set(Int32(IPPROTO_IP), IP_MULTICAST_TTL, Int32(255))
    }

    private func aim6() -> Bool {
        set(Int32(IPPROTO_IPV6), IPV6_MULTICAST_IF, path.interface.index)
            && set(Int32(IPPROTO_IPV6), IPV6_MULTICAST_HOPS, Int32(255))
    }

    private func bindToGroup() -> Bool {
        unsafe withGroup { unsafe bind(descriptor, $0, $1) == 0 }
    }

    private func set<Value>(_ level: Int32, _ option: Int32, _ value: Value) -> Bool {
        unsafe withUnsafePointer(to: value) {
            unsafe setsockopt(
                descriptor, level, option, $0, socklen_t(MemoryLayout<Value>.size)) == 0
        }
    }

    /// The IPv4 group, 224.0.0.251.
    private static let group4 = in_addr(s_addr: UInt32(0xe000_00fb).bigEndian)

    /// The IPv6 group, ff02::fb.
    private static let group6: in6_addr = {
        var address = in6_addr()
        unsafe withUnsafeMutableBytes(of: &address) { bytes in
            unsafe (bytes[0], bytes[1], bytes[15]) = (0xff, 0x02, 0xfb)
        }
        return address
    }()

    private func withGroup<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        switch path.family {
        case .ipv4:
            var group = sockaddr_in()
            group.sin_family = sa_family_t(AF_INET)
            group.sin_port = Self.port.bigEndian
            group.sin_addr = Self.group4
            return unsafe Self.with(group, body)
        case .ipv6:
            var group = sockaddr_in6()
            group.sin6_family = sa_family_t(AF_INET6)
            group.sin6_port = Self.port.bigEndian
            group.sin6_addr = Self.group6
            group.sin6_scope_id = UInt32(path.interface.index)
            return unsafe Self.with(group, body)
        }
    }

    private static func with<Address, Result>(
        _ address: Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}

/// The reason why a probe cannot be sent.
package struct ProbeError: Error, Hashable {
    /// The error's number.
    let code: Int32

    /// Creates the error of a number.
    package init(code: Int32) { self.code = code }

    /// The reason, and what to do if something can be done.
    var description: String {
        guard code != EADDRINUSE else {
            return """
                another program has port 5353 for itself; disallow-other-stacks in \
                avahi-daemon.conf does that
                """
        }
        return unsafe String(cString: strerror(code))
    }
}
