// How a row of the list looks: the columns of devices, and those of services.
import PeerList
import TerminalList

/// The columns and cells of the list, in either grouping.
struct PeerCells {
    let grouping: Grouping

    /// The columns, from left to right; the narrower the window, the fewer of them.
    var columns: [ListColumn] {
        switch grouping {
        case .device:
            [
                ListColumn("Name", minimum: 12, ideal: 17, maximum: 40, weight: 2, rank: 9),
                ListColumn("Host", minimum: 11, ideal: 15, maximum: 32, weight: 1, rank: 3),
                ListColumn("Services", minimum: 8, ideal: 16, weight: 3, rank: 5),
                ListColumn("Addresses", minimum: 11, ideal: 15, maximum: 60, weight: 2, rank: 4),
                since,
            ]
        case .type:
            [
                ListColumn("Service", minimum: 12, ideal: 24, maximum: 60, weight: 3, rank: 9),
                ListColumn("Host", minimum: 8, ideal: 16, maximum: 32, weight: 1, rank: 4),
                ListColumn("Port", minimum: 5, ideal: 5, rank: 3, alignment: .trailing),
                ListColumn("Addresses", minimum: 11, ideal: 15, maximum: 60, weight: 2, rank: 5),
                since,
            ]
        }
    }

    private var since: ListColumn { ListColumn("Since", minimum: 10, ideal: 10, rank: 6) }

    /// What is shown of an item.
    func cell(_ item: ListItem) -> ListCell {
        switch item {
        case .peer(let peer):
            cell(
                [
                    title(peer.name, isSelf: peer.isSelf), .init(peer.host ?? ""),
                    .init(peer.services.inShort), .init(peer.addresses.joined(separator: " ")),
                ], peer.presence, peer.firstSeen)
        case .service(let listing):
            cell(
                [
                    title(listing.service.name, isSelf: listing.peer.isSelf),
                    .init(listing.peer.host ?? ""),
                    .init(listing.service.port.map { "\($0)" } ?? ""),
                    .init(listing.peer.addresses.joined(separator: " ")),
                ], listing.presence, listing.firstSeen)
        }
    }

    private func title(_ name: String, isSelf: Bool) -> ListCell.Field {
        isSelf ? .init("\(name) (this machine)") : .init(name)
    }

    /// The last column says since when, or in a word why that is in doubt.
    private func cell(
        _ fields: [ListCell.Field], _ presence: Presence, _ firstSeen: Timestamp
    ) -> ListCell {
        switch presence {
        case .present:
            ListCell(fields + [.init(firstSeen.clockTime)])
        case .resolving, .unknown:
            ListCell(
                fields + [.init(presence.rawValue, style: Style(tone: .muted))],
                style: Style(tone: .muted))
        case .unanswered:
            ListCell(
                fields + [.init(presence.rawValue, style: Style(tone: .caution))],
                style: Style(tone: .muted))
        }
    }
}

extension [Service] {
    /// The types without their underscores, each once, with a count where there are several: `http ipp ×2`.
    ///
    /// - Complexity: O(*n*): services of a type stand together.
    var inShort: String {
        var types: [(name: Substring, count: Int)] = []
        for service in self {
            let name = service.type.drop { $0 == "_" }.prefix { $0 != "." }
            if types.last?.name == name {
                types[types.count - 1].count += 1
            } else {
                types.append((name, 1))
            }
        }
        return types.map { $0.count == 1 ? String($0.name) : "\($0.name) ×\($0.count)" }
            .joined(separator: " ")
    }
}
