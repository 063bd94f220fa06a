// How the sections of two lists correspond, and which items both have at either end of them.

/// Where the sections of two lists begin, and which correspond.
@usableFromInline
struct Bounds: ~Copyable {
    /// Where each section's items begin, and where the last one's end, in the old list.
    let old: [Int]
    /// The same in the new list.
    let new: [Int]
    /// The old number of each new section, or -1; `nil` if the sections are the same.
    let homes: [Int]?

    /// Bounds of two lists, and how their sections correspond.
    @usableFromInline
    init(old: [Int], new: [Int], homes: [Int]?) {
        self.old = old
        self.new = new
        self.homes = homes
    }

    /// How many sections the new list has.
    var sectionCount: Int { new.count - 1 }

    /// The old number of a new section, or -1.
    func home(of section: Int) -> Int { homes?[section] ?? section }

    /// The new number of each old section, or -1; `nil` if the sections are the same.
    var newNumbers: [Int]? {
        guard let homes else { return nil }
        var numbers = [Int](repeating: -1, count: old.count - 1)
        for (section, home) in homes.enumerated() where home >= 0 { numbers[home] = section }
        return numbers
    }
}

/// The sections of two lists, each new one with its old place and with what is the same at its ends.
///
/// It is not copied, nor are its arrays, since counting references would take longer than most of
/// what is done with them.
struct Frame: ~Copyable {
    let bounds: Bounds
    /// How many items at the start and the end of the first new section stand so in its old self.
    ///
    /// Apart from the others, as most lists have no others, and an array would take longer than
    /// comparing a short list.
    private var firstEnds = (start: 0, end: 0)
    /// The same for each section behind it.
    private var otherEnds: [(start: Int, end: Int)] = []
    /// The stretches between the ends that a walk has found in both lists, by their new places.
    private(set) var meetings: [Run] = []
    /// Where those of each section begin, and where the last one's end; empty if there are none.
    private var meetingBounds: [Int] = []
    /// How many items of the old list are in none of the stretches found so far.
    private(set) var oldRest: Int
    /// How many items of the new list are in none.
    private(set) var newRest: Int

    /// The sections of two lists, with the ends of each compared.
    @inline(__always)
    init<K: Key & ~Copyable>(old: KeyList<K>, new: KeyList<K>, bounds: consuming Bounds) {
        oldRest = old.count
        newRest = new.count
        if bounds.sectionCount > 1 { otherEnds.reserveCapacity(bounds.sectionCount - 1) }
        for section in 0..<bounds.sectionCount {
            let home = bounds.home(of: section)
            var ends = (start: 0, end: 0)
            if home >= 0 {
                let (from, to) = (bounds.old[home], bounds.new[section])
                let limit = min(bounds.old[home + 1] - from, bounds.new[section + 1] - to)
                ends.start = old.commonRun(at: from, with: new, at: to, limit: limit)
                ends.end = old.commonRun(
                    before: bounds.old[home + 1], with: new, before: bounds.new[section + 1],
                    limit: limit - ends.start)
            }
            if section == 0 { firstEnds = ends } else { otherEnds.append(ends) }
            oldRest -= ends.start + ends.end
            newRest -= ends.start + ends.end
        }
        self.bounds = bounds
    }

    /// How many items at the start and the end of a new section stand so in its old self.
    func ends(ofSection section: Int) -> (start: Int, end: Int) {
        section == 0 ? firstEnds : otherEnds[section - 1]
    }

    /// How many sections the new list has.
    var sectionCount: Int { bounds.sectionCount }

    /// The items of a new section that are not at the same end of its old self.
    func newRest(ofSection section: Int) -> Range<Int> {
        let ends = ends(ofSection: section)
        return bounds.new[section] + ends.start..<bounds.new[section + 1] - ends.end
    }

    /// The items of a new section's old self that are not at the same end of it.
    func oldRest(ofSection section: Int) -> Range<Int> {
        let home = bounds.home(of: section)
        guard home >= 0 else { return 0..<0 }
        let ends = ends(ofSection: section)
        return bounds.old[home] + ends.start..<bounds.old[home + 1] - ends.end
    }

    /// The stretches of a new section that a walk has found.
    func meetings(ofSection section: Int) -> ArraySlice<Run> {
        meetings.isEmpty ? [] : meetings[meetingBounds[section]..<meetingBounds[section + 1]]
    }

    /// Walks along what lies between the ends of each section.
    @inline(__always)
    mutating func walk<K: Key & ~Copyable>(along old: KeyList<K>, _ new: KeyList<K>) {
        meetingBounds.reserveCapacity(sectionCount + 1)
        for section in 0..<sectionCount {
            meetingBounds.append(meetings.count)
            var walk = Walk(
                from: oldRest(ofSection: section), of: old, to: newRest(ofSection: section),
                of: new)
            while let run = walk.next() {
                meetings.append(run)
                oldRest -= run.count
                newRest -= run.count
            }
        }
        meetingBounds.append(meetings.count)
    }
}
