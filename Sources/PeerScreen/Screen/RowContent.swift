// The contents of the list: its columns, and the rows and cells computed from index, history and choices.
import DiffCore
import FoundationEssentials
import PeerHappenings
import PeerList
import PeerText
import TerminalList

/// The contents of a row, a field for each column.
struct RowCells {
    /// The number of characters of the presence strip.
    static let stripWidth = 12

    var name: ListCell.Field = ""
    /// The glyph or letter of its kind.
    var sign: ListCell.Field = ""
    /// The kind, maker and model.
    var kind: ListCell.Field = ""
    var host: ListCell.Field = ""
    var services: ListCell.Field = ""
    /// The number of observers that see it, and of those that are online.
    var seenBy: ListCell.Field = ""
    /// A sign for each observer of a matrix.
    var views = [ListCell.Field](repeating: "", count: RowContent.matrixLimit)
    var port: ListCell.Field = ""
    var addresses: ListCell.Field = ""
    var hour: ListCell.Field = ""
    /// The time since which it is as it is, or its state.
    var since: ListCell.Field = ""
}

/// A column of the list; a narrow window drops those of the lowest ranks.
package struct RowColumn: Sendable {
    /// The name in the file of settings; the column of signs goes with that of kinds.
    let name: String
    fileprivate(set) var layout: ListColumn
    let field: any KeyPath<RowCells, ListCell.Field> & Sendable
    /// The orders that are by this column; a click on the title selects the first one.
    var sorts: [RowSort] = []

    /// The names of all columns, from left to right; that of names is first and always shown.
    package static let names = [
        "name", "kind", "services", "seen-by", "addresses", "host", "port", "last-hour", "since",
    ]

    /// Returns the columns of a grouping, from left to right: all, or those with some names.
    static func all(of grouping: Grouping, named names: Set<String>? = nil) -> [RowColumn] {
        let all = grouping == .device ? deviceColumns : serviceColumns
        guard let names else { return all }
        return all.filter { $0.name == "name" || names.contains($0.name) }
    }

    private static let deviceColumns = [
        RowColumn(
            name: "name",
            layout: ListColumn(
                "Name", least: 14, minimum: 18, ideal: 19, maximum: 40, weight: 2, rank: 11),
            field: \.name, sorts: [.name]),
        RowColumn(
            name: "kind", layout: ListColumn("", least: 1, minimum: 1, ideal: 1, rank: 9),
            field: \.sign),
        RowColumn(
            name: "kind",
            layout: ListColumn(
                "Kind", least: 16, minimum: 18, ideal: 20, maximum: 40, weight: 2, rank: 10),
            field: \.kind, sorts: [.kind]),
        RowColumn(
            name: "services",
            layout: ListColumn("Services", least: 9, minimum: 12, ideal: 16, weight: 3, rank: 7),
            field: \.services, sorts: [.type]),
        RowColumn(
            name: "seen-by",
            layout: ListColumn(
                "Seen by", least: 5, minimum: 7, ideal: 7, rank: 9, alignment: .trailing),
            field: \.seenBy),
        addresses,
        RowColumn(
            name: "host",
            layout: ListColumn("Host", minimum: 15, ideal: 15, maximum: 32, weight: 1, rank: 3),
            field: \.host),
        hour, since,
    ]

    private static let serviceColumns = [
        RowColumn(
            name: "name",
            layout: ListColumn("Service", minimum: 18, ideal: 24, maximum: 60, weight: 3, rank: 9),
            field: \.name, sorts: [.name, .type]),
        RowColumn(
            name: "host",
            layout: ListColumn("Host", minimum: 14, ideal: 16, maximum: 32, weight: 1, rank: 3),
            field: \.host),
        RowColumn(
            name: "port",
            layout: ListColumn("Port", minimum: 5, ideal: 5, rank: 4, alignment: .trailing),
            field: \.port),
        addresses, hour, since,
    ]

    private static let addresses = RowColumn(
        name: "addresses",
        layout: ListColumn(
            "Addresses", least: 12, minimum: 15, ideal: 17, maximum: 60, weight: 2, rank: 8),
        field: \.addresses, sorts: [.address])

    private static let hour = RowColumn(
        name: "last-hour",
        layout: ListColumn(
            "Last hour", minimum: RowCells.stripWidth, ideal: RowCells.stripWidth, rank: 1),
        field: \.hour)

    private static let since = RowColumn(
        name: "since", layout: ListColumn("Since", minimum: 10, ideal: 10, rank: 2), field: \.since,
        sorts: [.arrival])
}

