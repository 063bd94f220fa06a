// Insertion sort: each step changes the current snapshot of several lists and applies it.
import DiffCore
import Glibc
import TerminalList

/// Lists of numbers that are sorted at the same time, one swap in each per step.
///
/// The state of the sort is the data source's snapshot. A step takes a copy, replaces the items of
/// each section by the same ones in a better order, and applies it. The difference is a move in each
/// section: two rows change places, and the selection stays at its number.
@MainActor final class InsertionSort {
    typealias Snapshot = DiffableDataSourceSnapshot<Int, Bar>

    /// A number of a list; the same number in another list is another item.
    struct Bar: Hashable { let list, value: Int }

    private static let greatest = 36
    private static let tones: [Style.Tone] = [.bad, .caution, .good, .accent, .kind, .own]

    let view: TerminalListView<Int, Bar>
    private let dataSource: DiffableDataSource<Int, Bar>
    private var generator: any RandomNumberGenerator
    private var steps = 0 { didSet { view.header.status = "steps: \(steps)" } }
    private(set) var isRunning = false

    init(generator: any RandomNumberGenerator = SystemRandomNumberGenerator()) {
        self.generator = generator
        view = TerminalListView(columns: [
            ListColumn("Number", minimum: 6, ideal: 6, rank: 1, alignment: .trailing),
            ListColumn("", minimum: 20, ideal: Self.greatest),
        ])
        dataSource = DiffableDataSource(view: view) { _, _, bar in
            let tone = Self.tones[(bar.value - 1) * Self.tones.count / Self.greatest]
            let text = String(repeating: "=", count: bar.value)
            return ListCell([.init("\(bar.value)"), .init(text, style: Style(tone: tone))])
        } headerProvider: { _, index, _ in
            "List \(index + 1)"
        }
        view.header = ListHeader("Insertion sort")
        view.keys = .standard(adding: [
            KeyBinding([.enter], "one step", hint: "step") { [unowned self] in
                isRunning = false
                step()
            },
            KeyBinding([.character("r")], "start or stop", hint: "run") {
                [unowned self] in isRunning.toggle()
            },
            KeyBinding([.character("n")], "shuffle", hint: "new") { [unowned self] in shuffle() },
        ])
        shuffle()
    }

    /// Fills three lists with random numbers, without animation.
    private func shuffle() {
        var snapshot = Snapshot()
        for list in 0..<3 {
            let values = (1...Self.greatest).shuffled(using: &generator).prefix(6)
            snapshot.appendSections([list])
            snapshot.appendItems(values.map { Bar(list: list, value: $0) })
        }
        dataSource.apply(snapshot, animatingDifferences: false)
        steps = 0
    }

    /// Returns the snapshot after the next step, or `nil` if all lists are in order: in each list the
    /// first number that is smaller than the one above it has changed places with that one.
    private func nextSnapshot() -> Snapshot? {
        var (snapshot, isSorted) = (dataSource.snapshot(), true)
        for list in snapshot.sectionIdentifiers {
            var bars = snapshot.itemIdentifiers(inSection: list)
            let steps = bars.indices.dropFirst()
            guard let index = steps.first(where: { bars[$0].value < bars[$0 - 1].value }) else {
                continue
            }
            bars.swapAt(index, index - 1)
            snapshot.deleteItems(bars)
            snapshot.appendItems(bars, toSection: list)
            isSorted = false
        }
        return isSorted ? nil : snapshot
    }

    /// Does one step; returns whether the numbers were not in order yet.
    @discardableResult func step() -> Bool {
        guard let snapshot = nextSnapshot() else {
            view.header.status = "in order, steps: \(steps)"
            return false
        }
        dataSource.apply(snapshot)
        steps += 1
        return true
    }

    /// Does ten steps per second while the sort runs; starts again a second after its end.
    private func sort() async {
        while (try? await Task.sleep(for: .milliseconds(100))) != nil {
            guard isRunning else { continue }
            if let snapshot = nextSnapshot() {
                // The next step is computed only after the list shows this one.
                await dataSource.apply(snapshot)
                steps += 1
            } else {
                step()
                try? await Task.sleep(for: .seconds(1))
                if isRunning { shuffle() }
            }
        }
    }

    func run() async -> Int32 {
        let sorting = Task { await sort() }
        defer { sorting.cancel() }
        return await view.run()
    }
}

@main @MainActor enum Program {
    static func main() async { exit(await InsertionSort().run()) }
}
