// Queries the link for service types that the stack does not report.

/// Queries the service types on the link, past every cache.
///
/// A browse for types that is open already asks again only after up to an hour, and a browse that is opened beside
/// it does not ask at all. If one device withdrew a type that others still offer, neither reports it. Some
/// responders do not list their types at all, so the commonest types are asked for by name.
///
/// Responders do not answer for types that are known, so on most networks there is no reply.
struct TypeProbe: Sendable {
    /// The times at which the queries are sent; any packet may be lost.
    private static let sendTimes: [Duration] = [.zero, .milliseconds(1_100)]
    /// The time to wait for replies.
    private static let limit = Duration.milliseconds(2_000)
    /// The maximum number of types that are reported, as many as are browsed.
    private static let typeLimit = TypeBrowsing.typeLimit

    /// The types that are known already, such as `_http._tcp`.
    let known: Set<String>
    /// The paths to query.
    let paths: [NetworkPath]

    /// Sends the queries on a thread of its own, and returns the types in replies that are not known, each once.
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
        let sockets = paths.compactMap { try? ProbeSocket($0) }
        guard !sockets.isEmpty else { return }
        let others = KnownServiceType.commonest.filter { !known.contains($0) }
        let messages = ProbeMessage.typeQuestions(known: known.sorted(), others: others)
        var reported = known
        ProbeSocket.exchange(on: sockets, at: Self.sendTimes, within: Self.limit) {
            for socket in sockets { for message in messages { socket.send(message) } }
        } receive: { message in
            for type in ProbeMessage.answeredTypes(in: message)
            where reported.count < known.count + Self.typeLimit && reported.insert(type).inserted {
                report(type)
            }
            return true
        }
    }
}
