// The socket through which a probe sends its queries on one path, and the exchange of queries and replies.
import DNSMessages
import Glibc

/// A socket that sends to the multicast DNS group on one path, and receives messages to the group.
///
/// Unless it is a legacy socket, it is bound to the group's address, so it takes no unicast packets from a daemon on
/// this machine. Replies to port 5353 come by multicast, so a firewall that allows discovery allows probes, and the
/// daemon receives the replies too.
struct ProbeSocket {
    let socket: DatagramSocket
    private let group: SocketAddress

    static let port = Belief.port
    /// The maximum number of messages other than replies that are skipped in one read.
    private static let skipLimit = 64

    /// Opens a socket on a path; a legacy socket queries from another port, as a simple resolver
    /// does (RFC 6762, section 6.7).
    ///
    /// Some responders answer by unicast alone, and a unicast packet to port 5353 reaches only one
    /// socket.
    init(_ path: NetworkPath, isLegacy: Bool = false) throws(ProbeError) {
        let isIPv4 = path.family == .ipv4
        group = Self.group(on: path)
        socket = try DatagramSocket(path.family)
        if !isLegacy {
            try socket.set(SO_REUSEADDR, to: Int32(1), level: SOL_SOCKET)
            if !isIPv4 { try socket.set(IPV6_V6ONLY, to: Int32(1)) }
            try socket.bind(to: group)
            try socket.set(
                MCAST_JOIN_GROUP,
                to: group_req(gr_interface: UInt32(path.interface.index), gr_group: group.storage))
        }
        try socket.sendMulticast(on: path, hopLimit: 255)
    }

    /// Returns the address of the multicast DNS group on a path: 224.0.0.251 or ff02::fb, port 5353.
    static func group(on path: NetworkPath) -> SocketAddress {
        let bytes = [0xff, 0x02] + [UInt8](repeating: 0, count: 13) + [0xfb]
        let address = HostAddress(
            bytes: path.family == .ipv4 ? [224, 0, 0, 251] : bytes, interface: "")
        return SocketAddress(address, port: port, interface: path.interface.index)
    }

    /// Sends a message to the group; returns the error's number, or `nil`.
    @discardableResult
    func send(_ message: [UInt8]) -> Int32? { socket.send(message, to: group) }

    /// Sends bytes over a unix socket, together with a copy of this socket; returns the number of bytes, or -1.
    func pass(over channel: Int32, with bytes: [UInt8]) -> Int {
        socket.pass(over: channel, with: bytes)
    }

    /// Returns the next message that has arrived from a responder.
    ///
    /// Returns `nil` if none of the next 64 messages is from a responder, so a flood of other messages does not block
    /// the caller.
    private func receive() -> [UInt8]? {
        for _ in 0..<Self.skipLimit {
            // RFC 6762, section 17
            guard let datagram = socket.receive(atMost: 9_000) else { return nil }
            // A reply from another port is ignored (RFC 6762, section 6).
            if datagram.source.port == Self.port { return datagram.bytes }
        }
        return nil
    }

    /// Sends queries at certain times, and receives replies until the time is over, `send` throws, or
    /// `receive` returns `false`.
    static func exchange<Failure>(
        on sockets: [ProbeSocket], at sendTimes: [Duration], within limit: Duration,
        send: () throws(Failure) -> Void, receive: ([UInt8]) -> Bool
    ) throws(Failure) {
        try DatagramSocket.exchange(
            on: sockets.map(\.socket), at: sendTimes, within: limit, send: send,
            receive: { index, _ in sockets[index].receive().map(receive) ?? true })
    }
}
