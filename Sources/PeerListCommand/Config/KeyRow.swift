// The keys of the list: the one table for the screen, the help, the manual page and the settings.
import TerminalList

/// An action of the list of peers and its keys, besides the actions of every list.
struct KeyRow: Sendable {
    /// The name of an action in the code and, as text, in the file of settings.
    enum Name: String, CaseIterable, Sendable {
        case search
        case nextMatch = "next-match"
        case previousMatch = "previous-match"
        case clearSearch = "clear-search"
        case types, departed, group, sort
        case reverseSort = "reverse-sort"
        case expand, collapse, toggle
        case expandAll = "expand-all"
        case collapseAll = "collapse-all"
        case details
        case sidePane = "side-pane"
        case focus, verify
        case verifyAll = "verify-all"
        case copy, open, ssh
    }

    /// The headings of the help; the actions of every list come last.
    enum Section: String, CaseIterable, Sendable {
        case find = "Finding"
        case list = "The list"
        case row = "The selected row"
        case moving = "Moving, and the rest"
    }

    let section: Section
    let name: Name
    let keys: [Key]
    /// A few words on what the keys do.
    let help: String
    /// One word for the bottom line, or `nil`.
    let hint: String?
    /// The importance of the hint.
    let hintRank: Int
    /// Whether the keys work in the details too.
    let actsInPane: Bool

    private init(
        _ section: Section, _ name: Name, _ keys: Key..., help: String, hint: String? = nil,
        rank: Int = 0, actsInPane: Bool = false
    ) {
        (self.section, self.name, self.keys, self.help) = (section, name, keys, help)
        (self.hint, hintRank, self.actsInPane) = (hint, rank, actsInPane)
    }

    /// The actions, in the order of the help.
    static let all: [KeyRow] = [
        KeyRow(
            .find, .search, .character("/"), help: "search all fields as you type", hint: "find",
            rank: 95),
        KeyRow(.find, .nextMatch, .character("n"), help: "next match"),
        KeyRow(.find, .previousMatch, .character("N"), help: "previous match"),
        KeyRow(.find, .clearSearch, .escape, help: "end the search"),
        KeyRow(
            .find, .types, .character("t"), help: "choose the service types to show",
            hint: "types", rank: 60),
        KeyRow(
            .list, .departed, .character("d"), help: "show or hide departed devices",
            hint: "departed", rank: 45),
        KeyRow(
            .list, .group, .character("g"), help: "group by device or by service type",
            hint: "group", rank: 50),
        KeyRow(
            .list, .sort, .character("s"), help: "sort by name, address, arrival or type",
            hint: "sort", rank: 55),
        KeyRow(.list, .reverseSort, .character("S"), help: "reverse the order"),
        KeyRow(
            .list, .expand, .right, .character("l"), help: "show a device's services",
            hint: "services", rank: 30),
        KeyRow(.list, .collapse, .left, .character("h"), help: "hide a device's services"),
        KeyRow(.list, .toggle, .character("z"), help: "show or hide a device's services"),
        KeyRow(
            .list, .expandAll, .character("+"), .character("="),
            help: "show the services of all devices"),
        KeyRow(.list, .collapseAll, .character("-"), help: "hide the services of all devices"),
        KeyRow(
            .row, .details, .enter, help: "details of the selected row", hint: "details", rank: 90),
        KeyRow(
            .row, .sidePane, .character("p"), help: "show or hide details beside the list",
            hint: "pane", rank: 10),
        KeyRow(.row, .focus, .tab, help: "switch between list and details"),
        KeyRow(
            .row, .verify, .character("v"), help: "check now whether it answers", hint: "verify",
            rank: 40, actsInPane: true),
        KeyRow(
            .row, .verifyAll, .character("V"), help: "check now whether those shown answer"),
        KeyRow(
            .row, .copy, .character("c"), help: "copy an address, a value or the row as JSON",
            hint: "copy", rank: 35, actsInPane: true),
        KeyRow(
            .row, .open, .character("o"), help: "open its address in a browser", hint: "open",
            rank: 34, actsInPane: true),
        KeyRow(
            .row, .ssh, .character("x"), help: "log in by SSH, after showing the command",
            hint: "ssh", rank: 33, actsInPane: true),
    ]
}

extension KeyRow {
    /// Returns the table as key bindings that call `run` with the action's name.
    static func bindings(_ run: @escaping (Name) -> Void) -> [KeyBinding] {
        all.map { row in
            KeyBinding(
                row.keys, name: row.name.rawValue, row.help, hint: row.hint,
                hintRank: row.hintRank, actsInPane: row.actsInPane, section: row.section.rawValue
            ) { run(row.name) }
        }
    }
}

/// An action of the list of peers or of every list, with its default keys.
struct NamedKeys: Equatable, Sendable {
    /// The action's name in the file of settings.
    let name: String
    let keys: [Key]
    let help: String
    /// The heading of the help.
    let section: String

    /// The actions, in the order of the help.
    static let all: [NamedKeys] = {
        let table = KeyTable.standard(
            adding: KeyRow.bindings { _ in }, section: KeyRow.Section.moving.rawValue)
        return table.bindings.compactMap { binding in
            binding.name.map { name in
                NamedKeys(
                    name: name, keys: binding.keys, help: binding.help,
                    section: binding.section ?? "")
            }
        }
    }()
}
