// Listens to the packets that are sent to the multicast DNS group.
import Glibc
import PeerSystem
import StackProtocol

/// A packet that was sent to the multicast DNS group.
package struct LinkPacket: Sendable, Hashable {
    package var bytes: [UInt8]
    package var source: HostAddress
    package var path: NetworkPath
    /// The hop limit with which the packet arrived; `nil` if the kernel did not report it.
    package var hopLimit: Int?
    /// The time from the start of listening to the arrival of the packet.
    package var time: Duration

    package init(
        _ bytes: [UInt8], from source: HostAddress, on path: NetworkPath, hopLimit: Int? = 255,
        at time: Duration
    ) {
        (self.bytes, self.source, self.path) = (bytes, source, path)
        (self.hopLimit, self.time) = (hopLimit, time)
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
    ///   - sendTimes: The times at which the queries are sent.
    ///   - start: The value before the first packet.
    ///   - hear: Adds a packet to the value.
    /// - Returns: The value, and the paths that were listened on.
    package static func fold<Value: Sendable>(
        on paths: [NetworkPath], for time: Duration, asking queries: [[UInt8]] = [],
        at sendTimes: [Duration] = [], into start: Value,
        _ hear: @escaping @Sendable (inout Value, LinkPacket) -> Void
    ) async -> (value: Value, paths: [NetworkPath]) {
        let folded = await onThread { () throws(ProbeError) in
            let sockets = paths.compactMap { path in
                (try? DatagramSocket.listening(on: path)).map { (path: path, socket: $0) }
            }
            let senders = queries.isEmpty ? [] : sockets.compactMap { try? ProbeSocket($0.path) }
            var value = start
            let begin = ContinuousClock.now
            DatagramSocket.exchange(on: sockets.map(\.socket), at: sendTimes, within: time) {
                for sender in senders { for query in queries { sender.send(query) } }
            } receive: { index in
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
                            at: ContinuousClock.now - begin))
                }
                return true
            }
            return (value, sockets.map(\.path))
        }
        return (try? folded.get()) ?? (start, [])
    }
}
