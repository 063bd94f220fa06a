// The contents of the list: its columns, and the rows and cells computed from index, history and choices.
import DiffCore
import FoundationEssentials
import PeerHappenings
import PeerModel
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
    /// The number of observers that see it, and of online observers.
    var seenBy: ListCell.Field = ""
    /// A sign for each observer of a matrix.
    var views = [ListCell.Field](repeating: "", count: Observers.columnLimit)
    var port: ListCell.Field = ""
    var addresses: ListCell.Field = ""
    var hour: ListCell.Field = ""
    /// The time since which it is as it is, or its state.
    var since: ListCell.Field = ""
}

/// A column of the list; a narrow window drops low-ranking columns.
package struct RowColumn: Sendable {
    /// The part of the needed width that a column gets before optional columns are shown.
    fileprivate enum Extent: Sendable {
        /// The fixed width of the layout.
        case fixed
        /// Most texts in their short forms, and then as a whole.
        case text
        /// Most texts as a whole.
        case most
        /// Most texts in their short forms.
        case short
        /// All texts as a whole, in the narrowest column too.
        case number
    }

    /// The name in the file of settings; the column of signs is `kind` too.
    let name: String
    var layout: ListColumn
    let field: any KeyPath<RowCells, ListCell.Field> & Sendable
    fileprivate var extent = Extent.fixed
    /// The width for most texts of the services below devices, and for all; `nil` if they have none here.
    fileprivate var childWidths: ClosedRange<Int>?
    /// The orders that are by this column; a click on the title selects the first one.
    var sorts: [RowSort] = []

    /// The names of all columns, from left to right; the first, `name`, is always shown.
    package static let names = [
        "name", "kind", "services", "seen-by", "addresses", "host", "port", "last-hour", "since",
    ]

    /// Returns the columns of a grouping, from left to right: all, or those with some names.
    static func all(of grouping: Grouping, named names: Set<String>? = nil) -> [RowColumn] {
        let all = grouping == .device ? deviceColumns : serviceColumns
        guard let names else { return all }
        return all.filter { $0.name == "name" || names.contains($0.name) }
    }

    /// Returns the column with the width that the texts need, and the sign of the order if the list is
    /// sorted by it; it is hidden if all texts are empty.
    fileprivate func fitted(
        _ need: ColumnWidths.Need, lead: Int, order: (sort: RowSort, sign: String)?,
        showsChildren: Bool
    ) -> RowColumn {
        var column = self
        let isSorted = order.map { sorts.contains($0.sort) } ?? false
        if let order, isSorted {
            column.layout.title += " " + order.sign
            column.layout.isOptional = false
            if name != "name" { column.layout.rank = Self.sortedRank }
        }
        let isEmpty = need.longest == 0 && extent != .fixed
        let hasTexts = name == "name" || showsChildren && childWidths != nil
        column.layout.isHidden = isEmpty && !isSorted && !hasTexts
        let title = SafeText.width(of: layout.title) + (sorts.isEmpty || order == nil ? 0 : 2)
        func width(_ needed: Int) -> Int { max(title, needed + lead) }
        let longest = width(need.longest)
        var minimum = layout.minimum
        switch extent {
        case .fixed: return column
        case .text:
            column.layout.ideal = width(need.usual)
            column.layout.usual = width(need.usualShort)
        case .number:
            column.layout.ideal = longest
            minimum = longest
        case .most:
            column.layout.ideal = width(need.usual)
            column.layout.usual = minimum
        case .short:
            column.layout.ideal = width(need.usualShort)
            minimum = min(minimum, column.layout.ideal)
            column.layout.usual = minimum
        }
        column.layout.minimum = min(minimum, column.layout.ideal)
        column.layout.maximum = longest
        if showsChildren, let childWidths {
            column.layout.ideal = max(column.layout.ideal, childWidths.lowerBound)
            column.layout.maximum = max(longest, childWidths.upperBound)
        }
        return column
    }

    /// The rank of the sorted column, below the name column's only.
    static let sortedRank = 11

    private static let deviceColumns = [
        RowColumn(
            name: "name", layout: ListColumn("Name", minimum: 14, ideal: 19, rank: 12),
            field: \.name, extent: .text, childWidths: 14...(.max), sorts: [.name]),
        RowColumn(
            name: "kind", layout: ListColumn("", minimum: 1, ideal: 1, rank: 9), field: \.sign,
            extent: .most),
        RowColumn(
            name: "kind", layout: ListColumn("Kind", minimum: 18, ideal: 20, rank: 10),
            field: \.kind, extent: .text, childWidths: 10...10, sorts: [.kind]),
        RowColumn(
            name: "services", layout: ListColumn("Services", minimum: 10, ideal: 16, rank: 7),
            field: \.services, extent: .most, childWidths: 18...(.max), sorts: [.type]),
        RowColumn(
            name: "seen-by",
            layout: ListColumn("Seen by", minimum: 7, ideal: 7, rank: 9, alignment: .trailing),
            field: \.seenBy, sorts: [.views]),
        addresses,
        RowColumn(
            name: "host",
            layout: ListColumn("Host", minimum: 15, ideal: 15, rank: 2, isOptional: true),
            field: \.host, extent: .most),
        hour, since,
    ]

    private static let serviceColumns = [
        RowColumn(
            name: "name", layout: ListColumn("Service", minimum: 18, ideal: 24, rank: 12),
            field: \.name, extent: .text, sorts: [.name, .type]),
        RowColumn(
            name: "host", layout: ListColumn("Host", minimum: 14, ideal: 24, rank: 3),
            field: \.host, extent: .most),
        RowColumn(
            name: "port",
            layout: ListColumn("Port", minimum: 5, ideal: 5, rank: 4, alignment: .trailing),
            field: \.port, extent: .number),
        addresses, hour, since,
    ]

    private static let addresses = RowColumn(
        name: "addresses", layout: ListColumn("Addresses", minimum: 18, ideal: 18, rank: 8),
        field: \.addresses, extent: .short, childWidths: 18...(.max), sorts: [.address])

    private static let hour = RowColumn(
        name: "last-hour",
        layout: ListColumn(
            "Last hour", minimum: RowCells.stripWidth, ideal: RowCells.stripWidth, rank: 1,
            isOptional: true),
        field: \.hour)

    private static let since = RowColumn(
        name: "since",
        layout: ListColumn("Since", minimum: 10, ideal: 10, rank: 3, isOptional: true),
        field: \.since, extent: .most, sorts: [.arrival])
}

