// Waits for the answers of machines that see this one.
import Glibc

/// One answer that arrived, and where it came from.
public struct Sight: Sendable, Hashable {
    /// What it says.
    public var message: SightMessage
    /// The address that it came from; link-local ones with the interface.
    public var source: HostAddress

    /// An answer from an address.
    public init(_ message: SightMessage, from source: HostAddress) {
        self.message = message
        self.source = source
    }
}

/// A socket at which answers arrive, and the nonce that they must have.
///
/// Whatever else arrives is counted and dropped, and no more than 256 answers are kept:
/// anybody on the link may send to it.
public final class SightListener: Sendable {
    /// What has arrived.
    public struct Harvest: Sendable, Hashable {
        /// The answers, each once, in the order of their arrival.
        public var sights: [Sight] = []
        /// How many datagrams were none, or had another nonce.
        public var strayCount = 0

        /// Nothing has arrived.
        public init() {}
    }

    /// How many answers are kept.
    static let answerLimit = 256

    /// The word to announce.
    public let nonce = SightNonce()
    /// The port to announce.
    public let port: UInt16
    private let descriptor: Int32
    private let isIPv4: Bool

    /// A socket at a port that the system chooses, for both families where the system has IPv6.
    ///
    /// - Throws: ``BackendError`` where there is none.
    public init() throws(BackendError) {
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let both = socket(AF_INET6, kind, 0)
        isIPv4 = both < 0
        descriptor = isIPv4 ? socket(AF_INET, kind, 0) : both
        guard descriptor >= 0, let port = Self.bind(descriptor, isIPv4: isIPv4) else {
            let reason = unsafe String(cString: strerror(errno))
            if descriptor >= 0 { close(descriptor) }
            throw BackendError("there is no port for the answers of others: \(reason)")
        }
        self.port = port
    }

    deinit { close(descriptor) }

    /// Takes what arrives, on a thread of its own, until the time is over.
    public func harvest(for time: Duration) async -> Harvest {
        await withCheckedContinuation { continuation in
            let code = startThread { continuation.resume(returning: self.gather(for: time)) }
            if code != 0 { continuation.resume(returning: Harvest()) }
        }
    }

    private func gather(for time: Duration) -> Harvest {
        let end = ContinuousClock.now + time
        var (harvest, seen) = (Harvest(), Set<Sight>())
        while case let rest = end - .now, rest > .zero {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let milliseconds = Int32(min(rest, .seconds(60)) / .milliseconds(1)) + 1
            guard unsafe poll(&waiting, 1, milliseconds) > 0 else { continue }
            guard let sight = receive(), sight.message.nonce == nonce else {
                harvest.strayCount += 1
                continue
            }
            if seen.count < Self.answerLimit, seen.insert(sight).inserted {
                harvest.sights.append(sight)
            }
        }
        return harvest
    }

    /// The next datagram, or `nil` where it is no answer.
    private func receive() -> Sight? {
        var buffer = [UInt8](repeating: 0, count: SightMessage.sizeLimit + 1)
        var sender = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let (count, source) = unsafe withUnsafeMutablePointer(to: &sender) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                let count = unsafe recvfrom(
                    descriptor, &buffer, buffer.count, 0, address, &size)
                return unsafe (count, HostAddress(senderOf: address, isIPv4: isIPv4))
            }
        }
        guard count > 0, let source, let message = SightMessage(buffer.prefix(count)) else {
            return nil
        }
        return Sight(message, from: source)
    }

    private static func bind(_ descriptor: Int32, isIPv4: Bool) -> UInt16? {
        var isOne = Int32(0)
        if !isIPv4 {
            unsafe setsockopt(
                descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &isOne,
                socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_storage()
        address.ss_family = sa_family_t(isIPv4 ? AF_INET : AF_INET6)
        var size = socklen_t(
            isIPv4 ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.bind(descriptor, $0, size) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isBound else { return nil }
        // The port is at the same place in both families.
        return unsafe withUnsafeBytes(of: address) { unsafe UInt16($0[2]) << 8 | UInt16($0[3]) }
    }
}

extension HostAddress {
    /// The sender of a datagram; a socket of both families tells IPv4 as `::ffff:10.0.0.1`.
    fileprivate init?(senderOf address: UnsafePointer<sockaddr>, isIPv4: Bool) {
        let scope =
            isIPv4
            ? 0
            : unsafe address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                unsafe $0.pointee.sin6_scope_id
            }
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
