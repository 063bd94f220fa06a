// Determines what can be copied, opened and logged in to for a row.
import FoundationEssentials
import PeerList
import PeerRecording
import TerminalList

/// A text to copy or a command to run, as an entry to choose.
struct RowAction: Equatable {
    /// The kind of text, or the command: `TXT path`, `ssh -p 22 -- nas.local`.
    let label: String
    /// The text, with control and invisible characters escaped, or the target of the command.
    fileprivate(set) var detail: String
    let request: ScreenRequest

    var isCommand: Bool { if case .copy = request { false } else { true } }

    fileprivate static func copy(_ label: String, _ text: String) -> RowAction {
        RowAction(label: label, detail: text, request: .copy(text, what: label))
    }
}

/// The texts to copy and the commands to run for a row.
///
/// Data from the network is checked: the arguments of a command are a safe host, a port and a safe
/// URL, and no shell is involved.
struct RowActions {
    /// The maximum number of each kind; the last one states the number of others.
    static let limit = 1_000

    private var copyList = DistinctActions(limit: limit - 1)
    private var linkList = DistinctActions(limit: limit)
    private var loginList = DistinctActions(limit: limit)
    private var json: String?

    /// Determines the actions of a row; none for an unknown one, and only copies for a departed one.
    init(_ row: RowID, _ seen: DeviceIndex, _ history: ListHistory) {
        if case .departed(let id) = row {
            guard let item = history.departed(id)?.item else { return }
            json = item.json
            if item.isService {
                addCopies(of: item.peer.services[0])
            } else {
                addCopies(of: item.peer, item.peer.services)
            }
            return
        }
        guard let peer = seen.device(of: row)?.peer else { return }
        let service = seen.service(of: row)?.service
        guard row.service == nil || service != nil else { return }
        if let service {
            let item = seen.items[service.id].flatMap { $0.isService ? $0 : nil }
            json = item?.json ?? service.json
        } else {
            json = ListItem.peer(peer).json
        }
        let services = service.map { [$0] } ?? peer.services
        addCopies(of: peer, services)
        for service in services {
            addLinks(of: service, peer)
            addLogin(of: service, peer)
        }
    }

    /// The texts to copy: addresses, host, `host:port`, TXT values, and the row as in JSON lines.
    var copies: [RowAction] {
        guard let json else { return [] }
        let omitted = copyList.omittedCount
        let label = omitted == 0 ? "JSON" : "JSON, with \(omitted) more not shown"
        return copyList.actions + [.copy(label, escaped(json))]
    }

    /// The commands that open pages: `xdg-open URL`.
    var links: [RowAction] { linkList.actionsWithOmission }

    /// The commands to log in: `ssh -p PORT -- HOST`.
    var logins: [RowAction] { loginList.actionsWithOmission }

    private mutating func addCopies(of peer: Peer, _ services: [Service]) {
        for address in peer.addresses { copy("Address", address) }
        if peer.addresses.count > 1 {
            copy("All addresses", peer.addresses.joined(separator: " "))
        }
        if let host = peer.host { copy("Host", host) }
        for service in services {
            if let port = service.port, let host = peer.host ?? peer.addresses.first {
                copy("Host and port", endpoint(host: host, port: port))
            }
            addCopies(of: service)
        }
    }

    private mutating func addCopies(of service: Service) {
        for pair in service.txt.pairs {
            switch pair.value {
            case .none: break
            case .text(let text): copy("TXT \(pair.key)", text)
            case .bytes(let bytes): copy("TXT \(pair.key)", hexText(bytes))
            }
        }
    }

    private mutating func copy(_ label: String, _ text: String) {
        guard !text.isEmpty else { return }
        let text = visible(text)
        copyList.add(.copy(label, text), key: [label, text])
    }

    private mutating func addLinks(of service: Service, _ peer: Peer) {
        let title = KnownServiceType.of(service.type)?.title ?? service.type
        if let url = SafeURL(of: service, peer) { add(url, "\(title) \(service.name)") }
        if case .text(let text)? = service.txt["adminurl"], let url = SafeURL(announced: text) {
            add(url, "Page announced by \(service.name)")
        }
    }

    private mutating func add(_ url: SafeURL, _ target: String) {
        let request = ScreenRequest.open(["xdg-open", url.text])
        linkList.add(
            RowAction(label: url.text, detail: target, request: request), key: [url.text])
        copy("URL", url.text)
    }

    private mutating func addLogin(of service: Service, _ peer: Peer) {
        guard ["_ssh._tcp", "_sftp-ssh._tcp"].contains(service.type), let port = service.port,
            port != 0, let host = SafeHost(of: peer)
        else { return }
        let words = ["ssh", "-p", "\(port)", "--", host.text]
        let action = RowAction(
            label: words.joined(separator: " "), detail: "Secure shell \(service.name)",
            request: .run(words))
        loginList.add(action, key: words)
    }
}

/// Actions with distinct keys, up to a limit, and the number of others.
private struct DistinctActions {
    let limit: Int
    private(set) var actions: [RowAction] = []
    private var keys: Set<[String]> = []

    init(limit: Int) { self.limit = limit }

    var omittedCount: Int { keys.count - actions.count }

    /// The actions; the last one states the number of omitted ones.
    var actionsWithOmission: [RowAction] {
        guard omittedCount > 0 else { return actions }
        var actions = actions
        actions[limit - 1].detail += " (and \(omittedCount) more not shown)"
        return actions
    }

    /// Adds an action unless its key is present.
    mutating func add(_ action: RowAction, key: [String]) {
        guard keys.insert(key).inserted, actions.count < limit else { return }
        actions.append(action)
    }
}

/// Whether a character is invisible or affects others: controls, directional marks, line ends.
private func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
}

/// Escapes the hidden characters of a text.
private func visible(_ text: String) -> String { replaceHidden(text) { SafeText($0).text } }

/// Escapes the hidden characters of JSON, without changing its meaning (RFC 8259, section 7).
private func escaped(_ json: String) -> String {
    replaceHidden(json) { character in
        character.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}

private func replaceHidden(_ text: String, by escape: (String) -> String) -> String {
    guard text.unicodeScalars.contains(where: isHidden) else { return text }
    return text.unicodeScalars.map { isHidden($0) ? escape(String($0)) : String($0) }.joined()
}

/// A request of the screen, which has neither terminal nor network.
enum ScreenRequest: Sendable, Equatable {
    /// Copy a text to the clipboard of the terminal's user.
    case copy(String, what: String)
    /// Run a command in the terminal, in place of the list.
    case run([String])
    case open([String])
    case verify([UUID], name: String)
    /// Report the paths on which the items of a row are announced, and when they were last heard.
    case sightings([UUID], RowID)
}
