// The user's choices in the list: grouping, order, search, hidden types and expansion.
import FoundationEssentials
import PeerList

/// The order of the rows of a section on the screen; ties are ordered by identifier.
enum RowSort: String, Sendable, Hashable, CaseIterable {
    /// By name: "Printer 2" before "Printer 10", in every locale.
    case name
    /// By the first address as a number, IPv4 before IPv6 before none.
    case address
    /// By the time at which they were first seen.
    case arrival
    /// By the first service type, then by name.
    case type

    /// Creates the order of the session's list.
    init(_ order: PeerList.SortOrder) {
        switch order {
        case .name: self = .name
        case .address: self = .address
        case .seen: self = .arrival
        }
    }

    /// The next order, cyclically.
    var next: RowSort {
        let all = Self.allCases
        guard let index = all.firstIndex(of: self), index + 1 < all.count else { return .name }
        return all[index + 1]
    }

    /// Returns the position of a row in its section.
    func key(of item: ListItem) -> SortKey {
        switch self {
        case .name: SortKey(item, by: .name)
        case .address: SortKey(item, by: .address)
        case .arrival: SortKey(item, by: .seen)
        case .type where item.isService: SortKey(item, by: .name)
        case .type:
            SortKey(type: item.peer.services.first?.type, name: item.name, id: item.id)
        }
    }
}

/// The user's choices in the list, which do not affect the session and its lines.
struct RowChoices: Equatable, Sendable {
    /// The kind of rows.
    var grouping = Grouping.device
    /// The order of the rows of a section.
    var sort = RowSort.name
    /// Whether the order is reversed.
    var isDescending = false
    /// The search text as typed; empty for no search.
    var search = ""
    /// The hidden service types, including types that no service has.
    var hiddenTypes: Set<String> = []
    /// The devices that show their services.
    var expansion = Expansion()
    /// Whether departed peers are shown.
    var showsDeparted = false

    /// Whether the choices can hide rows.
    var hidesSome: Bool { !search.isEmpty || !hiddenTypes.isEmpty }

    /// The set of expanded devices, which also remembers devices that are not in the list.
    struct Expansion: Equatable, Sendable {
        /// Whether devices are expanded by default.
        private(set) var isAll = false
        private var exceptions: Set<UUID> = []

        /// Whether a device is expanded.
        func contains(_ device: UUID) -> Bool { exceptions.contains(device) != isAll }

        /// Expands or collapses a device.
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

/// The service types of the list with their counts, for the checklist that hides and shows them.
struct TypeTally: Equatable {
    /// A type in the checklist.
    struct Entry: Equatable, Identifiable {
        /// The type, `_ipp._tcp`.
        let id: String
        /// The title of a known type, or the type itself.
        let title: String
        /// The number of services; 0 for a hidden type that no service has.
        let count: Int
        /// Whether the type is not hidden.
        let isShown: Bool
    }

    /// The types by title.
    let entries: [Entry]

    /// Counts the types of a list and adds the hidden ones.
    ///
    /// - Complexity: O(*t* log *t*) for *t* types.
    init(_ index: DeviceIndex, hidden: Set<String>) {
        let counts = index.typeCounts.merging(hidden.map { ($0, 0) }) { count, _ in count }
        entries = counts.map { type, count in
            Entry(
                id: type, title: KnownServiceType.of(type)?.title ?? type, count: count,
                isShown: !hidden.contains(type))
        }.sorted { ($0.title, $0.id) < ($1.title, $1.id) }
    }
}
