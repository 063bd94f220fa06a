// Replies to machines on the link that probe whether they are visible, at a bounded rate.
import FoundationEssentials
import Glibc

/// Replies to visibility probes.
///
/// A machine probes by announcing a `_peerlist._tcp` service whose TXT record contains `probe=` and a
/// nonce, and whose port receives the replies. Since any machine on the link can announce such a
/// service, replies go only to addresses on the link on which the service is seen, once per path and
/// address family, never to a port below 1024, and at a limited rate per interface.
public struct VisibilityResponder {
    /// A reply and its destination.
    struct OutgoingReply: Hashable {
        var reply: VisibilityReply
        /// The destination, an address on the link of ``interface``.
        var address: HostAddress
        var port: UInt16
        /// The interface to send through: the one on which the prober is seen.
        var interface: NetworkInterface
    }

    /// A probe that is being announced.
    private struct Probe {
        /// The identifier of the announced service.
        let id: UUID
        let nonce: VisibilityNonce
        let port: UInt16
        let host: String
        /// The replies that were sent: the path, and the address family of the destination.
        var sent: Set<[String]> = []
    }

    /// The maximum number of open probes; the oldest is dropped first.
    static let probeLimit = 64

    private var probes: [Probe] = []
    private var buckets: [Int32: TokenBucket] = [:]

    /// Creates a responder without open probes.
    public init() {}

    /// Sends the replies that become due after an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - listing: The list after the event.
    ///   - isPublished: Whether the name of this machine is published; otherwise replies omit it.
    /// - Complexity: O(1) if the event does not concern a probe.
    public mutating func respond(
        to event: DiscoveryEvent.Kind, in listing: PeerListing, isPublished: () -> Bool
    ) {
        for reply in replies(to: event, in: listing, isPublished: isPublished) { reply.send() }
    }

    /// Returns the replies that become due after an event.
    ///
    /// A reply that exceeds the rate is left out; a later event of the same probe makes it due again.
    mutating func replies(
        to event: DiscoveryEvent.Kind, in listing: PeerListing, isPublished: () -> Bool,
        at now: ContinuousClock.Instant = .now,
        interfaces: () -> [LocalInterface] = LocalInterface.all
    ) -> [OutgoingReply] {
        let isConcerned: (Probe) -> Bool
        switch event {
        case .resolved(let key, let resolution) where key.type == Identity.serviceType:
            update(key.id, resolution, in: listing)
            isConcerned = { $0.id == key.id }
        case .found(let sighting) where sighting.service.type == Identity.serviceType:
            isConcerned = { $0.id == sighting.service.id }
        case .addresses(let host, _) where !probes.isEmpty:
            let host = Identity.canonical(host)
            isConcerned = { $0.host == host }
        case .removed(let sighting) where sighting.service.type == Identity.serviceType:
            let id = sighting.service.id
            if listing.paths(ofService: id).isEmpty { probes.removeAll { $0.id == id } }
            return []
        default: return []
        }
        let indices = probes.indices.filter { isConcerned(probes[$0]) }
        guard !indices.isEmpty, let own = listing.ownHost else { return [] }
        let local = interfaces()
        let host = isPublished() ? own : VisibilityReply.unnamed
        return indices.flatMap { replies(toProbeAt: $0, from: host, listing, local, now) }
    }

    /// Opens, updates or closes a probe after its service was resolved.
    private mutating func update(_ id: UUID, _ resolution: Resolution, in listing: PeerListing) {
        let earlier = probes.first { $0.id == id }
        probes.removeAll { $0.id == id }
        let host = Identity.canonical(resolution.host)
        guard case .text(let text)? = resolution.txt[VisibilityNonce.key],
            let nonce = VisibilityNonce(text),
            resolution.port >= 1_024, resolution.port != 5_353, listing.ownHost != host
        else { return }
        var probe = Probe(id: id, nonce: nonce, port: resolution.port, host: host)
        if let earlier, earlier.nonce == nonce { probe.sent = earlier.sent }
        if probes.count >= Self.probeLimit { probes.removeFirst() }
        probes.append(probe)
    }

