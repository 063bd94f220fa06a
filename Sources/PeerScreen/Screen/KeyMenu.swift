// The menu: what the keys do, as lines to choose from.
import TerminalList

/// The menu of what the keys do.
struct KeyMenu {
    /// The bindings, in the order of the lines.
    private let bindings: [KeyBinding]

    /// Creates a menu of what acts in the list, of a fleet or not, or in the details in place of it.
    init(_ keys: KeyTable, isFleet: Bool, isInDetails: Bool) {
        let outside = Set(ListKeys.Name.allCases.filter(\.isOutsideMenu).map(\.setting))
        let expands = keys.bindings.contains { $0.name == ListKeys.Name.expand.setting }
        let bindings = keys.bindings.filter { binding in
            switch binding.action {
            case .quit, .help: return true
            case .run where binding.name.map(outside.contains) == true: return false
            case .run where isInDetails: return binding.actsInPane
            case .run where binding.section == ListKeys.HelpSection.fleet.rawValue: return isFleet
            case .run: return binding.name != ListKeys.Name.toggle.setting || !expands
            default: return false
            }
        }
        // First what the row under the pointer offers.
        let row = ListKeys.HelpSection.row.rawValue
        self.bindings =
            bindings.filter { $0.section == row } + bindings.filter { $0.section != row }
    }

    /// Returns the box of the menu.
    func choices(onPick: @escaping (KeyBinding) -> Void) -> Choices {
        let entries = bindings.enumerated().map { index, binding in
            Choices.Entry("\(index)", binding.help, key: binding.keys.first)
        }
        return Choices(
            "Menu", entries,
            onPick: { [bindings] id in if let index = Int(id) { onPick(bindings[index]) } })
    }
}
