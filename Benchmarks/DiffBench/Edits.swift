// Edits of a snapshot, and the same edits of an array.
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
