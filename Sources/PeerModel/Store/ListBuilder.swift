// Builds a list from its rows: their order, the snapshots, and the update from each to the next.
import DiffCore
package import FoundationEssentials

/// The rows of a list in order, and their snapshot.
///
/// Each snapshot is built from all rows, and an update is the difference from the previous snapshot, so the list
/// cannot drift from its rows.
package struct ListBuilder: Sendable {
    private let sort: SortOrder
    private var order = ListOrder()
    private var rows: [UUID: ListItem] = [:]

    /// The list as of the last update.
    package private(set) var snapshot = PeerListSnapshot()

    /// Creates an empty list.
    package init(by sort: SortOrder) { self.sort = sort }

    /// Returns the item with an identifier in ``snapshot``.
    package func item(_ id: UUID) -> ListItem? { rows[id] }

    /// The sections of ``snapshot`` with their items.
    ///
    /// - Complexity: O(*n*), where *n* is the number of rows.
    package var sections: [ListSection] {
        order.rows.map { ListSection(id: $0.section, items: $0.items.compactMap(item)) }
    }

    /// Replaces rows.
    ///
    /// - Parameters:
    ///   - touched: The identifiers of the rows that may have changed.
    ///   - time: The time of the change.
    ///   - replacements: The new identifiers of rows whose identifier changed.
    ///   - predecessors: The identifiers of rows of which others were a part before.
    ///   - reason: The reason of departures without a replacement.
    ///   - cause: The cause of the change; `nil` to derive it from the items.
    ///   - row: Returns the row with an identifier; `nil` if there is none any more.
    /// - Returns: The change of the list; `nil` if nothing changed.
    /// - Complexity: O(*m* log *n*) comparisons for *m* touched of *n* rows; copies O(*n*) bytes.
    package mutating func update(
        _ touched: Set<UUID>, at time: Timestamp, replacements: [UUID: UUID] = [:],
        predecessors: [UUID: UUID] = [:], reason: Departure = .removed,
        cause: PeerListUpdate.Cause? = nil, row: (UUID) -> ListItem?
    ) -> PeerListUpdate? {
        var items = ItemChanges(at: time, replacements: replacements)
        items.predecessors = predecessors
        // A backend or an observer can change all rows at once, and a dictionary that grows is in memory twice.
        items.changes.reserveCapacity(touched.count { rows[$0] != nil })
        var (removed, placed): ([ListOrder.Place], [ListOrder.Place]) = ([], [])
        for id in touched {
            let was = rows[id]
            guard let now = row(id) else {
                rows[id] = nil
                if let was {
                    removed.append(place(was, id))
                    items.departures[id] = (was, replacements[id] == nil ? reason : .identity)
                }
                continue
            }
            // A sign of life alone is not a difference, so the list keeps the old time.
            if let was, now.isSame(as: was) { continue }
            rows[id] = now
            let (before, after) = (was.map { place($0, id) }, place(now, id))
            if let was {
                items.changes[id] = .init(was: was, now: now)
            } else {
                items.arrivals[id] = now
            }
            if let before {
                if before == after { continue }
                removed.append(before)
            }
            placed.append(after)
        }
        guard !items.isEmpty else { return nil }
        order.update(removing: removed, placing: placed)
        let before = snapshot
        snapshot = order.snapshot()
        return PeerListUpdate(items, cause: cause, from: before, to: snapshot)
    }

    private func place(_ item: ListItem, _ id: UUID) -> ListOrder.Place {
        (id, item.section, SortKey(item, by: sort))
    }
}
