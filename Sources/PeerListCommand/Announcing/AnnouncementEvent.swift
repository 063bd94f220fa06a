// The events of an announced service, as sentences or as lines of JSON.
import PeerList
import PeerRecording

/// An event of an announced service.
enum AnnouncementEvent: Equatable, Sendable {
    /// The service is visible under this name.
    case announced(name: String)
    /// The name is taken; the message says which other name is tried.
    case renamed(String)
    /// The host name is taken; the message says which other name is used, and why.
    case hostRenamed(String)
    /// No backend is running, so the service is not announced.
    case interrupted
    /// The service cannot be announced, for a reason.
    case failed(String)
    case withdrawn
    /// The service could not be withdrawn in time, for a reason.
    case left(String)

    /// Whether the service is visible after the event.
    var isAnnounced: Bool {
        switch self {
        case .announced, .left: true
        case .renamed, .hostRenamed, .interrupted, .failed, .withdrawn: false
        }
    }

    /// Creates the event that a discovery event stands for, if there is one.
    init?(_ event: DiscoveryEvent.Kind) {
        switch event {
        case .announced(let name): self = .announced(name: name)
        case .notice(.nameConflict, let message): self = .renamed(message)
        case .notice(.hostNameConflict, let message): self = .hostRenamed(message)
        case .notice(.announceFailed, let message): self = .failed(message)
        case .lost: self = .interrupted
        default: return nil
        }
    }

    /// The value of `type` in JSON.
    private var code: String {
        switch self {
        case .announced: "announced"
        case .renamed: "renamed"
        case .hostRenamed: "notice"
        case .interrupted: "interrupted"
        case .failed: "failed"
        case .withdrawn: "withdrawn"
        case .left: "left"
        }
    }

    /// Returns a sentence in which control characters are escaped.
    func sentence(of service: AnnounceOptions) -> String {
        switch self {
        case .announced(let name):
            let requested = name == service.name ? "" : " instead of '\(service.name)'"
            return printable(
                "'\(name)' is announced\(requested): \(service.type), port \(service.port). "
                    + "Ctrl-C withdraws it.")
        case .renamed(let message), .hostRenamed(let message), .failed(let message),
            .left(let message):
            return printable(message.prefix(1).uppercased() + message.dropFirst() + ".")
        case .interrupted:
            return "No mDNS backend is running; the service will be announced again once one is."
        case .withdrawn: return "Withdrawn."
        }
    }

    /// Returns a line of JSON without its line feed.
    func json(of service: AnnounceOptions, at time: Timestamp) -> String {
        var text = JSONWriter()
        text.object { line in
            line.member("type", code)
            line.member("time", time.description)
            switch self {
            case .announced(let name):
                line.member("name", name)
                line.member("wanted", service.name)
                line.member("service", service.type)
                line.member("port", Int(service.port))
            case .hostRenamed(let message):
                line.member("code", Notice.Code.hostNameConflict.rawValue)
                line.member("message", message)
            case .renamed(let message), .failed(let message), .left(let message):
                line.member("message", message)
            case .interrupted, .withdrawn: break
            }
        }
        return String(decoding: text.bytes, as: UTF8.self)
    }
}
