// Actions of the settings: commands that are offered for the rows that they fit.
import FoundationEssentials
package import PeerModel
import PeerText
package import TerminalList

/// A command of the user for devices or services, with the values of a row as arguments.
package struct CustomAction: Equatable, Sendable {
    package var title: String
    package var keys: [Key] = []
    /// The service types for which the action is; empty for all.
    package var types: [String] = []
    /// The kinds of devices for which the action is; empty for all.
    package var kinds: [DeviceKind] = []
    package var command: CommandTemplate
    /// Whether texts that devices choose may be anywhere in the command.
    package var isUnchecked = false
    /// Whether the list waits for Enter after a success too, so that the output can be read.
    package var waits = true

    package init(
        title: String, keys: [Key] = [], types: [String] = [], kinds: [DeviceKind] = [],
        command: CommandTemplate, isUnchecked: Bool = false, waits: Bool = true
    ) {
        (self.title, self.keys, self.types) = (title, keys, types)
        (self.kinds, self.command) = (kinds, command)
        (self.isUnchecked, self.waits) = (isUnchecked, waits)
    }

    /// The commands for a row, and why there are not more.
    struct Offer {
        var commands: [RowAction] = []
        /// The reasons why it is not offered for the row, or for some of its services.
        var refusals: [String] = []

        /// The first reason and the number of the others; `nil` without reasons.
        var omission: String? {
            let rest = refusals.count - 1
            return refusals.first.map { rest == 0 ? $0 : "\($0), and \(rest) more" }
        }
    }

    /// Returns the commands for a row; `nil` for one of a departed device.
    func offer(for row: RowID, in seen: DeviceIndex) -> Offer? {
        guard let item = seen.item(of: row), let device = seen.device(of: row) else { return nil }
        return offer(for: item, of: device.peer, in: seen.domain)
    }

    /// Returns the commands for a row: one, or if the command has values of services, one for each
    /// service of the row's types.
    func offer(for item: ListItem, of peer: Peer, in domain: BrowsedDomain) -> Offer {
        guard kinds.isEmpty || peer.kind.map(kinds.contains) == true else {
            return Offer(refusals: ["it is for \(listed(kinds.map(\.title))) only"])
        }
        let services = item.peer.services.filter { types.isEmpty || types.contains($0.type) }
        guard types.isEmpty || !services.isEmpty else {
            return Offer(refusals: ["there is no service of \(listed(types))"])
        }
        let isOfService = command.values.contains(where: \.isOfService)
        let candidates: [Service?] = isOfService ? services : [item.service]
        var offer = Offer(refusals: candidates.isEmpty ? ["there is no service"] : [])
        for service in candidates {
            do throws(CommandTemplate.Refusal) {
                let words = try command.words { value throws(CommandTemplate.Refusal) in
                    try text(of: value, item, peer, service, in: domain)
                }
                offer.commands.append(
                    RowAction(
                        label: CommandWord.text(of: words),
                        detail: service.map { "\(title) \($0.name)" } ?? title,
                        request: .run(words, waits: waits)))
            } catch {
                offer.refusals.append(error.reason)
            }
        }
        return offer
    }

    /// Returns a value; a host name and an address are checked as for every command.
    private func text(
        of value: CommandTemplate.Value, _ item: ListItem, _ peer: Peer, _ service: Service?,
        in domain: BrowsedDomain
    ) throws(CommandTemplate.Refusal) -> String {
        let text: String?
        switch value {
        case .address: text = SafeHost(addressOf: peer)?.text
        case .host:
            text = SafeHost(nameOf: peer, in: domain)?.text
            if text == nil, let host = peer.host {
                throw .init(
                    SafeHost(name: host) == nil
                        ? "the host name is not a usual one"
                        : "the host name is outside of the domain that was browsed")
            }
        case .port: text = service?.port.flatMap { $0 == 0 ? nil : "\($0)" }
        case .name: text = item.displayName
        case .id: text = item.id.uuidString.lowercased()
        case .mac: text = peer.macs.first
        case .txt(let key):
            switch service?.txt[key] {
            case .text(let found): text = found
            case .bytes: throw .init("\(value.title) is not text")
            case .none?, nil: text = nil
            }
        }
        guard let text else { throw .init("\(value.title) is not known") }
        return text
    }
}
