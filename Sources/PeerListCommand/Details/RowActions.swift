// What can be done with a row: copy something of it, open its page, sign in.
import FoundationEssentials
import PeerList
import PeerRecording
import TerminalList

/// What can be done with a row.
///
/// Whatever comes from the network is checked here: a command gets arguments
/// that are a host, a port and a URL and can be nothing else. No shell sees them.
struct RowActions: Equatable {
    /// Something that can be copied.
    struct Copy: Hashable {
        /// What it is: `Address`, `TXT path`.
        let label: String
        /// The text; what would act where it is pasted, or hide there, is made visible.
        let text: String
    }

    /// A program that can be started.
    struct Command: Equatable {
        /// What it does: `Web site Files`.
        let label: String
        /// The program and its arguments.
        let arguments: [String]
    }

    /// At most so many of each kind are offered; the last one's label says how many more there are.
    static let limit = 1_000

    /// What can be copied: addresses, host, `host:port`, TXT values, and last the JSON of the row,
    /// in which those are that are too many.
    private(set) var copies: [Copy] = []
    /// What can be opened: a command each, `xdg-open URL`.
    private(set) var links: [Command] = []
    /// How to sign in: a command each, `ssh -p PORT -- HOST`.
    private(set) var logins: [Command] = []

    /// What can be done with a row; nothing with one that is not there.
    ///
    /// - Complexity: O(*n*), where *n* is the length of all that is known of it.
    init(_ row: RowID, _ seen: DeviceIndex, _ history: ListHistory) {
        var found = Found()
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

    /// The object that the lines have for the row.
    private static func json(
        of row: RowID, _ peer: Peer, _ service: Service?, _ seen: DeviceIndex
    ) -> String {
        guard let service else { return ListItem.peer(peer).json }
        if let item = seen.item(service.id), item.isService { return item.json }
        return service.json
    }
}

/// What is found of a row, each thing once.
private struct Found {
    private var copies = Distinct<RowActions.Copy, RowActions.Copy>(limit: RowActions.limit - 1)
    var links = Distinct<[String], RowActions.Command>(limit: RowActions.limit)
    var logins = Distinct<[String], RowActions.Command>(limit: RowActions.limit)

    /// What can be copied, and the JSON, in which all of it is.
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
            add(url, "Page that \(service.name) announces")
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

/// Up to so many different things, and how many more there were.
private struct Distinct<Key: Hashable, Element> {
    let limit: Int
    private(set) var elements: [Element] = []
    private var keys: Set<Key> = []

    init(limit: Int) { self.limit = limit }

    var omitted: Int { keys.count - elements.count }

    /// Adds an element, unless there is one with its key.
    mutating func add(_ element: Element, as key: Key) {
        guard keys.insert(key).inserted, elements.count < limit else { return }
        elements.append(element)
    }
}

extension Distinct<[String], RowActions.Command> {
    /// The commands; where there were more, the last one's label says so.
    var commands: [RowActions.Command] {
        guard omitted > 0, let last = elements.last else { return elements }
        let label = "\(last.label) (and \(omitted) more not shown)"
        return elements.dropLast() + [RowActions.Command(label: label, arguments: last.arguments)]
    }
}

/// Whether a character acts on what is around it, or hides: controls, those of the writing
/// direction among them, and ends of lines.
private func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
}

/// A text whose hidden characters are made visible; all others stay as they are.
private func visible(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isHidden) else { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
        guard isHidden(scalar) else { return result.unicodeScalars.append(scalar) }
        result += SafeText(String(scalar)).text
    }
}

/// JSON in which no character hides: a reader gets the same from it (RFC 8259, section 7).
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
