// Determines what can be copied, opened and logged in to for a row.
import FoundationEssentials
import PeerModel
import PeerRecording
import PeerText
import TerminalList

/// A text to copy or a command to run, as an entry to choose.
struct RowAction: Hashable {
    /// The kind of text, or the command: `TXT path`, `ssh -p 22 -- nas.local`.
    let label: String
    /// The text, with control and invisible characters escaped, or the target of the command.
    var detail: String
    let request: ScreenRequest

    var isCommand: Bool { if case .copy = request { false } else { true } }
}

/// The texts to copy and the commands to run for a row; none for an unknown one, and only texts for a
/// departed one.
///
/// Data from the network is checked: the arguments of a command are a safe host, a port and a safe
/// URL, and no shell is involved.
struct RowActions {
    /// The maximum number of each kind; the last one states the number of others.
    static let limit = 1_000

    /// The texts to copy: addresses, MAC addresses, host, name, `host:port` of each service, URLs,
    /// identifier, the row as in JSON lines, and TXT values.
    private(set) var copies: [RowAction] = []
    /// The commands that open pages, shared files and screens, `xdg-open URL`: first by host name, then
    /// by address.
    private(set) var links: [RowAction] = []
    /// The commands to log in, `ssh -p PORT -- HOST`: first by host name, then by address.
    private(set) var logins: [RowAction] = []

    init(_ row: RowID, _ seen: DeviceIndex, _ history: ListHistory) {
        if case .departed(let id) = row {
            guard let item = history.departed(id)?.item else { return }
            copies = Self.limited(
                item.copies(macs: item.peer.macs, in: seen.domain), json: item.json)
            return
        }
        guard let peer = seen.device(of: row)?.peer, let item = seen.item(of: row) else { return }
        let services = item.peer.services
        let hosts = SafeHost.all(of: peer, in: seen.domain)
        let links =
            services.flatMap { $0.links(at: hosts.first) }
            + hosts.dropFirst().flatMap { host in services.compactMap { $0.page(at: host) } }
        // A service below its device is no item of the session's list.
        let isChild = item.isService && seen.itemIDs(of: row) != [item.id]
        let json = isChild ? services[0].json : item.json
        copies = Self.limited(
            item.copies(macs: peer.macs, links: links, in: seen.domain), json: json)
        self.links = Self.limited(links)
        logins = Self.limited(hosts.flatMap { host in services.compactMap { $0.login(at: host) } })
    }

    /// Returns texts, the row as JSON, and then the values of TXT records, at most ``limit`` together.
    private static func limited(_ texts: [RowAction], json: String) -> [RowAction] {
        let (shown, omittedCount) = distinct(
            texts.filter { !$0.detail.isEmpty }, limit: limit - 1)
        let label = omittedCount == 0 ? "JSON" : "JSON, with \(omittedCount) more not shown"
        let text = escaped(json)
        let row = RowAction(label: label, detail: text, request: .copy(text, what: label))
        let count = shown.firstIndex { $0.label.hasPrefix("TXT ") } ?? shown.count
        return shown[..<count] + [row] + shown[count...]
    }

    /// Returns different commands, at most ``limit``.
    static func limited(_ commands: [RowAction]) -> [RowAction] {
        var (shown, omittedCount) = distinct(commands, limit: limit)
        if omittedCount > 0 { shown[limit - 1].detail += " (and \(omittedCount) more not shown)" }
        return shown
    }

    private static func distinct(
        _ actions: [RowAction], limit: Int
    ) -> (shown: [RowAction], omittedCount: Int) {
        var requests: Set<ScreenRequest> = []
        let distinct = actions.filter { requests.insert($0.request).inserted }
        return (Array(distinct.prefix(limit)), max(0, distinct.count - limit))
    }
}

private func copy(_ label: String, _ text: String) -> RowAction {
    let text = visible(text)
    return RowAction(label: label, detail: text, request: .copy(text, what: label))
}

extension ListItem {
    /// Returns the texts to copy, the most wanted first.
    fileprivate func copies(
        macs: [String], links: [RowAction] = [], in domain: BrowsedDomain
    ) -> [RowAction] {
        let (addresses, services) = (peer.addressesByReach, peer.services)
        let all =
            addresses.count > 1 ? [copy("All addresses", addresses.joined(separator: " "))] : []
        let target = domain.hostName(of: peer) ?? addresses.first
        let endpoints = services.compactMap { service -> RowAction? in
            guard let target, let port = service.port, port != 0 else { return nil }
            let title = KnownServiceType.of(service.type)?.title ?? service.type
            return copy(title, endpoint(host: target, port: port))
        }
        return addresses.map { copy("Address", $0) } + all + macs.map { copy("MAC address", $0) }
            + [copy("Host", peer.host ?? ""), copy("Name", name), copy("Label", peer.label ?? "")]
            + endpoints + links.map { copy("URL", $0.label) }
            + [copy("ID", id.uuidString.lowercased())] + services.flatMap(\.copies)
    }
}

extension Service {
    fileprivate var copies: [RowAction] {
        txt.pairs.compactMap { pair in
            switch pair.value {
            case .none: nil
            case .text(let text): copy("TXT \(pair.key)", text)
            case .bytes(let bytes): copy("TXT \(pair.key)", hexText(bytes))
            }
        }
    }

    /// Returns the commands that open the page of the service at a host, and the page that it announces.
    func links(at host: SafeHost?) -> [RowAction] {
        var announced: SafeURL?
        if case .text(let text)? = txt["adminurl"] { announced = SafeURL(announced: text) }
        return [host.flatMap(page), announced.map { open($0, "Page announced by \(name)") }]
            .compactMap(\.self)
    }

    /// Returns the command that opens the page of the service at a host.
    func page(at host: SafeHost) -> RowAction? {
        let title = KnownServiceType.of(type)?.title ?? type
        return SafeURL(of: self, at: host).map { open($0, "\(title) \(name)") }
    }

    /// Returns the command that logs in at a host.
    func login(at host: SafeHost) -> RowAction? {
        guard Self.shellTypes.contains(type), let port, port != 0 else {
            return nil
        }
        let words = ["ssh", "-p", "\(port)", "--", host.text]
        return RowAction(
            label: words.joined(separator: " "), detail: "Secure shell \(name)",
            request: .run(words))
    }
}

private func open(_ url: SafeURL, _ target: String) -> RowAction {
    RowAction(label: url.text, detail: target, request: .open(["xdg-open", url.text]))
}

private func visible(_ text: String) -> String {
    replace(text, where: \.isHidden) { SafeText($0).text }
}

/// A device, or one of its services.
struct RowItem: Sendable, Hashable {
    let device: UUID
    var service: UUID?
}

/// A request of the screen, which has neither terminal nor network.
enum ScreenRequest: Sendable, Hashable {
    /// Copy a text to the clipboard of the terminal's user.
    case copy(String, what: String)
    /// Run a command in the terminal, in place of the list.
    ///
    /// After a failure, and after a success if it `waits`, the list returns at Enter.
    case run([String], waits: Bool = false)
    case open([String])
    /// Verify the items of a row, and ask its device whether it answers at its addresses.
    case verify([UUID], name: String, RowItem)
    /// Verify the items of all rows.
    case verifyAll([UUID])
    /// Report the paths on which the items of a row are announced, and when they were last heard.
    case sightings([UUID], RowID)
    /// Leave the mouse to the terminal, or take it back.
    case switchMouse
    case quit
    /// Label a device, or remove its label if the text is empty.
    case label(UUID, String)
}
