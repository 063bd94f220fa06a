// The contents of the list: index, history, choices, and the rows and cells computed from them.
import DiffCore
import FoundationEssentials
import PeerList
import TerminalList

/// The contents of the list, apart from the screen because the view requests cells while it draws.
final class RowContent {
    /// The devices and services of the session's list.
    private(set) var seen = DeviceIndex()
    private(set) var history: ListHistory
    /// The user's choices.
    var choices = RowChoices()
    /// The rows as of the last ``refresh()``.
    private(set) var rows: RowList
    let charset: Charset
    /// The time of a recording; `nil` for the wall clock.
    var clock: Timestamp?

    /// Creates an empty list.
    init(charset: Charset) {
        self.charset = charset
        history = ListHistory(charset: charset)
        rows = RowList(&seen, choices)
    }

    /// The time at which the list is shown.
    var now: Timestamp { clock ?? .now() }

    /// The columns of the view.
    var columns: [ListColumn] {
        RowColumn.all(of: choices.grouping).map { $0.layout(choices, charset: charset) }
    }

    /// Applies an update of the session.
    func apply(_ update: PeerListUpdate, isJump: Bool) {
        history.record(update, isJump: isJump)
        seen.apply(update)
    }

    /// Computes the rows.
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
        if case .departed(let id) = row { return departedCell(row, id) }
        guard let device = seen.device(of: row) else { return ListCell([]) }
        if case .device = row { return deviceCell(row, device.peer) }
        guard let item = seen.service(of: row), let service = item.service else {
            return ListCell([])
        }
        return serviceCell(row, service, item.peer, of: device.peer)
    }

    /// Orders fields by column, and adds the strip of the last hour and in the last column the time
    /// or the presence.
    private func cell(
        _ row: RowID, _ presence: Presence, since: Timestamp, _ fields: [RowColumn: ListCell.Field],
        searched: [String] = []
    ) -> ListCell {
        let columns = RowColumn.all(of: choices.grouping)
        var shown = columns.map { fields[$0] ?? "" }
        if let index = columns.firstIndex(of: .hour), fields[.hour] == nil {
            let strip = history.strip(
                of: seen.itemIDs(of: row), until: now, buckets: RowColumn.stripWidth)
            shown[index] = ListCell.Field(strip?.text(charset: charset) ?? "")
        }
        let last = shown.count - 1
        let muted = Style(tone: .muted)
        switch presence {
        case .present: shown[last].text = shortTime(since)
        case .resolving, .unknown: shown[last] = .init(presence.rawValue, style: muted)
        case .unanswered: shown[last] = .init(presence.rawValue, style: Style(tone: .caution))
        }
        var cell = ListCell(
            shown, style: presence == .present ? .plain : muted,
            outline: rows.outline(of: row, seen))
        cell.sign =
            switch presence {
            case .present: ""
            case .resolving: charset == .ascii ? "." : "…"
            case .unanswered, .unknown: "?"
            }
        cell.background = searched
        return cell
    }

    private func deviceCell(_ row: RowID, _ peer: Peer) -> ListCell {
        let services = peer.services.filter { !choices.hiddenTypes.contains($0.type) }
        return cell(
            row, peer.presence, since: peer.firstSeen,
            [
                .name: name(peer.name, isSelf: peer.isSelf), .host: .init(peer.host ?? ""),
                .services: .init(services.inShort(charset), style: Style(tone: .kind)),
                .addresses: .init(peer.addresses.joined(separator: " ")),
            ], searched: [peer.identity.value] + peer.interfaces)
    }

    /// Returns the cell of a service: below its device with type and TXT record, else with host and
    /// addresses.
    private func serviceCell(
        _ row: RowID, _ service: Service, _ item: Peer, of peer: Peer
    ) -> ListCell {
        let port = service.port.map { "\($0)" } ?? ""
        let searched = [service.type] + service.subtypes + [service.domain]
        guard case .service = row else {
            return cell(
                row, item.presence, since: item.firstSeen,
                [
                    .name: name(service.name, isSelf: peer.isSelf), .host: .init(peer.host ?? ""),
                    .port: .init(port), .addresses: .init(peer.addresses.joined(separator: " ")),
                ], searched: searched + [service.txt.inShort])
        }
        let type = KnownServiceType.of(service.type)?.title ?? service.type
        return cell(
            row, item.presence, since: item.firstSeen,
            [
                .name: .init(service.name), .host: .init(port.isEmpty ? "" : "port \(port)"),
                .services: .init(type, style: Style(tone: .kind)),
                .addresses: .init(service.txt.inShort), .hour: "",
            ], searched: searched)
    }

    private func departedCell(_ row: RowID, _ id: UUID) -> ListCell {
        guard let departed = history.departed(id) else { return ListCell([]) }
        let peer = departed.item.peer
        var cell = cell(
            row, .present, since: departed.time,
            [
                .name: name(departed.item.name, isSelf: peer.isSelf),
                .host: .init(peer.host ?? ""), .services: .init(peer.services.inShort(charset)),
                .port: .init(departed.item.service?.port.map { "\($0)" } ?? ""),
                .addresses: .init(departed.reasonText),
            ])
        cell.style = Style(tone: .muted)
        return cell
    }

    private func name(_ name: String, isSelf: Bool) -> ListCell.Field {
        isSelf ? .init("\(name) (this machine)", style: Style(tone: .own)) : .init(name)
    }

    /// Returns the time of day, or the date if it is not today's.
    private func shortTime(_ time: Timestamp) -> String {
        let (then, today) = (LocalTime(time), LocalTime(now))
        return then.day == today.day ? then.clock : then.day
    }
}
