// Runs of one change after those of another, so that both are one.

extension Run {
    /// The old place of what is not in the old list at all: behind all others.
    private static let nowhere = Int32.max

    /// An item that is in the new list alone.
    fileprivate init(new: Int32) {
        old = Run.nowhere
        self.new = new
        length = 1
    }

    /// Whether the items are in the new list alone.
    var isNew: Bool { old == Run.nowhere }

    /// The place behind the last item in the old list, if the run is read forwards.
    var oldEnd: Int { isNew ? 0 : Int(old) + count }

    /// The place behind the last item in the new list.
    var newEnd: Int { Int(new) + count }

    /// Where the items are after another change that moves those of `next`; `nil` if it moves none.
    fileprivate func followed(by next: Run) -> Run? {
        let from = max(new, next.old)
        let to = min(newEnd, next.oldEnd)
        guard Int(from) < to else { return nil }
        var part = self
        if !isNew { part.old += from - new }
        part.new = next.new + from - next.old
        part.length = Int32(to) - from
        return part
    }

    /// Whether a run begins where this one ends, in both lists.
    fileprivate func isContinued(by next: Run) -> Bool {
        newEnd == next.new && (isNew ? next.isNew : oldEnd == next.old)
    }
}

extension [Run] {
    fileprivate mutating func append(joining run: Run) {
        if let last, last.isContinued(by: run) {
            self[count - 1].length += run.length
        } else {
            append(run)
        }
    }
}

/// The most runs that a look-up may have to choose from.
private let mostRuns = 64
/// The most items that a look-up may have to go through one by one.
private let mostNewItems = 16

/// What two changes one after the other do to a list.
///
/// - Parameters:
///   - first: The runs of the changes so far, by their old places; none if there were none.
///   - second: The runs of the next change.
///   - added: The places of what came with the next change, ascending.
/// - Returns: The runs of both by their old places, and behind them what has come; `nil` if they
///   are too many for a look-up to go through.
func joined(_ first: [Run], _ second: [Run], added: [Int32]) -> [Run]? {
    guard second.count <= mostRuns, second.allSatisfy({ $0.length > 0 }) else { return nil }
    let second = areInOrder(second) ? second : second.sorted { $0.old < $1.old }
    var runs: [Run] = []
    runs.reserveCapacity(min(first.count + second.count + added.count, mostRuns))
    if first.isEmpty {
        for run in second { runs.append(joining: run) }
    } else {
        for run in first {
            for next in second {
                if let part = run.followed(by: next) { runs.append(joining: part) }
            }
        }
    }
    for place in added { runs.append(joining: Run(new: place)) }
    let newItems = runs.reduce(0) { $0 + ($1.isNew ? $1.count : 0) }
    return runs.count <= mostRuns && newItems <= mostNewItems ? runs : nil
}
