// Who on the link asks whether it is seen, and what is to be answered on which path.
import FoundationEssentials

/// One answer that is to be sent.
public struct OutgoingReply: Sendable, Hashable {
    /// What it says.
    public var message: VisibilityReply
    /// Where it goes: an address on the link of ``interface``.
    public var address: HostAddress
    /// The port that was asked for.
    public var port: UInt16
    /// The interface through which it goes, the same on which the other one is seen.
    public var interface: NetworkInterface
    /// Whether the machine that asks was there before: its answers do not wait behind newcomers'.
    public var isOfAcquaintance = false
}

/// The machines that ask whether they are seen, as far as answers are due to them.
///
/// A machine asks by announcing a `_peerlist._tcp` service whose TXT record holds `probe=` and a
/// nonce, and at whose port it waits for answers. What it announces is not to be trusted: an answer
/// goes to machines on the very link alone, once for each path, and once through each family; never
/// to a port of the system's own services; and no more than ``VisibilityReplySender`` lets through.
public struct VisibilityResponder {
    private struct Request {
        var nonce: VisibilityNonce
        var port: UInt16
        var host: String
        /// Whether the machine was in the list before.
        var isOfAcquaintance: Bool
    }

    private struct Sent: Hashable {
        var nonce: VisibilityNonce
        var path: NetworkPath
        var family: AddressFamily
    }

    /// How many may ask at once; further ones get no answer.
    static let requestLimit = 64
    /// How long a machine must have been in the list to be more than a newcomer, in microseconds.
    static let acquaintance: Int64 = 60_000_000
    /// How many answers are remembered, so that they are not sent twice.
    static let memoryLimit = 512

    private var requests: [UUID: Request] = [:]
    private var sent: Set<Sent> = []
    private var sentInOrder: [Sent] = []

    /// Nobody asks yet.
    public init() {}

    /// What is to be answered after an event.
    ///
    /// - Parameters:
    ///   - event: What was found out.
    ///   - time: When.
    ///   - listing: The list after it.
    ///   - isPublished: Whether this machine's name is on the network anyway; else no answer tells it.
    ///   - interfaces: This machine's interfaces; asked for only where somebody asks.
    /// - Returns: Answers that have not been given out yet.
    /// - Complexity: O(1) where nobody asks.
    public mutating func answers(
        after event: DiscoveryEvent.Kind, at time: Timestamp, in listing: PeerListing,
        isPublished: () -> Bool,
        interfaces: () -> [LocalInterface] = LocalInterface.all
    ) -> [OutgoingReply] {
        let touched: [UUID]
        switch event {
        case .resolved(let key, let resolution) where key.type == PeerListing.identityType:
            take(key.id, resolution, at: time, in: listing)
            touched = [key.id]
        case .found(let sighting): touched = [sighting.service.id]
        case .addresses(let host, _):
            guard !requests.isEmpty else { return [] }
            touched = requests.filter { $0.value.host == Identity.canonical(host) }.map(\.key)
        case .removed(let sighting):
            let id = sighting.service.id
            if requests[id] != nil, listing.announcedPaths(of: id).isEmpty { requests[id] = nil }
            return []
        case .unanswered(let key):
            requests[key.id] = nil
            return []
        case .lost:
            requests = [:]
            return []
        default: return []
        }
        let asking = touched.filter { requests[$0] != nil }
        guard !asking.isEmpty, let host = listing.ownHost else { return [] }
        let usable = interfaces()
        let name = isPublished() ? host : VisibilityReply.unnamed
        return asking.flatMap { answers(to: $0, from: name, listing, usable) }
    }

    private mutating func take(
        _ id: UUID, _ resolution: Resolution, at time: Timestamp, in listing: PeerListing
    ) {
        requests[id] = nil
        let host = Identity.canonical(resolution.host)
        guard case .text(let word)? = resolution.txt[VisibilityNonce.key],
            let nonce = VisibilityNonce(word),
            resolution.port >= 1_024, resolution.port != 5_353, listing.ownHost != host
        else { return }
        let firstSeen = listing.firstSeen(ofHost: host) ?? time
        let age = time.microseconds - firstSeen.microseconds
        if requests.count >= Self.requestLimit { forgetOne() }
        requests[id] = Request(
            nonce: nonce, port: resolution.port, host: host,
            isOfAcquaintance: age >= Self.acquaintance)
    }

    /// Makes room: whoever asks last is heard, and newcomers make way for each other first.
    private mutating func forgetOne() {
        let newcomer = requests.first { !$0.value.isOfAcquaintance }
        if let other = newcomer ?? requests.first { requests[other.key] = nil }
    }

    private mutating func answers(
        to id: UUID, from host: String, _ listing: PeerListing, _ interfaces: [LocalInterface]
    ) -> [OutgoingReply] {
        guard let request = requests[id] else { return [] }
        let addresses = listing.addresses(ofHost: request.host)
        // Where one of them is our own, somebody else lies about us, or we are asked by ourselves.
        guard !addresses.contains(where: { address in interfaces.contains { $0.has(address) } })
        else { return [] }
        var answers: [OutgoingReply] = []
        for path in listing.announcedPaths(of: id) {
            guard let local = interfaces.first(where: { $0.interface.name == path.interface })
            else { continue }
            for family in AddressFamily.allCases {
                let reached = addresses.first { $0.family == family && local.reaches($0) }
                guard let reached,
                    remember(Sent(nonce: request.nonce, path: path, family: family))
                else { continue }
                answers.append(
                    OutgoingReply(
                        message: VisibilityReply(
                            nonce: request.nonce, family: path.family, interface: path.interface,
                            host: host),
                        address: reached, port: request.port, interface: local.interface,
                        isOfAcquaintance: request.isOfAcquaintance))
            }
        }
        return answers
    }

    /// Takes note of an answer; says whether it is a new one.
    private mutating func remember(_ answer: Sent) -> Bool {
        guard sent.insert(answer).inserted else { return false }
        sentInOrder.append(answer)
        if sentInOrder.count > Self.memoryLimit { sent.remove(sentInOrder.removeFirst()) }
        return true
    }
}
