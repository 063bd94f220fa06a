// What is remembered of one item: what was known about its being there, and what happened to it.
import PeerList

/// What is remembered of one item of the session's list.
struct ItemHistory: Sendable {
    /// What was known about an item's being there.
    enum State: Sendable, Equatable {
        /// It was in the list.
        case listed(Presence)
        /// It was not.
        case away
    }

    /// So many entries of the log are remembered.
    static let entryLimit = 20
    /// So many states are remembered: a peer that comes and goes every few seconds fills an hour with them.
    static let stateLimit = 256

    /// The states that it was in, each with its beginning; never empty.
    private(set) var states: [(time: Timestamp, state: State)]
    /// The numbers of its entries in the log, oldest first.
    private(set) var entries: [Int] = []

    /// The services that it lost most recently, and when it lost the last of them.
    private(set) var lost: (services: [Service], time: Timestamp)?

    /// The history of an item that arrives.
    init(_ item: ListItem, at time: Timestamp) {
        states = [(time, .listed(item.presence))]
    }

    /// The state that it is in now, and since when.
    var latest: (time: Timestamp, state: State) { states[states.count - 1] }

    /// Whether it is not in the list.
    var isAway: Bool { latest.state == .away }

    /// Takes note of a state, if it is another one.
    mutating func enter(_ state: State, at time: Timestamp) {
        guard latest.state != state else { return }
        if states.count == Self.stateLimit { states.removeFirst(Self.stateLimit / 4) }
        states.append((time, state))
    }

    /// Takes note of an entry in the log.
    mutating func note(_ entry: Int) {
        if entries.count == Self.entryLimit { entries.removeFirst() }
        entries.append(entry)
    }

    /// Records services that it lost.
    mutating func lose(_ services: [Service], at time: Timestamp) {
        let recent = lostServices(before: time)
        let room = max(0, DepartedItem.serviceLimit - recent.count)
        lost = (recent + services.prefix(room), time)
    }

    /// The services that it lost within some seconds before a moment: a device that leaves withdraws
    /// one service after the other.
    func lostServices(before time: Timestamp) -> [Service] {
        guard let lost, time.microseconds - lost.time.microseconds <= Self.leavingTime,
            lost.time <= time
        else { return [] }
        return lost.services
    }

    private static let leavingTime: Int64 = 5_000_000

    /// Forgets what came after a moment; false where nothing is left.
    mutating func rewind(to time: Timestamp, nextEntry: Int) -> Bool {
        while let last = entries.last, last >= nextEntry { entries.removeLast() }
        while let last = states.last, last.time > time, states.count > 1 { states.removeLast() }
        return latest.time <= time
    }
}

extension ListItem {
    /// What is known about its being there.
    var presence: Presence {
        switch self {
        case .peer(let peer): peer.presence
        case .service(let listing): listing.presence
        }
    }

    /// What it is called.
    var name: String {
        switch self {
        case .peer(let peer): peer.name
        case .service(let listing): listing.service.name
        }
    }

    /// Whether it is a service whose host is not known yet.
    var isPending: Bool {
        switch self {
        case .peer(let peer): peer.identity.source == .service
        case .service(let listing): listing.peer.id == nil
        }
    }
}
