// The history of one item, and the state in which it departed.
import FoundationEssentials
import PeerList

/// The history of one item of the session's list.
struct ItemHistory: Sendable {
    enum State: Sendable, Equatable {
        /// It was in the list.
        case listed(Presence)
        /// It was not in the list.
        case away
    }

    /// The maximum number of log entries.
    static let entryLimit = 20
    /// The maximum number of states; a peer that comes and goes every few seconds fills an hour with
    /// them.
    static let stateLimit = 256
    /// The time before a departure in which a device withdraws its services one by one, in
    /// microseconds.
    private static let withdrawalTime: Int64 = 5_000_000

    /// The states, each with its start; never empty.
    private(set) var states: [(time: Timestamp, state: State)]
    /// The numbers of the item's entries in the log, oldest first.
    private(set) var entries: [Int] = []

    /// The services that it lost most recently, and the time of the last loss.
    private var lost: (services: [Service], time: Timestamp)?

    init(_ item: ListItem, at time: Timestamp) {
        states = [(time, .listed(item.peer.presence))]
    }

    /// The current state and its start.
    var latest: (time: Timestamp, state: State) { states[states.count - 1] }
    var isAway: Bool { latest.state == .away }

    /// Appends a state if it differs from the current one.
    mutating func enter(_ state: State, at time: Timestamp) {
        guard latest.state != state else { return }
        if states.count == Self.stateLimit { states.removeFirst(Self.stateLimit / 4) }
        states.append((time, state))
    }

    /// Appends the number of an entry in the log.
    mutating func append(entry: Int) {
        if entries.count == Self.entryLimit { entries.removeFirst() }
        entries.append(entry)
    }

    mutating func recordLoss(of services: [Service], at time: Timestamp) {
        let recent = lostServices(before: time)
        let room = max(0, DepartedItem.serviceLimit - recent.count)
        lost = (recent + services.prefix(room), time)
    }

    /// Returns the services that the item lost in the five seconds before a time.
    func lostServices(before time: Timestamp) -> [Service] {
        guard let lost, time.microseconds - lost.time.microseconds <= Self.withdrawalTime,
            lost.time <= time
        else { return [] }
        return lost.services
    }

    /// Drops everything after a time, and returns whether anything is left.
    mutating func rewind(to time: Timestamp, nextEntry: Int) -> Bool {
        while let last = entries.last, last >= nextEntry { entries.removeLast() }
        while let last = states.last, last.time > time, states.count > 1 { states.removeLast() }
        return latest.time <= time
    }
}

/// An item that has left the session's list, as last known.
struct DepartedItem: Sendable, Identifiable {
    /// The maximum number of services kept of a departed device.
    static let serviceLimit = 128
    /// The maximum size of the TXT records kept of a departed device, in bytes.
    static let attributeLimit = 16 << 10
    /// The maximum size of the searchable text, in bytes.
    static let searchLimit = 16 << 10

    /// The item as last known, within the limits.
    let item: ListItem
    let time: Timestamp
    let reason: PeerListUpdate.Departure
    /// The new identifier and name of the item, if it has one.
    let successor: (id: UUID, name: String)?
    /// The folded text, at most ``searchLimit`` bytes.
    let searchText: [UInt8]
    var id: UUID { item.id }

    init(
        _ item: ListItem, at time: Timestamp, _ reason: PeerListUpdate.Departure,
        successor: (id: UUID, name: String)? = nil
    ) {
        self.item = item.truncated(toServices: Self.serviceLimit, attributes: Self.attributeLimit)
        self.time = time
        self.reason = reason
        self.successor = successor
        var text = item.isService ? [] : IndexedDevice.searchText(of: item.peer)
        for service in item.peer.services {
            guard text.count < Self.searchLimit else { break }
            text += IndexedDevice.searchText(of: service)
        }
        searchText = Array(text.prefix(Self.searchLimit))
    }

    /// The text of the reason, which follows the name: `became nas-2`.
    var reasonText: String {
        if let successor { return "became \(successor.name)" }
        return switch reason {
        case .removed: "said goodbye, or expired"
        case .identity: "goes on under another identifier"
        case .backend: "not found again after discovery restarted"
        }
    }

    /// Returns the item with services that it lost just before it left.
    func restoring(_ lost: [Service]) -> DepartedItem {
        guard !item.isService, !lost.isEmpty else { return self }
        var peer = item.peer
        let known = Set(peer.services.map(\.id))
        for service in lost where !known.contains(service.id) {
            peer.services.insert(service, at: peer.services.sortedIndex(of: service))
        }
        return DepartedItem(.peer(peer), at: time, reason, successor: successor)
    }
}

extension ListItem {
    /// Returns the item with a limited number of services and limited TXT records in total.
    fileprivate func truncated(toServices limit: Int, attributes attributeLimit: Int) -> ListItem {
        guard !isService else { return self }
        var peer = peer
        if peer.services.count > limit { peer.services = Array(peer.services.prefix(limit)) }
        var room = attributeLimit
        for index in peer.services.indices {
            room -= peer.services[index].txt.footprint
            if room < 0 { peer.services[index].txt = TXTRecord() }
        }
        return .peer(peer)
    }
}