/// The contents of the list, apart from the screen because the view requests cells while it draws.
final class RowContent {
    private(set) var seen = DeviceIndex()
    var history: ListHistory
    var choices = RowChoices()
    /// The rows as of the last ``refresh()``.
    private(set) var rows: RowList
    let charset: Charset
    /// The characters of the signs of kinds.
    private let kindCharset: Charset
    private let columnsOfGroupings: [Grouping: [RowColumn]]
    var clock: Timestamp?
    /// The rows with a check mark.
    var marked: Set<RowID> = []

    /// Creates an empty list with the columns that have names, or all.
    init(charset: Charset, kindCharset: Charset? = nil, columns names: Set<String>? = nil) {
        columnsOfGroupings = Dictionary(
            uniqueKeysWithValues: Grouping.allCases.map {
                ($0, RowColumn.all(of: $0, named: names))
            })
        self.charset = charset
        self.kindCharset = kindCharset ?? charset
        history = ListHistory(charset: charset)
        rows = RowList(&seen, choices)
    }

    var now: Timestamp { clock ?? .now() }

    /// Whether the list is that of a fleet.
    var isFleet = false

    /// The columns, or of a matrix those of the name, the kind and the observers.
    var rowColumns: [RowColumn] {
        let columns = columnsOfGroupings[choices.grouping] ?? []
        guard showsMatrix else { return columns.filter { isFleet || $0.name != "seen-by" } }
        let observers = shownObservers.enumerated().map { index, observer in
            let number = seen.observers.names.firstIndex(of: observer).map { "\($0 + 1)" } ?? ""
            let sign = PeerView.sign(nil, isAway: true, charset).text
            let mark = seen.observers.isAway(observer) ? sign : ""
            let isUnique = seen.observers.names.count { $0.observer == observer.observer } == 1
            let title = "\(number) \(mark)\(isUnique ? observer.observer : observer.title)"
            var column = RowColumn(
                name: observer.title,
                layout: ListColumn(
                    title, least: 1, minimum: 3, ideal: min(SafeText(title).width, 14),
                    rank: 10 - index),
                field: \.views[index])
            column.layout.shortTitle = number
            return column
        }
        let kinds = columns.filter { $0.name == "kind" }.map { column in
            var column = column
            column.layout.rank = 0
            return column
        }
        return columns.filter { $0.name == "name" } + observers + kinds
    }

    var showsMatrix: Bool { isFleet && choices.showsMatrix && choices.grouping == .device }

    /// The maximum number of observers that a matrix has columns for.
    static let matrixLimit = 9

    /// The observers that a matrix has columns for.
    var shownObservers: [ObserverName] {
        Array(
            seen.observers.names.filter { !choices.hiddenObservers.contains($0) }
                .prefix(Self.matrixLimit))
    }

    /// The columns of the view; the title of the one by which the list is sorted has a sign.
    var columns: [ListColumn] {
        let signs = charset == .ascii ? ("^", "v") : ("▲", "▼")
        return rowColumns.map { column in
            var layout = column.layout
            if column.sorts.contains(choices.sort) {
                layout.title += " " + (choices.isDescending ? signs.1 : signs.0)
            }
            return layout
        }
    }

    func apply(_ items: ItemChanges, isSeek: Bool) {
        history.record(items, isSeek: isSeek)
        seen.apply(items)
    }

    func setDomain(_ domain: BrowsedDomain) { seen.domain = domain }

    func setObservers(_ online: [ObserverName: Bool]) { seen.observers.online = online }

    /// Makes the rows again.
    ///
    /// - Parameter leaving: The rows of departed devices that are still shown, which a search finds.
    /// - Returns: The rows of devices that changed since the last call.
    @discardableResult
    func refresh(leaving: [RowID] = []) -> [RowID] {
        let found = choices.search.isEmpty ? [] : Set(leaving.compactMap(\.device))
        let departed = history.departed.filter { choices.showsDeparted || found.contains($0.id) }
        rows = RowList(&seen, choices, departed: departed)
        return seen.removeChangedRows()
    }

    /// Whether the row of a deleted item matches the search and the chosen types.
    func includesDeparted(_ row: RowID) -> Bool {
        guard let id = row.device ?? row.service else { return true }
        return history.departed(id).map(RowFilter(choices).includes) ?? !choices.hidesSome
    }

    func isKnown(_ row: RowID) -> Bool {
        if case .departed = row { true } else { seen.item(of: row) != nil }
    }

    // MARK: Cells

