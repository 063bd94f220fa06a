// Determines what can be copied, opened and logged in to for a row.
import FoundationEssentials
import PeerList
import PeerRecording
import TerminalList

/// The texts to copy and the commands to run for a row.
///
/// Data from the network is checked: the arguments of a command are a safe host, a port and a safe
/// URL, and no shell is involved.
struct RowActions: Equatable {
    /// A text to copy.
    struct Copy: Hashable {
        /// The kind of text: `Address`, `TXT path`.
        let label: String
        /// The text, with control and invisible characters escaped.
        let text: String
    }

    /// A command to run.
    struct Command: Equatable {
        /// The target: `Web site Files`.
        let label: String
        /// The program and its arguments.
        let arguments: [String]
    }

    /// The maximum number of each kind; the label of the last one contains the number of others.
    static let limit = 1_000

    /// The texts to copy: addresses, host, `host:port`, TXT values, and the JSON of the row.
    private(set) var copies: [Copy] = []
    /// The commands that open pages: `xdg-open URL`.
    private(set) var links: [Command] = []
    /// The commands to log in: `ssh -p PORT -- HOST`.
    private(set) var logins: [Command] = []

    /// Determines the actions of a row; none for an unknown one, and only copies for a departed one.
    ///
    /// - Complexity: O(*n*), where *n* is the number of addresses, services and TXT values.
    init(_ row: RowID, _ seen: DeviceIndex, _ history: ListHistory) {
        var found = ActionCollector()
        if case .departed(let id) = row {
            guard let item = history.departed(id)?.item else { return }
            if let service = item.service {
                found.addCopies(of: service)
            } else {
                found.addCopies(of: item.peer, item.peer.services)
            }
            copies = found.copies(with: item.json)
            return
        }
        guard let device = seen.device(of: row) else { return }
        let peer = device.peer
        let service = seen.service(of: row)?.service
        guard row.service == nil || service != nil else { return }
        let services = service.map { [$0] } ?? peer.services
        found.addCopies(of: peer, services)
        for service in services {
            found.addLinks(of: service, peer)
            found.addLogin(of: service, peer)
        }
        copies = found.copies(with: Self.json(of: row, peer, service, seen))
        links = found.links.commands
        logins = found.logins.commands
    }

    /// Returns the JSON object of the row, as in JSON lines.
    private static func json(
        of row: RowID, _ peer: Peer, _ service: Service?, _ seen: DeviceIndex
    ) -> String {
        guard let service else { return ListItem.peer(peer).json }
        if let item = seen.item(service.id), item.isService { return item.json }
        return service.json
    }
}

/// The distinct actions of a row.
private struct ActionCollector {
    private var copies = LimitedSet<RowActions.Copy, RowActions.Copy>(limit: RowActions.limit - 1)
    var links = LimitedSet<[String], RowActions.Command>(limit: RowActions.limit)
    var logins = LimitedSet<[String], RowActions.Command>(limit: RowActions.limit)

    /// Returns the copies, followed by the JSON.
    func copies(with json: String) -> [RowActions.Copy] {
        let label = copies.omitted == 0 ? "JSON" : "JSON, with \(copies.omitted) more not shown"
        return copies.elements + [RowActions.Copy(label: label, text: escaped(json))]
    }

    mutating func addCopies(of peer: Peer, _ services: [Service]) {
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

    mutating func addCopies(of service: Service) {
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
        let copy = RowActions.Copy(label: label, text: visible(text))
        copies.add(copy, as: copy)
    }

    mutating func addLinks(of service: Service, _ peer: Peer) {
        let title = KnownServiceType.of(service.type)?.title ?? service.type
        if let url = SafeURL(of: service, peer) { add(url, "\(title) \(service.name)") }
        if case .text(let text)? = service.txt["adminurl"], let url = SafeURL(announced: text) {
            add(url, "Page announced by \(service.name)")
        }
    }

    private mutating func add(_ url: SafeURL, _ label: String) {
        let arguments = ["xdg-open", url.text]
        links.add(RowActions.Command(label: label, arguments: arguments), as: arguments)
        copy("URL", url.text)
    }

    mutating func addLogin(of service: Service, _ peer: Peer) {
        guard ["_ssh._tcp", "_sftp-ssh._tcp"].contains(service.type), let port = service.port,
            port != 0, let host = SafeHost(of: peer)
        else { return }
        let arguments = ["ssh", "-p", "\(port)", "--", host.text]
        let label = "Secure shell \(service.name)"
        logins.add(RowActions.Command(label: label, arguments: arguments), as: arguments)
    }
}

/// Elements with distinct keys, up to a limit, and the number of others.
private struct LimitedSet<Key: Hashable, Element> {
    let limit: Int
    private(set) var elements: [Element] = []
    private var keys: Set<Key> = []

    init(limit: Int) { self.limit = limit }

    var omitted: Int { keys.count - elements.count }

    /// Adds an element unless its key is present.
    mutating func add(_ element: Element, as key: Key) {
        guard keys.insert(key).inserted, elements.count < limit else { return }
        elements.append(element)
    }
}

extension LimitedSet<[String], RowActions.Command> {
    /// The commands; the label of the last one contains the number of omitted ones.
    var commands: [RowActions.Command] {
        guard omitted > 0, let last = elements.last else { return elements }
        let label = "\(last.label) (and \(omitted) more not shown)"
        return elements.dropLast() + [RowActions.Command(label: label, arguments: last.arguments)]
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
private func visible(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isHidden) else { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
        guard isHidden(scalar) else { return result.unicodeScalars.append(scalar) }
        result += SafeText(String(scalar)).text
    }
}

/// Escapes the hidden characters of JSON, without changing its meaning (RFC 8259, section 7).
private func escaped(_ json: String) -> String {
    guard json.unicodeScalars.contains(where: isHidden) else { return json }
    return json.unicodeScalars.reduce(into: "") { result, scalar in
        guard isHidden(scalar) else { return result.unicodeScalars.append(scalar) }
        for unit in String(scalar).utf16 {
            let digits = String(unit, radix: 16)
            result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }
}
