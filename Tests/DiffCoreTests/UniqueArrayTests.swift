// Look-ups in arrays that change.
import TestSupport
import Testing
@testable import DiffCore

@Suite struct UniqueArrayTests {
    /// The seed alone determines the operations.
    @Test(arguments: 0..<30 as Range<UInt64>)
    func `a changed array finds every index`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var list = UniqueArray<Int>()
        var model: [Int] = []
        var fresh = 0
        for _ in 0..<200 {
            if model.count < 5 || Int.random(in: 0..<5, using: &generator) < 3 {
                let added = Array(fresh..<fresh + Int.random(in: 1...4, using: &generator))
                fresh += added.count
                let gap = Int.random(in: 0...model.count, using: &generator)
                list.insert(added, at: gap)
                model.insert(contentsOf: added, at: gap)
            } else {
                let count = Int.random(in: 1...6, using: &generator)
                let removed = model.indices.shuffled(using: &generator).prefix(count).sorted()
                list.remove(at: removed)
                for index in removed.reversed() { model.remove(at: index) }
            }
            #expect(list.elements == model)
            #expect(model.indices.allSatisfy { list.index(of: model[$0]) == $0 })
            #expect(list.index(of: -1) == nil)
        }
    }

    @Test func `the first repeated identifier is found`() {
        for count in [2, 8, 9, 100] {
            var elements = Array(0..<count)
            #expect(UniqueArray.firstRepeated(in: elements) == nil)
            elements.append(count / 2)
            #expect(UniqueArray.firstRepeated(in: elements) == count / 2)
        }
    }
}
