// Records the arrivals, departures and changes of the session's list.
import FoundationEssentials
import PeerHappenings
import PeerList
import PeerText
import TerminalList

struct HistoryEntry: Sendable, Equatable {
    let time: Timestamp
    let text: String
}

/// The history of the session's list.
///
/// All times are those of the updates, so that a recording has the history of
/// its own time. All parts are bounded; ``omission`` reports what was left out.
struct ListHistory: Sendable {
    static let itemLimit = 20_000
    static let departedLimit = 500
    static let logLimit = 20_000
    private static let eventLimit = 20_000
    static let entryWidth = 500

    private let charset: Charset
    private(set) var histories: [UUID: ItemHistory] = [:]
    /// The departures, oldest first, also of items that have returned since. If the clock was set back,
    /// an item can have left twice without a return in between.
    private var departures: [(item: DepartedItem, returned: Timestamp?)] = []
    private var omittedCount = 0
    private var forgottenCount = 0
    /// The arrivals, departures and missing answers, oldest first.
    private(set) var events: [ListEvent] = []
    /// Whether events of the last hour were dropped because of the limit.
    private var isHourIncomplete = false
    /// The initial fill: items that it covers were already there and did not arrive.
    var fill = InitialFill.none
    /// The time of the latest update; `nil` before the first.
    private(set) var latestTime: Timestamp?

    /// The log, oldest first, without its first `droppedEntryCount` entries.
    private var log: [HistoryEntry] = []
    private var droppedEntryCount = 0

    init(charset: Charset = .unicode) {
        self.charset = charset
    }
}

// MARK: Look-ups

extension ListHistory {
    /// The departed items that have not returned, the latest first.
    var departed: [DepartedItem] {
        var ids: Set<UUID> = []
        return latestDeparted.filter { ids.insert($0.id).inserted }
    }

    func departed(_ id: UUID) -> DepartedItem? { latestDeparted.first { $0.id == id } }

    /// The departures without a return, the latest first, some of the same item.
    private var latestDeparted: some Sequence<DepartedItem> {
        departures.reversed().lazy.filter { $0.returned == nil && !$0.item.isSuperseded }.map(
            \.item)
    }

    /// Returns the numbers of arrivals and departures in each minute of the hour up to a time, the
    /// latest last.
    func perMinute(until end: Timestamp) -> (arrivals: [Int], departures: [Int]) {
        let hour = HourBuckets(until: end, count: 60)
        var arrivals = Array(repeating: 0, count: hour.count)
        var departures = arrivals
        for event in events {
            for minute in hour.buckets(from: event.time, to: event.time) {
                if event.kind == .arrived { arrivals[minute] += event.more + 1 }
                if event.kind == .left { departures[minute] += event.more + 1 }
            }
        }
        return (arrivals, departures)
    }

    /// Returns the log entries of items, the latest first, at most twenty.
    func entries(of ids: some Sequence<UUID>) -> [HistoryEntry] {
        let numbers = ids.flatMap { histories[$0]?.entries ?? [] }.sorted(by: >)
        return numbers.prefix(ItemHistory.entryLimit).map { $0 - droppedEntryCount }
            .filter(log.indices.contains).map { log[$0] }
    }

    /// Returns the presence of an item, or of the services of a device, in intervals of the hour up to a
    /// time; `nil` if there is no history of them.
    func strip(
        of ids: some Sequence<UUID>, until end: Timestamp, buckets: Int = 60
    ) -> PresenceStrip? {
        let strips = ids.compactMap { id in
            histories[id].map { PresenceStrip($0, until: end, buckets: buckets) }
        }
        return strips.dropFirst().reduce(strips.first) { $0?.joined(with: $1) }
    }

    /// A sentence about what was left out because of the limits; `nil` if nothing was.
    var omission: String? {
        let parts = [
            omittedCount > 0 ? "\(omittedCount) items came when no more were noted" : nil,
            forgottenCount > 0 ? "\(forgottenCount) departures are forgotten" : nil,
            droppedEntryCount > 0 ? "only the latest \(Self.logLimit) changes are kept" : nil,
            isHourIncomplete ? "the first minutes of the strip are incomplete" : nil,
        ].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}

// MARK: Updates

extension ListHistory {
    /// Records an update of the session's list.
    ///
    /// The changes of a jump to another time of a recording are not logged, and the history is rewound
    /// first if that time is earlier.
    mutating func record(_ items: ItemChanges, isSeek: Bool = false) {
        if isSeek, let latestTime, items.time < latestTime { rewind(to: items.time) }
        latestTime = items.time
        var predecessors: [UUID: ListItem] = [:]
        for (id, departure) in items.departures {
            let (item, new) = (departure.item, items.replacements[id])
            if let new, predecessors[new] == nil {
                predecessors[new] = item
                // A device goes on under its new identifier.
                if item.peer.isResolved, histories[new] == nil { histories[new] = histories[id] }
            }
            recordDeparture(
                DepartedItem(item, at: items.time, departure.reason), isLogged: !isSeek)
        }
        for (id, item) in items.arrivals {
            recordArrival(item, from: predecessors[id], at: items.time, isLogged: !isSeek)
        }
        for (id, change) in items.changes {
            recordChange(change, id, at: items.time, isLogged: !isSeek)
        }
        guard !isSeek else { return }
        // A service without a host is not an arrival yet, and a changed identifier is none either.
        let left = items.departures.values
            .filter { $0.reason != .identity && $0.item.peer.isResolved }.map(\.item.displayName)
        let arrived = items.arrivals.filter { id, item in
            item.peer.isResolved && predecessors[id]?.peer.isResolved != true
                && !fill.covers(item.peer)
        }.map(\.value)
        let unanswered = items.changes.values
            .filter { $0.now.peer.presence == .unanswered && $0.was.peer.presence != .unanswered }
            .map(\.now.displayName)
        appendEvent(.silent, unanswered, at: items.time)
        appendEvent(.left, left, at: items.time)
        appendEvent(
            .arrived, arrived.map(\.displayName), at: items.time,
            phrase: arrived.first?.peer.encounter(during: fill)?.description)
    }

