// Listens to the packets that are sent to the multicast DNS group.
import Glibc
import PeerSystem
import StackProtocol

/// A packet that was sent to the multicast DNS group, or to this machine in reply to a query.
package struct LinkPacket: Sendable, Hashable {
    package var bytes: [UInt8]
    package var source: HostAddress
    package var path: NetworkPath
    /// The hop limit with which the packet arrived; `nil` if the kernel did not report it.
    package var hopLimit: Int?
    /// Whether the packet was sent to this machine alone.
    package var isUnicast = false
    /// The time from the start of listening to the arrival of the packet.
    package var time: Duration

    package init(
        _ bytes: [UInt8], from source: HostAddress, on path: NetworkPath, hopLimit: Int? = 255,
        isUnicast: Bool = false, at time: Duration
    ) {
        (self.bytes, self.source, self.path) = (bytes, source, path)
        (self.hopLimit, self.isUnicast, self.time) = (hopLimit, isUnicast, time)
    }
}

/// Receives the packets on paths, including this machine's own packets, and sends queries if there are any.
package enum LinkListener {
    /// The maximum size of a message (RFC 6762, section 17).
    private static let sizeLimit = 9_000
    /// The maximum number of packets that are read from a socket before other sockets are read.
    private static let turn = 64

    /// Folds the packets that arrive within a time into a value, on a thread of its own.
    ///
    /// Packets from other ports than 5353 are left out (RFC 6762, section 6).
    ///
    /// - Parameters:
    ///   - paths: The paths to listen on. Paths on which port 5353 cannot be shared are left out.
    ///   - time: The time to listen for.
    ///   - queries: The queries to send.
    ///   - unicastQueries: The queries to send from another port than 5353, whose replies come by unicast (RFC 6762,
    ///     section 6.7).
    ///   - sendTimes: The times at which the queries are sent.
    ///   - start: The value before the first packet.
    ///   - hear: Adds a packet to the value.
    /// - Returns: The value, and the paths that were listened on.
    package static func fold<Value: Sendable>(
        on paths: [NetworkPath], for time: Duration, asking queries: [[UInt8]] = [],
        askingByUnicast unicastQueries: [[UInt8]] = [], at sendTimes: [Duration] = [],
        into start: Value,
        _ hear: @escaping @Sendable (inout Value, LinkPacket) -> Void
    ) async -> (value: Value, paths: [NetworkPath]) {
        let folded = await onThread { () throws(ProbeError) in
            let listeners = paths.compactMap { path in
                (try? DatagramSocket.listening(on: path)).map { (path: path, socket: $0) }
            }
            func openSenders(
                of queries: [[UInt8]], isLegacy: Bool
            ) -> [(path: NetworkPath, socket: ProbeSocket)] {
                guard !queries.isEmpty else { return [] }
                return listeners.compactMap { path, _ in
                    (try? ProbeSocket(path, isLegacy: isLegacy)).map { (path, $0) }
                }
            }
            let senders = openSenders(of: queries, isLegacy: false)
            let unicastSenders = openSenders(of: unicastQueries, isLegacy: true)
            let sockets = listeners + unicastSenders.map { ($0.path, $0.socket.socket) }
            var value = start
            DatagramSocket.exchange(on: sockets.map(\.socket), at: sendTimes, within: time) {
                for sender in senders { for query in queries { sender.socket.send(query) } }
                for sender in unicastSenders {
                    for query in unicastQueries { sender.socket.send(query) }
                }
            } receive: { index, time in
                for _ in 0..<turn {
                    guard let packet = sockets[index].socket.receive(atMost: sizeLimit) else {
                        break
                    }
                    guard packet.source.port == ProbeSocket.port, let source = packet.source.host
                    else { continue }
                    hear(
                        &value,
                        LinkPacket(
                            packet.bytes, from: source, on: sockets[index].path,
                            hopLimit: packet.control.hopLimit.map(Int.init),
                            isUnicast: index >= listeners.count,
                            at: time))
                }
                return true
            }
            return (value, listeners.map(\.path))
        }
        return (try? folded.get()) ?? (start, [])
    }
}
