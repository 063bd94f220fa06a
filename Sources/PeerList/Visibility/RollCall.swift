// The probes of doctor: the machines that respond, and whether multicast of this machine comes back to
// it.
public import FoundationEssentials
import Glibc

/// Queries the machines of a list on the link, past every cache.
///
/// avahi-daemon caches records for an hour and more, so a machine on the list may not respond now.
public struct RollCall: Sendable {
    private static let machineLimit = 128
    /// The maximum number of services queried for each machine; one reply is enough.
    private static let serviceLimit = 2

    /// The machines that are queried.
    public private(set) var machines: Set<UUID> = []
    private var questions: [LinkProbe.Question] = []
    private var owners: [UUID: UUID] = [:]

    /// Creates a query of the machines on a list: of the first 128 with a service on some path.
    public init(of peers: [Peer], in listing: PeerListing) {
        for peer in peers where machines.count < Self.machineLimit {
            // peerlist's own service exists as long as the machine runs peerlist.
            let isOwn = { (service: Service) in service.type == Identity.serviceType }
            let services = peer.services.filter(isOwn) + peer.services.filter { !isOwn($0) }
            for service in services.prefix(Self.serviceLimit) {
                guard let state = listing.store.services[service.id] else { continue }
                let paths = Set(state.sightings.keys.map(\.path))
                questions.append(LinkProbe.Question(service: state.key, paths: paths))
                owners[service.id] = peer.id
                machines.insert(peer.id)
            }
        }
    }

    /// Sends the queries and waits until all machines have answered, at most 3 s. Returns the
    /// machines that answered, or `nil` if none could be queried.
    public func run() async -> Set<UUID>? {
        guard !questions.isEmpty else { return [] }
        guard let answered = try? await LinkProbe(questions: questions).run().get() else {
            return nil
        }
        return Set(answered.compactMap { owners[$0] })
    }
}

/// Sends a query that no machine answers, and checks whether it comes back.
///
/// The kernel loops multicast back to the group's members on this machine, after the same firewall as
/// for other packets. If nothing comes back, packets cannot be sent or cannot be received.
public enum MulticastEcho {
    /// The outcome on one path.
    public enum Outcome: Sendable, Hashable {
        /// The query came back.
        case returned
        /// The query was sent, and did not come back.
        case silent
        /// The query could not be sent, because another program uses the port exclusively.
        case portTaken
        /// The query could not be sent, for a reason.
        case failed(String)
    }

    /// The times at which the query is sent, because a packet may be lost in a flood.
    private static let sendTimes: [Duration] = [.zero, .milliseconds(500), .milliseconds(1_000)]
    /// The time to wait for the query; on one machine it takes a fraction of a millisecond.
    private static let limit = Duration.milliseconds(1_500)

    /// Checks one path, on a thread of its own, for at most 1.5 s.
    public static func run(
        on interface: NetworkInterface, over family: AddressFamily
    ) async -> Outcome {
        let path = NetworkPath(interface: interface, family: family)
        switch await onThread({ () throws(ProbeError) in try attempt(path) }) {
        case .success(let isHeard): return isHeard ? .returned : .silent
        case .failure(let error):
            return error.code == EADDRINUSE ? .portTaken : .failed(error.description)
        }
    }

    private static func attempt(_ path: NetworkPath) throws(ProbeError) -> Bool {
        // No service has this name, so no machine answers.
        let name = "peerlist echo \(VisibilityNonce().text)"
        let messages = ProbeMessage.questions(
            for: [ServiceKey(name: name, type: "_peerlist._tcp", domain: "local")])
        let socket = try ProbeSocket(path)
        var isHeard = false
        try ProbeSocket.exchange(on: [socket], at: sendTimes, within: limit) {
            () throws(ProbeError) in
            if let code = messages.compactMap(socket.send).first { throw ProbeError(code: code) }
        } receive: { message in
            isHeard = messages.contains(message)
            return !isHeard
        }
        return isHeard
    }
}
