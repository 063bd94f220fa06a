// Asks DNS servers whether they have a zone for the domain of multicast DNS.
import DNSMessages
import PeerList

/// The answer of DNS servers to the question for a zone `local`, for whose sake resolvers may leave multicast DNS out (RFC
/// 6762, appendix G). nss-mdns asks it before each look-up, and waits for the answer.
enum LocalZone: Sendable {
    case present, absent
    /// No server answered in time.
    case unanswered

    /// The time to wait for the servers.
    private static let limit = Duration.seconds(1)

    /// Asks servers for the start of authority of `local`.
    static func ask(_ servers: [HostAddress]) async -> LocalZone {
        guard !servers.isEmpty, let name = DNSName("local") else { return .absent }
        let number = UInt16.random(in: .min ... .max)
        return await DNSServers.ask(servers, query(name, number: number), within: limit) {
            read($0, of: name, number: number)
        } ?? .unanswered
    }

    /// Returns a query for the start of authority that asks for recursion.
    static func query(_ name: DNSName, number: UInt16) -> [UInt8] {
        var query = Array(DNSQuery.messages([(name, DNSType.soa)]).joined())
        query.replaceSubrange(..<3, with: [UInt8(number >> 8), UInt8(number & 0xff), 1])
        return query
    }

    /// Reads the answer in a reply; `nil` if it is no reply to the query.
    static func read(_ reply: [UInt8], of name: DNSName, number: UInt16) -> LocalZone? {
        guard reply.starts(with: [UInt8(number >> 8), UInt8(number & 0xff)]),
            let message = DNSMessage(reply), message.isResponse
        else { return nil }
        let hasZone = message.answers.contains { $0.type == DNSType.soa && $0.name == name }
        return hasZone && !message.hasErrorCode ? .present : .absent
    }
}
