// The service types on the air, for the checklist that switches them off and on.
import PeerList

/// The service types on the air with how many services there are, and those that are switched off.
struct TypeTally: Equatable {
    /// A type in the checklist.
    struct Entry: Equatable, Identifiable {
        /// The type, `_ipp._tcp`.
        let id: String
        /// What people call it, or the type itself.
        let title: String
        /// How many services of it there are; 0 for one that is switched off and not there.
        let count: Int
        /// Whether it is shown.
        let isShown: Bool
    }

    /// The types by what people call them.
    let entries: [Entry]

    /// Counts what is there.
    ///
    /// - Complexity: O(*t* log *t*) for *t* types.
    init(_ seen: SeenList, hidden: Set<String>) {
        let counts = seen.typeCounts.merging(hidden.map { ($0, 0) }) { count, _ in count }
        entries = counts.map { type, count in
            Entry(
                id: type, title: KnownServiceType.of(type)?.title ?? type, count: count,
                isShown: !hidden.contains(type))
        }.sorted { ($0.title, $0.id) < ($1.title, $1.id) }
    }
}
