// The workloads: lists before and after a change.
import FoundationEssentials

/// A list before and after a change.
struct Workload<Identifier: Hashable & Sendable> {
    var name: String
    var sectionCount = 1
    /// Whether at most one item changes, so that reading the list takes most of the time.
    var isSingleChange = false
    /// Makes the lists, if the workload is measured.
    let make: () -> (before: [Identifier], after: [Identifier])
}

/// Makes workloads of identifiers.
struct WorkloadMaker<Identifier: Hashable & Sendable> {
    /// Makes the identifier with a number.
    let identifier: (Int) -> Identifier

    /// All workloads.
    var all: [Workload<Identifier>] {
        var workloads = [
            readme(5_000, edits: 1_000, shuffled: 200),
            readme(100_000, edits: 10_000, shuffled: 2_000),
            readmeScattered(5_000, edits: 1_000, shuffled: 200),
            readmeScattered(100_000, edits: 10_000, shuffled: 2_000),
        ]
        for count in [10, 100, 1_000, 10_000, 100_000] {
            workloads += [arrival(count), move(count)]
        }
        var inSections = arrival(10_000)
        inSections.name += ", 10 sections"
        inSections.sectionCount = 10
        return workloads + [
            inSections, unchanged(10_000), scattered(100_000), reversed(10_000), shuffled(10_000),
            shuffled(100_000), replaced(10_000), replaced(100_000), inFront(10_000),
        ]
    }

    /// Deletes a block, inserts another and shuffles a third, as DifferenceKit's README does.
    func readme(_ count: Int, edits: Int, shuffled: Int) -> Workload<Identifier> {
        workload("README \(count)", count) { list, generator in
            list.removeSubrange(count * 2 / 5..<count * 2 / 5 + edits)
            let inserted = (count..<count + edits).map(identifier)
            list.insert(contentsOf: inserted, at: count * 3 / 5)
            list[0..<shuffled].shuffle(using: &generator)
        }
    }

    /// Deletes, inserts and swaps as many items everywhere.
    func readmeScattered(_ count: Int, edits: Int, shuffled: Int) -> Workload<Identifier> {
        workload("README \(count), scattered", count) { list, generator in
            for _ in 0..<edits {
                list.remove(at: Int.random(in: 0..<list.count, using: &generator))
            }
            for number in 0..<edits {
                let gap = Int.random(in: 0...list.count, using: &generator)
                list.insert(identifier(count + number), at: gap)
            }
            for _ in 0..<shuffled / 2 {
                list.swapAt(
                    Int.random(in: 0..<list.count, using: &generator),
                    Int.random(in: 0..<list.count, using: &generator))
            }
        }
    }

    /// Inserts one item in the middle, or deletes it in turn.
    func arrival(_ count: Int) -> Workload<Identifier> {
        workload("arrival in \(count)", count, isSingleChange: true) { list, _ in
            list.insert(identifier(count), at: count * 2 / 3)
        }
    }

    /// Moves one item.
    func move(_ count: Int) -> Workload<Identifier> {
        workload("move in \(count)", count, isSingleChange: true) { list, _ in
            list.insert(list.remove(at: count / 5), at: count * 3 / 5)
        }
    }

    /// Replaces one in a hundred items everywhere.
    func scattered(_ count: Int) -> Workload<Identifier> {
        workload("1 % of \(count)", count) { list, generator in
            for number in 0..<count / 100 {
                list[Int.random(in: 0..<count, using: &generator)] = identifier(count + number)
            }
        }
    }

    /// Reverses the list.
    func reversed(_ count: Int) -> Workload<Identifier> {
        workload("reverse \(count)", count) { list, _ in list.reverse() }
    }

    /// Shuffles the list.
    func shuffled(_ count: Int) -> Workload<Identifier> {
        workload("shuffle \(count)", count) { list, generator in list.shuffle(using: &generator) }
    }

    /// Replaces all items.
    func replaced(_ count: Int) -> Workload<Identifier> {
        workload("replace \(count)", count) { list, _ in
            list = (count..<2 * count).map(identifier)
        }
    }

    /// Appends a page of items, or deletes them in turn.
    func page(_ added: Int, after count: Int) -> Workload<Identifier> {
        workload("\(added) after \(count)", count) { list, _ in
            list += (count..<count + added).map(identifier)
        }
    }

    /// Inserts one in a hundred items in front, or deletes them in turn.
    func inFront(_ count: Int) -> Workload<Identifier> {
        workload("1 % in front of \(count)", count) { list, _ in
            list.insert(contentsOf: (count..<count + count / 100).map(identifier), at: 0)
        }
    }

    /// Changes nothing.
    func unchanged(_ count: Int) -> Workload<Identifier> {
        workload("no change in \(count)", count, isSingleChange: true) { _, _ in }
    }

    private func workload(
        _ name: String, _ count: Int, isSingleChange: Bool = false,
        change: @escaping (inout [Identifier], inout Generator) -> Void
    ) -> Workload<Identifier> {
        Workload(name: name, isSingleChange: isSingleChange) {
            var generator = Generator(state: UInt64(count))
            let before = (0..<count).map(identifier)
            var after = before
            change(&after, &generator)
            return (before, after)
        }
    }
}

extension UUID {
    /// A UUID of pseudorandom bytes, the same in every run.
    init(number: Int) {
        var generator = Generator(state: UInt64(number))
        let bytes = (generator.next(), generator.next())
        self = unsafe unsafeBitCast(bytes, to: UUID.self)
    }
}

/// SplitMix64, which makes the same workloads every time.
struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
