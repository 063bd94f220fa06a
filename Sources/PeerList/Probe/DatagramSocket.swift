// A UDP socket, and the C socket addresses that it sends to and receives from.
import Glibc
import PeerSystem
import StackProtocol

/// A UDP socket that does not block.
package final class DatagramSocket: Sendable {
    struct Datagram {
        let bytes: [UInt8]
        let source: SocketAddress
        let control: ControlMessages
    }

    /// The level of the options of the socket's family.
    let level: Int32
    private let descriptor: Int32

    init(_ family: AddressFamily) throws(ProbeError) {
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        level = Int32(family == .ipv4 ? IPPROTO_IP : IPPROTO_IPV6)
        descriptor = socket(family == .ipv4 ? AF_INET : AF_INET6, kind, 0)
        guard descriptor >= 0 else { throw ProbeError(code: errno) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Sets an option of the socket's family, or of another level.
    func set<Value>(_ option: Int32, to value: Value, level: Int32? = nil) throws(ProbeError) {
        let status = unsafe withUnsafePointer(to: value) {
            unsafe setsockopt(
                descriptor, level ?? self.level, option, $0, socklen_t(MemoryLayout<Value>.size))
        }
        guard status == 0 else { throw ProbeError(code: errno) }
    }

    /// Binds the socket to an address, and returns the address with the port to which the socket is bound.
    @discardableResult
    func bind(to address: SocketAddress) throws(ProbeError) -> SocketAddress {
        var address = address
        let status = unsafe address.withPointer { pointer, size in
            unsafe Glibc.bind(descriptor, pointer, size) == 0
                && getsockname(descriptor, pointer, &size) == 0
        }
        guard status else { throw ProbeError(code: errno) }
        return address
    }

    /// Sends a datagram, which may be lost like any packet; returns the error's number, or `nil`.
    @discardableResult
    package func send(_ bytes: [UInt8], to address: SocketAddress) -> Int32? {
        var address = address
        let sent = unsafe address.withPointer { pointer, size in
            unsafe sendto(descriptor, bytes, bytes.count, 0, pointer, size)
        }
        return sent >= 0 ? nil : errno
    }

    /// Sends bytes over a unix socket, together with a copy of this socket.
    ///
    /// - Returns: The number of bytes that were sent, or -1.
    package func pass(over channel: Int32, with bytes: [UInt8]) -> Int {
        passDescriptor(descriptor, over: channel, with: bytes)
    }

    /// Returns the next datagram that has arrived, cut to at most `limit` bytes.
    func receive(atMost limit: Int) -> Datagram? {
        var bytes = [UInt8](repeating: 0, count: limit)
        var control = [UInt8](repeating: 0, count: 128)
        var source = SocketAddress()
        let (count, used) = unsafe source.withPointer { pointer, size in
            unsafe bytes.withUnsafeMutableBytes { bytes in
                unsafe control.withUnsafeMutableBytes { control in
                    var part = unsafe iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                    return unsafe withUnsafeMutablePointer(to: &part) { part in
                        var message = unsafe msghdr(
                            msg_name: pointer, msg_namelen: size, msg_iov: part, msg_iovlen: 1,
                            msg_control: control.baseAddress, msg_controllen: control.count,
                            msg_flags: 0)
                        return unsafe (recvmsg(descriptor, &message, 0), message.msg_controllen)
                    }
                }
            }
        }
        guard count >= 0 else { return nil }
        return Datagram(
            bytes: Array(bytes.prefix(count)), source: source,
            control: ControlMessages(control.prefix(used)))
    }

    /// Waits until descriptors can be read; returns the indices of these descriptors, or none if the time is over.
    private static func wait(for descriptors: [Int32], within limit: Duration) -> [Int] {
        var waiting = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let milliseconds = Int32(min(limit, .seconds(60)) / .milliseconds(1)) + 1
        guard unsafe poll(&waiting, nfds_t(waiting.count), milliseconds) > 0 else { return [] }
        return waiting.indices.filter { waiting[$0].revents != 0 }
    }

    /// Sends at certain times, and receives until the time is over, `send` throws, or `receive` returns `false`; what
    /// is overdue together is sent once. `receive` gets the index of a socket that has datagrams, and the time.
    ///
    /// The time is that of an ``ActiveClock``.
    static func exchange<Failure>(
        on sockets: [DatagramSocket], at sendTimes: [Duration], within limit: Duration,
        send: () throws(Failure) -> Void, receive: (Int, Duration) -> Bool
    ) throws(Failure) {
        try exchange(
            reading: sockets.map(\.descriptor), at: sendTimes, within: limit, send: send,
            receive: receive)
    }

    /// Does the same with descriptors of any kind; `receive` gets the index of a descriptor that can be read.
    static func exchange<Failure>(
        reading descriptors: [Int32], at sendTimes: [Duration], within limit: Duration,
        send: () throws(Failure) -> Void, receive: (Int, Duration) -> Bool
    ) throws(Failure) {
        let start = ContinuousClock.now
        var clock = ActiveClock()
        var sends = sendTimes[...]
        while clock.now < limit {
            if let due = sends.first, due <= clock.now {
                sends = sends.drop { $0 <= clock.now }
                try send()
            }
            let due = min(sends.first ?? limit, limit)
            let ready = wait(for: descriptors, within: due - clock.now)
            clock.advance(to: ContinuousClock.now - start, limit: due)
            for index in ready {
                guard receive(index, clock.now) else { return }
            }
        }
    }
}

/// An address and a port as a C socket address.
package struct SocketAddress {
    private(set) var storage = sockaddr_storage()

    /// Creates storage for an address of any family.
    init() {}

    /// Creates the address of a port; a link-local IPv6 address is reached through the interface.
    package init(_ address: HostAddress, port: UInt16, interface: Int32 = 0) {
        let isIPv4 = address.family == .ipv4
        storage.ss_family = sa_family_t(isIPv4 ? AF_INET : AF_INET6)
        unsafe withUnsafeMutableBytes(of: &storage) { raw in
            unsafe raw.storeBytes(of: port.bigEndian, toByteOffset: 2, as: UInt16.self)
            for (index, byte) in address.bytes.enumerated() {
                unsafe raw[(isIPv4 ? 4 : 8) + index] = byte
            }
            if !isIPv4 { unsafe raw.storeBytes(of: interface, toByteOffset: 24, as: Int32.self) }
        }
    }

    /// The port, whose offset is the same in both families.
    var port: UInt16 {
        unsafe withUnsafeBytes(of: storage) { unsafe UInt16($0[2]) << 8 | UInt16($0[3]) }
    }

    /// The address, or `nil` if it is neither IPv4 nor IPv6.
    ///
    /// A dual-stack socket reports IPv4 as `::ffff:10.0.0.1`, which is an IPv4 address here.
    var host: HostAddress? {
        let isIPv6 = Int32(storage.ss_family) == AF_INET6
        let scope = unsafe withUnsafeBytes(of: storage) { raw in
            isIPv6 ? unsafe raw.load(fromByteOffset: 24, as: Int32.self) : 0
        }
        let interface = scope == 0 ? "" : NetworkInterface(index: scope).name
        var address = self
        let plain = unsafe address.withPointer { pointer, _ in
            unsafe HostAddress(pointer, interface: interface)
        }
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
        guard let plain, plain.bytes.starts(with: mapped) else { return plain }
        return HostAddress(bytes: Array(plain.bytes.dropFirst(12)), interface: interface)
    }

    /// Calls a closure with a pointer through which C may change the address, and with the address's size.
    mutating func withPointer<Result>(
        _ body: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Result
    ) -> Result {
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, &size)
            }
        }
    }
}

