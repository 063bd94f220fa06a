// Checks whether this machine receives its own multicast packets.
import Glibc
import PeerSystem

/// Sends a query that no machine answers, and checks whether it comes back.
///
/// The kernel loops multicast packets back to the group's members on this machine, through the same firewall as other
/// packets. If nothing comes back, packets cannot be sent or cannot be received.
public enum MulticastEcho {
    /// The outcome on one path.
    public enum Outcome: Sendable, Hashable {
        /// The query came back.
        case returned
        /// The query was sent, and did not come back.
        case silent
        /// The query could not be sent, because another program uses the port exclusively.
        case portTaken
        /// The query could not be sent; the text is the reason.
        case failed(String)
    }

    /// The times at which the query is sent, because a packet may be lost in a flood.
    private static let sendTimes: [Duration] = [.zero, .milliseconds(500), .milliseconds(1_000)]
    /// The time to wait for the query; on one machine it takes a fraction of a millisecond.
    private static let limit = Duration.milliseconds(1_500)

    /// Checks one path, on a thread of its own, for at most 1.5 s.
    public static func run(
        on interface: NetworkInterface, over family: AddressFamily
    ) async -> Outcome {
        let path = NetworkPath(interface: interface, family: family)
        switch await onThread({ () throws(ProbeError) in try attempt(path) }) {
        case .success(let isHeard): return isHeard ? .returned : .silent
        case .failure(let error):
            return error.code == EADDRINUSE ? .portTaken : .failed(error.description)
        }
    }

    private static func attempt(_ path: NetworkPath) throws(ProbeError) -> Bool {
        // No service has this name, so no machine answers.
        let name = "peerlist echo \(VisibilityNonce().text)"
        let messages = ProbeMessage.questions(
            for: [ServiceKey(name: name, type: "_peerlist._tcp", domain: "local")])
        let socket = try ProbeSocket(path)
        var isHeard = false
        try ProbeSocket.exchange(on: [socket], at: sendTimes, within: limit) {
            () throws(ProbeError) in
            if let code = messages.compactMap(socket.send).first { throw ProbeError(code: code) }
        } receive: { message in
            isHeard = messages.contains(message)
            return !isHeard
        }
        return isHeard
    }
}
