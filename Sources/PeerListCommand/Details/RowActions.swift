// What can be done with a row: copy something of it, open its page, sign in.
import FoundationEssentials
import PeerList
import TerminalList

/// What can be done with a row.
///
/// Whatever comes from the network is checked here: a command gets arguments
/// that are a host, a port and a URL and can be nothing else. No shell sees them.
struct RowActions: Equatable {
    /// Something that can be copied.
    struct Copy: Equatable {
        /// What it is: `Address`, `TXT path`.
        let label: String
        /// The text; control characters in it are made visible, since they would act where it is pasted.
        let text: String
    }

    /// A program that can be started.
    struct Command: Equatable {
        /// What it does: `Web site Files`.
        let label: String
        /// The program and its arguments.
        let arguments: [String]
    }

    /// What can be copied: addresses, host, `host:port`, TXT values, the JSON of the row.
    private(set) var copies: [Copy] = []
    /// What can be opened: a command each, `xdg-open URL`.
    private(set) var links: [Command] = []
    /// How to sign in: a command each, `ssh -p PORT -- HOST`.
    private(set) var logins: [Command] = []

    /// What can be done with a row; nothing with one that is not there.
    ///
    /// - Complexity: O(*n*), where *n* is the number of services with their attributes.
    init(_ row: RowID, _ seen: SeenList, _ history: ListHistory) {
        if case .departed(let id) = row {
            guard let item = history.departed(id)?.item else { return }
            switch item {
            case .peer(let peer): addCopies(of: peer, peer.services)
            case .service(let listing): addCopies(of: listing.service)
            }
            copies.append(Copy(label: "JSON", text: item.json))
            return
        }
        guard let device = seen.device(of: row) else { return }
        let peer = device.peer
        let service = seen.service(of: row)?.service
        guard row.service == nil || service != nil else { return }
        let services = service.map { [$0] } ?? device.services.map(\.service)
        addCopies(of: peer, services)
        for service in services {
            addLinks(of: service, peer, seen.titles)
            addLogin(of: service, peer)
        }
        copies.append(Copy(label: "JSON", text: Self.json(of: row, peer, service, seen)))
    }

    /// The object that the lines have for the row.
    private static func json(
        of row: RowID, _ peer: Peer, _ service: Service?, _ seen: SeenList
    ) -> String {
        guard let service else { return ListItem.peer(peer).json }
        if let item = seen.item(service.id), case .service = item { return item.json }
        return service.json
    }
}

extension RowActions {
    private mutating func addCopies(of peer: Peer, _ services: [Service]) {
        for address in peer.addresses { copy("Address", address) }
        if peer.addresses.count > 1 {
            copies.append(
                Copy(
                    label: "All addresses",
                    text: peer.addresses.map(visible).joined(separator: " ")))
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
        let copy = Copy(label: label, text: visible(text))
        if !text.isEmpty, !copies.contains(copy) { copies.append(copy) }
    }

    private mutating func addLinks(of service: Service, _ peer: Peer, _ titles: TypeTitles) {
        let title = titles.title(of: service.type) ?? service.type
        if let url = SafeURL(of: service, peer) { add(url, "\(title) \(service.name)") }
        if case .text(let text)? = service.txt["adminurl"], let url = SafeURL(announced: text) {
            add(url, "Page that \(service.name) announces")
        }
    }

    private mutating func add(_ url: SafeURL, _ label: String) {
        let arguments = ["xdg-open", url.text]
        guard !links.contains(where: { $0.arguments == arguments }) else { return }
        links.append(Command(label: label, arguments: arguments))
    }

    private mutating func addLogin(of service: Service, _ peer: Peer) {
        guard ["_ssh._tcp", "_sftp-ssh._tcp"].contains(service.type), let port = service.port,
            port != 0, let host = SafeHost(of: peer)
        else { return }
        let arguments = ["ssh", "-p", "\(port)", "--", host.text]
        guard !logins.contains(where: { $0.arguments == arguments }) else { return }
        logins.append(Command(label: "Secure shell \(service.name)", arguments: arguments))
    }
}

/// A text whose control characters are made visible; one without any as it is.
private func visible(_ text: String) -> String {
    text.unicodeScalars.contains { $0.value < 0x20 || 0x7F...0x9F ~= $0.value }
        ? SafeText(text).text : text
}
