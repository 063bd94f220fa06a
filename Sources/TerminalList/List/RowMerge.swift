// Weaves what has left into the rows of a new snapshot, each where it stood before.
import DiffCore

/// Weaves what has left into the rows of a new snapshot.
///
/// A departed item stays below the item that it stood below, or at the top of its section; a
/// section that went keeps its header while something of it is still shown.
struct RowMerge<Section: Hashable & Sendable, Item: Hashable & Sendable> {
    typealias Map = RowMap<Section, Item>

    /// The rows before.
    let old: Map
    /// The items that have left since.
    let left: Set<Item>
    /// The items that have left, now or before, and are still shown.
    let isDeparted: (Item) -> Bool
    /// The items that are gone, or stand elsewhere now: nothing can stand below them.
    let isUprooted: (Item) -> Bool
    /// Whether a section has a header.
    let hasHeader: (Section) -> Bool

    /// A departed item and the item that it stands below in its section, if any.
    private typealias Leftover = (anchor: Item?, item: Item)

    /// The rows of `snapshot`, and among them the departed ones.
    ///
    /// - Complexity: O(sections + departed rows + items in `left`).
    func rows(of snapshot: DiffableDataSourceSnapshot<Section, Item>) -> Map {
        let leftovers = collectLeftovers()
        let sections = withLostSections(snapshot.sectionIdentifiers, leftovers: leftovers)
        var extras: [Map.Extra] = []
        var start = 0
        for section in sections {
            if hasHeader(section) {
                extras.append(Map.Extra(row: .header(section), itemsBefore: start))
            }
            let departed = (leftovers[section] ?? []).map { leftover in
                let anchor = leftover.anchor.flatMap { snapshot.indexOfItem($0) }
                return Map.Extra(
                    row: .departed(leftover.item, section: section),
                    itemsBefore: anchor.map { $0 + 1 } ?? start)
            }
            // What did not move kept its order, so these ascend already.
            extras += departed
            if snapshot.indexOfSection(section) != nil {
                start += snapshot.numberOfItems(inSection: section)
            }
        }
        return Map(snapshot, sections: sections, extras: extras)
    }

    /// The departed items of each section, in the order of their rows.
    private func collectLeftovers() -> [Section: [Leftover]] {
        var places: [(place: Int, item: Item)] = []
        for (number, extra) in old.extras.enumerated() {
            guard case .departed(let item, _) = extra.row, isDeparted(item) else { continue }
            places.append((old.place(ofExtra: number), item))
        }
        for item in left where isDeparted(item) && !old.showsDeparted(item) {
            if let place = old.place(of: item) { places.append((place, item)) }
        }
        places.sort { $0.place < $1.place }
        var leftovers: [Section: [Leftover]] = [:]
        var last: (place: Int, anchor: Item?) = (-1, nil)
        for (place, item) in places {
            let section = old[place].section
            last = (place, anchor(above: place, in: section, knowing: last))
            leftovers[section, default: []].append((last.anchor, item))
        }
        return leftovers
    }

    /// The nearest item above a row that still stands there, within the row's section.
    private func anchor(
        above place: Int, in section: Section, knowing last: (place: Int, anchor: Item?)
    ) -> Item? {
        var place = place - 1
        while place >= 0 {
            let row = old[place]
            guard row.section == section, let item = row.item else { return nil }
            if place == last.place { return last.anchor }
            if row.isPresent, !isUprooted(item) { return item }
            place -= 1
        }
        return nil
    }

    /// The sections, and behind the one that each stood behind, those that are gone but for what
    /// is still shown of them.
    private func withLostSections(
        _ present: [Section], leftovers: [Section: [Leftover]]
    ) -> [Section] {
        let known = Set(present)
        if leftovers.keys.allSatisfy(known.contains) { return present }
        var lost: [Section?: [Section]] = [:]
        var anchor: Section?
        for section in old.sections {
            if known.contains(section) {
                anchor = section
            } else if leftovers[section] != nil {
                lost[anchor, default: []].append(section)
            }
        }
        return (lost[nil] ?? []) + present.flatMap { [$0] + (lost[$0] ?? []) }
    }
}
