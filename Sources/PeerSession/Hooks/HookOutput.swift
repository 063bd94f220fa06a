// Turns the updates of a session into changes for hooks, and hands them to their programs.
import DiffCore
import FoundationEssentials
package import PeerList
package import PeerRecording
import PeerText

/// The output of a session that runs the programs of hooks.
package final class HookOutput: ListOutput {
    private var changes: HookChanges
    private let runners: [HookRunner]

    package init(_ runners: [HookRunner]) {
        self.runners = runners
        changes = HookChanges(wanted: runners.reduce(into: []) { $0.formUnion($1.hook.events) })
    }

    package var isGrouped: Bool { true }
    package var isBehind: Bool { changes.due != nil }

    package func handle(_ event: OutputEvent, at time: Timestamp, list: () -> [ListSection]) {
        switch event {
        case .fill(let fill): changes.fill = fill
        case .updated(let update): changes.update(update.items)
        case .began, .handedOver, .sighted, .observers, .noticed, .tick, .reopened, .ended: break
        }
        let isLast = if case .ended = event { true } else { false }
        // The session reads no more notices.
        if isLast { for runner in runners { runner.beginEnding() } }
        for change in isLast ? changes.removeAll() : changes.removeDue(at: time) {
            for runner in runners { runner.add(change) }
        }
    }

    /// Does not wait for the programs, which ``HookRunner/stop(within:)`` ends.
    package func close(within limit: Duration) async -> LineFailure? { nil }
}

/// The changes of a list as hooks get them, in order.
///
/// An arrival waits for a second, or for up to three until it has an address, and includes what is learned
/// meanwhile. Later changes wait for it.
struct HookChanges {
    private static let (delay, patience): (Int64, Int64) = (1_000_000, 3_000_000)
    /// The maximum weight of changes that wait; beyond it the oldest wait no longer.
    static let limit = 1_000

    /// The initial fill: what it covers has not arrived.
    var fill = InitialFill.none
    private let wanted: Set<ItemChange.Event>
    private var queue = SettlingQueue<ItemChange> { item in
        item.peer.addresses.isEmpty ? Self.patience : Self.delay
    }

    init(wanted: Set<ItemChange.Event>) { self.wanted = wanted }

    /// The time at which the first delayed arrival is due; `nil` if there is none.
    var due: Timestamp? { queue.due }

    /// Adds the departures, the arrivals and the changes of items, each by section and name.
    mutating func update(_ items: ItemChanges) {
        // Items that continue under an identifier that is new to the list, by that. Those that become
        // part of another item depart.
        var former: [UUID: ListItem] = [:]
        for (item, reason) in items.departures.values.inOrder(of: \.item)
        where !queue.delete(item.id, reason, in: items) {
            if let successor = items.replacements[item.id],
                items.arrivals[successor] != nil, former[successor] == nil
            {
                former[successor] = item
            } else if !isUnreported(item) {
                append(ItemChange([.departed], item, .departed(reason), at: items.time))
            }
        }
        for item in items.arrivals.values.inOrder(of: \.self) {
            guard let was = former[item.id], !isUnreported(was) else {
                queue.append(arrival: item, at: items.time)
                continue
            }
            appendChange(of: item, from: was, at: items.time)
        }
        for change in items.changes.values.inOrder(of: \.now) {
            appendChange(of: change.now, from: change.was, at: items.time)
        }
    }

    /// Removes and returns the changes that are not delayed at a time.
    mutating func removeDue(at time: Timestamp) -> [ItemChange] {
        var removed = queue.removeDue(at: time)
        while queue.count > 1, queue.sum(Self.weight) > Self.limit {
            removed += queue.removeFirst(queue.count / 2)
        }
        return removed.compactMap(change)
    }

    mutating func removeAll() -> [ItemChange] { queue.removeAll().compactMap(change) }

    private mutating func append(_ change: ItemChange) {
        if !wanted.isDisjoint(with: change.events) { queue.append(change) }
    }

    /// Whether an item has not arrived, and its host is not known: it may turn out to be part of another
    /// device, so hooks get nothing of it.
    private func isUnreported(_ item: ListItem) -> Bool {
        fill.covers(item.peer) && !item.peer.isResolved
    }

    private mutating func appendChange(of item: ListItem, from was: ListItem, at time: Timestamp) {
        guard !queue.update(item) else { return }
        // Only its host tells whether a device is new.
        if item.peer.isNew, !was.peer.isNew {
            append(ItemChange([.new], item, .arrived, at: time))
        }
        guard !isUnreported(was) else { return }
        if item.peer.presence == .unanswered, was.peer.presence != .unanswered {
            append(ItemChange([.unanswered, .changed], item, .changed(was: was), at: time))
            return
        }
        // More is learned in the initial fill, and a backend that goes away and returns changes no device.
        var before = was
        if [was.peer.presence, item.peer.presence].contains(.unknown) {
            before.peer.presence = item.peer.presence
        }
        guard fill != .running, !item.isSame(as: before) else { return }
        append(ItemChange([.changed], item, .changed(was: was), at: time))
    }

    /// Returns the change of an element; `nil` for an arrival in the initial fill.
    private func change(_ element: SettlingQueue<ItemChange>.Element) -> ItemChange? {
        switch element {
        case .other(let change): return change
        case .arrival(let item, let time):
            let events: [ItemChange.Event] =
                (item.peer.isNew ? [.new] : []) + (fill.covers(item.peer) ? [] : [.arrived])
            return events.isEmpty ? nil : ItemChange(events, item, .arrived, at: time)
        }
    }

    private static func weight(_ element: SettlingQueue<ItemChange>.Element) -> Int {
        switch element {
        case .other(let change): change.weight
        case .arrival(let item, _): item.weight
        }
    }
}

extension Collection {
    /// Returns the elements in the order of items that they have: by section, then by name.
    fileprivate func inOrder(of item: (Element) -> ListItem) -> [Element] {
        guard count > 1 else { return Array(self) }
        let elements = Dictionary(uniqueKeysWithValues: map { (item($0).id, $0) })
        let order = ListOrder(
            elements.map { id, element in
                (id, item(element).section, SortKey(item(element), by: .name))
            })
        return order.rows.flatMap(\.items).compactMap { elements[$0] }
    }
}

extension ListItem {
    /// The share of a bound on memory: 1, and more for a device of many services.
    fileprivate var weight: Int { 1 + peer.services.count / 20 }
}

extension ItemChange {
    /// The share of a bound on memory: 1, and more for a device of many services.
    var weight: Int { item.weight }
}