    private mutating func appendEvent(
        _ kind: ListEvent.Kind, _ names: [String], at time: Timestamp, phrase: String? = nil
    ) {
        guard let first = names.min() else { return }
        if events.count >= Self.eventLimit {
            let hourBefore = time.microseconds - 3_600_000_000
            let old = events.prefix { $0.time.microseconds < hourBefore }.count
            let excess = max(old, Self.eventLimit / 4)
            isHourIncomplete = excess > old
            events.removeFirst(excess)
        }
        events.append(
            ListEvent(
                time: time, kind: kind, name: first, more: names.count - 1,
                phrase: names.count == 1 ? phrase : nil))
    }

    private mutating func recordArrival(
        _ item: ListItem, from predecessor: ListItem?, at time: Timestamp, isLogged: Bool
    ) {
        let id = item.id
        let isBack = histories[id] != nil
        enter(item, at: time)
        if histories[id] == nil { omittedCount += 1 }
        guard isLogged else { return }
        let text =
            if let predecessor, predecessor.peer.isResolved {
                "was \(predecessor.name) until now"
            } else {
                arrivalText(item.peer, isBack: isBack)
            }
        appendEntry("\(text): \(item.summary(charset))", id, at: time)
    }

    private func arrivalText(_ peer: Peer, isBack: Bool) -> String {
        let isThere = fill.covers(peer)
        let encounter = peer.encounter(during: fill)
        if let encounter, !encounter.isNew, !isThere { return encounter.description }
        let text = isBack ? "came back" : isThere ? "was already there" : "arrived"
        return [text, encounter?.words].compactMap { $0 }.joined(separator: ", ")
    }

    /// Records that an item is listed, which ends its departure.
    private mutating func enter(_ item: ListItem, at time: Timestamp) {
        let id = item.id
        if histories[id]?.isAway != false {
            for index in departures.indices
            where departures[index].returned == nil && departures[index].item.id == id {
                departures[index].returned = time
            }
        }
        if histories[id] == nil, histories.count < Self.itemLimit + Self.departedLimit {
            histories[id] = ItemHistory(item, at: time)
        }
        histories[id]?.enter(item.peer.presence, at: time)
    }

    private mutating func recordChange(
        _ change: ItemChanges.Change, _ id: UUID, at time: Timestamp, isLogged: Bool
    ) {
        enter(change.now, at: time)
        let kept = Set(change.now.peer.services.map(\.id))
        let lost = change.was.peer.services.filter { !kept.contains($0.id) }
        if !lost.isEmpty { histories[id]?.recordLoss(of: lost, at: time) }
        guard isLogged else { return }
        let text = change.phrases.joined(separator: "; ")
        if !text.isEmpty { appendEntry(text, id, at: time) }
    }

    private mutating func recordDeparture(_ departed: DepartedItem, isLogged: Bool) {
        let id = departed.id
        guard let history = histories[id], !history.isAway else { return }
        let departed = departed.restoring(history.lostServices(before: departed.time))
        histories[id]?.enter(nil, at: departed.time)
        if isLogged, !departed.isSuperseded {
            appendEntry(departed.reasonText, id, at: departed.time)
        }
        if departures.count == Self.departedLimit {
            let oldestIndex = departures.firstIndex { $0.item.isSuperseded } ?? 0
            let (oldest, returned) = departures.remove(at: oldestIndex)
            if returned == nil {
                histories[oldest.id] = nil
                if !oldest.isSuperseded { forgottenCount += 1 }
            }
        }
        departures.append((departed, nil))
    }

    private mutating func appendEntry(_ text: String, _ id: UUID, at time: Timestamp) {
        guard histories[id] != nil else { return }
        if log.count >= Self.logLimit + Self.logLimit / 4 {
            let excess = log.count - Self.logLimit + 1
            log.removeFirst(excess)
            droppedEntryCount += excess
        }
        let isShort = text.utf8.count <= Self.entryWidth
        let text =
            isShort
            ? text : SafeText(text, upTo: Self.entryWidth).cut(to: Self.entryWidth).text
        log.append(HistoryEntry(time: time, text: text))
        histories[id]?.append(entry: droppedEntryCount + log.count - 1)
    }

    mutating func rewind(to time: Timestamp) {
        while let last = log.last, last.time > time { log.removeLast() }
        events.removeAll { $0.time > time }
        departures = departures.filter { $0.item.time <= time }.map { departure in
            (departure.item, departure.returned.flatMap { $0 > time ? nil : $0 })
        }
        let nextEntry = droppedEntryCount + log.count
        histories = histories.compactMapValues { history in
            var history = history
            return history.rewind(to: time, nextEntry: nextEntry) ? history : nil
        }
        latestTime = time
    }
}

/// Items that arrived, left or stopped answering at the same time.
struct ListEvent: Sendable, Equatable {
    enum Kind: Sendable { case arrived, left, silent }

    let time: Timestamp
    let kind: Kind
    let name: String
    let more: Int
    /// The words that are shown instead of the kind of event: `is back after 3 weeks`.
    var phrase: String?
}
