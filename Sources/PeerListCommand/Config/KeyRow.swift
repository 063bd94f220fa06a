// The keys of the list: the one table for the screen, the help, the manual page and the settings.
import TerminalList

/// The actions of the list of peers and their keys, besides the actions of every list.
enum KeyRow {
    /// The name of an action; in the file of settings, `nextMatch` is `next-match`.
    enum Name: String, CaseIterable, Sendable {
        case search, nextMatch, previousMatch, clearSearch, types
        case departed, group, sort, reverseSort
        case expand, collapse, toggle, expandAll, collapseAll
        case details, sidePane, focus, verify, verifyAll, copy, open, ssh

        var setting: String {
            rawValue.reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
        }
    }

    /// The headings of the help; the actions of every list come last.
    enum Section: String, CaseIterable, Sendable {
        case find = "Finding"
        case list = "The list"
        case row = "The selected row"
        case moving = "Moving, and the rest"
    }

    /// Returns the actions as key bindings that call `run` with the action's name, in the order of the
    /// help.
    static func bindings(_ run: @escaping (Name) -> Void) -> [KeyBinding] {
        /// An action with its keys, a few words for the help and, for some, a word for the bottom line
        /// with its importance.
        func row(
            _ section: Section, _ name: Name, _ keys: Key..., help: String,
            hint: String? = nil, rank: Int = 0, actsInPane: Bool = false
        ) -> KeyBinding {
            KeyBinding(
                keys, name: name.setting, help, hint: hint, hintRank: rank,
                actsInPane: actsInPane, section: section.rawValue
            ) { run(name) }
        }
        return [
            row(
                .find, .search, .character("/"), help: "search all fields as you type",
                hint: "find", rank: 95),
            row(.find, .nextMatch, .character("n"), help: "next match"),
            row(.find, .previousMatch, .character("N"), help: "previous match"),
            row(.find, .clearSearch, .escape, help: "end the search"),
            row(
                .find, .types, .character("t"), help: "choose the service types to show",
                hint: "types", rank: 60),
            row(
                .list, .departed, .character("d"), help: "show or hide departed devices",
                hint: "departed", rank: 45),
            row(
                .list, .group, .character("g"), help: "group by device or by service type",
                hint: "group", rank: 50),
            row(
                .list, .sort, .character("s"), help: "sort by name, address, arrival or type",
                hint: "sort", rank: 55),
            row(.list, .reverseSort, .character("S"), help: "reverse the order"),
            row(
                .list, .expand, .right, .character("l"), help: "show a device's services",
                hint: "services", rank: 30),
            row(.list, .collapse, .left, .character("h"), help: "hide a device's services"),
            row(.list, .toggle, .character("z"), help: "show or hide a device's services"),
            row(
                .list, .expandAll, .character("+"), .character("="),
                help: "show the services of all devices"),
            row(.list, .collapseAll, .character("-"), help: "hide the services of all devices"),
            row(
                .row, .details, .enter, help: "details of the selected row", hint: "details",
                rank: 90),
            row(
                .row, .sidePane, .character("p"), help: "show or hide details beside the list",
                hint: "pane", rank: 10),
            row(.row, .focus, .tab, help: "switch between list and details"),
            row(
                .row, .verify, .character("v"), help: "check now whether it answers",
                hint: "verify", rank: 40, actsInPane: true),
            row(
                .row, .verifyAll, .character("V"), help: "check now whether those shown answer"),
            row(
                .row, .copy, .character("c"), help: "copy an address, a value or the row as JSON",
                hint: "copy", rank: 35, actsInPane: true),
            row(
                .row, .open, .character("o"), help: "open its address in a browser",
                hint: "open", rank: 34, actsInPane: true),
            row(
                .row, .ssh, .character("x"), help: "log in by SSH, after showing the command",
                hint: "ssh", rank: 33, actsInPane: true),
        ]
    }

    /// The bindings with their default keys, and those of every list.
    static var all: [KeyBinding] {
        KeyTable.standard(adding: bindings { _ in }, section: Section.moving.rawValue).bindings
    }
}
