// Queries services and service types on the link, past every cache.
import DNSMessages
import FoundationEssentials
import Glibc
import PeerSystem

/// Queries the SRV records of services on the link, and collects the services with an answer.
///
/// A daemon answers from its cache until the records' TTLs end, whether or not their owner still responds. The daemon's
/// own queries list the known answers, so that the owner does not reply. The owner must reply to a query without known
/// answers (RFC 6762, sections 6 and 7.1).
package struct LinkProbe: Sendable {
    /// A service and the paths on which it is announced.
    package struct Question: Sendable {
        package let service: ServiceKey
        let paths: Set<NetworkPath>
    }

    /// The times at which the query is sent: packets may be lost, and an owner answers at most once a second.
    private static let sendTimes: [Duration] = [.zero, .milliseconds(1_100), .milliseconds(2_200)]
    private static let limit = Duration.seconds(3)
    /// The maximum number of paths to query; more are a mistake.
    private static let pathLimit = 32

    let questions: [Question]
    /// The path of the helper that reads the replies; `nil` for the usual places.
    var helper: String?

    /// Sends the queries, on a thread of its own, until all services have an answer or the time is over.
    ///
    /// - Returns: The services that answered; an error if there is no path or no service to query, or no helper.
    func run() async -> Result<Set<UUID>, ProbeError> {
        await onThread { () throws(ProbeError) in try ask() }
    }

    private func ask() throws(ProbeError) -> Set<UUID> {
        // There may be services of one name on several networks.
        var names: [DNSName: [Question]] = [:]
        for question in questions {
            guard let name = ProbeMessage.name(of: question.service) else { continue }
            names[name, default: []].append(question)
        }
        let count = names.values.joined().count
        // Without a query, silence would mean nothing.
        guard !names.isEmpty else { throw ProbeError(code: EINVAL) }
        let replies = try ReplyReader(helper: helper)
        var queries: [(socket: ProbeSocket, messages: [[UInt8]])] = []
        // Queries from other ports, for responders that reply by unicast alone; a firewall may block the
        // replies.
        var legacyQueries = queries
        var lastError = ProbeError(code: ENODEV)
        for path in Set(questions.flatMap(\.paths)).prefix(Self.pathLimit) {
            let messages = ProbeMessage.questions(
                for: questions.filter { $0.paths.contains(path) }.map(\.service))
            do throws(ProbeError) {
                let socket = try ProbeSocket(path)
                queries.append((socket, messages))
                replies.add(socket, on: path)
            } catch {
                lastError = error
            }
            if let socket = try? ProbeSocket(path, isLegacy: true) {
                legacyQueries.append((socket, messages))
                replies.add(socket, on: path)
            }
        }
        guard !queries.isEmpty else { throw lastError }
        var answered: Set<UUID> = []
        var isRepeated = false
        try replies.exchange(at: Self.sendTimes, within: Self.limit) { () throws(ProbeError) in
            for query in legacyQueries where isRepeated {
                query.messages.forEach { query.socket.send($0) }
            }
            isRepeated = true
            let errors = queries.map { $0.messages.compactMap($0.socket.send) }
            // Replies that came before the error count.
            if answered.isEmpty, errors.allSatisfy({ !$0.isEmpty }), let code = errors.last?.last {
                throw ProbeError(code: code)
            }
        } receive: { record in
            let asked = record.type == DNSType.srv ? names[record.name] ?? [] : []
            for question in asked
            where asked.count == 1
                || question.paths.contains(where: { $0.interface == record.interface })
            {
                answered.insert(question.service.id)
            }
            return answered.count < count
        }
        return answered
    }
}

/// Queries the service types on the link, past every cache.
///
/// An open browse for types repeats its query only after up to an hour, and another browse for types sends no query at
/// all. So if one device withdrew a type that other devices still offer, neither browse reports the type. Some
/// responders do not list their types at all, so the commonest types are queried by name.
///
/// Responders do not answer for types that are known, so on most networks there is no reply.
struct TypeProbe: Sendable {
    /// The times at which the queries are sent; any packet may be lost.
    private static let sendTimes: [Duration] = [.zero, .milliseconds(1_100)]
    private static let limit = Duration.milliseconds(2_000)
    /// The maximum number of types to report, equal to the number of unknown types that are
    /// browsed.
    static let typeLimit = 512

    /// The types that are known already, such as `_http._tcp`.
    let known: Set<String>
    let paths: [NetworkPath]
    /// The path of the helper that reads the replies; `nil` for the usual places.
    var helper: String?

    /// Sends the queries on a thread of its own, and returns each type in the replies that is not known, once.
    func run() -> AsyncStream<String> {
        let (types, entry) = AsyncStream.makeStream(of: String.self)
        let code = startThread {
            ask { entry.yield($0) }
            entry.finish()
        }
        if code != 0 { entry.finish() }
        return types
    }

    private func ask(_ report: (String) -> Void) {
        guard let replies = try? ReplyReader(helper: helper) else { return }
        let sockets = paths.compactMap { path in
            (try? ProbeSocket(path)).map { (socket: $0, path: path) }
        }
        guard !sockets.isEmpty else { return }
        for (socket, path) in sockets { replies.add(socket, on: path) }
        let others = KnownServiceType.commonest.filter { !known.contains($0) }
        let messages = ProbeMessage.typeQuestions(known: known.sorted(), others: others)
        var reported = known
        replies.exchange(at: Self.sendTimes, within: Self.limit) {
            for (socket, _) in sockets { for message in messages { socket.send(message) } }
        } receive: { record in
            if record.type == DNSType.ptr,
                let type = ProbeMessage.type(of: record.name, target: record.target),
                reported.count < known.count + Self.typeLimit, reported.insert(type).inserted
            {
                report(type)
            }
            return true
        }
    }
}
