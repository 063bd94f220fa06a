// The keys of the list: the one table for the screen, the help, the manual page and the settings.
package import TerminalList

/// The actions of the list of peers and their keys, besides the actions of every list.
package enum ListKeys {
    /// The name of an action; in the file of settings, `reverseSort` is `reverse-sort`.
    enum Name: String, CaseIterable, Sendable {
        case search, clearSearch, types
        case departed, group, sort, reverseSort
        case expand, collapse, toggle, expandAll, collapseAll
        case matrix, observers
        case details, nextDevice, previousDevice, sidePane, focus, verify, verifyAll, label, copy,
            open, ssh, actions, mouse, menu

        /// Whether the menu leaves the action out: the keys of others, which it has, do the same, or it is about
        /// the keyboard and the mouse themselves.
        var isOutsideMenu: Bool {
            [.clearSearch, .sidePane, .focus, .mouse, .menu].contains(self)
        }

        var setting: String {
            rawValue.reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
        }
    }

    /// The headings of the help; the actions of every list come last.
    package enum HelpSection: String, CaseIterable, Sendable {
        case find = "Finding"
        case list = "The list"
        case fleet = "A fleet"
        case row = "The selected row"
        case moving = "Moving, and the rest"
    }

    /// The heading of the custom actions in the help.
    static let customSection = "Your actions"

    /// Returns the bindings of the custom actions that have keys; the keymap must name them too, so that
    /// they take these keys from others.
    static func custom(
        _ actions: [CustomAction], _ run: @escaping (CustomAction) -> Void
    ) -> [KeyBinding] {
        actions.enumerated().filter { !$1.keys.isEmpty }.map { index, action in
            KeyBinding(
                action.keys, name: customName(index), action.title, actsInPane: true,
                section: customSection
            ) { run(action) }
        }
    }

    /// Returns the name of a custom action's binding, which no action of the list has.
    static func customName(_ index: Int) -> String { "[actions] \(index)" }

    /// Returns the key bindings, which call `run` with the action's name, in the order of the help.
    static func bindings(_ run: @escaping (Name) -> Void) -> [KeyBinding] {
        /// An action with its keys, as the settings name them, a few words for the help and, for some, a
        /// word for the bottom line with its importance.
        func row(
            _ section: HelpSection, _ name: Name, _ keys: String, _ help: String,
            _ hint: (word: String, rank: Int)? = nil
        ) -> KeyBinding {
            KeyBinding(
                keys.split(separator: ", ").compactMap { Key(name: String($0)) },
                name: name.setting, help, hint: hint?.word, hintRank: hint?.rank ?? 0,
                actsInPane: [
                    .nextDevice, .previousDevice, .verify, .copy, .open, .ssh, .actions, .menu,
                ].contains(name),
                section: section.rawValue
            ) { run(name) }
        }
        return [
            row(.find, .search, "/", "search all fields as you type", ("find", 95)),
            row(.find, .clearSearch, "Esc", "leave details, the search, the type filter"),
            row(.find, .types, "t", "choose the service types to show", ("types", 60)),
            row(.list, .departed, "d", "show or hide departed devices", ("departed", 45)),
            row(.list, .group, "g", "group by device or by service type", ("group", 50)),
            row(.list, .sort, "s", "sort by name, address, arrival, type, kind", ("sort", 46)),
            row(.list, .reverseSort, "S", "reverse the order"),
            row(.list, .expand, "Right, l", "show a device's services", ("services", 30)),
            row(.list, .collapse, "Left, h", "hide a device's services"),
            row(.list, .toggle, "z", "show or hide a device's services"),
            row(.list, .expandAll, "+", "show the services of all devices"),
            row(.list, .collapseAll, "-", "hide the services of all devices"),
            row(.list, .mouse, "M", "release the mouse, or take it back"),
            row(.fleet, .matrix, "m", "devices and the observers that see them"),
            row(.fleet, .observers, "O", "choose the observers to show"),
            row(.row, .details, "Enter", "details of the selected row", ("details", 90)),
            row(.row, .nextDevice, "J", "the next device, also in details"),
            row(.row, .previousDevice, "K", "the previous device"),
            row(.row, .sidePane, "p", "show or hide details beside the list"),
            row(.row, .focus, "Tab", "switch between list and details"),
            row(.row, .verify, "v", "check now whether it answers", ("verify", 40)),
            row(.row, .verifyAll, "V", "check now whether those shown answer"),
            row(.row, .label, "L", "give the device a name of your own"),
            row(.row, .copy, "c", "copy an address, a name, a value or JSON", ("copy", 35)),
            row(.row, .open, "o", "open its page, shared files or screen", ("open", 34)),
            row(.row, .ssh, "x", "log in by SSH, after showing the command", ("ssh", 33)),
            row(.row, .actions, "a", "its actions, those of your own first", ("actions", 32)),
            row(.moving, .menu, ":, F10", "a menu of what the keys do", ("menu", 93)),
        ]
    }

    /// Returns all bindings, with those of `own` before the others; the user's keymap keeps its entries in the help even
    /// if `own` has their keys.
    static func table(
        adding own: [KeyBinding], _ actions: [CustomAction], keymap: [String: [Key]],
        run: @escaping (Name) -> Void, runCustom: @escaping (CustomAction) -> Void
    ) -> KeyTable {
        let taken = Set(own.flatMap(\.keys))
        var keymap = keymap
        for (index, action) in actions.enumerated() where !action.keys.isEmpty {
            keymap[customName(index)] = action.keys
        }
        let others = (bindings(run) + custom(actions, runCustom)).compactMap { binding in
            let isChosen = binding.name.map { keymap[$0] != nil } ?? false
            return binding.without(taken) ?? (isChosen ? binding.without([]) : nil)
        }
        return .standard(
            adding: own + others, section: HelpSection.moving.rawValue, keymap: keymap)
    }

    /// The state of the list on which the help and the bottom line depend.
    struct State: Equatable {
        /// The part of the screen that Esc leaves.
        enum Leaving: String {
            case details = "close", search = "show all", types = "all types"
            case observers = "all observers"
        }

        /// Whether the list is that of a fleet, which alone has a fleet's keys.
        var isFleet: Bool
        var leaving: Leaving?

        /// Returns keys as the help and the bottom line show them in this state.
        func described(_ keys: KeyTable) -> KeyTable {
            KeyTable(
                keys.bindings.map { binding in
                    var binding = binding
                    if binding.section == HelpSection.fleet.rawValue { binding.isHidden = !isFleet }
                    if binding.name == Name.matrix.rawValue {
                        (binding.hint, binding.hintRank) = (isFleet ? "matrix" : nil, 92)
                    }
                    if binding.name == Name.clearSearch.setting {
                        (binding.hint, binding.hintRank) = (leaving?.rawValue, 94)
                    }
                    return binding
                })
        }
    }

    /// The bindings with their default keys, including every list's.
    package static var all: [KeyBinding] {
        KeyTable.standard(adding: bindings { _ in }, section: HelpSection.moving.rawValue).bindings
    }
}
