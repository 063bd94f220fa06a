// Checks whether multicast of this machine comes back to it.
import FoundationEssentials
import Glibc

/// Sends a query that no machine answers, and checks whether it comes back.
///
/// The kernel loops multicast back to the group's members on this machine, after the same firewall as
/// for other packets. If nothing comes back, packets do not get out, or do not get in.
public enum MulticastEcho {
    /// The outcome on one path.
    public enum Outcome: Sendable, Hashable {
        /// It came back.
        case returned
        /// It was sent, and did not come back.
        case silent
        /// It could not be tried: another program has the port for itself.
        case portTaken
        /// It could not be sent, for this reason.
        case failed(String)
    }

    /// The time to wait for it; on one machine it takes a fraction of a millisecond.
    static let limit = Duration.milliseconds(500)
    /// The maximum number of attempts: a packet may be lost in a flood.
    static let attempts = 3

    /// Checks one path, on a thread of its own, for at most 1.5 s.
    public static func run(
        on interface: NetworkInterface, over family: AddressFamily
    ) async -> Outcome {
        await withCheckedContinuation { continuation in
            let path = NetworkPath(interface: interface, family: family)
            let code = startThread { continuation.resume(returning: attempt(path)) }
            if code != 0 {
                continuation.resume(returning: .failed(ProbeError(code: code).description))
            }
        }
    }

    private static func attempt(_ path: NetworkPath) -> Outcome {
        do throws(ProbeError) {
            let socket = try ProbeSocket(path)
            for _ in 0..<attempts {
                // No service has this name, so no machine answers.
                let nobody = ServiceKey(
                    name: "peerlist echo \(VisibilityNonce().text)", type: "_peerlist._tcp",
                    domain: "local")
                guard let message = ProbeMessage.questions(for: [nobody]).first else { break }
                if let code = socket.send(message) { throw ProbeError(code: code) }
                if isHeard(message, on: socket) { return .returned }
            }
            return .silent
        } catch {
            return error.code == EADDRINUSE ? .portTaken : .failed(error.description)
        }
    }

    private static func isHeard(_ message: [UInt8], on socket: ProbeSocket) -> Bool {
        let end = ContinuousClock.now + limit
        while case let rest = end - .now, rest > .zero {
            var waiting = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&waiting, 1, Int32(rest / .milliseconds(1)) + 1) > 0 else { continue }
            while let heard = socket.receive() {
                if heard == message { return true }
            }
        }
        return false
    }
}
