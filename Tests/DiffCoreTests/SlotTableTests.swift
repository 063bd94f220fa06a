// The table of places: look-ups, removals and shifts.
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

    @Test func `several steps at once shift each place by all steps up to it`() {
        let before = Array(0..<100)
        var table = SlotTable(roomFor: 100)
        lend(before) { list in
            #expect(table.insert(0..<100, of: list, kind: .word, type: Int.self) == nil)
        }
        table.shift([.init(start: 10, offset: 5), .init(start: 20, offset: -3)])
        // What stood at 10 to 19 stands 5 further on, what stood behind it 2.
        var after = Array(repeating: -1, count: 102)
        for place in before {
            after[place < 10 ? place : place < 20 ? place + 5 : place + 2] = place
        }
        lend(after) { list in
            for number in before where number < 10 || number >= 23 {
                let place = lend(one: number) {
                    table.place(of: $0, in: list, kind: .word, type: Int.self)
                }
                #expect(place == after.lastIndex(of: number))
            }
        }
    }
}
