// Measures differences, and lists that are refilled at every event.
import DiffCore

/// Measures and reports workloads with one kind of identifiers.
struct Bench<Identifier: Hashable & Sendable> {
    typealias Snapshot = DiffableDataSourceSnapshot<Int, Identifier>

    let identifiers: String
    /// A text that the measured cases contain in their identifiers or name.
    let filter: String
    let report: Report

    /// Compares a difference with making a `Set` of the list.
    func compareToSet(_ workload: Workload<Identifier>, limit: Double? = nil) {
        compare(workload, sections: 1, limit: limit, to: makingSet)
    }

    /// Compares a difference with `==` of two equal arrays.
    func compareToEquality(
        _ workload: Workload<Identifier>, sections: Int = 1, limit: Double? = nil
    ) {
        compare(workload, sections: sections, limit: limit) { list in
            let other = list.map { $0 }
            return Contestant(name: "Array ==") { consume(list == other) }
        }
    }

    /// Measures filling and applying a snapshot, followed by a look-up.
    func rebuild(_ workload: Workload<Identifier>, sections: Int = 1, limit: Double? = nil) {
        let name = name("rebuild + apply, " + workload.name, sections)
        guard isWanted(name) else { return }
        let lists = workload.make()
        let view = SilentView<Identifier>()
        let dataSource = DiffableDataSource<Int, Identifier>(view: view) { _, _, _ in }
        let states = [lists.after, lists.before].map { parts(of: $0, sections: sections) }
        let probe = lists.before[lists.before.count / 2]
        let numbers = Array(0..<sections)
        var turn = 0
        let rebuilding = Contestant(name: "rebuild") {
            var snapshot = Snapshot()
            snapshot.appendSections(numbers)
            for section in numbers {
                snapshot.appendItems(states[turn & 1][section], toSection: section)
            }
            turn += 1
            dataSource.apply(snapshot)
            consume(dataSource.indexPath(for: probe))
        }
        report.report {
            let times = medians(of: [rebuilding, makingSet(of: lists.before)])
            return Row(
                identifiers: identifiers, name: name, ours: times[0], reference: times[1],
                referenceName: "Set", limit: limit)
        }
    }

    private func compare(
        _ workload: Workload<Identifier>, sections: Int, limit: Double?,
        to reference: ([Identifier]) -> Contestant
    ) {
        let name = name(workload.name, sections)
        guard isWanted(name) else { return }
        let lists = workload.make()
        let before = snapshot(of: lists.before, sections: sections)
        let after = snapshot(of: lists.after, sections: sections)
        let ours = Contestant(name: "DiffCore") { consume(after.difference(from: before)) }
        var contestants = [ours, reference(lists.before)]
        let difference = after.difference(from: before)
        // The standard library's difference takes seconds if there are many changes.
        if report.isComplete, difference.movedItems.count + difference.deletedItems.count <= 2_000,
            sections == 1
        {
            contestants.append(
                Contestant(name: "difference(from:)") {
                    consume(lists.after.difference(from: lists.before))
                })
        }
        report.report {
            let times = medians(of: contestants)
            return Row(
                identifiers: identifiers, name: name, ours: times[0], reference: times[1],
                referenceName: contestants[1].name, standard: times.count > 2 ? times[2] : nil,
                limit: limit)
        }
    }

    private func name(_ workload: String, _ sections: Int) -> String {
        sections > 1 ? "\(workload), \(sections) sections" : workload
    }

    private func isWanted(_ name: String) -> Bool {
        let title = "\(identifiers) \(name)"
        return report.wants(title) && (filter.isEmpty || title.contains(filter))
    }

    private func makingSet(of list: [Identifier]) -> Contestant {
        Contestant(name: "Set") {
            var set = Set<Identifier>(minimumCapacity: list.count)
            for identifier in list { set.insert(identifier) }
            consume(set)
        }
    }

    private func snapshot(of list: [Identifier], sections: Int) -> Snapshot {
        var snapshot = Snapshot()
        snapshot.appendSections(Array(0..<sections))
        for (section, part) in parts(of: list, sections: sections).enumerated() {
            snapshot.appendItems(part, toSection: section)
        }
        return snapshot
    }

    private func parts(of list: [Identifier], sections: Int) -> [[Identifier]] {
        (0..<sections).map { section in
            Array(list[list.count * section / sections..<list.count * (section + 1) / sections])
        }
    }
}

/// A view that ignores its updates.
final class SilentView<Identifier: Hashable & Sendable>: DiffableListView {
    func attach(_ content: ListContent<Int, Identifier, Void, Never>) {}

    func performBatchUpdates(
        _ difference: SnapshotDifference<Int, Identifier>,
        to snapshot: DiffableDataSourceSnapshot<Int, Identifier>, animation: RowAnimation
    ) {}

    func reloadData(to snapshot: DiffableDataSourceSnapshot<Int, Identifier>) {}
}
