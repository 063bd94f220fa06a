// Data sources whose differences are read as a sequence.
import DiffCore
import Testing

@MainActor @Suite struct SnapshotDifferencesTests {
    @Test func `a reader gets each difference`() async {
        let dataSource = DiffableDataSource<String, String>()
        await dataSource.apply(TextSnapshot("A(a)"))
        var reader = dataSource.differences().makeAsyncIterator()
        #expect(await reader.next()?.insertedItems.map(\.item) == ["a"])
        await dataSource.apply(TextSnapshot("A(b a)"))
        #expect(await reader.next() == TextSnapshot("A(b a)").difference(from: .init("A(a)")))
        await dataSource.apply(TextSnapshot("A(b a)"))
        await dataSource.applySnapshotUsingReloadData(TextSnapshot("A(b)"))
        #expect(await reader.next()?.deletedItems.map(\.item) == ["a"])
    }

    @Test func `differences that are not read in time are combined`() async {
        let dataSource = DiffableDataSource<String, String>()
        var reader = dataSource.differences().makeAsyncIterator()
        var other = dataSource.differences().makeAsyncIterator()
        await dataSource.apply(TextSnapshot("A(a b c)"))
        #expect(await reader.next()?.insertedItems.count == 3)
        var marked = TextSnapshot("A(a b)")
        marked.reconfigureItems(["a", "b"])
        await dataSource.apply(marked)
        marked = TextSnapshot("A(d a)")
        marked.reloadItems(["a"])
        await dataSource.apply(marked)
        await dataSource.apply(TextSnapshot("A(a d e)"))
        let difference = await reader.next()
        #expect(difference?.deletedItems.map(\.item) == ["b", "c"])
        #expect(difference?.insertedItems.map(\.item) == ["d", "e"])
        #expect(difference?.reloadedItems.map(\.item) == ["a"])
        #expect(difference?.reconfiguredItems.isEmpty == true)
        #expect(await other.next()?.insertedItems.map(\.item) == ["a", "d", "e"])
    }

    @Test func `the sequence ends with its data source`() async {
        var dataSource: DiffableDataSource? = DiffableDataSource<String, String>()
        let differences = dataSource?.differences()
        let reader = Task {
            var count = 0
            if let differences { for await _ in differences { count += 1 } }
            return count
        }
        await dataSource?.apply(TextSnapshot("A(a)"))
        dataSource = nil
        #expect(await reader.value <= 1)
    }
}
