// Records the arrivals, departures and changes of the session's list.
import FoundationEssentials
import PeerHappenings
import PeerModel
import PeerText
import TerminalList

struct HistoryEntry: Sendable, Equatable {
    let time: Timestamp
    let text: String
}

/// The history of the session's list.
///
/// All times come from the updates, so that a recording has the history of
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
    /// Whether anything has happened since the start.
    private(set) var hasEvents = false
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

    var hasDeparted: Bool { latestDeparted.contains { _ in true } }

    func departed(_ id: UUID) -> DepartedItem? { latestDeparted.first { $0.id == id } }

    /// A sentence for a list from which all devices have left; `nil` if none has.
    func departedSummary(key: String?) -> String? {
        let departed = departed
        guard let first = departed.first else { return nil }
        let noun = first.item.isService ? "service" : "device"
        let isWhole = forgottenCount == 0
        let subject =
            departed.count == 1
            ? "The only \(noun) has left"
            : isWhole ? "All \(counted(departed.count, noun)) have left" : "All \(noun)s have left"
        let shown = departed.count == 1 ? "it" : isWhole ? "them" : "the latest \(departed.count)"
        return subject + (key.map { "; \($0) shows \(shown)." } ?? ".")
    }

    /// The departures without a return, the latest first, some of the same item.
    private var latestDeparted: some Sequence<DepartedItem> {
        departures.reversed().lazy.filter { $0.returned == nil }.map(\.item)
    }

    /// Returns the numbers of arrivals and departures in each minute of the hour up to a time, the
    /// latest last.
    func perMinute(until end: Timestamp) -> (arrivals: [Int], departures: [Int]) {
        let hour = HourBuckets(until: end, count: 60)
        var arrivals = Array(repeating: 0, count: hour.count)
        var departures = arrivals
        for event in events {
            for minute in hour.buckets(from: event.time, to: event.time) {
                if event.kind.isArrival { arrivals[minute] += event.count }
                if event.kind == .left { departures[minute] += event.count }
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
    /// Records the states of items in an update of the session's list.
    ///
    /// At a jump to another time of a recording nothing happens, so departures are recorded here too. At a jump
    /// back, the history is rewound first.
    mutating func record(_ items: ItemChanges, isSeek: Bool = false) {
        if isSeek, let latestTime, items.time < latestTime { rewind(to: items.time) }
        latestTime = items.time
        let services = isSeek ? items.listedServices : []
        for (id, departure) in items.departures {
            // A device goes on under its new identifier.
            if let new = items.replacements[id], departure.item.peer.isResolved,
                histories[new] == nil
            {
                histories[new] = histories[id]
            }
            if departure.reason == .identity || !departure.item.peer.isResolved {
                histories[id]?.enter(nil, at: items.time)
            } else if isSeek, services.isDisjoint(with: departure.item.peer.services.map(\.id)) {
                recordDeparture(DepartedItem(departure.item, at: items.time, nil))
            }
        }
        for item in items.arrivals.values { enter(item, at: items.time) }
        for (id, change) in items.changes {
            enter(change.now, at: items.time)
            let text = change.phrases.joined(separator: "; ")
            if !isSeek, !change.isOfItsOwn, change.was.peer.presence == change.now.peer.presence,
                !text.isEmpty
            {
                appendEntry(text, id, at: items.time)
            }
        }
    }

    /// Records what happened.
    mutating func record(_ happenings: [Happening]) {
        let events = happenings.compactMap(\.ofItem)
        for event in events { recordEntry(event) }
        let silent = events.filter { $0.event == .silent }
        if let first = silent.first {
            let names = silent.compactMap { event in
                event.absence.map { ($0, event.item.displayName) }
            }
            append(ListEvent(silent: Dictionary(names) { $1 }, at: first.time))
        }
        append(events.filter { $0.event == .answers }, .answers)
        append(events.filter { $0.event == .left }, .left)
        let arrivals = Dictionary(grouping: events.filter { $0.event == .arrived }) { event in
            event.encounter.map { $0.isNew ? ListEvent.Kind.isNew : .isBack } ?? .arrived
        }
        for kind in [ListEvent.Kind.isBack, .isNew, .arrived] { append(arrivals[kind] ?? [], kind) }
        for case .source(let event) in happenings {
            guard let text = event.sentence else { continue }
            append(ListEvent(.source, [text], at: event.time))
        }
    }

    private mutating func recordEntry(_ event: ItemHappening) {
        let (item, id) = (event.item, event.item.id)
        switch event.event {
        case .there, .arrived:
            if let former = event.former { endDeparture(of: former, at: event.time) }
            appendEntry("\(arrivalText(event)): \(item.summary(charset))", id, at: event.time)
        case .left:
            let departed = DepartedItem(item, at: event.time, event.reason)
            recordDeparture(departed)
            appendEntry(departed.reasonText, id, at: event.time)
        case .changed:
            let text = event.change?.phrases.joined(separator: "; ") ?? ""
            if !text.isEmpty { appendEntry(text, id, at: event.time) }
        case .silent: appendEntry("does not answer", id, at: event.time)
        case .answers: appendEntry(event.answerText, id, at: event.time)
        case .identified:
            appendEntry(event.identification, id, at: event.time)
        }
        if let absence = event.absence, event.event != .silent, event.event != .changed,
            event.event != .identified || !item.peer.presence.isSilent
        {
            endSilence(absence)
        }
    }

    /// Drops a device from the events that say that it does not answer.
    private mutating func endSilence(_ absence: Int) {
        var isEmpty = false
        for index in events.indices where events[index].endSilence(absence) {
            isEmpty = isEmpty || events[index].count == 0
        }
        if isEmpty { events.removeAll { $0.count == 0 } }
    }

    private mutating func append(_ happened: [ItemHappening], _ kind: ListEvent.Kind) {
        guard let first = happened.first else { return }
        let phrase: String? =
            switch kind {
            case .isBack: first.encounter?.description
            case .answers: first.answerText
            default: nil
            }
        append(
            ListEvent(
                kind, happened.map(\.item.displayName), at: first.time,
                phrase: happened.count == 1 ? phrase : nil))
    }

    private mutating func append(_ event: ListEvent) {
        if events.count >= Self.eventLimit {
            let hourBefore = event.time.microseconds - 3_600_000_000
            let old = events.prefix { $0.time.microseconds < hourBefore }.count
            let excess = max(old, Self.eventLimit / 4)
            isHourIncomplete = excess > old
            events.removeFirst(excess)
        }
        hasEvents = true
        events.append(event)
    }

    private func arrivalText(_ event: ItemHappening) -> String {
        let encounter = event.encounter
        let isThere = event.event == .there
        if let encounter, !encounter.isNew, !isThere { return encounter.description }
        return [isThere ? "was already there" : "arrived", encounter?.words].compactMap(\.self)
            .joined(separator: ", ")
    }

    /// Records that an item is listed, which ends its departure.
    private mutating func enter(_ item: ListItem, at time: Timestamp) {
        let id = item.id
        if histories[id]?.isAway != false { endDeparture(of: id, at: time) }
        if histories[id] == nil {
            guard histories.count < Self.itemLimit + Self.departedLimit else {
                omittedCount += 1
                return
            }
            histories[id] = ItemHistory(item, at: time)
        }
        histories[id]?.enter(item.peer.presence, at: time)
    }

    private mutating func endDeparture(of id: UUID, at time: Timestamp) {
        for index in departures.indices
        where departures[index].returned == nil && departures[index].item.id == id {
            departures[index].returned = time
        }
    }

    private mutating func recordDeparture(_ departed: DepartedItem) {
        let id = departed.id
        guard let history = histories[id], !history.isAway else { return }
        histories[id]?.enter(nil, at: departed.time)
        if departures.count == Self.departedLimit {
            let (oldest, returned) = departures.removeFirst()
            if returned == nil {
                histories[oldest.id] = nil
                forgottenCount += 1
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

/// An event of items at the same time, or of what the list is heard through.
struct ListEvent: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        case left, silent, answers
        /// Arrivals of devices never seen before, of devices that are back, or of others.
        case isNew, isBack, arrived
        /// An observer; the name of the event is the whole text.
        case source

        var isArrival: Bool { [.isNew, .isBack, .arrived].contains(self) }
    }

    /// The maximum number of names that are kept.
    static let nameLimit = 8

    let time: Timestamp
    let kind: Kind
    /// The first names in order.
    private(set) var names: [String]
    private(set) var count: Int
    /// The words that follow the name of a single device instead of those of the kind: `is back after 3 weeks`.
    var phrase: String?
    /// The names of the devices that still do not answer, by the numbers of their absences.
    private(set) var silent: [Int: String] = [:]

    init(_ kind: Kind, _ names: [String], at time: Timestamp, phrase: String? = nil) {
        (self.kind, self.time, self.phrase) = (kind, time, phrase)
        count = names.count
        self.names = Array(names.sorted().prefix(Self.nameLimit))
    }

    /// Creates the event of devices that do not answer.
    init(silent: [Int: String], at time: Timestamp) {
        self.init(.silent, Array(silent.values), at: time)
        self.silent = silent
    }

    /// Drops a device that does not answer any more, or has left; returns whether there was one.
    mutating func endSilence(_ absence: Int) -> Bool {
        guard silent.removeValue(forKey: absence) != nil else { return false }
        (names, count) = (Array(silent.values.sorted().prefix(Self.nameLimit)), silent.count)
        return true
    }

    /// Adds the devices of an earlier event of the same kind.
    mutating func add(_ earlier: ListEvent) {
        (count, phrase) = (count + earlier.count, nil)
        names = Array((names + earlier.names).sorted().prefix(Self.nameLimit))
    }
}

extension ItemChanges {
    /// The services of arrived and changed items. A departed item with one of these services goes on as that item.
    fileprivate var listedServices: Set<UUID> {
        Set((arrivals.values + changes.values.map(\.now)).flatMap { $0.peer.services.map(\.id) })
    }
}

extension ItemHappening {
    /// The phrase for a device that answers again.
    fileprivate var answerText: String {
        "answers again" + (silence.map { " after \($0)" } ?? "")
    }
}
