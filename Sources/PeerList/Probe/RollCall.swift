// Queries the machines of a list, to find those that respond now whatever is cached of them.
public import FoundationEssentials

/// Queries the machines of a list on the link, past every cache.
///
/// avahi-daemon caches records for an hour and more, so a machine that is on the list may not respond
/// now.
public struct RollCall: Sendable {
    /// The maximum number of machines queried at once.
    static let machineLimit = 128
    /// The maximum number of services queried for each machine; one reply is enough.
    static let serviceLimit = 2

    /// The machines that are queried.
    public let machines: Set<UUID>
    private let questions: [LinkProbe.Question]
    private let owners: [UUID: UUID]

    /// Creates a query of machines: the first 128 that have a service on some path.
    ///
    /// - Parameters:
    ///   - peers: The machines.
    ///   - listing: The list that they are on.
    public init(of peers: [Peer], in listing: PeerListing) {
        var questions: [LinkProbe.Question] = []
        var owners: [UUID: UUID] = [:]
        var machines: Set<UUID> = []
        for peer in peers where machines.count < Self.machineLimit {
            // The service of peerlist itself is certain to be there while the machine is.
            let (own, others) = peer.services.reduce(into: ([Service](), [Service]())) {
                parts, next in
                if next.type == Identity.serviceType {
                    parts.0.append(next)
                } else {
                    parts.1.append(next)
                }
            }
            for service in (own + others).prefix(Self.serviceLimit) {
                let paths = listing.paths(ofService: service.id)
                guard !paths.isEmpty else { continue }
                let key = ServiceKey(
                    name: service.name, type: service.type, domain: service.domain)
                questions.append(LinkProbe.Question(service: key, paths: paths))
                owners[key.id] = peer.id
                machines.insert(peer.id)
            }
        }
        (self.questions, self.owners, self.machines) = (questions, owners, machines)
    }

    /// Sends the queries and waits until all machines have answered, at most 3 s.
    ///
    /// - Returns: The machines that answered; `nil` if none could be queried.
    public func run() async -> Set<UUID>? {
        guard !questions.isEmpty else { return [] }
        guard let answered = try? await LinkProbe(questions).run().get() else { return nil }
        return Set(answered.compactMap { owners[$0] })
    }
}