    /// Returns the cell of a row; an empty one for an unknown row.
    func cell(_ row: RowID) -> ListCell {
        if case .departed(let id) = row {
            guard let departed = history.departed(id) else { return ListCell([]) }
            var fields = fields(row, departed.item, of: departed.item.peer)
            fields.services = .init(departed.item.peer.services.typeSummary(charset))
            fields.addresses = .init(
                "\(shortTime(departed.time, hasSeconds: false)) \(departed.reasonText)")
            var cell = cell(row, .present, since: departed.time, fields)
            cell.style = .muted
            return cell
        }
        guard let peer = seen.device(of: row)?.peer, let item = seen.item(of: row) else {
            return ListCell([])
        }
        let fields = row.parent == nil ? fields(row, item, of: peer) : childFields(item)
        // Nobody knows since when something was there that was found at the start.
        let since = history.fill.covers(item.peer) ? nil : item.peer.firstSeen
        let presence =
            choices.hiddenObservers.isEmpty || item.peer.views.isEmpty
            ? item.peer.presence
            : .combined(item.peer.views(without: choices.hiddenObservers).map(\.presence))
        var cell = cell(row, presence, since: since, fields)
        if peer.isNew, row.parent == nil, item.peer.presence == .present { cell.sign = "*" }
        cell.background = peer.kindTexts + [peer.identity.value] + peer.interfaces
        if marked.contains(row) { cell.accessories = [.checkmark] }
        if let service = item.service {
            cell.background = [service.type] + service.subtypes + [service.domain]
            if row.parent == nil { cell.background.append(service.txt.summary) }
        }
        return cell
    }

    /// Returns the fields of a row that is not below another one.
    private func fields(_ row: RowID, _ item: ListItem, of peer: Peer) -> RowCells {
        let services = item.peer.services.filter { !choices.hiddenTypes.contains($0.type) }
        let strip = history.strip(
            of: seen.itemIDs(of: row), until: now, buckets: RowCells.stripWidth)
        let views = peer.views(without: choices.hiddenObservers)
        return RowCells(
            name: peer.isSelf
                ? .init("\(item.displayName) (this machine)", style: Style(tone: .own))
                : .init(item.displayName),
            sign: peer.kind?.sign(kindCharset) ?? "",
            kind: .init(peer.deviceText, short: peer.shortDeviceText),
            host: .init(peer.host ?? ""),
            services: .init(services.typeSummary(charset), style: Style(tone: .kind)),
            seenBy: isFleet ? seenBy(views) : "",
            views: matrix(views),
            port: .init(item.service?.port.map { "\($0)" } ?? ""),
            addresses: .init(peer.addresses.joined(separator: " ")),
            hour: .init(strip?.text(charset: charset) ?? ""))
    }

    /// Returns the number of observers that see a device, and of those that are online and shown.
    private func seenBy(_ views: [PeerView]) -> ListCell.Field {
        let online = seen.observers.names.count {
            !choices.hiddenObservers.contains($0) && !seen.observers.isAway($0)
        }
        let count = views.count { $0.presence == .present }
        return .init(
            "\(count)/\(online)", style: Style(tone: count < online ? .caution : .plain))
    }

    /// Returns the sign of each observer of the matrix.
    private func matrix(_ views: [PeerView]) -> [ListCell.Field] {
        var signs = RowCells().views
        guard showsMatrix else { return signs }
        for (index, name) in shownObservers.enumerated() {
            signs[index] = PeerView.sign(
                views.first { $0.name == name }?.presence, isAway: seen.observers.isAway(name),
                charset)
        }
        return signs
    }

    /// Returns the fields of a service below its device: its port, type and TXT record.
    private func childFields(_ item: ListItem) -> RowCells {
        guard let service = item.service else { return RowCells() }
        let title = KnownServiceType.of(service.type)?.title ?? service.type
        return RowCells(
            name: .init(service.name), kind: .init(service.port.map { "port \($0)" } ?? ""),
            services: .init(title, style: Style(tone: .kind)),
            addresses: .init(service.txt.summary))
    }

    /// Returns the cell with these fields, and the time, if it is known, or the presence.
    private func cell(
        _ row: RowID, _ presence: Presence, since: Timestamp?, _ fields: RowCells
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
            presence == .present ? since.map { shortTime($0) } ?? "" : presence.rawValue,
            style: Style(tone: tone))
        var cell = ListCell(
            rowColumns.map { fields[keyPath: $0.field] },
            style: presence == .present ? .plain : .muted, outline: rows.outline(of: row, seen))
        cell.sign = sign
        return cell
    }

    /// Returns the time of day, or the date if it is not today's.
    private func shortTime(_ time: Timestamp, hasSeconds: Bool = true) -> String {
        let (then, today) = (LocalTime(time), LocalTime(now))
        let clock = String(then.clock.prefix(hasSeconds ? 8 : 5))
        return then.day == today.day ? clock : then.day
    }
}
