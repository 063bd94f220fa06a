// Receives the replies of machines that see this machine.
import Glibc
import PeerSystem
import StackProtocol

/// A UDP socket that receives visibility replies with its nonce.
///
/// Since any machine on the link can send replies, at most 256 are kept, and at most 32 from one
/// address.
public final class VisibilityListener: Sendable {
    /// The replies received so far.
    public struct Replies: Sendable, Hashable {
        /// The distinct replies, in order of arrival.
        public var received: [ReceivedReply] = []
        /// The number of datagrams that were not replies.
        public var strayCount = 0

        /// Creates an empty result.
        public init() {}
    }

    /// The preferred port, 15353, which a firewall can be configured to accept.
    public static let usualPort: UInt16 = 15_353
    static let replyLimit = 256
    /// The maximum number of replies kept from one address.
    package static let sourceLimit = 32

    /// The nonce to announce.
    public let nonce = VisibilityNonce()
    /// The port to announce.
    public let port: UInt16
    private let socket: DatagramSocket

    /// Opens a socket on the usual port or, if that is taken, on a port chosen by the system; for IPv4
    /// and, if the system supports it, IPv6.
    public init() throws(BackendError) {
        do throws(ProbeError) {
            var any = HostAddress(bytes: [UInt8](repeating: 0, count: 16), interface: "")
            do throws(ProbeError) {
                socket = try DatagramSocket(.ipv6)
                try? socket.set(IPV6_V6ONLY, to: Int32(0))
                try? socket.set(IPV6_RECVPKTINFO, to: Int32(1))
            } catch {
                any = HostAddress(bytes: [0, 0, 0, 0], interface: "")
                socket = try DatagramSocket(.ipv4)
            }
            if let bound = try? socket.bind(to: SocketAddress(any, port: Self.usualPort)) {
                port = bound.port
            } else {
                port = try socket.bind(to: SocketAddress(any, port: 0)).port
            }
        } catch {
            let reason = unsafe String(cString: strerror(error.code))
            throw BackendError("no UDP port for replies of other machines is available: \(reason)")
        }
    }

    /// Receives replies on a separate thread for a certain time.
    public func replies(within time: Duration) async -> Replies {
        (try? await onThread { self.collect(for: time) }.get()) ?? Replies()
    }

    private func collect(for time: Duration) -> Replies {
        var (replies, counts) = (Replies(), [HostAddress: Int]())
        DatagramSocket.exchange(on: [socket], at: [], within: time) {
        } receive: { _, _ in
            guard let datagram = socket.receive(atMost: VisibilityReply.sizeLimit + 1),
                let reply = VisibilityReply(datagram.bytes), let source = datagram.source.host
            else {
                replies.strayCount += 1
                return true
            }
            let next = ReceivedReply(
                reply, from: source, on: datagram.control.interface)
            // A different nonce belongs to an earlier probe from this port.
            guard reply.nonce == nonce, replies.received.count < Self.replyLimit,
                counts[source, default: 0] < Self.sourceLimit, !replies.received.contains(next)
            else { return true }
            counts[source, default: 0] += 1
            replies.received.append(next)
            return true
        }
        return replies
    }
}
