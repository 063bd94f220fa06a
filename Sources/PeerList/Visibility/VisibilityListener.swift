// Waits for the answers of machines that see this one.
import Glibc

/// One answer that arrived, and where it came from.
public struct ReceivedReply: Sendable, Hashable {
    /// What it says.
    public var message: VisibilityReply
    /// The address that it came from; link-local ones with the interface.
    public var source: HostAddress
    /// The number of the interface on which it arrived; `nil`: the system did not tell.
    public var interface: Int32?

    /// An answer from an address, on an interface.
    public init(_ message: VisibilityReply, from source: HostAddress, on interface: Int32? = nil) {
        self.message = message
        self.source = source
        self.interface = interface
    }
}

/// A socket at which answers arrive, and the nonce that they must have.
///
/// Whatever else arrives is counted and dropped, and no more than 256 answers are kept, 32 of them from
/// one address: anybody on the link may send to it.
public final class VisibilityListener: Sendable {
    /// What has arrived.
    public struct Harvest: Sendable, Hashable {
        /// The answers, each once, in the order of their arrival.
        public var sights: [ReceivedReply] = []
        /// How many datagrams were none; answers to earlier questions do not count.
        public var strayCount = 0

        /// Nothing has arrived.
        public init() {}
    }

    /// The port that is taken where it is free, so that a firewall can let it in: UDP 15353.
    public static let usualPort: UInt16 = 15_353
    /// How many answers are kept.
    static let answerLimit = 256
    /// How many answers are kept of one address.
    static let sourceLimit = 32

    /// The word to announce.
    public let nonce = VisibilityNonce()
    /// The port to announce.
    public let port: UInt16
    private let descriptor: Int32

    /// A socket at the usual port, or where that is taken at one that the system chooses, for both
    /// families where the system has IPv6.
    ///
    /// - Throws: ``BackendError`` where there is none.
    public init() throws(BackendError) {
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let both = socket(AF_INET6, kind, 0)
        let isIPv4 = both < 0
        descriptor = isIPv4 ? socket(AF_INET, kind, 0) : both
        let port =
            Self.bind(descriptor, to: Self.usualPort, isIPv4: isIPv4)
            ?? Self.bind(descriptor, to: 0, isIPv4: isIPv4)
        guard descriptor >= 0, let port else {
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
        var (harvest, seen, counts) = (Harvest(), Set<ReceivedReply>(), [HostAddress: Int]())
        while case let rest = end - .now, rest > .zero {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let milliseconds = Int32(min(rest, .seconds(60)) / .milliseconds(1)) + 1
            guard unsafe poll(&waiting, 1, milliseconds) > 0 else { continue }
            guard let sight = receive() else {
                harvest.strayCount += 1
                continue
            }
            // One with another nonce is late: it was meant for an earlier question from this port.
            guard sight.message.nonce == nonce, seen.count < Self.answerLimit,
                counts[sight.source, default: 0] < Self.sourceLimit, seen.insert(sight).inserted
            else { continue }
            counts[sight.source, default: 0] += 1
            harvest.sights.append(sight)
        }
        return harvest
    }

    /// The next datagram, or `nil` where it is no answer.
    private func receive() -> ReceivedReply? {
        guard
            let datagram = Datagram(receivedBy: descriptor, atMost: VisibilityReply.sizeLimit + 1),
            let source = datagram.source, let message = VisibilityReply(datagram.bytes)
        else { return nil }
        return ReceivedReply(message, from: source, on: datagram.interface)
    }

    private static func bind(_ descriptor: Int32, to port: UInt16, isIPv4: Bool) -> UInt16? {
        func set(_ level: Int, _ option: Int32, _ value: Int32) {
            unsafe withUnsafePointer(to: value) {
                _ = unsafe setsockopt(
                    descriptor, Int32(level), option, $0, socklen_t(MemoryLayout<Int32>.size))
            }
        }
        if isIPv4 {
            set(Int(IPPROTO_IP), IP_PKTINFO, 1)
        } else {
            set(Int(IPPROTO_IPV6), IPV6_V6ONLY, 0)
            set(Int(IPPROTO_IPV6), IPV6_RECVPKTINFO, 1)
        }
        var address = sockaddr_storage()
        address.ss_family = sa_family_t(isIPv4 ? AF_INET : AF_INET6)
        // The port is at the same place in both families.
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