/// The contents of the list, apart from the screen because the view requests cells while it draws.
final class RowContent {
    private(set) var seen = DeviceIndex()
    var history: ListHistory
    var choices = RowChoices()
    /// The rows as of the last ``refresh()``.
    private(set) var rows: RowList
    let charset: Charset
    private let signs: KindSigns
    private let columnsOfGroupings: [Grouping: [RowColumn]]
    /// The widths of the texts in the groupings that were shown so far.
    private(set) var widths: [Grouping: ColumnWidths] = [:]
    /// The number of times that a device was measured.
    private(set) var measuredCount = 0
    /// The time of the first update.
    private var startTime: Timestamp?
    var clock: Timestamp?
    /// The rows with a check mark.
    var marked: Set<RowID> = []

    /// Creates an empty list with the columns that have names, or all.
    init(charset: Charset, signs: KindSigns = .symbols, columns names: Set<String>? = nil) {
        columnsOfGroupings = Dictionary(
            uniqueKeysWithValues: Grouping.allCases.map {
                ($0, RowColumn.all(of: $0, named: names))
            })
        self.charset = charset
        self.signs = signs
        history = ListHistory(charset: charset)
        rows = RowList(&seen, choices)
    }

    var now: Timestamp { clock ?? .now() }

    /// Whether the rows are printed as a table, without the signs of order and disclosure.
    var isTable = false

    /// Whether the list is a fleet's.
    var isFleet = false

    /// The columns with the widths that their texts need; a matrix has the columns of name, kind
    /// and observers. Columns without texts are hidden.
    var rowColumns: [RowColumn] {
        let columns = textColumns
        guard showsMatrix else {
            return columns.map { column in
                var column = column
                if column.name == "seen-by" { fitSeenBy(&column) }
                // One block says nothing.
                if column.name == "last-hour" { column.layout.isHidden = hasShortHistory }
                return column
            }
        }
        let observers = shownObservers.enumerated().map { index, observer in
            let sign = PeerView.sign(nil, isAway: true, charset).text
            let mark = seen.observers.isAway(observer) ? sign : ""
            let isUnique = seen.observers.names.count { $0.observer == observer.observer } == 1
            let title = mark + (isUnique ? observer.observer : observer.title)
            var column = RowColumn(
                name: observer.title,
                layout: ListColumn(
                    title, minimum: 1, ideal: min(SafeText(title).width, 14), rank: 10 - index),
                field: \.views[index])
            column.layout.shortTitle = seen.observers.number(of: observer)
            return column
        }
        func named(_ name: String, _ change: (inout RowColumn) -> Void) -> [RowColumn] {
            columns.filter { $0.name == name }.map { column in
                var column = column
                change(&column)
                return column
            }
        }
        // The names of observers have priority over all but the start of a device's name.
        return named("name") { column in
            column.layout.minimum = min(17, column.layout.ideal)
            column.layout.usual = column.layout.minimum
        }
            + named("seen-by") { column in
                column.layout.title.replace("Seen by", with: "Seen")
                fitSeenBy(&column)
                column.layout.rank = 1
            } + observers
            + named("kind") { column in
                column.layout.rank = 0
                column.layout.minimum = min(column.layout.minimum, 10)
                column.layout.usual = column.layout.minimum
            }
    }

