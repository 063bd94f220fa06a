// The columns of the list in either grouping.
import PeerList
import TerminalList

/// A column of the list; a narrow window drops some.
enum RowColumn: CaseIterable {
    case name, host, services, port, addresses, hour, since

    /// The number of characters of the presence strip.
    static let stripWidth = 12

    /// Returns the columns of a grouping, from left to right.
    static func all(of grouping: Grouping) -> [RowColumn] {
        switch grouping {
        case .device: [.name, .host, .services, .addresses, .hour, .since]
        case .type: [.name, .host, .port, .addresses, .hour, .since]
        }
    }

    /// Returns the layout of the column, and its title with the direction of the order.
    func layout(_ choices: RowChoices, charset: Charset) -> ListColumn {
        let title = title(in: choices.grouping) + mark(choices, charset: charset)
        return switch (self, choices.grouping) {
        case (.name, .device):
            ListColumn(title, least: 12, minimum: 14, ideal: 19, maximum: 40, weight: 2, rank: 9)
        case (.name, .type):
            ListColumn(title, minimum: 18, ideal: 24, maximum: 60, weight: 3, rank: 9)
        case (.host, .device):
            ListColumn(title, minimum: 15, ideal: 15, maximum: 32, weight: 1, rank: 3)
        case (.host, .type):
            ListColumn(title, minimum: 14, ideal: 16, maximum: 32, weight: 1, rank: 3)
        case (.services, _): ListColumn(title, least: 9, minimum: 12, ideal: 16, weight: 3, rank: 7)
        case (.port, _):
            ListColumn(title, minimum: 5, ideal: 5, rank: 4, alignment: .trailing)
        case (.addresses, _):
            ListColumn(title, least: 12, minimum: 15, ideal: 17, maximum: 60, weight: 2, rank: 8)
        case (.hour, _):
            ListColumn(title, minimum: Self.stripWidth, ideal: Self.stripWidth, rank: 1)
        case (.since, _): ListColumn(title, minimum: 10, ideal: 10, rank: 2)
        }
    }

    private func title(in grouping: Grouping) -> String {
        switch self {
        case .name: grouping == .device ? "Name" : "Service"
        case .host: "Host"
        case .services: "Services"
        case .port: "Port"
        case .addresses: "Addresses"
        case .hour: "Last hour"
        case .since: "Since"
        }
    }

    /// Returns the sign of the direction, if the list is sorted by the column.
    private func mark(_ choices: RowChoices, charset: Charset) -> String {
        guard self == Self.column(of: choices.sort, in: choices.grouping) else { return "" }
        let signs = charset == .ascii ? ("^", "v") : ("▲", "▼")
        return " " + (choices.isDescending ? signs.1 : signs.0)
    }

    /// The order that a click on the title selects; `nil` for none.
    var sort: RowSort? {
        switch self {
        case .name: .name
        case .addresses: .address
        case .since: .arrival
        case .services: .type
        case .host, .port, .hour: nil
        }
    }

    private static func column(of sort: RowSort, in grouping: Grouping) -> RowColumn {
        switch sort {
        case .name: .name
        case .address: .addresses
        case .arrival: .since
        case .type: grouping == .device ? .services : .name
        }
    }
}
