// Insertion sort: each step moves one item in the current snapshot and applies it.
import DiffCore
import Glibc
import TerminalList

/// A list of numbers that is sorted one swap at a time.
///
/// The state of the sort is the data source's snapshot; there is no array beside it. ``step()``
/// changes a copy of the snapshot and applies it. The difference is one move, so one row moves, and
/// the selection follows it.
@MainActor final class InsertionSort {
    enum Section { case numbers }

    let view: TerminalListView<Section, Int>
    private let dataSource: DiffableDataSource<Section, Int>
    private var generator: any RandomNumberGenerator
    private let count: Int
    private var steps = 0
    private(set) var isRunning = false

    init(count: Int = 18, generator: any RandomNumberGenerator = SystemRandomNumberGenerator()) {
        self.count = count
        self.generator = generator
        view = TerminalListView(columns: [
            ListColumn("Number", minimum: 6, ideal: 6, rank: 1, alignment: .trailing),
            ListColumn("", minimum: 20, ideal: 40),
        ])
        // The number is the item's identifier and its contents.
        dataSource = DiffableDataSource(view: view) { _, _, number in
            ListCell([.init("\(number)"), .init(String(repeating: "=", count: number))])
        }
        view.keys = .standard(adding: [
            KeyBinding([.enter], "one step", hint: "step") { [unowned self] in
                isRunning = false
                step()
            },
            KeyBinding([.character("r")], "start or stop", hint: "run") { [unowned self] in
                isRunning.toggle()
            },
            KeyBinding([.character("n")], "shuffle the numbers", hint: "shuffle") {
                [unowned self] in shuffle()
            },
        ])
        shuffle()
    }

    private func shuffle() {
        var snapshot = DiffableDataSourceSnapshot<Section, Int>()
        snapshot.appendSections([.numbers])
        snapshot.appendItems((1...count).shuffled(using: &generator))
        dataSource.apply(snapshot, animatingDifferences: false)
        view.select(nil)
        steps = 0
        view.header = ListHeader("Insertion sort", status: "steps: 0")
    }

    /// Swaps the first number that is smaller than the one above it with that one.
    ///
    /// The numbers above are sorted, so the next steps move the same number up to its position.
    ///
    /// - Returns: Whether the numbers were not sorted yet.
    @discardableResult func step() -> Bool {
        var snapshot = dataSource.snapshot()
        let numbers = snapshot.itemIdentifiers
        guard
            let index = numbers.indices.dropFirst().first(where: { numbers[$0] < numbers[$0 - 1] })
        else {
            isRunning = false
            view.header.status = "in order, steps: \(steps)"
            return false
        }
        snapshot.moveItem(numbers[index], beforeItem: numbers[index - 1])
        dataSource.apply(snapshot)
        view.select(numbers[index])
        steps += 1
        view.header.status = "steps: \(steps)"
        return true
    }

    /// Shows the list until the user quits; while the sort runs, it does ten steps per second.
    func run() async -> Int32 {
        let clock = Task {
            while (try? await Task.sleep(for: .milliseconds(100))) != nil {
                if isRunning { step() }
            }
        }
        defer { clock.cancel() }
        return await view.run()
    }
}

@main @MainActor enum Program {
    static func main() async { exit(await InsertionSort().run()) }
}
