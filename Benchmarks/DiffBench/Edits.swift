// Edits of a snapshot or an outline, and the same edits of an array or a flat list.
import DiffCore

/// Edits of a list, with DiffCore and with an array.
struct Edit {
    let name: String
    /// Edits a snapshot.
    let ours: Contestant
    /// Edits an array, with a set where identifiers must be looked up.
    let reference: Contestant
}

/// Makes the edits of lists of identifiers.
struct EditMaker<Identifier: Hashable & Sendable> {
    typealias Snapshot = DiffableDataSourceSnapshot<Int, Identifier>

    /// Makes the identifier with a number.
    let identifier: (Int) -> Identifier

    /// The names of all edits, each with a closure that makes it if it is measured.
    var all: [(name: String, make: () -> Edit)] {
        [3_000, 100_000].flatMap { count in
            [
                edit("append \(count) one by one", count, appending(sectionCount: 1)),
                edit("append \(count) to 10 sections in turn", count, appending(sectionCount: 10)),
                edit("delete one of \(count)", count, deletingOne),
                edit("100 moves in \(count)", count, moving),
                edit("delete every other of \(count)", count, deletingHalf),
            ]
        }
            + [1_100, 11_000].flatMap { count in
                [
                    edit("fill an outline of \(count)", count, fillingOutline),
                    edit("row in an outline of \(count)", count, applyingRow),
                    edit("expand one in an outline of \(count)", count, expanding),
                    edit("apply with contents of \(count)", count, applyingContents),
                ]
            }
    }

    private func edit(
        _ name: String, _ count: Int, _ contestants: @escaping ([Identifier]) -> [Contestant]
    ) -> (name: String, make: () -> Edit) {
        (
            name,
            {
                let both = contestants((0..<count).map(identifier))
                return Edit(name: name, ours: both[0], reference: both[1])
            }
        )
    }

    /// Fills a list with one item at a time.
    private func appending(sectionCount: Int) -> ([Identifier]) -> [Contestant] {
        { list in
            [
                Contestant(name: "DiffCore") {
                    var snapshot = Snapshot()
                    snapshot.appendSections(Array(0..<sectionCount))
                    for (number, item) in list.enumerated() {
                        snapshot.appendItems([item], toSection: number % sectionCount)
                    }
                    consume(snapshot.numberOfItems)
                },
                Contestant(name: "Array, Set") {
                    var arrays = [[Identifier]](repeating: [], count: sectionCount)
                    var known: Set<Identifier> = []
                    for (number, item) in list.enumerated() where known.insert(item).inserted {
                        arrays[number % sectionCount].append(item)
                    }
                    consume(arrays)
                },
            ]
        }
    }

    private func deletingOne(of list: [Identifier]) -> [Contestant] {
        let middle = list.count / 2
        return onCopies(
            of: list, array: "Array",
            { $0.deleteItems([list[middle]]) }, { $0.remove(at: middle) })
    }

    private func moving(in list: [Identifier]) -> [Contestant] {
        let moves = (0..<100).map { (from: $0 * (list.count / 101), to: list.count - 1 - $0) }
        return onCopies(
            of: list, array: "Array",
            { snapshot in
                for move in moves { snapshot.moveItem(list[move.from], afterItem: list[move.to]) }
            },
            { array in
                for move in moves { array.insert(array.remove(at: move.from), at: move.to) }
            })
    }

    private func deletingHalf(of list: [Identifier]) -> [Contestant] {
        let half = stride(from: 0, to: list.count, by: 2).map { list[$0] }
        return onCopies(
            of: list, array: "Set, filter", { $0.deleteItems(half) },
            { array in
                let removed = Set(half)
                array = array.filter { !removed.contains($0) }
            })
    }

