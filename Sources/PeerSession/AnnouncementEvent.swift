// The events of a service that is announced, as sentences and as lines of JSON.
package import PeerModel
import PeerRecording
import PeerText

/// An event of a service that is announced.
package enum AnnouncementEvent: Equatable, Sendable {
    /// The values of `type` in JSON of the events that are described by a message.
    package enum MessageType: String, Sendable {
        /// The service could not be withdrawn in time.
        case left
        case failed
        /// The host name is taken; the message says which other name is used, and why.
        case notice
        /// The name is taken; the message says which other name is tried.
        case renamed
    }

    /// The service is visible under this name.
    case announced(name: String)
    /// No backend is running, so the service is not announced.
    case interrupted
    case withdrawn
    case message(MessageType, String)

    package static let left = message(.left, leftText)
    package static let leftText =
        "avahi-daemon does not answer; it will withdraw the service once it resumes"

    /// Creates the event that a discovery event stands for, if there is one.
    package init?(_ event: DiscoveryEvent.Kind) {
        switch event {
        case .announced(let name): self = .announced(name: name)
        case .notice(.nameConflict, let message): self = .message(.renamed, message)
        case .notice(.hostNameConflict, let message): self = .message(.notice, message)
        case .notice(.announceFailed, let message): self = .message(.failed, message)
        case .lost: self = .interrupted
        default: return nil
        }
    }

    /// Returns a sentence in which control characters are escaped.
    package func sentence(of service: Announcement) -> String {
        switch self {
        case .announced(let name):
            let requested = name == service.name ? "" : " instead of '\(service.name)'"
            return printable(
                "'\(name)' is announced\(requested): \(service.type), port \(service.port). "
                    + "Ctrl-C withdraws it.")
        case .interrupted:
            return "No mDNS backend is running; the service will be announced again once one is."
        case .withdrawn: return "Withdrawn."
        case .message(_, let message):
            return printable(message.prefix(1).uppercased() + message.dropFirst() + ".")
        }
    }

    /// Returns a line of JSON.
    package func json(of service: Announcement, at time: Timestamp) -> String {
        jsonLine { line in
            func begin(_ type: String) {
                line.member("type", type)
                line.member("time", time.description)
            }
            switch self {
            case .announced(let name):
                begin("announced")
                line.member("name", name)
                line.member("wanted", service.name)
                line.member("service", service.type)
                line.member("port", Int(service.port))
            case .interrupted: begin("interrupted")
            case .withdrawn: begin("withdrawn")
            case .message(let type, let message):
                begin(type.rawValue)
                if type == .notice { line.member("code", Notice.Code.hostNameConflict.rawValue) }
                line.member("message", message)
            }
        }
    }
}
