// Orders elements by the times at which they are due.

/// Elements and the times at which they are due, in the order of the times; the last time of an element counts.
struct DueQueue<Element: Hashable & Sendable> {
    private var entries: ArraySlice<(element: Element, time: Duration)> = []
    private var times: [Element: Duration] = [:]

    var count: Int { times.count }

    /// The time of the first entry, whose element may have been removed.
    var deadline: Duration? { entries.first?.time }

    func contains(_ element: Element) -> Bool { times[element] != nil }

    /// Adds an element with a time that is not before any time in the queue.
    mutating func add(_ element: Element, at time: Duration) {
        times[element] = time
        entries.append((element, time))
    }

    mutating func remove(_ element: Element) { times[element] = nil }

    /// Pops the elements up to a time, except removed elements.
    mutating func pop(upTo limit: Duration) -> [Element] {
        var elements: [Element] = []
        while let (element, time) = entries.first, times[element] != time || time <= limit {
            entries.removeFirst()
            guard times[element] == time else { continue }
            times[element] = nil
            elements.append(element)
        }
        return elements
    }
}
