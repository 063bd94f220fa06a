// A program whose list changes at every event, with DiffCore and with the standard library.
import DiffCore

/// The contestants for one workload, which handle the same events.
///
/// At each event a program has a new array, fills a new snapshot with it, compares it with the one
/// before, and reads the changes. The arrays alternate between the two lists of the workload, each time
/// in other memory.
struct Events<Identifier: Hashable & Sendable> {
    typealias Snapshot = DiffableDataSourceSnapshot<Int, Identifier>
    typealias Difference = SnapshotDifference<Int, Identifier>

    /// The number of arrays, half of them equal to either list.
    private static var arrayCount: Int { 8 }

    let lists: (before: [Identifier], after: [Identifier])
    let sectionCount: Int

    /// Reads the changes by identifier.
    var byIdentifier: Contestant {
        ours { difference in
            consume(difference.deletedItems)
            consume(difference.insertedItems)
            consume(difference.movedItems)
        }
    }

    /// Reads the changes as a batch update.
    var asBatch: Contestant { ours { consume($0.batch) } }

    /// The standard library's difference, which finds no moves.
    var standard: Contestant {
        contestant("difference(from:)") { consume($1.difference(from: $0)) }
    }

    /// Compares equal arrays in separate memory.
    var equality: Contestant {
        let (array, other) = (copy(number: 0), copy(number: 2))
        return Contestant(name: "Array ==") { consume(array == other) }
    }

    /// Hashes the list once.
    var makingSet: Contestant {
        contestant("Set") { _, list in
            var set = Set<Identifier>(minimumCapacity: list.count)
            for identifier in list { set.insert(identifier) }
            consume(set)
        }
    }

    /// Whether there are so many changes that the standard library's difference takes seconds.
    var hasManyChanges: Bool {
        let difference = filled(parts(of: lists.after)).difference(
            from: filled(parts(of: lists.before)))
        return difference.movedItems.count + difference.deletedItems.count > 2_000
    }

    /// A contestant that gets the list before each event and the list after it.
    func contestant(
        _ name: String, _ handle: @escaping ([Identifier], [Identifier]) -> Void
    ) -> Contestant {
        let arrays = (0..<Self.arrayCount).map { copy(number: $0) }
        var turn = 0
        return Contestant(name: name) {
            handle(arrays[turn % arrays.count], arrays[(turn + 1) % arrays.count])
            turn += 1
        }
    }

    private func ours(reading read: @escaping (Difference) -> Void) -> Contestant {
        let arrays = (0..<Self.arrayCount).map { parts(of: copy(number: $0)) }
        var shown = filled(arrays[0])
        var turn = 0
        return Contestant(name: "DiffCore") {
            turn += 1
            let next = filled(arrays[turn % arrays.count])
            read(next.difference(from: shown))
            shown = next
        }
    }

    private func copy(number: Int) -> [Identifier] {
        (number.isMultiple(of: 2) ? lists.before : lists.after).map { $0 }
    }

    private func filled(_ parts: [[Identifier]]) -> Snapshot {
        var snapshot = Snapshot()
        snapshot.appendSections(Array(parts.indices))
        for (section, part) in parts.enumerated() { snapshot.appendItems(part, toSection: section) }
        return snapshot
    }

    private func parts(of list: [Identifier]) -> [[Identifier]] {
        guard sectionCount > 1 else { return [list] }
        return (0..<sectionCount).map { section in
            let start = list.count * section / sectionCount
            return Array(list[start..<list.count * (section + 1) / sectionCount])
        }
    }
}
