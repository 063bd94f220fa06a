// Orders what is due at a time.

/// A queue of elements with the times at which they are due, the earliest first; elements of one time in the order in
/// which they were added (a binary heap).
package struct TimerQueue<Element: Sendable>: Sendable {
    private struct Timer {
        let time: Int64
        let number: Int
        let element: Element

        func precedes(_ other: Timer) -> Bool {
            time != other.time ? time < other.time : number < other.number
        }
    }

    private var heap: [Timer] = []
    private var added = 0

    package init() {}

    package var count: Int { heap.count }

    /// The time at which the next element is due.
    package var due: Int64? { heap.first?.time }

    /// Adds an element; O(log *n*).
    package mutating func add(_ element: Element, at time: Int64) {
        heap.append(Timer(time: time, number: added, element: element))
        added += 1
        var index = heap.count - 1
        while index > 0, heap[index].precedes(heap[(index - 1) / 2]) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    /// Removes the elements that satisfy a predicate of their times and themselves; O(*n* log *n*).
    package mutating func removeAll(where isRemoved: (Int64, Element) -> Bool) {
        heap = heap.filter { !isRemoved($0.time, $0.element) }.sorted { $0.precedes($1) }
    }

    /// Removes and returns the next element if it is due at a time, with the time at which it was due; O(log *n*).
    package mutating func popDue(at time: Int64) -> (time: Int64, element: Element)? {
        guard let first = heap.first, first.time <= time else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var index = 0
        while true {
            let child = 2 * index + 1
            guard child < heap.count else { break }
            let least =
                child + 1 < heap.count && heap[child + 1].precedes(heap[child]) ? child + 1 : child
            guard heap[least].precedes(heap[index]) else { break }
            heap.swapAt(index, least)
            index = least
        }
        return (first.time, first.element)
    }
}
