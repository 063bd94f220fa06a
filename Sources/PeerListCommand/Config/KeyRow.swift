// What keys do in the list: the one table for the screen, the help, the manual and the settings.
import TerminalList

/// One thing that keys do in the list of peers, beside what they do in every list.
struct KeyRow: Sendable {
    /// Names an action in the code and, as text, in the file of settings.
    enum Name: String, CaseIterable, Sendable {
        case search
        case nextMatch = "next-match"
        case previousMatch = "previous-match"
        case types, departed, group, sort
        case reverseSort = "reverse-sort"
        case expand, collapse
        case expandAll = "expand-all"
        case collapseAll = "collapse-all"
        case details
        case sidePane = "side-pane"
        case verify, copy, open, ssh
    }

    let name: Name
    let keys: [Key]
    /// A few words, from a small letter.
    let help: String
    /// One word for the line at the bottom, or `nil`.
    let hint: String?

    private init(_ name: Name, _ keys: Key..., help: String, hint: String? = nil) {
        self.name = name
        self.keys = keys
        self.help = help
        self.hint = hint
    }

    /// All of them, in the order of the help.
    static let all: [KeyRow] = [
        KeyRow(.search, .character("/"), help: "find in all fields, as you type", hint: "find"),
        KeyRow(.nextMatch, .character("n"), help: "to the next row that was found"),
        KeyRow(.previousMatch, .character("N"), help: "to the row found before"),
        KeyRow(.types, .character("t"), help: "choose the service types to show", hint: "types"),
        KeyRow(.departed, .character("d"), help: "show who has left, or not"),
        KeyRow(.group, .character("g"), help: "group by device, or by service type", hint: "group"),
        KeyRow(.sort, .character("s"), help: "sort by name, address, arrival or type"),
        KeyRow(.reverseSort, .character("S"), help: "sort the other way round"),
        KeyRow(.expand, .right, .character("l"), help: "show a device's services"),
        KeyRow(.collapse, .left, .character("h"), help: "hide a device's services"),
        KeyRow(.expandAll, .character("+"), help: "show the services of all devices"),
        KeyRow(.collapseAll, .character("-"), help: "hide the services of all devices"),
        KeyRow(.details, .enter, help: "all that is known of the row", hint: "details"),
        KeyRow(.sidePane, .character("p"), help: "show details beside the list, or not"),
        KeyRow(.verify, .character("v"), help: "ask now whether it is there"),
        KeyRow(.copy, .character("c"), help: "copy an address, a value or the row as JSON"),
        KeyRow(.open, .character("o"), help: "open its address in a browser"),
        KeyRow(.ssh, .character("x"), help: "log in by SSH, after showing the command"),
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
