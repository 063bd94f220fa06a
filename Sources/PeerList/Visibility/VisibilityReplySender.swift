// Sends answers to those who ask whether they are seen, slowly and no farther than the link.
import Glibc

/// Sends answers one after the other, so that nobody can make this machine send many.
///
/// Whoever asks gets a turn after each other one, so a flood of one does not keep the others waiting;
/// and no address is sent more than 24 answers a minute, whoever claims to have it.
public actor VisibilityReplySender {
    /// The time between two answers, whoever they are for.
    static let interval = Duration.milliseconds(100)
    /// How many answers an address is sent in a minute.
    ///
    /// A run of the doctor takes two of them on each link that the two machines share, and who
    /// looks for a fault runs it again and again.
    static let addressLimit = 24

    private var turns = VisibilityReplyTurns()
    /// When addresses were given answers, within the last minute.
    private var given: [[UInt8]: [ContinuousClock.Instant]] = [:]
    private var isSending = false
    private let interval: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private let transmit: @Sendable (OutgoingReply) -> Void

    /// A sender to the network.
    public init() { self.init(interval: Self.interval, transmit: VisibilityReplySender.transmit) }

    /// A sender that hands its answers to somebody else, by a clock that may be another one.
    init(
        interval: Duration, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        transmit: @escaping @Sendable (OutgoingReply) -> Void
    ) {
        self.interval = interval
        self.now = now
        self.transmit = transmit
    }

    /// Sends answers when their turn comes.
    public func send(_ answers: [OutgoingReply]) async {
        take(answers, at: now())
        guard !isSending else { return }
        isSending = true
        while let answer = turns.next() {
            transmit(answer)
            try? await Task.sleep(for: interval)
        }
        isSending = false
    }

    private func take(_ answers: [OutgoingReply], at now: ContinuousClock.Instant) {
        for (address, times) in given {
            let recent = times.filter { $0 > now - .seconds(60) }
            given[address] = recent.isEmpty ? nil : recent
        }
        for answer in answers {
            let address = answer.address.bytes
            guard given[address, default: []].count < Self.addressLimit, turns.add(answer)
            else { continue }
            given[address, default: []].append(now)
        }
    }

    /// Sends one datagram through one interface; one that cannot be sent is lost, as on the way.
    ///
    /// No router passes it on: it has one hop to live, and goes to what is on the link alone.
    private static func transmit(_ answer: OutgoingReply) {
        let isIPv4 = answer.address.family == .ipv4
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(isIPv4 ? AF_INET : AF_INET6, kind, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let level = Int32(isIPv4 ? IPPROTO_IP : IPPROTO_IPV6)
        let interface = UInt32(answer.interface.index)
        let (through, hops) =
            isIPv4 ? (IP_UNICAST_IF, IP_TTL) : (IPV6_UNICAST_IF, IPV6_UNICAST_HOPS)
        guard set(descriptor, level, through, interface.bigEndian),
            set(descriptor, level, hops, Int32(1)),
            set(descriptor, SOL_SOCKET, SO_DONTROUTE, Int32(1))
        else { return }
        let bytes = answer.message.bytes
        unsafe answer.address.withSocketAddress(port: answer.port, interface: answer.interface) {
            _ = unsafe sendto(descriptor, bytes, bytes.count, 0, $0, $1)
        }
    }

    private static func set<Value>(
        _ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Value
    ) -> Bool {
        unsafe withUnsafePointer(to: value) {
            unsafe setsockopt(
                descriptor, level, option, $0, socklen_t(MemoryLayout<Value>.size)) == 0
        }
    }
}

extension HostAddress {
    /// Has the address as C takes it, with a port, for the duration of a call.
    func withSocketAddress(
        port: UInt16, interface: NetworkInterface,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Void
    ) {
        switch family {
        case .ipv4:
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            unsafe withUnsafeMutableBytes(of: &address.sin_addr) {
                unsafe $0.copyBytes(from: bytes)
            }
            unsafe Self.with(address, body)
        case .ipv6:
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_scope_id = UInt32(interface.index)
            unsafe withUnsafeMutableBytes(of: &address.sin6_addr) {
                unsafe $0.copyBytes(from: bytes)
            }
            unsafe Self.with(address, body)
        }
    }

    private static func with<Address>(
        _ address: Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Void
    ) {
        unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}
