// Sends a query to the DNS servers of this machine.
import Glibc

/// Sends queries to DNS servers (RFC 1035, section 4.2.1).
package enum DNSServers {
    /// The maximum number of servers, as in the C library.
    private static let limit = 3
    private static let port: UInt16 = 53
    private static let sizeLimit = 4_096

    /// Sends a query to servers, on a thread of its own, and returns the first reply that `read` accepts.
    ///
    /// - Parameters:
    ///   - servers: The addresses of the servers, of which the first three are asked.
    ///   - query: The query.
    ///   - time: The time to wait for the servers.
    ///   - read: Reads a packet from a server; returns `nil` if it is no reply to the query.
    /// - Returns: What was read; `nil` if no server replied in time.
    package static func ask<Answer: Sendable>(
        _ servers: [HostAddress], _ query: [UInt8], within time: Duration,
        _ read: @escaping @Sendable ([UInt8]) -> Answer?
    ) async -> Answer? {
        let result = await onThread { () throws(ProbeError) in
            let asked = servers.prefix(limit).compactMap { server in
                (try? DatagramSocket(server.family)).map { (server: server, socket: $0) }
            }
            var answer: Answer?
            DatagramSocket.exchange(on: asked.map(\.socket), at: [.zero], within: time) {
                for (server, socket) in asked {
                    socket.send(query, to: SocketAddress(server, port: port))
                }
            } receive: { index, _ in
                guard let packet = asked[index].socket.receive(atMost: sizeLimit),
                    packet.source.port == port,
                    packet.source.host?.bytes == asked[index].server.bytes
                else { return true }
                answer = read(packet.bytes)
                return answer == nil
            }
            return answer
        }
        return (try? result.get()) ?? nil
    }
}
