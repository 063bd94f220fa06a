// Derives what happened from the lines of a recording, as a live list derives it from its changes.
import FoundationEssentials
package import PeerHappenings
package import PeerModel

/// The account of what happened in a recording.
package struct RecordedAccount {
    private var happenings = Happenings()
    /// The items of the list, as the account has them.
    private var items: [UUID: ListItem] = [:]
    private var fill = RecordedFill()

    package init() {}

    /// The interfaces, backends, brokers and observers that are away.
    package var sources: AbsentSources { happenings.attendance.sources }

    /// The time at which the next event is said; `nil` if there is none.
    package var due: Timestamp? { happenings.due }

    /// Adds the last line of a recording.
    ///
    /// - Complexity: O(*m*) for *m* items in the line.
    package mutating func add(_ recording: Recording) {
        guard let time = recording.list.time else { return }
        let touched = recording.touchedItems
        let run = recording.list.header?.run
        if recording.beginsRun, fill.begin(run, isEmpty: touched.isEmpty, at: time) {
            happenings.reset()
            items = [:]
        }
        fill.advance(to: time)
        if let event = recording.sourceHappening {
            if event.event == .filled { fill.end(at: event.time) }
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
        happenings.fill = fill.fill
        if !changes.arrivals.isEmpty { fill.find(at: time) }
        happenings.apply(changes)
    }

    /// Removes and returns the events that are to be said at a time.
    package mutating func removeDue(at time: Timestamp) -> [Happening] {
        fill.advance(to: time)
        happenings.fill = fill.fill
        return happenings.removeDue(at: time)
    }

    package mutating func removeAll() -> [Happening] { happenings.removeAll() }
}
