// What becomes of an announced service, in sentences or as lines of JSON.
import PeerList
import PeerRecording

/// One thing that became of an announced service.
enum AnnouncementNews: Equatable, Sendable {
    /// Others can see it under this name.
    case announced(name: String)
    /// A name is taken, and so another is tried; this says which.
    case renamed(String)
    /// The machine has another host name than its own, for this reason.
    case hostRenamed(String)
    /// It is not announced while no backend is there.
    case interrupted
    /// It cannot be announced, for this reason.
    case failed(String)
    /// It was withdrawn.
    case withdrawn
    /// It could not be withdrawn in time, for this reason.
    case left(String)

    /// Whether others can see the service after it.
    var isAnnounced: Bool {
        switch self {
        case .announced, .left: true
        case .renamed, .hostRenamed, .interrupted, .failed, .withdrawn: false
        }
    }

    /// Whether people want to hear of it after what was told last: another backend that goes on with
    /// the same is no news.
    func isNews(after last: AnnouncementNews?) -> Bool { self != last }

    /// What an event of discovery says of it; `nil`: nothing.
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

    /// The value of `type` in the lines.
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

    /// A sentence, with what would act on a terminal made visible.
    func sentence(of service: AnnounceOptions) -> String {
        switch self {
        case .announced(let name):
            let isOther = name != service.name
            return printable(
                "'\(name)' is announced\(isOther ? " in place of '\(service.name)'" : ""): "
                    + "\(service.type), port \(service.port). Ctrl-C withdraws it.")
        case .renamed(let message), .hostRenamed(let message), .failed(let message),
            .left(let message):
            return printable(message.prefix(1).uppercased() + message.dropFirst() + ".")
        case .interrupted:
            return
                "Not announced at the moment: no mDNS backend; it will be announced again."
        case .withdrawn: return "Withdrawn."
        }
    }

    /// A line of JSON without its line feed.
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
