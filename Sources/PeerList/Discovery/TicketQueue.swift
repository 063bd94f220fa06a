// A queue whose members are removed from the middle by invalidating their tickets.

/// A first-in-first-out queue of identifiers, each with a ticket and a time from which it may be popped.
///
/// A member that is removed early gets a new ticket elsewhere, and its position here is skipped, so that nothing
/// is searched for. The times must not fall from one member to the next.
struct TicketQueue<ID> {
    private struct Position {
        let id: ID
        let ticket: Int
        let due: Duration
    }

    private var positions: [Position] = []
    private var head = 0
    /// The number of positions at which those with old tickets are removed.
    private var compactionCount = 64

    /// The number of positions, those with old tickets included: at most twice the members, or 64.
    var positionCount: Int { positions.count }

    /// Adds a member at the end.
    ///
    /// - Complexity: O(1) amortised.
    mutating func append(
        _ id: ID, ticket: Int, due: Duration, isCurrent: (ID, Int) -> Bool
    ) {
        if positions.count >= compactionCount {
            positions = positions[head...].filter { isCurrent($0.id, $0.ticket) }
            head = 0
            compactionCount = max(64, positions.count * 2)
        }
        positions.append(Position(id: id, ticket: ticket, due: due))
    }

    /// Pops the first member, if it is due.
    ///
    /// - Complexity: O(1) amortised over the members added.
    mutating func popFirst(due now: Duration, isCurrent: (ID, Int) -> Bool) -> ID? {
        guard let due = firstDue(isCurrent: isCurrent), due <= now else { return nil }
        defer { head += 1 }
        return positions[head].id
    }

    /// Pops the last member, due or not.
    ///
    /// - Complexity: O(1) amortised over the members added.
    mutating func popLast(isCurrent: (ID, Int) -> Bool) -> ID? {
        while positions.count > head, let last = positions.popLast() {
            if isCurrent(last.id, last.ticket) { return last.id }
        }
        return nil
    }

    /// Returns a member and its time by its index among the members, or `nil` if there are fewer.
    ///
    /// - Complexity: O(*n*) in the positions.
    func member(at index: Int, isCurrent: (ID, Int) -> Bool) -> (id: ID, due: Duration)? {
        var rest = index
        for position in positions[head...] where isCurrent(position.id, position.ticket) {
            if rest == 0 { return (position.id, position.due) }
            rest -= 1
        }
        return nil
    }

    /// Returns the time of the first member.
    mutating func firstDue(isCurrent: (ID, Int) -> Bool) -> Duration? {
        while head < positions.count, !isCurrent(positions[head].id, positions[head].ticket) {
            head += 1
        }
        if head > 32, head * 2 > positions.count {
            positions.removeFirst(head)
            head = 0
        }
        return head < positions.count ? positions[head].due : nil
    }
}
