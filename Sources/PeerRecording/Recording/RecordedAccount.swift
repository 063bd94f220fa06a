// Derives what happened from the lines of a recording, as a live list derives it from its changes.
import FoundationEssentials
package import PeerHappenings
package import PeerList

/// The account of what happened in a recording.
///
/// Recordings of earlier versions do not say when the initial fill was over. It is taken to end as that of a live
/// list does.
package struct RecordedAccount {
    private var happenings = Happenings()
    /// The items of the list, as the account has them.
    private var items: [UUID: ListItem] = [:]
    private var run: UUID?
    /// The start of a list that was empty then, and the time of its latest arrival.
    private var filling: (start: Int64, latest: Int64)?

    package init() {}

    /// The time at which the next event is said; `nil` if there is none.
    package var due: Timestamp? { happenings.due }

    /// Adds the last line of a recording.
    ///
    /// - Complexity: O(*m*) for *m* items in the line.
    package mutating func add(_ recording: Recording) {
        guard let time = recording.list.time else { return }
        let touched = recording.touchedItems
        if recording.beginsRun { begin(recording.list.header?.run, isEmpty: touched.isEmpty, time) }
        endFill(at: time)
        if let event = recording.sourceHappening {
            if event.event == .filled, filling != nil { endFill(event.time) }
            happenings.add(event)
        }
        guard !touched.isEmpty || recording.beginsRun else { return }
        var changes = ItemChanges(at: time)
        if recording.beginsRun {
            let now = Set(touched.map(\.item.id))
            for (id, item) in items where !now.contains(id) {
                changes.departures[id] = (item, .removed)
            }
        }
        for (item, departure) in touched {
            if let departure {
                changes.departures[item.id] = (item, departure)
            } else if let was = items[item.id], changes.departures[item.id] == nil {
                changes.changes[item.id] = .init(was: was, now: item)
            } else {
                changes.arrivals[item.id] = item
            }
        }
        for id in changes.departures.keys { items[id] = nil }
        for (item, departure) in touched where departure == nil { items[item.id] = item }
        if !changes.arrivals.isEmpty { filling?.latest = time.microseconds }
        happenings.apply(changes)
    }

    /// Begins a list; of another run than before, or after damage, what happened in between is not known.
    private mutating func begin(_ run: UUID?, isEmpty: Bool, _ time: Timestamp) {
        guard run == nil || run != self.run else { return }
        self.run = run
        happenings.reset()
        items = [:]
        filling = isEmpty ? (time.microseconds, time.microseconds) : nil
        happenings.fill = isEmpty ? .running : .over(time)
    }

    /// Removes and returns the events that are to be said at a time.
    package mutating func removeDue(at time: Timestamp) -> [Happening] {
        endFill(at: time)
        return happenings.removeDue(at: time)
    }

    package mutating func removeAll() -> [Happening] { happenings.removeAll() }

    private mutating func endFill(at time: Timestamp) {
        guard let (start, latest) = filling else { return }
        let end = InitialFill.end(from: start, latest: latest)
        if time.microseconds >= end { endFill(Timestamp(microseconds: end)) }
    }

    private mutating func endFill(_ end: Timestamp) {
        filling = nil
        happenings.fill = .over(end)
    }
}
