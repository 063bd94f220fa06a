// Queries services on the link, past every cache.
public import FoundationEssentials
import Glibc

/// Queries the SRV records of services on the link, and collects the services that are answered for.
///
/// A daemon answers from its cache until the TTLs of the records are over, whether or not their owner
/// still responds; and its queries list the known answers, so that the owner does not reply. The owner
/// must reply to a query without known answers (RFC 6762, sections 6 and 7.1).
package struct LinkProbe: Sendable {
    /// A service and the paths on which it is announced.
    package struct Question: Sendable {
        package let service: ServiceKey
        let paths: Set<NetworkPath>
    }

    /// The times at which the query is sent: packets are lost, and an owner answers once a second at most.
    private static let sendTimes: [Duration] = [.zero, .milliseconds(1_100), .milliseconds(2_200)]
    /// The maximum time to wait for replies.
    private static let limit = Duration.seconds(3)
    /// The maximum number of paths to query; more are a mistake.
    private static let pathLimit = 32

    private let questions: [Question]
    private let names: [String: UUID]

    /// Creates a probe for services.
    init(_ questions: [Question]) {
        self.questions = questions
        let named = questions.compactMap { question in
            ProbeMessage.name(of: question.service).map { ($0, question.service.id) }
        }
        names = Dictionary(named, uniquingKeysWith: { first, _ in first })
    }

    /// Sends the queries, on a thread of its own, until all services are answered for or the time is over.
    ///
    /// - Returns: The services that answered; an error if there is no path or no service to query.
    func run() async -> Result<Set<UUID>, ProbeError> {
        await onThread { () throws(ProbeError) in try ask() }
    }

    private func ask() throws(ProbeError) -> Set<UUID> {
        // Without a query, silence would mean nothing.
        guard !names.isEmpty else { throw ProbeError(code: EINVAL) }
        var queries: [(socket: ProbeSocket, messages: [[UInt8]])] = []
        // From ports of their own, for responders that reply by unicast alone; a firewall may block the replies.
        var legacyQueries = queries
        var lastError = ProbeError(code: ENODEV)
        for path in Set(questions.flatMap(\.paths)).prefix(Self.pathLimit) {
            let messages = ProbeMessage.questions(
                for: questions.filter { $0.paths.contains(path) }.map(\.service))
            do throws(ProbeError) {
                queries.append((try ProbeSocket(path), messages))
            } catch {
                lastError = error
            }
            if let socket = try? ProbeSocket(path, isLegacy: true) {
                legacyQueries.append((socket, messages))
            }
        }
        guard !queries.isEmpty else { throw lastError }
        var answered: Set<UUID> = []
        var isRepeated = false
        try ProbeSocket.exchange(
            on: (queries + legacyQueries).map(\.socket), at: Self.sendTimes, within: Self.limit
        ) { () throws(ProbeError) in
            for query in legacyQueries where isRepeated {
                query.messages.forEach { query.socket.send($0) }
            }
            isRepeated = true
            let errors = queries.map { $0.messages.compactMap($0.socket.send) }
            // Replies that came before the error count.
            if answered.isEmpty, errors.allSatisfy({ !$0.isEmpty }), let code = errors.last?.last {
                throw ProbeError(code: code)
            }
        } receive: { message in
            answered.formUnion(ProbeMessage.answeredNames(in: message).compactMap { names[$0] })
            return answered.count < names.count
        }
        return answered
    }
}

/// Queries the machines of a list on the link, past every cache.
///
/// avahi-daemon caches records for an hour and more, so a machine on the list may not respond now.
public struct RollCall: Sendable {
    /// The maximum number of machines queried at once.
    private static let machineLimit = 128
    /// The maximum number of services queried for each machine; one reply is enough.
    private static let serviceLimit = 2

    /// The machines that are queried.
    public private(set) var machines: Set<UUID> = []
    private var questions: [LinkProbe.Question] = []
    private var owners: [UUID: UUID] = [:]

    /// Creates a query of machines on a list: the first 128 that have a service on some path.
    public init(of peers: [Peer], in listing: PeerListing) {
        for peer in peers where machines.count < Self.machineLimit {
            // The service of peerlist itself is certain to be there while the machine is.
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

    /// Sends the queries and waits until all machines have answered, at most 3 s; returns those that
    /// did, or `nil` if none could be queried.
    public func run() async -> Set<UUID>? {
        guard !questions.isEmpty else { return [] }
        guard let answered = try? await LinkProbe(questions).run().get() else { return nil }
        return Set(answered.compactMap { owners[$0] })
    }
}