    /// Edits a copy of a snapshot, and a copy of an array.
    private func onCopies(
        of list: [Identifier], array name: String, _ ours: @escaping (inout Snapshot) -> Void,
        _ theirs: @escaping (inout [Identifier]) -> Void
    ) -> [Contestant] {
        var whole = Snapshot()
        whole.appendSections([0])
        whole.appendItems(list)
        consume(whole.numberOfItems)
        return [
            Contestant(name: "DiffCore") { [whole] in
                var snapshot = whole
                ours(&snapshot)
                consume(snapshot.numberOfItems)
            },
            Contestant(name: name) {
                var array = list
                theirs(&array)
                consume(array)
            },
        ]
    }
}

// MARK: Outlines

extension EditMaker {
    private typealias Outline = DiffableDataSourceSectionSnapshot<Identifier>

    /// Fills an outline whose root items have ten children each.
    private func fillingOutline(of list: [Identifier]) -> [Contestant] {
        let families = Self.families(of: list)
        return [
            Contestant(name: "DiffCore") { consume(Self.outline(of: families)) },
            Contestant(name: "Array, Set") {
                var (array, known): ([Identifier], Set<Identifier>) = ([], [])
                for family in families {
                    for item in family where known.insert(item).inserted { array.append(item) }
                }
                consume(array)
            },
        ]
    }

    /// Deletes and inserts a row of an expanded outline, and of a flat list.
    private func applyingRow(of list: [Identifier]) -> [Contestant] {
        let (outlined, flat) = Self.sources(of: list)
        let all = outlined.snapshot()
        var fewer = all
        fewer.deleteItems([list[list.count / 2 + 1]])
        return [
            Self.alternating(fewer, all) { outlined.apply($0) },
            Self.alternating(fewer, all) { flat.apply($0) },
        ]
    }

    /// Collapses and expands a parent of an expanded outline; deletes and inserts a row of a flat list.
    private func expanding(in list: [Identifier]) -> [Contestant] {
        let (outlined, _) = Self.sources(of: list)
        let parent = list[list.count / 22 * 11]
        let change = Contestant(name: "DiffCore") {
            consume(outlined.collapse(parent))
            consume(outlined.expand(parent))
        }
        return [change, applyingRow(of: list)[1]]
    }

    /// Deletes and inserts a row while contents are compared, and while they are not.
    private func applyingContents(of list: [Identifier]) -> [Contestant] {
        let (_, compared) = Self.sources(of: list)
        let all = compared.snapshot()
        compared.apply(all, content: { $0 })
        var fewer = all
        fewer.deleteItems([list[list.count / 2 + 1]])
        return [
            Self.alternating(fewer, all) { compared.apply($0, content: { $0 }) },
            applyingRow(of: list)[1],
        ]
    }

    private static func families(of list: [Identifier]) -> [ArraySlice<Identifier>] {
        stride(from: 0, to: list.count, by: 11).map { list[$0..<min($0 + 11, list.count)] }
    }

    private static func outline(of families: [ArraySlice<Identifier>]) -> Outline {
        var outline = Outline()
        outline.append(families.compactMap(\.first))
        for family in families { outline.append(Array(family.dropFirst()), to: family.first) }
        return outline
    }

    /// Returns a data source that shows the expanded outline of a list, and one that shows its rows.
    private static func sources(
        of list: [Identifier]
    ) -> (outlined: DiffableDataSource<Int, Identifier>, flat: DiffableDataSource<Int, Identifier>)
    {
        var outline = outline(of: families(of: list))
        outline.expand(outline.rootItems)
        let (outlined, flat) = (
            DiffableDataSource<Int, Identifier>(), DiffableDataSource<Int, Identifier>()
        )
        outlined.apply(outline, to: 0)
        flat.apply(outlined.snapshot())
        return (outlined, flat)
    }

    /// Applies one of two snapshots, then the other one.
    private static func alternating(
        _ first: Snapshot, _ second: Snapshot, _ apply: @escaping (Snapshot) -> Void
    ) -> Contestant {
        Contestant(name: "flat list") {
            apply(first)
            apply(second)
        }
    }
}
