// The columns of the list, in either grouping.
import PeerList
import TerminalList

/// What stands in the columns; the narrower the window, the fewer of them there are.
enum RowColumn: CaseIterable {
    case name, host, services, port, addresses, hour, since

    /// How many characters the presence strip has.
    static let stripWidth = 12

    /// The columns of a grouping, from left to right.
    static func all(of grouping: Grouping) -> [RowColumn] {
        switch grouping {
        case .device: [.name, .host, .services, .addresses, .hour, .since]
        case .type: [.name, .host, .port, .addresses, .hour, .since]
        }
    }

    /// How the column is laid out, and its title, which shows the order.
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

    /// The direction of the order, at the column that it goes by.
    private func mark(_ choices: RowChoices, charset: Charset) -> String {
        guard self == Self.column(of: choices.sort, in: choices.grouping) else { return "" }
        let signs = charset == .ascii ? ("^", "v") : ("▲", "▼")
        return " " + (choices.isDescending ? signs.1 : signs.0)
    }

    /// The order that a click on the column's title asks for; `nil` where there is none.
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
