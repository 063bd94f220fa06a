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

    /// The fields in the order of the columns; the last one says since when, or in a word why that is in doubt.
    private func cell(
        _ row: RowID, _ presence: Presence, since: Timestamp, _ fields: [RowColumn: String]
    ) -> ListCell {
        let columns = RowColumn.all(of: choices.grouping)
        var shown = columns.map { ListCell.Field(fields[$0] ?? "") }
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
        return ListCell(
            shown, style: presence == .present ? .plain : muted,
            outline: rows.outline(of: row, seen))
    }

    private func deviceCell(_ row: RowID, _ peer: Peer) -> ListCell {
        cell(
            row, peer.presence, since: peer.firstSeen,
            [
                .name: title(peer.name, isSelf: peer.isSelf), .host: peer.host ?? "",
                .services: peer.services.inShort(charset),
                .addresses: peer.addresses.joined(separator: " "),
            ])
    }

    /// Beneath a device a service says in the device's columns what it is; alone it says whose it is.
    private func serviceCell(_ row: RowID, _ seen: SeenService, of peer: Peer) -> ListCell {
        let service = seen.service
        let port = service.port.map { "\($0)" } ?? ""
        guard case .service = row else {
            return cell(
                row, seen.presence, since: seen.firstSeen,
                [
                    .name: title(service.name, isSelf: peer.isSelf), .host: peer.host ?? "",
                    .port: port, .addresses: peer.addresses.joined(separator: " "),
                ])
        }
        let type = titles.title(of: service.type) ?? service.type
        return cell(
            row, seen.presence, since: seen.firstSeen,
            [
                .name: service.name, .host: port.isEmpty ? "" : "port \(port)", .services: type,
                .addresses: service.txt.inShort, .hour: "",
            ])
    }

    private func departedCell(_ row: RowID, _ id: UUID) -> ListCell {
        guard let departed = history.departed(id) else { return ListCell([]) }
        var fields: [RowColumn: String] = [.addresses: departed.reasonInWords]
        switch departed.item {
        case .peer(let peer):
            fields[.name] = title(peer.name, isSelf: peer.isSelf)
            fields[.host] = peer.host
            fields[.services] = peer.services.inShort(charset)
        case .service(let listing):
            fields[.name] = title(listing.service.name, isSelf: listing.peer.isSelf)
            fields[.host] = listing.peer.host
            fields[.services] = [listing.service].inShort(charset)
            fields[.port] = listing.service.port.map { "\($0)" }
        }
        var cell = cell(row, .present, since: departed.time, fields)
        cell.style = Style([.dim], tone: .muted)
        return cell
    }

    private func title(_ name: String, isSelf: Bool) -> String {
        isSelf ? "\(name) (this machine)" : name
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