/// An error of opening or using a socket.
package struct ProbeError: Error, Hashable {
    let code: Int32
    /// The reason, if it is not the system's.
    private let reason: String?

    package init(code: Int32) { (self.code, reason) = (code, nil) }

    /// Creates the error of a probe whose replies cannot be read.
    init(_ error: BackendError) { (code, reason) = (ECHILD, error.description) }

    /// The reason, and advice if there is any.
    var description: String {
        if let reason { return reason }
        guard code != EADDRINUSE else {
            return """
                another program has port 5353 for itself; disallow-other-stacks in \
                avahi-daemon.conf does that
                """
        }
        return unsafe String(cString: strerror(code))
    }
}

/// Sends bytes over a unix socket, together with a copy of a descriptor (SCM_RIGHTS of unix(7)).
///
/// - Returns: The number of bytes that were sent, or -1.
package func passDescriptor(_ descriptor: Int32, over channel: Int32, with bytes: [UInt8]) -> Int {
    // A `cmsghdr` of cmsg(3), with one descriptor; the length does not count the padding.
    var control = [UInt64](repeating: 0, count: 3)
    var bytes = bytes
    return unsafe control.withUnsafeMutableBytes { control in
        unsafe control.storeBytes(of: 20, as: Int.self)
        unsafe control.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: Int32.self)
        unsafe control.storeBytes(of: 1, toByteOffset: 12, as: Int32.self)  // SCM_RIGHTS
        unsafe control.storeBytes(of: descriptor, toByteOffset: 16, as: Int32.self)
        return unsafe bytes.withUnsafeMutableBytes { bytes in
            var part = unsafe iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
            return unsafe withUnsafeMutablePointer(to: &part) { part in
                var message = unsafe msghdr(
                    msg_name: nil, msg_namelen: 0, msg_iov: part, msg_iovlen: 1,
                    msg_control: control.baseAddress, msg_controllen: control.count,
                    msg_flags: 0)
                return unsafe sendmsg(channel, &message, Int32(MSG_NOSIGNAL))
            }
        }
    }
}

/// Runs work that may block on a thread of its own, and returns its result, or an error if no thread can be started.
func onThread<Value: Sendable>(
    _ work: @escaping @Sendable () throws(ProbeError) -> Value
) async -> Result<Value, ProbeError> {
    await withCheckedContinuation { continuation in
        let code = startThread { continuation.resume(returning: Result(catching: work)) }
        if code != 0 { continuation.resume(returning: .failure(ProbeError(code: code))) }
    }
}
