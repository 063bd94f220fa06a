// The contents of the list: its columns, and the rows and cells computed from index, history and choices.
import DiffCore
import FoundationEssentials
import PeerList
import TerminalList

/// The contents of a row, a field for each column.
struct RowFields {
    /// The number of characters of the presence strip.
    static let stripWidth = 12

    var name: ListCell.Field
    var host: ListCell.Field
    var services: ListCell.Field = ""
    var port: ListCell.Field = ""
    var addresses: ListCell.Field
    var hour: ListCell.Field = ""
    /// The time since which it is as it is, or its state.
    var since: ListCell.Field = ""
}

/// A column of the list; a narrow window drops those of the lowest ranks.
struct RowColumn: Sendable {
    let layout: ListColumn
    /// The orders that are by this column; a click on the title selects the first one.
    let sorts: [RowSort]
    let field: @Sendable (RowFields) -> ListCell.Field

    private init(
        _ layout: ListColumn, sorts: RowSort...,
        field: @escaping @Sendable (RowFields) -> ListCell.Field
    ) {
        (self.layout, self.sorts, self.field) = (layout, sorts, field)
    }

    /// Returns the columns of a grouping, from left to right.
    static func all(of grouping: Grouping) -> [RowColumn] {
        grouping == .device ? deviceColumns : serviceColumns
    }

    private static let deviceColumns = [
        RowColumn(
            ListColumn("Name", least: 12, minimum: 14, ideal: 19, maximum: 40, weight: 2, rank: 9),
            sorts: .name
        ) { $0.name },
        RowColumn(ListColumn("Host", minimum: 15, ideal: 15, maximum: 32, weight: 1, rank: 3)) {
            $0.host
        },
        RowColumn(
            ListColumn("Services", least: 9, minimum: 12, ideal: 16, weight: 3, rank: 7),
            sorts: .type
        ) { $0.services },
        addresses, hour, since,
    ]

    private static let serviceColumns = [
        RowColumn(
            ListColumn("Service", minimum: 18, ideal: 24, maximum: 60, weight: 3, rank: 9),
            sorts: .name, .type
        ) { $0.name },
        RowColumn(ListColumn("Host", minimum: 14, ideal: 16, maximum: 32, weight: 1, rank: 3)) {
            $0.host
        },
        RowColumn(ListColumn("Port", minimum: 5, ideal: 5, rank: 4, alignment: .trailing)) {
            $0.port
        },
        addresses, hour, since,
    ]

    private static let addresses = RowColumn(
        ListColumn("Addresses", least: 12, minimum: 15, ideal: 17, maximum: 60, weight: 2, rank: 8),
        sorts: .address
    ) { $0.addresses }

    private static let hour = RowColumn(
        ListColumn(
            "Last hour", minimum: RowFields.stripWidth, ideal: RowFields.stripWidth, rank: 1)
    ) { $0.hour }

    private static let since = RowColumn(
        ListColumn("Since", minimum: 10, ideal: 10, rank: 2), sorts: .arrival
    ) { $0.since }
}

/// The contents of the list, apart from the screen because the view requests cells while it draws.
final class RowContent {
    /// The devices and services of the session's list.
    private(set) var seen = DeviceIndex()
    private(set) var history: ListHistory
    var choices = RowChoices()
    /// The rows as of the last ``refresh()``.
    private(set) var rows: RowList
    let charset: Charset
    /// The time of a recording; `nil` for the wall clock.
    var clock: Timestamp?

    init(charset: Charset) {
        self.charset = charset
        history = ListHistory(charset: charset)
        rows = RowList(&seen, choices)
    }

    /// The time at which the list is shown.
    var now: Timestamp { clock ?? .now() }

    /// The columns of the view; the title of the one by which the list is sorted has a sign.
    var columns: [ListColumn] {
        let signs = charset == .ascii ? ("^", "v") : ("▲", "▼")
        return RowColumn.all(of: choices.grouping).map { column in
            var layout = column.layout
            if column.sorts.contains(choices.sort) {
                layout.title += " " + (choices.isDescending ? signs.1 : signs.0)
            }
            return layout
        }
    }

    func apply(_ update: PeerListUpdate, isJump: Bool) {
        history.record(update, isJump: isJump)
        seen.apply(update)
    }

    func refresh() {
        let departed = choices.showsDeparted ? history.departed : []
        rows = RowList(&seen, choices, departed: departed)
    }

    /// Whether the row of a deleted item matches the search and the chosen types.
    func includesDeparted(_ row: RowID) -> Bool {
        guard let id = row.device ?? row.service else { return true }
        return history.departed(id).map(RowFilter(choices).includes) ?? !choices.hidesSome
    }

