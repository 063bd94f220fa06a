// The table of places: look-ups in lists that are edited.
import TestSupport
import Testing
@testable import DiffCore

@Suite struct SlotTableTests {
    /// A failure names its seed, and the seed alone decides the operations.
    @Test(arguments: 0..<30 as Range<UInt64>)
    func `a list that is edited knows every place`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var list = UniqueList<Int>()
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
                let doomed = model.indices.shuffled(using: &generator).prefix(count).sorted()
                list.remove(at: doomed)
                for place in doomed.reversed() { model.remove(at: place) }
            }
            #expect(list.elements == model)
            #expect(model.indices.allSatisfy { list.index(of: model[$0]) == $0 })
            #expect(list.index(of: -1) == nil)
        }
    }

    @Test func `a list finds the identifier that comes twice`() {
        for count in [2, 8, 9, 100] {
            var elements = Array(0..<count)
            #expect(UniqueList.firstRepeated(in: elements) == nil)
            elements.append(count / 2)
            #expect(UniqueList.firstRepeated(in: elements) == count / 2)
        }
    }
}
