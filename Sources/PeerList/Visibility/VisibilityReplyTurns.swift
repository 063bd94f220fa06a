// The answers that wait, and whose turn it is: strangers under many addresses keep few others waiting.

/// Answers that wait for their turn.
///
/// Turns go round among lanes, and in a lane among addresses. Whoever floods this machine with
/// questions can have as many names and addresses as there are, and nothing tells them from as many
/// machines. But it cannot choose its lane freely: the interface is the one that it is heard on, and
/// to be an acquaintance takes a minute. So a flood of new names holds up other new ones on the same
/// interface and of the same family, and nobody else.
struct VisibilityReplyTurns {
    /// How many answers may wait in a lane; more are dropped.
    static let laneLimit = 16

    private struct Lane {
        let key: Key
        /// The answers, by the address that they go to, those whose turn is next first.
        var queues: [(address: [UInt8], answers: [OutgoingReply])] = []

        var count: Int { queues.reduce(0) { $0 + $1.answers.count } }
    }

    private struct Key: Hashable {
        let interface: Int32
        let family: AddressFamily
        let isOfAcquaintance: Bool
    }

    /// Those in which something waits, the one whose turn is next first.
    private var lanes: [Lane] = []

    /// Has an answer wait; says whether there is room for it.
    ///
    /// - Complexity: O(*n*), where *n* is the number of addresses in the lane.
    mutating func add(_ answer: OutgoingReply) -> Bool {
        let key = Key(
            interface: answer.interface.index, family: answer.address.family,
            isOfAcquaintance: answer.isOfAcquaintance)
        let place = lanes.firstIndex { $0.key == key } ?? lanes.endIndex
        if place == lanes.endIndex { lanes.append(Lane(key: key)) }
        guard lanes[place].count < Self.laneLimit else { return false }
        let address = answer.address.bytes
        if let queue = lanes[place].queues.firstIndex(where: { $0.address == address }) {
            lanes[place].queues[queue].answers.append(answer)
        } else {
            lanes[place].queues.append((address, [answer]))
        }
        return true
    }

    /// Takes the answer whose turn it is; the rest of those to its address wait behind all others of
    /// their lane, and the lane behind all other lanes.
    mutating func next() -> OutgoingReply? {
        guard !lanes.isEmpty else { return nil }
        var lane = lanes.removeFirst()
        var queue = lane.queues.removeFirst()
        let answer = queue.answers.removeFirst()
        if !queue.answers.isEmpty { lane.queues.append(queue) }
        if !lane.queues.isEmpty { lanes.append(lane) }
        return answer
    }
}
