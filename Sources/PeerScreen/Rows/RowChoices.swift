// The identifiers of rows, and the user's choices of their grouping, order, filter and expansion.
import FoundationEssentials
package import PeerModel

/// The order of the rows of a section on the screen; ties are ordered by identifier.
package enum RowSort: String, Sendable, Hashable, CaseIterable {
    /// By name: "Printer 2" before "Printer 10", in every locale.
    case name
    /// By the first address as a number, IPv4 before IPv6 before none.
    case address
    /// By the time at which they were first seen.
    case arrival
    /// By the first service type, then by name.
    case type
    /// By the title of the kind of device, then by name; unknown kinds last.
    case kind
    /// By the observers that see a device, fewest observers first.
    case views

    /// The orders to choose from; the matrix has one of its own.
    package static let allCases: [RowSort] = [.name, .address, .arrival, .type, .kind]

    package init(_ order: PeerModel.SortOrder) {
        switch order {
        case .name: self = .name
        case .address: self = .address
        case .seen: self = .arrival
        case .type: self = .type
        case .kind: self = .kind
        }
    }

    /// The name in the file of settings and of the option `--sort`.
    package var setting: String { self == .arrival ? PeerModel.SortOrder.seen.rawValue : rawValue }

    var next: RowSort { Self.allCases.drop { $0 != self }.dropFirst().first ?? .name }

    /// Returns the position of a row in its section.
    func key(of item: ListItem) -> SortKey {
        switch self {
        case .address: SortKey(item, by: .address)
        case .arrival: SortKey(item, by: .seen)
        case .type where !item.isService:
            SortKey(
                type: item.peer.services.first?.type, name: item.displayName, id: item.id)
        case .kind: SortKey(kind: item.peer.kind, name: item.displayName, id: item.id)
        case .views: SortKey(type: item.peer.viewPattern, name: item.displayName, id: item.id)
        case .name, .type: SortKey(name: item.displayName, id: item.id)
        }
    }
}

/// The identifier of a row on the screen.
///
/// It consists of the identifiers in the lines, so a row keeps it as long as its
/// device does, and selection and expansion follow it.
enum RowID: Hashable, Sendable {
    case device(UUID)
    /// A service beneath the device that offers it.
    case service(UUID, of: UUID)
    /// A service in a list that is grouped by type.
    case listing(UUID)
    /// A departed device, or a departed service in a session that is grouped by type.
    case departed(UUID)

    /// The device of the row, or of its parent.
    var device: UUID? {
        switch self {
        case .device(let device), .service(_, of: let device): device
        case .listing, .departed: nil
        }
    }

    var service: UUID? {
        switch self {
        case .service(let service, of: _), .listing(let service): service
        case .device, .departed: nil
        }
    }

    var parent: RowID? {
        if case .service(_, of: let device) = self { return .device(device) }
        return nil
    }
}

/// The user's choices in the list, which do not affect the session and its lines.
struct RowChoices: Equatable, Sendable {
    var grouping = Grouping.device
    var sort = RowSort.name
    var isDescending = false
    /// The search text as typed; empty for no search.
    var search = ""
    var matching = Matching.inOrder
    var hiddenTypes: HiddenTypes = []
    var expansion = Expansion()
    var showsDeparted = false
    /// Whether the devices of a fleet are shown with the observers that see them.
    var showsMatrix = false
    /// The observers of a fleet that are not shown.
    var hiddenObservers: Set<ObserverName> = []

    /// The way in which rows are searched.
    enum Matching: Sendable {
        /// The matches keep the order of the list. If nothing contains the words, what has their letters in
        /// order matches.
        case inOrder
        /// So do these, but the best match of a section comes first.
        case bestFirst
        /// Only what contains the words matches, for a choice without a person; the best comes first.
        case exact
    }

    /// Whether the choices can hide rows.
    var hidesSome: Bool {
        !search.isEmpty || !hiddenTypes.isEmpty || !hiddenObservers.isEmpty
    }

    /// The order of the rows.
    var order: RowSort { showsMatrix && grouping == .device ? .views : sort }

    /// The set of expanded devices, which also remembers devices that are not in the list.
    struct Expansion: Equatable, Sendable {
        /// Whether devices are expanded by default.
        private(set) var isAll = false
        private var exceptions: Set<UUID> = []

        /// Whether no device is expanded.
        var isEmpty: Bool { !isAll && exceptions.isEmpty }

        func contains(_ device: UUID) -> Bool { exceptions.contains(device) != isAll }

        mutating func set(_ device: UUID, isExpanded: Bool) {
            if isExpanded == isAll {
                exceptions.remove(device)
            } else {
                exceptions.insert(device)
            }
        }

        /// Expands or collapses all devices, including future ones.
        mutating func setAll(isExpanded: Bool) {
            isAll = isExpanded
            exceptions = []
        }
    }
}
