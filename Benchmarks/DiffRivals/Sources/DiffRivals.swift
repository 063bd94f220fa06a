// Measures DiffCore, DifferenceKit and OrderedSet with the events of DiffBench.
import DifferenceKit
import FoundationEssentials
import OrderedCollections

extension UUID: @retroactive Differentiable {}

@main struct DiffRivals {
    /// Prints a row for each workload of UUIDs whose name contains the argument.
    static func main() {
        let filter = CommandLine.arguments.dropFirst().joined(separator: " ")
        print("| case | by identifier | batch | DifferenceKit | × | × batch | OrderedSet | × |")
        print("|---|--:|--:|--:|--:|--:|--:|--:|")
        for workload in WorkloadMaker(identifier: UUID.init(number:)).all
        where workload.sectionCount == 1 && (filter.isEmpty || workload.name.contains(filter)) {
            let events = Events(lists: workload.make(), sectionCount: 1)
            let differenceKit = events.contestant("DifferenceKit") { old, new in
                consume(StagedChangeset(source: old, target: new))
            }
            // As in a program, the set of the list before is at hand, and one of the new list is made.
            var shown = OrderedSet<UUID>()
            let orderedSet = events.contestant("OrderedSet") { _, new in
                let next = OrderedSet(new)
                consume(next.difference(from: shown))
                shown = next
            }
            let times = medians(
                of: [events.byIdentifier, events.asBatch, differenceKit, orderedSet])
            let factors = [times[2] / times[0], times[2] / times[1], times[3] / times[0]]
            let cells =
                [workload.name] + times[..<3].map(microseconds) + factors[..<2].map(rounded)
                + [microseconds(times[3]), rounded(factors[2])]
            print("| " + cells.joined(separator: " | ") + " |")
        }
    }

    private static func microseconds(_ nanoseconds: Double) -> String {
        "\((nanoseconds / 10).rounded() / 100) µs"
    }

    private static func rounded(_ factor: Double) -> String {
        factor < 10 ? "\((factor * 10).rounded() / 10)" : "\(Int(factor.rounded()))"
    }
}
