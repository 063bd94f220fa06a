// Tests of the insertion sort example.
import TerminalList
import TestSupport
import Testing

@testable import InsertionSort

@MainActor @Suite struct InsertionSortTests {
    private func numbers(_ list: DrivenList<InsertionSort.Section, Int>) -> [Int] {
        list.lines.compactMap { line in Int(line.dropFirst(3).prefix(6).filter { $0 != " " }) }
    }

    @Test func `the numbers start unsorted`() throws {
        let list = DrivenList(InsertionSort(generator: SeededGenerator(seed: 1)), \.view)
        try list.expectScreen("insertion-sort-80x24")
        #expect(numbers(list) != Array(1...18))
        #expect(numbers(list).sorted() == Array(1...18))
    }

    @Test func `a step swaps two neighbours and selects the smaller`() throws {
        let sort = InsertionSort(generator: SeededGenerator(seed: 1))
        let list = DrivenList(sort, \.view)
        var before = numbers(list)
        let index = try #require(before.indices.dropFirst().first { before[$0] < before[$0 - 1] })
        list.press(.enter)
        #expect(sort.view.selectedItem == before[index])
        before.swapAt(index, index - 1)
        #expect(numbers(list) == before)
        try list.expectScreen("insertion-sort-step-80x24")
    }

    @Test(arguments: 1...20)
    func `the number of steps is the number of inversions`(seed: UInt64) {
        let sort = InsertionSort(generator: SeededGenerator(seed: seed))
        let list = DrivenList(sort, \.view)
        let first = numbers(list)
        let wrong = first.indices.reduce(0) { sum, index in
            sum + first[..<index].count { $0 > first[index] }
        }
        var steps = 0
        while sort.step(), steps < 1000 { steps += 1 }
        #expect(steps == wrong)
        #expect(numbers(list) == Array(1...18))
        #expect(list.draw().contains("in order, steps: \(steps)"))
    }

    @Test func `r starts and stops the sort, which ends when sorted`() {
        let sort = InsertionSort(generator: SeededGenerator(seed: 2))
        let list = DrivenList(sort, \.view)
        list.press(.character("r"))
        #expect(sort.isRunning)
        list.press(.character("r"))
        #expect(!sort.isRunning)
        list.press(.character("r"))
        while sort.step() {}
        #expect(!sort.isRunning)
    }

    @Test func `n shuffles the numbers`() throws {
        let sort = InsertionSort(generator: SeededGenerator(seed: 3))
        let list = DrivenList(sort, \.view)
        while sort.step() {}
        list.press(.character("n"))
        #expect(numbers(list) != Array(1...18))
        #expect(list.draw().contains("steps: 0"))
    }

    @Test func `the moving row stays visible in a small window`() throws {
        let sort = InsertionSort(generator: SeededGenerator(seed: 1))
        let list = DrivenList(sort, \.view)
        for _ in 0..<60 {
            list.draw(40, 10)
            list.press(.enter)
            let screen = list.draw(40, 10)
            #expect(screen.contains("\n> "))
        }
        try list.expectScreen("insertion-sort-40x10", columns: 40, rows: 10)
    }
}