    /// Makes the column wide enough for the number of observers, of a fleet.
    private func fitSeenBy(_ column: inout RowColumn) {
        let count = seen.observers.names.count
        column.layout.isHidden = !isFleet
        column.layout.minimum = max(
            SafeText.width(of: column.layout.title), "\(count)/\(count)".count)
        column.layout.ideal = column.layout.minimum
    }

    /// The meaning of the signs in a matrix.
    var matrixLegend: [ListCell.Field] {
        func sign(_ presence: Presence?, isAway: Bool = false) -> ListCell.Field {
            PeerView.sign(presence, isAway: isAway, charset)
        }
        let signs = [
            (sign(.present), "present"), (sign(.unanswered), "silent"), (sign(nil), "not seen"),
            (sign(nil, isAway: true), "away"),
        ]
        return signs.flatMap { [.init(" "), $0, .init(" \($1) ", style: .muted)] }
    }

    /// Whether the list is not older than a block of the last hour.
    private var hasShortHistory: Bool {
        let age = now.microseconds - (startTime ?? now).microseconds
        return age * Int64(RowCells.stripWidth) < 3_600_000_000
    }

    /// The columns of the grouping that have texts.
    private var textColumns: [RowColumn] {
        let columns = columnsOfGroupings[choices.grouping] ?? []
        let needs = widths[choices.grouping]?.needs ?? []
        let signs = charset == .ascii ? ("^", "v") : ("▲", "▼")
        let order = isTable ? nil : (choices.order, choices.isDescending ? signs.1 : signs.0)
        // The disclosure sign is in the first column.
        let lead = choices.grouping == .type || isTable ? 0 : charset == .ascii ? 4 : 2
        return columns.enumerated().map { index, column in
            let need = needs.indices.contains(index) ? needs[index] : ColumnWidths.Need()
            return column.fitted(
                need, lead: index == 0 ? lead : 0, order: order, showsChildren: rows.showsChildren)
        }
    }

    /// Measures the devices that changed, or all when a grouping is shown for the first time.
    private func measure() {
        for grouping in Grouping.allCases {
            let isShown = grouping == choices.grouping
            guard isShown || widths[grouping] != nil else { continue }
            let columns = columnsOfGroupings[grouping] ?? []
            var measured = widths[grouping] ?? ColumnWidths(columnCount: columns.count)
            let changed =
                widths[grouping] == nil ? Array(seen.devices.keys) : Array(seen.changedDevices)
            for id in changed {
                // A device that resolves gets other texts soon, for which no column should move.
                let isProvisional = seen.devices[id]?.peer.presence == .resolving
                let device = isProvisional && history.fill.isOver ? nil : seen.devices[id]
                let rows = device.map { texts(of: $0, grouping) } ?? []
                measured.set(
                    id, to: rows.map { row in columns.map { row[keyPath: $0.field] } }, charset,
                    isProvisional: isProvisional)
            }
            measuredCount += changed.count
            measured.update(mayShrink: history.fill == .running)
            widths[grouping] = measured
        }
    }

    /// Returns the texts of the rows of a device that do not depend on the time and on choices.
    private func texts(of device: IndexedDevice, _ grouping: Grouping) -> [RowCells] {
        let items =
            grouping == .device
            ? [device.item] : device.serviceIDs.indices.map(device.serviceRow)
        return items.map { item in
            var cells = texts(item, of: device.peer)
            cells.services = servicesField(device.peer.services)
            cells.since = .init(sinceText(item.peer, item.peer.presence))
            return cells
        }
    }

    var showsMatrix: Bool { isFleet && choices.showsMatrix && choices.grouping == .device }

    /// The observers that a matrix has columns for.
    var shownObservers: [ObserverName] {
        Array(
            seen.observers.names.filter { !choices.hiddenObservers.contains($0) }
                .prefix(Observers.columnLimit))
    }

    /// The columns of the view.
    var columns: [ListColumn] { rowColumns.map(\.layout) }

    func apply(_ items: ItemChanges, isSeek: Bool) {
        history.record(items, isSeek: isSeek)
        seen.apply(items)
        startTime = min(startTime ?? items.time, items.time)
    }

