// The asynchronous forms of applying a snapshot.
import DiffCore
import Testing

@MainActor @Suite struct AsyncApplyTests {
    private let view = RecordingView()
    private let dataSource: DiffableDataSource<String, String>

    init() { dataSource = DiffableDataSource(view: view) { _, _, item in item } }

    @Test func `each kind of apply returns when the view has been updated`() async {
        let difference = await dataSource.apply(TextSnapshot("A(a)"))
        view.note("first shown")
        await dataSource.apply(TextSnapshot("A(a b)"), animatingDifferences: false)
        view.note("second shown")
        await dataSource.applySnapshotUsingReloadData(TextSnapshot("A(c)"))
        view.note("third shown")
        let unfolded = await dataSource.apply(TextOutline("c+(d)"), to: "A")
        view.note("fourth shown")
        #expect(difference.insertedItems.map(\.item) == ["a"])
        #expect(unfolded.insertedItems.map(\.item) == ["d"])
        #expect(
            view.log == [
                "reload A(a)", "first shown", "update A(a b), still", "second shown",
                "reload A(c)", "third shown", "update A(c d)", "fourth shown",
            ])
    }

    @Test func `an asynchronous function can call the form with a completion`()
        async
    {
        dataSource.apply(TextSnapshot("A(a)"), completion: nil)
        dataSource.apply(TextSnapshot("A(b)")) { [view] in view.note("done") }
        #expect(view.log == ["reload A(a)", "update A(b)", "done"])
    }

    /// The tasks start immediately, so that they call `apply` during the update that creates them.
    @Test func `a snapshot applied during an update is awaited until it is shown`() async {
        var tasks: [Task<Void, Never>] = []
        view.duringUpdate = { [view, dataSource] in
            for name in ["b", "c"] {
                let task = Task.immediate { @MainActor in
                    view.note("apply \(name)")
                    await dataSource.apply(TextSnapshot("A(\(name))"))
                    view.note("\(name) shown")
                }
                tasks.append(task)
            }
            dataSource.apply(TextSnapshot("A(d)")) { view.note("d done") }
        }
        dataSource.apply(TextSnapshot("A(a)")) { [view] in view.note("a done") }
        #expect(
            view.log == [
                "reload A(a)", "apply b", "apply c", "a done", "update A(b)", "update A(c)",
                "update A(d)", "d done",
            ])
        for task in tasks { await task.value }
        #expect(view.log.suffix(2) == ["b shown", "c shown"])
        #expect(view.rows.map(\.cells) == [["d"]])
    }

    @Test func `an actor can own a data source that other tasks apply snapshots to`() async {
        let owner = ListOwner()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask { await owner.add("\(number)") }
            }
        }
        #expect(await owner.shown == Set((0..<20).map(String.init)))
        #expect(await owner.updateCount == 20)
    }
}

/// An actor that owns a list.
private actor ListOwner {
    private let view = RecordingView()
    private let dataSource: DiffableDataSource<String, String>

    init() { dataSource = DiffableDataSource(view: view) { _, _, item in item } }

    /// Stays on the actor while it waits, so that no item of another call is lost.
    func add(_ item: String) async {
        var snapshot = dataSource.snapshot()
        if snapshot.numberOfSections == 0 { snapshot.appendSections(["A"]) }
        snapshot.appendItems([item])
        await dataSource.apply(snapshot)
        preconditionIsolated()
    }

    var shown: Set<String> { Set(view.rows.flatMap(\.cells)) }
    var updateCount: Int { view.log.count }
}
