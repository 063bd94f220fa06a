// Measures DiffCore, OrderedSet, the standard library and DifferenceKit with the events of DiffBench.
import DiffCore
import DifferenceKit
import FoundationEssentials
import OrderedCollections

extension UUID: @retroactive Differentiable {}

@main struct DiffRivals {
    /// Prints a row for each workload whose name contains the argument.
    static func main() {
        let filter = CommandLine.arguments.dropFirst().joined(separator: " ")
        func isWanted(_ name: String) -> Bool { filter.isEmpty || name.contains(filter) }
        printHead("case", "OrderedSet", "difference(from:)", "Dictionary", "DifferenceKit")
        let maker = WorkloadMaker(identifier: UUID.init(number:))
        for workload in maker.all where workload.sectionCount == 1 && isWanted(workload.name) {
            measure(workload) { events in
                events.contestant("DifferenceKit") { old, new in
                    consume(StagedChangeset(source: old, target: new))
                }
            }
        }
        // Workloads in which other ways are as fast as DiffCore, or faster.
        let numbers = WorkloadMaker<Int> { $0 }
        let optionals = WorkloadMaker<Int?> { $0 }
        let enums = WorkloadMaker(identifier: Entry.init)
        for workload in [numbers.shuffled(5), numbers.page(50, after: 100_000)]
        where isWanted(workload.name) { measure(workload) }
        for workload in [optionals.reversed(10_000), optionals.shuffled(10_000)]
        where isWanted(workload.name) { measure(workload) }
        for workload in [enums.shuffled(10_000), enums.replaced(10_000)]
        where isWanted(workload.name) { measure(workload) }
        if isWanted("index of each of 100000") { measureIndices(count: 100_000) }
    }

    /// Prints the times of one workload.
    private static func measure<Identifier>(
        _ workload: Workload<Identifier>,
        differenceKit: (Events<Identifier>) -> Contestant? = { _ in nil }
    ) {
        let events = Events(lists: workload.make(), sectionCount: 1)
        // As in a program, the set of the list before is at hand, and one of the new list is made.
        var shown = OrderedSet<Identifier>()
        let orderedSet = events.contestant("OrderedSet") { _, new in
            let next = OrderedSet(new)
            consume(next.difference(from: shown))
            shown = next
        }
        var keyed = KeyedList<Identifier>()
        let dictionary = events.contestant("Dictionary") { _, new in
            let next = KeyedList(new)
            consume(next.changes(from: keyed))
            keyed = next
        }
        let rivals = [
            orderedSet, events.hasManyChanges ? nil : events.standard, dictionary,
            differenceKit(events),
        ]
        let times = medians(of: [events.byIdentifier] + rivals.compactMap(\.self))
        var others = times.dropFirst()
        let name = "\(Identifier.self) \(workload.name)"
        printRow(name, times[0], rivals.map { $0 == nil ? nil : others.removeFirst() })
    }

    /// Prints the times of finding the index of each item, in a list that has been queried before.
    private static func measureIndices(count: Int) {
        let numbers = Array(0..<count)
        let snapshot = DiffableDataSourceSnapshot([(0, numbers)])
        let set = OrderedSet(numbers)
        let times = medians(of: [
            Contestant(name: "DiffCore") {
                for number in numbers { consume(snapshot.indexOfItem(number)) }
            },
            Contestant(name: "OrderedSet") {
                for number in numbers { consume(set.firstIndex(of: number)) }
            },
        ])
        printRow("Int index of each of \(count)", times[0], [times[1], nil, nil, nil])
    }

    private static func printHead(_ name: String, _ rivals: String...) {
        print("| " + ([name, "DiffCore"] + rivals).joined(separator: " | ") + " |")
        print("|---|--:|" + rivals.map { _ in "--:|" }.joined())
    }

    /// Prints a time, and those of others as multiples of it.
    private static func printRow(_ name: String, _ time: Double, _ others: [Double?]) {
        let factors = others.map { $0.map { rounded($0 / time) } ?? "–" }
        print("| " + ([name, microseconds(time)] + factors).joined(separator: " | ") + " |")
    }

    private static func microseconds(_ nanoseconds: Double) -> String {
        "\((nanoseconds / 10).rounded() / 100) µs"
    }

    private static func rounded(_ factor: Double) -> String {
        factor < 10 ? "\((factor * 100).rounded() / 100)" : "\(Int(factor.rounded()))"
    }
}

/// An identifier with an associated value of either case.
enum Entry: Hashable, Sendable {
    case header(UUID)
    case row(Int)

    init(_ number: Int) {
        self = number.isMultiple(of: 10) ? .header(UUID(number: number)) : .row(number)
    }
}

/// A list with a dictionary of the indices, as a program would compare two lists by hand.
private struct KeyedList<Identifier: Hashable> {
    private var items: [Identifier] = []
    private var indices: [Identifier: Int] = [:]

    init() {}

    init(_ items: [Identifier]) {
        self.items = items
        indices.reserveCapacity(items.count)
        for (index, item) in items.enumerated() { indices[item] = index }
    }

    /// Returns the indices of deleted, inserted and moved items; every item that is before its predecessor
    /// in the old list counts as moved, which may be far more than the fewest.
    func changes(from old: KeyedList) -> (deletes: [Int], inserts: [Int], moves: [(Int, Int)]) {
        var (deletes, inserts, moves): ([Int], [Int], [(Int, Int)]) = ([], [], [])
        var last = -1
        for (index, item) in items.enumerated() {
            guard let former = old.indices[item] else {
                inserts.append(index)
                continue
            }
            if former < last { moves.append((former, index)) } else { last = former }
        }
        if items.count - inserts.count < old.items.count {
            for (index, item) in old.items.enumerated() where indices[item] == nil {
                deletes.append(index)
            }
        }
        return (deletes, inserts, moves)
    }
}
