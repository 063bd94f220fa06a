// The menu: what the keys do, as lines to choose from.
import TerminalList

/// The menu of what the keys do.
struct KeyMenu {
    /// The bindings, in the order of the lines.
    let bindings: [KeyBinding]

    /// Creates a menu of what acts in the list, of a fleet or not, or in the details in place of it.
    init(_ keys: KeyTable, isFleet: Bool, isInDetails: Bool) {
        let bindings = keys.bindings.filter { binding in
            switch binding.action {
            case .quit, .help: return true
            case .run:
                let isOfOtherList =
                    binding.section == ListKeys.HelpSection.fleet.rawValue && !isFleet
                let isEscape = binding.name == ListKeys.Name.clearSearch.setting
                return isInDetails ? binding.actsInPane : !isOfOtherList && !isEscape
            default: return false
            }
        }
        // First what the row under the pointer offers.
        let row = ListKeys.HelpSection.row.rawValue
        self.bindings =
            bindings.filter { $0.section == row } + bindings.filter { $0.section != row }
    }

    func choices(_ charset: Charset, onPick: @escaping (Key) -> Void) -> Choices {
        let entries = bindings.enumerated().map { index, binding in
            let key = binding.keys.first?.label(charset: charset) ?? ""
            return Choices.Entry("\(index)", binding.help, detail: key)
        }
        return Choices(
            "Menu", entries,
            onPick: { id in
                guard let index = Int(id), let key = bindings[index].keys.first else { return }
                onPick(key)
            })
    }
}