    /// Whether the device or service of a row is in the list.
    func isKnown(_ row: RowID) -> Bool {
        switch row {
        case .device(let id): seen.devices[id] != nil
        case .service, .listing: seen.service(of: row) != nil
        case .departed: true
        }
    }

    // MARK: Cells

    /// Returns the cell of a row; an empty one for an unknown row.
    func cell(_ row: RowID) -> ListCell {
        if case .departed(let id) = row {
            return history.departed(id).map { cell(row, $0) } ?? ListCell([])
        }
        guard let peer = seen.device(of: row)?.peer else { return ListCell([]) }
        if case .device = row { return cell(row, peer) }
        guard let item = seen.service(of: row), let service = item.service else {
            return ListCell([])
        }
        return cell(row, service, item.peer, of: peer)
    }

    private func cell(_ row: RowID, _ peer: Peer) -> ListCell {
        let services = peer.services.filter { !choices.hiddenTypes.contains($0.type) }
        let fields = RowFields(
            name: name(peer.name, peer), host: .init(peer.host ?? ""),
            services: .init(services.typeSummary(charset), style: Style(tone: .kind)),
            addresses: .init(peer.addresses.joined(separator: " ")), hour: strip(row))
        return cell(
            row, peer.presence, since: peer.firstSeen, fields,
            searched: [peer.identity.value] + peer.interfaces)
    }

    /// Returns the cell of a service: below its device with type and TXT record, else with host and
    /// addresses.
    private func cell(
        _ row: RowID, _ service: Service, _ item: Peer, of peer: Peer
    ) -> ListCell {
        let port = service.port.map { "\($0)" } ?? ""
        var searched = [service.type] + service.subtypes + [service.domain]
        let fields: RowFields
        if case .service = row {
            fields = RowFields(
                name: .init(service.name), host: .init(port.isEmpty ? "" : "port \(port)"),
                services: .init(
                    KnownServiceType.of(service.type)?.title ?? service.type,
                    style: Style(tone: .kind)),
                addresses: .init(service.txt.summary))
        } else {
            fields = RowFields(
                name: name(service.name, peer), host: .init(peer.host ?? ""), port: .init(port),
                addresses: .init(peer.addresses.joined(separator: " ")), hour: strip(row))
            searched.append(service.txt.summary)
        }
        return cell(row, item.presence, since: item.firstSeen, fields, searched: searched)
    }

    private func cell(_ row: RowID, _ departed: DepartedItem) -> ListCell {
        let (item, peer) = (departed.item, departed.item.peer)
        let fields = RowFields(
            name: name(item.name, peer), host: .init(peer.host ?? ""),
            services: .init(peer.services.typeSummary(charset)),
            port: .init(item.service?.port.map { "\($0)" } ?? ""),
            addresses: .init(departed.reasonText), hour: strip(row))
        var cell = cell(row, .present, since: departed.time, fields)
        cell.style = Style(tone: .muted)
        return cell
    }

    /// Returns the cell with these fields, and the time or the presence.
    private func cell(
        _ row: RowID, _ presence: Presence, since: Timestamp, _ fields: RowFields,
        searched: [String] = []
    ) -> ListCell {
        let (sign, tone): (String, Style.Tone) =
            switch presence {
            case .present: ("", .plain)
            case .resolving: (charset == .ascii ? "." : "…", .muted)
            case .unanswered: ("?", .caution)
            case .unknown: ("?", .muted)
            }
        var fields = fields
        fields.since = .init(
            presence == .present ? shortTime(since) : presence.rawValue, style: Style(tone: tone))
        var cell = ListCell(
            RowColumn.all(of: choices.grouping).map { $0.field(fields) },
            style: presence == .present ? .plain : Style(tone: .muted),
            outline: rows.outline(of: row, seen))
        cell.sign = sign
        cell.background = searched
        return cell
    }

    private func name(_ name: String, _ peer: Peer) -> ListCell.Field {
        peer.isSelf ? .init("\(name) (this machine)", style: Style(tone: .own)) : .init(name)
    }

    private func strip(_ row: RowID) -> ListCell.Field {
        let strip = history.strip(
            of: seen.itemIDs(of: row), until: now, buckets: RowFields.stripWidth)
        return .init(strip?.text(charset: charset) ?? "")
    }

    /// Returns the time of day, or the date if it is not today's.
    private func shortTime(_ time: Timestamp) -> String {
        let (then, today) = (LocalTime(time), LocalTime(now))
        return then.day == today.day ? then.clock : then.day
    }
}
