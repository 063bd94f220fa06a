// The lines of a list: headers, items, and what has just left, in the order in which they stand.
import DiffCore

/// A line of a list.
enum ListRow<Section: Hashable & Sendable, Item: Hashable & Sendable>: Equatable {
    case header(Section)
    case item(Item, section: Section, path: IndexPath)
    /// An item that has left and is still shown for a while.
    case departed(Item, section: Section)

    var item: Item? {
        switch self {
        case .header: nil
        case .item(let item, _, _), .departed(let item, _): item
        }
    }

    var section: Section {
        switch self {
        case .header(let section), .item(_, let section, _), .departed(_, let section): section
        }
    }

    var isPresent: Bool {
        if case .item = self { return true }
        return false
    }
}