    func setDomain(_ domain: BrowsedDomain) { seen.domain = domain }

    func setObservers(_ online: [ObserverName: Bool]) {
        seen.observers.set(online, isStart: !history.fill.isOver)
    }

    /// Makes the rows again; a search finds departed devices too, unless rows are chosen.
    ///
    /// - Returns: The rows of devices that changed since the last call.
    @discardableResult
    func refresh() -> [RowID] {
        let isSearching = !choices.search.isEmpty && choices.matching == .inOrder
        rows = RowList(
            &seen, choices,
            departed: choices.showsDeparted || isSearching ? history.departed : [])
        measure()
        return seen.removeChangedRows()
    }

    /// Whether the row of a deleted item matches the search and the chosen types.
    func includesDeparted(_ row: RowID) -> Bool {
        guard let id = row.device ?? row.service else { return true }
        let filter = RowFilter(choices, isLoose: rows.needle.isLoose)
        return history.departed(id).map(filter.includes) ?? !choices.hidesSome
    }

    func isKnown(_ row: RowID) -> Bool {
        if case .departed = row { true } else { seen.item(of: row) != nil }
    }

    // MARK: Cells

    /// Returns the contents of a row of the list; `nil` for an unknown row.
    func cells(of row: RowID) -> RowCells? {
        guard let peer = seen.device(of: row)?.peer, let item = seen.item(of: row) else {
            return nil
        }
        var cells = fields(row, item, of: peer)
        cells.since = .init(sinceText(item.peer, item.peer.presence))
        return cells
    }

    /// Returns the cell of a row; an empty one for an unknown row.
    func cell(_ row: RowID) -> ListCell {
        if case .departed(let id) = row {
            guard let departed = history.departed(id) else { return ListCell([]) }
            var fields = fields(row, departed.item, of: departed.item.peer)
            fields.services = servicesField(departed.item.peer.services)
            fields.addresses = ""
            var cell = cell(row, .present, since: "", fields)
            // Over the columns, so that it is there in any window.
            let time = shortTime(departed.time, hasSeconds: false)
            cell.accessories = [.detail(.init("left \(time)", style: .muted))]
            cell.sign = "-"
            cell.style = .muted
            return cell
        }
        guard let peer = seen.device(of: row)?.peer, let item = seen.item(of: row) else {
            return ListCell([])
        }
        let fields = row.parent == nil ? fields(row, item, of: peer) : childFields(item)
        let presence = presence(of: item.peer)
        var cell = cell(row, presence, since: sinceText(item.peer, presence), fields)
        if cell.sign.isEmpty, row.parent == nil, peer.vouchedBy?.isByOther == true {
            cell.sign = Self.otherSign(charset)
        }
        if cell.sign.isEmpty, row.parent == nil, peer.isUnreachable { cell.sign = "!" }
        if peer.isNew, row.parent == nil, item.peer.presence == .present { cell.sign = "*" }
        cell.background = peer.searchedTexts.names + peer.searchedTexts.others
        if marked.contains(row) { cell.accessories = [.checkmark] }
        if let service = item.service {
            cell.background = [service.type] + service.subtypes + [service.domain]
            if row.parent == nil { cell.background.append(service.txt.summary) }
        }
        return cell
    }

    /// Returns the presence of a device or service for the observers that are shown; what only an observer has
    /// that joins is being resolved.
    private func presence(of peer: Peer) -> Presence {
        let views = peer.views(without: choices.hiddenObservers)
        let presence =
            choices.hiddenObservers.isEmpty || views.isEmpty
            ? peer.presence : .combined(views.map(\.presence))
        let isJoining = presence == .unknown && views.contains { seen.observers.isJoining($0.name) }
        return isJoining ? .resolving : presence
    }

    /// Returns the texts of the row that a departed device leaves for a while; `nil` for an unknown one.
    func departedFields(_ id: UUID) -> [ListCell.Field]? {
        guard let item = history.departed(id)?.item else { return nil }
        return cell(.device(id), .present, since: "", fields(.device(id), item, of: item.peer))
            .fields
    }

    /// Returns the sign of a device for which another machine answers.
    static func otherSign(_ charset: Charset) -> String { charset == .ascii ? ">" : "»" }

    /// Returns the fields of a row that is not below another row.
    private func fields(_ row: RowID, _ item: ListItem, of peer: Peer) -> RowCells {
        let services = item.peer.services.filter { !choices.hiddenTypes.contains($0.type) }
        let strip = history.strip(
            of: seen.itemIDs(of: row), until: now, buckets: RowCells.stripWidth)
        let views = peer.views(without: choices.hiddenObservers)
        var cells = texts(item, of: peer)
        cells.services = servicesField(services)
        cells.seenBy = isFleet ? seenBy(views) : ""
        cells.views = matrix(views)
        cells.hour = .init(strip?.text(charset: charset) ?? "")
        return cells
    }

