// What the keys have chosen: grouping, order, search, hidden types, what is unfolded.
import FoundationEssentials
import PeerList

/// What of the list is shown, and how; the session and its lines know nothing of it.
struct RowChoices: Equatable, Sendable {
    /// What the rows are.
    var grouping = Grouping.device
    /// By what the rows of a section are ordered.
    var sort = RowSort.name
    /// Whether the last comes first.
    var isDescending = false
    /// What is searched for, as typed; empty for no search.
    var search = ""
    /// The service types that are switched off, also while nobody offers them.
    var hiddenTypes: Set<String> = []
    /// Which devices show their services.
    var expansion = Expansion()
    /// Whether those that have left are shown.
    var showsDeparted = false

    /// Whether some of what is there may not be shown.
    var hidesSome: Bool { !search.isEmpty || !hiddenTypes.isEmpty }

    /// Which devices show their services, remembered also for those that are away.
    struct Expansion: Equatable, Sendable {
        /// Whether those are expanded that nothing else is said of.
        private(set) var isAll = false
        private var exceptions: Set<UUID> = []

        /// Whether a device is expanded.
        func contains(_ device: UUID) -> Bool { exceptions.contains(device) != isAll }

        /// Expands a device, or collapses it.
        mutating func set(_ device: UUID, isExpanded: Bool) {
            if isExpanded == isAll {
                exceptions.remove(device)
            } else {
                exceptions.insert(device)
            }
        }

        /// Expands all devices, those to come too, or collapses them.
        mutating func setAll(isExpanded: Bool) {
            isAll = isExpanded
            exceptions = []
        }
    }
}
