// A queue whose members can leave it from the middle, by their tickets growing old.

/// A first-in-first-out queue of identifiers, each with a ticket and a time from which it may be taken.
///
/// Nothing is ever searched for: a member that is to leave early gets a new
/// ticket elsewhere, and its place here is passed over when its turn comes.
/// The times must not fall from one member to the next.
struct TicketQueue<ID> {
    private struct Place {
        let id: ID
        let ticket: Int
        let due: Duration
    }

    private var places: [Place] = []
    private var head = 0
    /// With so many places it is time to give up those whose tickets are old.
    private var tidyingCount = 64

    /// How many places there are, those with old tickets too: never more than twice the current
    /// members and some.
    var placeCount: Int { places.count }

    /// Adds a member at the end.
    ///
    /// - Complexity: O(1) amortised.
    mutating func append(
        _ id: ID, ticket: Int, due: Duration, isCurrent: (ID, Int) -> Bool
    ) {
        if places.count >= tidyingCount {
            places = places[head...].filter { isCurrent($0.id, $0.ticket) }
            head = 0
            tidyingCount = max(64, places.count * 2)
        }
        places.append(Place(id: id, ticket: ticket, due: due))
    }

    /// Takes the first current member whose time has come.
    ///
    /// - Complexity: O(1) amortised over the members added.
    mutating func popFirst(due now: Duration, isCurrent: (ID, Int) -> Bool) -> ID? {
        guard let due = firstDue(isCurrent: isCurrent), due <= now else { return nil }
        defer { head += 1 }
        return places[head].id
    }

    /// Takes the last current member, whatever its time.
    ///
    /// - Complexity: O(1) amortised over the members added.
    mutating func popLast(isCurrent: (ID, Int) -> Bool) -> ID? {
        while places.count > head, let last = places.popLast() {
            if isCurrent(last.id, last.ticket) { return last.id }
        }
        return nil
    }

    /// A member by its place among the current ones, and its time; `nil` where there are fewer.
    ///
    /// - Complexity: O(*n*) in the places.
    func member(at index: Int, isCurrent: (ID, Int) -> Bool) -> (id: ID, due: Duration)? {
        var rest = index
        for place in places[head...] where isCurrent(place.id, place.ticket) {
            if rest == 0 { return (place.id, place.due) }
            rest -= 1
        }
        return nil
    }

    /// The time of the first current member.
    mutating func firstDue(isCurrent: (ID, Int) -> Bool) -> Duration? {
        while head < places.count, !isCurrent(places[head].id, places[head].ticket) { head += 1 }
        if head > 32, head * 2 > places.count {
            places.removeFirst(head)
            head = 0
        }
        return head < places.count ? places[head].due : nil
    }
}