    private mutating func replies(
        toProbeAt index: Int, from host: String, _ listing: PeerListing,
        _ interfaces: [LocalInterface], _ now: ContinuousClock.Instant
    ) -> [OutgoingReply] {
        let probe = probes[index]
        let addresses = listing.addresses(ofHost: probe.host)
        // An address of this machine means that the probe is its own, or forged.
        guard !addresses.contains(where: { address in interfaces.contains { $0.has(address) } })
        else { return [] }
        var replies: [OutgoingReply] = []
        for path in listing.paths(ofService: probe.id).sorted() {
            guard let local = interfaces.first(where: { $0.interface == path.interface })
            else { continue }
            for family in AddressFamily.allCases {
                let sent = [path.interface.name, path.family.rawValue, family.rawValue]
                guard !probe.sent.contains(sent),
                    let address = addresses.first(where: {
                        $0.family == family && local.reaches($0)
                    }),
                    buckets[local.interface.index, default: TokenBucket()].take(at: now)
                else { continue }
                probes[index].sent.insert(sent)
                let reply = VisibilityReply(
                    nonce: probe.nonce, family: path.family, interface: path.interface.name,
                    host: host)
                replies.append(
                    OutgoingReply(
                        reply: reply, address: address, port: probe.port,
                        interface: local.interface))
            }
        }
        return replies
    }
}

/// A token bucket: 10 tokens per second, up to 20 at once.
struct TokenBucket {
    static let interval = Duration.milliseconds(100)
    static let capacity = 20

    /// The time at which the bucket is full again.
    private var fullTime: ContinuousClock.Instant?

    /// Takes a token; returns whether one was available.
    mutating func take(at now: ContinuousClock.Instant) -> Bool {
        let time = max(fullTime ?? now, now) + Self.interval
        guard time <= now + Self.interval * Self.capacity else { return false }
        fullTime = time
        return true
    }
}

extension PeerListing {
    /// The canonical host name of this machine, if the backend has reported it.
    var ownHost: String? { store.ownHost }

    /// Returns the known addresses of a host, given its canonical name.
    func addresses(ofHost name: String) -> [HostAddress] { store.hosts[name]?.addresses ?? [] }
}

extension VisibilityResponder.OutgoingReply {
    /// Sends the reply as one datagram with a TTL of 1, past the routing table; errors are ignored.
    func send() {
        let isIPv4 = address.family == .ipv4
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(isIPv4 ? AF_INET : AF_INET6, kind, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let level = Int32(isIPv4 ? IPPROTO_IP : IPPROTO_IPV6)
        let (through, hops) =
            isIPv4 ? (IP_UNICAST_IF, IP_TTL) : (IPV6_UNICAST_IF, IPV6_UNICAST_HOPS)
        guard setOption(descriptor, level, through, Int32(interface.index).bigEndian),
            setOption(descriptor, level, hops, 1),
            setOption(descriptor, SOL_SOCKET, SO_DONTROUTE, 1)
        else { return }
        let bytes = reply.bytes
        unsafe address.withSocketAddress(port: port, interface: interface) {
            _ = unsafe sendto(descriptor, bytes, bytes.count, 0, $0, $1)
        }
    }
}

/// Sets an integer socket option; returns whether that succeeded.
func setOption(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) -> Bool {
    unsafe withUnsafePointer(to: value) {
        unsafe setsockopt(descriptor, level, option, $0, socklen_t(MemoryLayout<Int32>.size)) == 0
    }
}

extension HostAddress {
    /// Calls a closure with the address as a C socket address.
    func withSocketAddress(
        port: UInt16, interface: NetworkInterface,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Void
    ) {
        func call<Address>(_ address: Address) {
            unsafe withUnsafePointer(to: address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe body($0, socklen_t(MemoryLayout<Address>.size))
                }
            }
        }
        switch family {
        case .ipv4:
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            unsafe withUnsafeMutableBytes(of: &address.sin_addr) {
                unsafe $0.copyBytes(from: bytes)
            }
            call(address)
        case .ipv6:
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_scope_id = UInt32(interface.index)
            unsafe withUnsafeMutableBytes(of: &address.sin6_addr) {
                unsafe $0.copyBytes(from: bytes)
            }
            call(address)
        }
    }
}
