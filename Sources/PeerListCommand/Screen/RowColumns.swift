// The columns of the list in either grouping.
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
    /// The presence strip of the last hour.
    var hour: ListCell.Field = ""
    /// The time since which it is as it is, or its state.
    var since: ListCell.Field = ""
}

/// A column of the list; a narrow window drops those of the lowest ranks.
struct RowColumn: Sendable {
    /// The title and the widths.
    let layout: ListColumn
    /// The orders that are by this column; a click on the title selects the first one.
    let sorts: [RowSort]
    /// Returns the field of a row.
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
