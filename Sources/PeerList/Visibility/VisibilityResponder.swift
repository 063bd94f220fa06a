// Replies to machines on the link that probe whether they are visible, at a bounded rate.
import FoundationEssentials
import Glibc

/// Replies to visibility probes.
///
/// A machine probes by announcing a `_peerlist._tcp` service whose TXT record contains `probe=` and a nonce, and whose
/// port receives the replies. Any machine on the link can announce such a service. So replies are sent only to
/// addresses on the link on which the service is seen, once per path and address family, never to a port below 1024,
/// and at a limited rate per interface.
public struct VisibilityResponder {
    package struct OutgoingReply {
        package let reply: VisibilityReply
        /// The destination, an address on the link of ``interface``.
        package let address: HostAddress
        package let port: UInt16
        /// The interface to send through, on which the prober is seen.
        package let interface: NetworkInterface
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
    package static let probeLimit = 64

    private var probes: [Probe] = []
    /// The times at which the token buckets of the interfaces are full again.
    private var fullTimes: [Int32: ContinuousClock.Instant] = [:]

    /// Creates a responder without open probes.
    public init() {}

    /// Sends the replies that become due after an event, given the list after it. Replies omit this
    /// machine's name unless it is published.
    public mutating func respond(
        to event: DiscoveryEvent.Kind, in listing: PeerListing, isPublished: () -> Bool
    ) {
        for reply in replies(to: event, in: listing, isPublished: isPublished) { reply.send() }
    }

    /// Returns the replies that become due after an event. A reply that exceeds the rate is omitted,
    /// and becomes due again at a later event of the same probe.
    package mutating func replies(
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
            isConcerned = { $0.host == host.key }
        case .removed(let sighting, _) where sighting.service.type == Identity.serviceType:
            let id = sighting.service.id
            if listing.paths(ofServices: [id]).isEmpty { probes.removeAll { $0.id == id } }
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
        let host = resolution.hostName.key
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
        // A probe with an address of this machine is this machine's own probe, or forged.
        guard !addresses.contains(where: { address in interfaces.contains { $0.has(address) } })
        else { return [] }
        var replies: [OutgoingReply] = []
        for path in listing.paths(ofServices: [probe.id]) {
            guard let local = interfaces.first(where: { $0.interface == path.interface })
            else { continue }
            for family in AddressFamily.allCases {
                let sent = [path.interface.name, path.family.rawValue, family.rawValue]
                guard !probe.sent.contains(sent),
                    let address = addresses.first(where: {
                        $0.family == family && local.reaches($0)
                    }),
                    takeToken(of: local.interface, at: now)
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

    /// Takes a token; an interface gets 10 a second, and holds at most 20. Returns whether there was a token.
    private mutating func takeToken(
        of interface: NetworkInterface, at now: ContinuousClock.Instant
    ) -> Bool {
        let interval = Duration.milliseconds(100)
        let time = max(fullTimes[interface.index] ?? now, now) + interval
        guard time <= now + interval * 20 else { return false }
        fullTimes[interface.index] = time
        return true
    }
}

extension VisibilityResponder.OutgoingReply {
    /// Sends the reply as one datagram with a TTL of 1, past the routing table; errors are ignored.
    fileprivate func send() {
        let isIPv4 = address.family == .ipv4
        let interface = interface.index
        do throws(ProbeError) {
            let socket = try DatagramSocket(address.family)
            try socket.set(
                isIPv4 ? IP_UNICAST_IF : IPV6_UNICAST_IF, to: interface.bigEndian)
            try socket.set(isIPv4 ? IP_TTL : IPV6_UNICAST_HOPS, to: Int32(1))
            try socket.set(SO_DONTROUTE, to: Int32(1), level: SOL_SOCKET)
            socket.send(reply.bytes, to: SocketAddress(address, port: port, interface: interface))
        } catch {}
    }
}
