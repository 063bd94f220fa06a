// The order of the rows, kept while they come and go, so that a snapshot is a copy and not a sort.
import DiffCore
package import FoundationEssentials

/// The sections in order, and the rows of each in order.
package struct ListOrder: Sendable {
    private struct Section: Sendable {
        let id: String
        var keys: [SortKey] = []
        var items: [UUID] = []
    }

    private var sections: [Section] = []
    private var places: [UUID: (section: String, key: SortKey)] = [:]

    /// The order of nothing.
    package init() {}

    /// The order of many rows at once; of rows with one identifier the first counts.
    ///
    /// - Complexity: O(*n* log *n*) comparisons, where placing one by one would also move O(*n*²) bytes.
    package init(_ rows: [(item: UUID, section: String, key: SortKey)]) {
        places.reserveCapacity(rows.count)
        var sorted: [String: [(key: SortKey, item: UUID)]] = [:]
        for row in rows where places[row.item] == nil {
            places[row.item] = (row.section, row.key)
            sorted[row.section, default: []].append((row.key, row.item))
        }
        for (id, rows) in sorted {
            let rows = rows.sorted { $0.key < $1.key }
            let number = sectionNumber(id)
            sections[number].keys = rows.map(\.key)
            sections[number].items = rows.map(\.item)
        }
    }

    /// The sections that hold something, each with its rows.
    ///
    /// - Complexity: O(*s*), where *s* is the number of sections.
    package var rows: [(section: String, items: [UUID])] { sections.map { ($0.id, $0.items) } }

    /// Puts a row where its key says, wherever it was before.
    ///
    /// - Complexity: O(log *n*) comparisons and the moving of *n* rows' bytes.
    package mutating func place(_ item: UUID, inSection section: String, by key: SortKey) {
        if let place = places[item] {
            guard place.section != section || place.key != key else { return }
            remove(item)
        }
        let number = sectionNumber(section)
        let position = sections[number].keys.firstPlace(notBefore: key)
        sections[number].keys.insert(key, at: position)
        sections[number].items.insert(item, at: position)
        places[item] = (section, key)
    }

    /// Takes a row away, and its section with its last row; one that is not there is left alone.
    package mutating func remove(_ item: UUID) {
        guard let place = places.removeValue(forKey: item),
            let number = sections.firstIndex(where: { $0.id == place.section })
        else { return }
        let position = sections[number].keys.firstPlace(notBefore: place.key)
        sections[number].keys.remove(at: position)
        sections[number].items.remove(at: position)
        if sections[number].items.isEmpty { sections.remove(at: number) }
    }

    /// A fresh snapshot, built from nothing.
    ///
    /// - Complexity: O(*s*) appends of whole sections, where *s* is the number of sections.
    func snapshot() -> PeerListSnapshot {
        var snapshot = PeerListSnapshot()
        snapshot.appendSections(sections.map(\.id))
        for section in sections { snapshot.appendItems(section.items, toSection: section.id) }
        return snapshot
    }

    /// The number of a section, which is made if need be: `local` first, then by name.
    private mutating func sectionNumber(_ id: String) -> Int {
        let rank = { (id: String) in (id == "local" ? 0 : 1, id) }
        let number = sections.firstIndex { rank($0.id) >= rank(id) } ?? sections.count
        if number == sections.count || sections[number].id != id {
            sections.insert(Section(id: id), at: number)
        }
        return number
    }
}

extension [SortKey] {
    /// Where the first key stands that is not before this one.
    fileprivate func firstPlace(notBefore key: SortKey) -> Int {
        var range = 0..<count
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            range =
                self[middle] < key ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
