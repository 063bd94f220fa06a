// Queues of identifiers, one for each stage, from which an identifier is removed without a search.

/// Identifiers in stages; each stage is a first-in-first-out queue whose members have a time.
///
/// An identifier is in at most one stage. When it moves to another stage, it gets a new ticket, and its
/// former position is skipped. The times of a stage must not fall from one member to the next.
struct StageQueues<ID: Hashable, Stage: Hashable> {
    private struct Position {
        let id: ID
        let ticket: Int
        let due: Duration
    }

    private struct Queue {
        var positions: [Position] = []
        var head = 0
        /// The number of positions at which positions with old tickets are removed.
        var compactionCount = 64
        /// The number of members.
        var count = 0
    }

    private var queues: [Stage: Queue] = [:]
    private var members: [ID: (stage: Stage, ticket: Int)] = [:]
    private var lastTicket = 0

    var count: Int { members.count }

    /// The number of positions, including positions with old tickets: at most a small multiple of the
    /// number of identifiers.
    var positionCount: Int { queues.values.reduce(0) { $0 + $1.positions.count } }

    func stage(of id: ID) -> Stage? { members[id]?.stage }

    func count(in stage: Stage) -> Int { queues[stage]?.count ?? 0 }

    /// Moves an identifier to the end of a stage, or adds it there.
    ///
    /// - Complexity: O(1) amortised.
    mutating func move(_ id: ID, to stage: Stage, due: Duration) {
        remove(id)
        lastTicket += 1
        members[id] = (stage, lastTicket)
        var queue = queues.removeValue(forKey: stage) ?? Queue()
        if queue.positions.count >= queue.compactionCount {
            queue.positions = queue.positions[queue.head...].filter(isCurrent)
            queue.head = 0
            queue.compactionCount = max(64, queue.positions.count * 2)
        }
        queue.positions.append(Position(id: id, ticket: lastTicket, due: due))
        queue.count += 1
        queues[stage] = queue
    }

    mutating func remove(_ id: ID) {
        if let (stage, _) = members.removeValue(forKey: id) { queues[stage]?.count -= 1 }
    }

    /// Returns the time of a stage's first member.
    ///
    /// - Complexity: O(1) amortised over the members added.
    mutating func firstDue(in stage: Stage) -> Duration? { first(in: stage)?.due }

    /// Returns the first member of a stage, if it is due.
    ///
    /// - Complexity: O(1) amortised over the members added.
    mutating func first(in stage: Stage, due now: Duration) -> ID? {
        first(in: stage).flatMap { $0.due <= now ? $0.id : nil }
    }

    /// Returns the last member of a stage, due or not.
    ///
    /// - Complexity: O(1) amortised over the members added.
    mutating func last(in stage: Stage) -> ID? {
        guard var queue = queues.removeValue(forKey: stage) else { return nil }
        defer { queues[stage] = queue }
        while let last = queue.positions.last, !isCurrent(last) { queue.positions.removeLast() }
        queue.head = min(queue.head, queue.positions.count)
        return queue.positions.last?.id
    }

    /// Returns the members of a stage with their times, in order.
    ///
    /// - Complexity: O(*n*) in the positions.
    func members(of stage: Stage) -> [(id: ID, due: Duration)] {
        guard let queue = queues[stage] else { return [] }
        return queue.positions[queue.head...].filter(isCurrent).map { ($0.id, $0.due) }
    }

    private mutating func first(in stage: Stage) -> Position? {
        guard var queue = queues.removeValue(forKey: stage) else { return nil }
        defer { queues[stage] = queue }
        while queue.head < queue.positions.count, !isCurrent(queue.positions[queue.head]) {
            queue.head += 1
        }
        if queue.head > 32, queue.head * 2 > queue.positions.count {
            queue.positions.removeFirst(queue.head)
            queue.head = 0
        }
        return queue.head < queue.positions.count ? queue.positions[queue.head] : nil
    }

    private func isCurrent(_ position: Position) -> Bool {
        members[position.id]?.ticket == position.ticket
    }
}
