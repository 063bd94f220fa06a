// How a row of the list looks: devices, their services, and who has left.
import FoundationEssentials
import PeerList
import TerminalList

extension RowContent {
    /// What is shown of a row; nothing of one that is not there.
    func cell(_ row: RowID) -> ListCell {
        if case .departed(let id) = row { return departedCell(row, id) }
        guard let device = seen.device(of: row) else { return ListCell([]) }
        if case .device = row { return deviceCell(row, device.peer) }
        guard let service = seen.service(of: row) else { return ListCell([]) }
        return serviceCell(row, service, of: device.peer)
    }

    /// The fields in the order of the columns; the last one says since when, or in a word why that is
    /// in doubt.
    private func cell(
        _ row: RowID, _ presence: Presence, since: Timestamp, _ fields: [RowColumn: ListCell.Field],
        searched: [String] = []
    ) -> ListCell {
        let columns = RowColumn.all(of: choices.grouping)
        var shown = columns.map { fields[$0] ?? "" }
        if let place = columns.firstIndex(of: .hour), fields[.hour] == nil {
            shown[place] = ListCell.Field(strip(of: row))
        }
        let last = shown.count - 1
        let muted = Style(tone: .muted)
        switch presence {
        case .present: shown[last].text = momentInShort(since)
        case .resolving, .unknown: shown[last] = .init(presence.rawValue, style: muted)
        case .unanswered: shown[last] = .init(presence.rawValue, style: Style(tone: .caution))
        }
        var cell = ListCell(
            shown, style: presence == .present ? .plain : muted,
            outline: rows.outline(of: row, seen))
        cell.sign = presence.sign(charset)
        cell.background = searched
        return cell
    }

    private func deviceCell(_ row: RowID, _ peer: Peer) -> ListCell {
        let services =
            choices.hiddenTypes.isEmpty
            ? peer.services : peer.services.filter { !choices.hiddenTypes.contains($0.type) }
        return cell(
            row, peer.presence, since: peer.firstSeen,
            [
                .name: name(peer.name, isSelf: peer.isSelf), .host: .init(peer.host ?? ""),
                .services: .init(services.inShort(charset), style: Style(tone: .kind)),
                .addresses: .init(peer.addresses.joined(separator: " ")),
            ], searched: [peer.identity.value] + peer.interfaces)
    }

    /// Beneath a device a service says in the device's columns what it is; alone it says whose it is.
    private func serviceCell(_ row: RowID, _ item: ListItem, of peer: Peer) -> ListCell {
        guard let service = item.service else { return ListCell([]) }
        let port = service.port.map { "\($0)" } ?? ""
        let searched = [service.type] + service.subtypes + [service.domain]
        guard case .service = row else {
            return cell(
                row, item.peer.presence, since: item.peer.firstSeen,
                [
                    .name: name(service.name, isSelf: peer.isSelf), .host: .init(peer.host ?? ""),
                    .port: .init(port), .addresses: .init(peer.addresses.joined(separator: " ")),
                ], searched: searched + [service.txt.inShort])
        }
        let type = KnownServiceType.of(service.type)?.title ?? service.type
        return cell(
            row, item.peer.presence, since: item.peer.firstSeen,
            [
                .name: .init(service.name), .host: .init(port.isEmpty ? "" : "port \(port)"),
                .services: .init(type, style: Style(tone: .kind)),
                .addresses: .init(service.txt.inShort), .hour: "",
            ], searched: searched)
    }

    private func departedCell(_ row: RowID, _ id: UUID) -> ListCell {
        guard let departed = history.departed(id) else { return ListCell([]) }
        var fields: [RowColumn: ListCell.Field] = [.addresses: .init(departed.reasonText)]
        let peer = departed.item.peer
        fields[.name] = name(departed.item.name, isSelf: peer.isSelf)
        fields[.host] = .init(peer.host ?? "")
        fields[.services] = .init(peer.services.inShort(charset))
        if let service = departed.item.service {
            fields[.port] = .init(service.port.map { "\($0)" } ?? "")
        }
        var cell = cell(row, .present, since: departed.time, fields)
        cell.style = Style(tone: .muted)
        return cell
    }

    private func name(_ name: String, isSelf: Bool) -> ListCell.Field {
        isSelf ? .init("\(name) (this machine)", style: Style(tone: .own)) : .init(name)
    }

    private func strip(of row: RowID) -> String {
        let strip = history.strip(
            of: seen.itemIDs(of: row), until: now, buckets: RowColumn.stripWidth)
        return strip?.text(charset: charset) ?? ""
    }

    /// The time of day, or the day where it is another one.
    private func momentInShort(_ time: Timestamp) -> String {
        let (then, today) = (LocalTime(time), LocalTime(now))
        return then.day == today.day ? then.clock : then.day
    }
}

extension Presence {
    /// The sign of a row that is not simply present.
    fileprivate func sign(_ charset: Charset) -> String {
        switch self {
        case .present: ""
        case .resolving: charset == .ascii ? "." : "…"
        case .unanswered, .unknown: "?"
        }
    }
}
