// Keeps changes in order while an arrival waits for what is learned in the moments after it.
import FoundationEssentials
import PeerList

/// Arrivals, and what comes between them, in order. An arrival waits and is updated meanwhile, and what
/// follows waits for it.
struct SettlingQueue<Other: Sendable>: Sendable {
    enum Element: Sendable {
        case other(Other)
        case arrival(ListItem, Timestamp)
    }

    /// The time in microseconds for which an arrival waits.
    private let delay: @Sendable (ListItem) -> Int64
    /// The elements; `nil` instead of an arrival that continues as part of another item.
    private var elements: [Element?] = []
    /// The number of elements that were removed, and so the number of the first one.
    private var first = 0
    /// The numbers of the arrivals that are still updated.
    private var arrivals: [UUID: Int] = [:]

    init(delay: @escaping @Sendable (ListItem) -> Int64) { self.delay = delay }

    var count: Int { elements.count }

    /// Returns the sum of a weight over the elements.
    func sum(_ weight: (Element) -> Int) -> Int {
        elements.reduce(0) { $0 + ($1.map(weight) ?? 0) }
    }

    /// The time at which the first arrival is due; `nil` if nothing waits.
    var due: Timestamp? {
        guard case .arrival(let item, let time)?? = elements.first else { return nil }
        return Timestamp(microseconds: time.microseconds + delay(item))
    }

    mutating func append(_ other: Other) { elements.append(.other(other)) }

    /// Appends an arrival, or updates the one that continues as this item.
    mutating func append(arrival item: ListItem, at time: Timestamp) {
        guard !update(item) else { return }
        arrivals[item.id] = first + elements.count
        elements.append(.arrival(item, time))
    }

    /// Updates an arrival; returns whether it waits.
    mutating func update(_ item: ListItem) -> Bool {
        guard let number = arrivals[item.id], case .arrival(_, let time)? = elements[number - first]
        else { return false }
        elements[number - first] = .arrival(item, time)
        return true
    }

    /// Ends the updates of an arrival whose item is deleted.
    ///
    /// - Returns: Whether the arrival waits and continues under another identifier.
    mutating func delete(
        _ id: UUID, _ reason: ItemChanges.Departure, in changes: ItemChanges
    ) -> Bool {
        guard let number = arrivals.removeValue(forKey: id), reason == .identity,
            case .arrival(let item, _)? = elements[number - first]
        else { return false }
        // A recording does not say under which identifier an item continues.
        let services = Set(item.peer.services.map(\.id))
        let successor = changes.arrivals.first { _, arrival in
            arrival.peer.services.contains { services.contains($0.id) }
        }
        if let successor {
            arrivals[successor.key] = number
        } else {
            elements[number - first] = nil
        }
        return true
    }

    /// Removes and returns the elements up to the first arrival that still waits at a time.
    mutating func removeDue(at time: Timestamp) -> [Element] {
        var count = 0
        while count < elements.count {
            if case .arrival(let item, let start)? = elements[count],
                // If the clock was set back, no arrival waits for it.
                start <= time, time.microseconds < start.microseconds + delay(item)
            {
                break
            }
            count += 1
        }
        return removeFirst(count)
    }

    mutating func removeAll() -> [Element] { removeFirst(elements.count) }

    mutating func removeFirst(_ count: Int) -> [Element] {
        guard count > 0 else { return [] }
        let removed = elements.prefix(count).compactMap(\.self)
        elements.removeFirst(count)
        first += count
        for case .arrival(let item, _) in removed
        where arrivals[item.id].map({ $0 < first }) == true {
            arrivals[item.id] = nil
        }
        return removed
    }
}
