// Weaves what has left into the rows of a new snapshot, each where it stood before.
import DiffCore

/// Weaves what has left into the rows of a new snapshot.
///
/// A departed item stays below the item that it stood below, or at the top of its section; a
/// section that went keeps its header while something of it is still shown.
struct RowMerge<Section: Hashable & Sendable, Item: Hashable & Sendable> {
    typealias Row = ListRow<Section, Item>

    /// The items that have left and are still shown.
    let isDeparted: (Item) -> Bool
    /// The items that are gone, or stand elsewhere now: nothing can stand below them.
    let isUprooted: (Item) -> Bool
    /// Whether a section has a header.
    let hasHeader: (Section) -> Bool

    /// The departed items of a section, by the item that they stand below.
    private typealias Leftovers = [Item?: [Item]]

    /// The rows of `snapshot`, and among them the departed ones of `old`.
    ///
    /// - Complexity: O(rows).
    func rows(
        of snapshot: DiffableDataSourceSnapshot<Section, Item>, after old: [Row]
    ) -> [Row] {
        let leftovers = collectLeftovers(old)
        let sections = snapshot.sectionIdentifiers
        let lost = lostSections(old, leftovers: leftovers, present: sections)
        var rows: [Row] = []
        for lostOne in lost[nil] ?? [] { append(lostOne, leftovers[lostOne], to: &rows) }
        for (number, section) in sections.enumerated() {
            if hasHeader(section) { rows.append(.header(section)) }
            let left = leftovers[section]
            rows += (left?[nil] ?? []).map { .departed($0, section: section) }
            for (place, item) in snapshot.itemIdentifiers(inSection: section).enumerated() {
                let path = IndexPath(item: place, section: number)
                rows.append(.item(item, section: section, path: path))
                guard let below = left?[item] else { continue }
                rows += below.map { .departed($0, section: section) }
            }
            for lostOne in lost[section] ?? [] { append(lostOne, leftovers[lostOne], to: &rows) }
        }
        return rows
    }

    private func collectLeftovers(_ old: [Row]) -> [Section: Leftovers] {
        var leftovers: [Section: Leftovers] = [:]
        var anchor: Item?
        var section: Section?
        for row in old {
            if row.section != section {
                section = row.section
                anchor = nil
            }
            guard let item = row.item else { continue }
            if isDeparted(item) {
                leftovers[row.section, default: [:]][anchor, default: []].append(item)
            } else if row.isPresent, !isUprooted(item) {
                anchor = item
            }
        }
        return leftovers
    }

    /// The sections that are gone but for what is still shown of them, by the section before them.
    private func lostSections(
        _ old: [Row], leftovers: [Section: Leftovers], present: [Section]
    ) -> [Section?: [Section]] {
        if leftovers.isEmpty { return [:] }
        let present = Set(present)
        var lost: [Section?: [Section]] = [:]
        var anchor: Section?
        var section: Section?
        for row in old where row.section != section {
            section = row.section
            if present.contains(row.section) {
                anchor = row.section
            } else if leftovers[row.section] != nil {
                lost[anchor, default: []].append(row.section)
            }
        }
        return lost
    }

    private func append(_ section: Section, _ leftovers: Leftovers?, to rows: inout [Row]) {
        if hasHeader(section) { rows.append(.header(section)) }
        // Nothing of the section is left that another item could stand below.
        rows += (leftovers?[nil] ?? []).map { .departed($0, section: section) }
    }
}
