// Which section an item is in: in lists of many sections, by a table made at the first question.
import Synchronization

/// Finds the section that holds the item at a place, in a list of many sections.
///
/// The first question takes O(*n* / 64 + *s*) for *n* items in *s* sections, each other one O(1).
@usableFromInline
final class SectionFinder: Sendable {
    private let table = AtomicLazyReference<SectionTable>()

    /// The most sections that are searched one by one instead.
    @usableFromInline static let few = 8

    private init() {}

    /// A finder for a list of some sections; `nil` where there are few.
    @usableFromInline
    static func forSections(_ count: Int) -> SectionFinder? {
        count > few ? SectionFinder() : nil
    }

    /// The number of the section that holds the item at a place.
    ///
    /// `bounds` says where each section begins, and where the last one ends; always the same.
    @usableFromInline
    func section(at place: Int, in bounds: [Int]) -> Int {
        (table.load() ?? table.storeIfNil(SectionTable(bounds))).section(at: place)
    }
}

/// A bit for each place at which a section begins, and how many such there are before each word.
private final class SectionTable: Sendable {
    private let starts: [UInt64]
    private let startsBefore: [Int32]
    /// The last section that begins at each of these places; those before it there are empty.
    private let sections: [Int32]

    init(_ bounds: [Int]) {
        var starts = [UInt64](repeating: 0, count: bounds[bounds.count - 1] >> 6 + 1)
        var sections: [Int32] = []
        var last = -1
        for (section, start) in bounds.dropLast().enumerated() {
            if start == last { sections.removeLast() }
            starts[start >> 6] |= 1 << UInt64(start & 63)
            sections.append(Int32(truncatingIfNeeded: section))
            last = start
        }
        var count: Int32 = 0
        startsBefore = starts.map { word in
            defer { count += Int32(truncatingIfNeeded: word.nonzeroBitCount) }
            return count
        }
        self.starts = starts
        self.sections = sections
    }

    func section(at place: Int) -> Int {
        let upToPlace = starts[place >> 6] & ((2 &<< UInt64(place & 63)) &- 1)
        return Int(sections[Int(startsBefore[place >> 6]) + upToPlace.nonzeroBitCount - 1])
    }
}

/// The number of the section that holds the item at a place among all items.
///
/// - Complexity: O(1), with the help of a finder where there are many sections.
@inlinable
func section(at place: Int, in bounds: [Int], finder: SectionFinder?) -> Int {
    if let finder { return finder.section(at: place, in: bounds) }
    var section = bounds.count - 2
    while bounds[section] > place { section -= 1 }
    return section
}

/// The section and the number in it of the item at a place among all items.
///
/// - Complexity: O(1), with the help of a finder where there are many sections.
@inlinable
func indexPath(at place: Int, in bounds: [Int], finder: SectionFinder?) -> IndexPath {
    let section = section(at: place, in: bounds, finder: finder)
    return IndexPath(item: place - bounds[section], section: section)
}