    /// Returns the fields of a device or service that depend on nothing else.
    private func texts(_ item: ListItem, of peer: Peer) -> RowCells {
        let name = item.displayName.readable(in: charset)
        let ordered = peer.addressesByReach
        var addresses = ListCell.Field(ordered.joined(separator: " "))
        // A column wide enough for more is rare.
        addresses.shortTexts = (1..<max(1, min(ordered.count, 6))).reversed().map { count in
            ordered.prefix(count).joined(separator: " ") + " +\(ordered.count - count)"
        }
        if ordered.first?.contains(":") == true {
            let count = ordered.count
            addresses.placeholder = count == 1 ? "IPv6" : "\(count) addresses"
        }
        let mark = item.isService ? nil : peer.vouchedBy?.mark?.readable(in: charset)
        var kind = ListCell.Field(peer.deviceText.readable(in: charset))
        kind.shortTexts = peer.shortDeviceTexts.map { $0.readable(in: charset) }
        return RowCells(
            name: peer.isSelf
                ? .init("\(name) (this machine)", short: name, style: Style(tone: .own))
                : mark.map { nameField(name, $0) } ?? .init(name),
            sign: peer.kind?.sign(signs) ?? "", kind: kind,
            host: .init(peer.host ?? ""),
            port: .init(item.service?.port.map { "\($0)" } ?? ""),
            addresses: addresses)
    }

    /// Returns a name with the machine that answers for the device; in a narrower column the name is cut before it.
    private func nameField(_ name: String, _ mark: String) -> ListCell.Field {
        var field = ListCell.Field("\(name)  \(mark)")
        let sign = charset == .ascii ? ".." : "…"
        let lengths = stride(from: min(name.count, 60) - 2, through: Self.leastName, by: -1)
        field.shortTexts = lengths.map { "\(name.prefix($0))\(sign)  \(mark)" } + [name]
        return field
    }

    /// The minimum number of characters of a name before the machine that answers is left out.
    private static let leastName = 6

    /// Returns the service types, in a narrow column the first ones or at last their number.
    private func servicesField(_ services: [Service]) -> ListCell.Field {
        var field = ListCell.Field(services.typeSummary(charset), style: Style(tone: .kind))
        field.shortTexts = services.shortTypeSummaries(charset)
        if services.count > 1 { field.placeholder = counted(services.count, "service") }
        return field
    }

    /// Returns the time since which an item is there, if it is known, or its presence.
    private func sinceText(_ peer: Peer, _ presence: Presence) -> String {
        guard presence == .present else { return presence.rawValue }
        // Nobody knows since when something was there that was found at the start.
        return history.fill.covers(peer) ? "" : shortTime(peer.firstSeen)
    }

    /// Returns the number of observers that see a device, and of the online observers shown.
    private func seenBy(_ views: [PeerView]) -> ListCell.Field {
        let online = seen.observers.names.count {
            !choices.hiddenObservers.contains($0) && !seen.observers.isAway($0)
                && !seen.observers.isJoining($0)
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
            let presence = views.first { $0.name == name }?.presence
            signs[index] = PeerView.sign(
                seen.observers.isJoining(name) && presence != nil ? .resolving : presence,
                isAway: seen.observers.isAway(name), charset)
        }
        return signs
    }

    /// Returns the fields of a service below its device: its port, type and TXT record.
    private func childFields(_ item: ListItem) -> RowCells {
        guard let service = item.service else { return RowCells() }
        let title = KnownServiceType.of(service.type)?.title ?? service.type
        return RowCells(
            name: .init(service.name.readable(in: charset)),
            kind: .init(service.port.map { "port \($0)" } ?? ""),
            services: .init(title, style: Style(tone: .kind)),
            addresses: .init(service.txt.summary))
    }

    /// Returns the cell with these fields, and the text of the last column.
    private func cell(
        _ row: RowID, _ presence: Presence, since: String, _ fields: RowCells
    ) -> ListCell {
        let (sign, tone): (String, Style.Tone) =
            switch presence {
            case .present: ("", .plain)
            case .resolving: (charset == .ascii ? "." : "…", .muted)
            case .unanswered: ("?", .caution)
            case .proxied: (Self.otherSign(charset), .caution)
            case .unknown: ("?", .muted)
            }
        var fields = fields
        fields.since = .init(since, style: Style(tone: tone))
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
