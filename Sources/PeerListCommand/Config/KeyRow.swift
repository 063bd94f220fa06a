// What keys do in the list: the one table for the screen, the help, the manual and the settings.
import TerminalList

/// One thing that keys do in the list of peers, beside what they do in every list.
struct KeyRow: Sendable {
    /// Names an action in the code and, as text, in the file of settings.
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
        case verify, copy, open, ssh
    }

    /// What an action is about: a heading in the help.
    enum Section: String, Sendable {
        case finding = "Finding"
        case showing = "Showing"
        case acting = "The selected row"
    }

    let name: Name
    let section: Section
    let keys: [Key]
    /// A few words, from a small letter.
    let help: String
    /// One word for the line at the bottom, or `nil`.
    let hint: String?

    private init(
        _ name: Name, _ section: Section, _ keys: Key..., help: String, hint: String? = nil
    ) {
        self.name = name
        self.section = section
        self.keys = keys
        self.help = help
        self.hint = hint
    }

    /// All of them, in the order of the help.
    static let all = finding + showing + acting

    private static let finding = [
        KeyRow(
            .search, .finding, .character("/"), help: "find in all fields, as you type",
            hint: "find"),
        KeyRow(.nextMatch, .finding, .character("n"), help: "to the next row that was found"),
        KeyRow(.previousMatch, .finding, .character("N"), help: "to the row found before"),
        KeyRow(.clearSearch, .finding, .escape, help: "end the search"),
        KeyRow(
            .types, .finding, .character("t"), help: "choose the service types to show",
            hint: "types"),
        KeyRow(.departed, .finding, .character("d"), help: "show who has left, or not"),
    ]

    private static let showing = [
        KeyRow(
            .group, .showing, .character("g"), help: "group by device, or by service type",
            hint: "group"),
        KeyRow(
            .sort, .showing, .character("s"), help: "sort by name, address, arrival or type",
            hint: "sort"),
        KeyRow(.reverseSort, .showing, .character("S"), help: "sort the other way round"),
        KeyRow(.expand, .showing, .right, .character("l"), help: "show a device's services"),
        KeyRow(.collapse, .showing, .left, .character("h"), help: "hide a device's services"),
        KeyRow(.toggle, .showing, .character("z"), help: "show or hide a device's services"),
        KeyRow(
            .expandAll, .showing, .character("+"), .character("="),
            help: "show the services of all devices"),
        KeyRow(
            .collapseAll, .showing, .character("-"), help: "hide the services of all devices"),
    ]

    private static let acting = [
        KeyRow(
            .details, .acting, .enter, help: "all that is known of the row", hint: "details"),
        KeyRow(
            .sidePane, .acting, .character("p"), help: "show details beside the list, or not"),
        KeyRow(.verify, .acting, .character("v"), help: "ask now whether it is there"),
        KeyRow(
            .copy, .acting, .character("c"), help: "copy an address, a value or the row as JSON"),
        KeyRow(.open, .acting, .character("o"), help: "open its address in a browser"),
        KeyRow(.ssh, .acting, .character("x"), help: "log in by SSH, after showing the command"),
    ]
}

/// Keys that do one thing in the list of peers or in every list, by name.
struct NamedKeys: Equatable, Sendable {
    /// The action's name in the file of settings.
    let name: String
    /// Its keys where none are chosen.
    let keys: [Key]
    /// What they do, from a small letter.
    let help: String

    /// All of them, in the order of the help: those of the table, then those of every list.
    static let all: [NamedKeys] = {
        let own = KeyRow.all.map { row in
            KeyBinding(row.keys, name: row.name.rawValue, row.help) {}
        }
        return KeyTable.standard(adding: own).bindings.compactMap { binding in
            binding.name.map { NamedKeys(name: $0, keys: binding.keys, help: binding.help) }
        }
    }()
}
