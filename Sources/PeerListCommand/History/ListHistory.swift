// What has happened to the list: who came and left when, and what changed about whom.
import FoundationEssentials
import PeerList
import TerminalList

/// What has happened to the list, as far as it is remembered.
///
/// It knows the clock of the differences only, so that a recording has the
/// history that it had. All of it is bounded; ``omission`` says when something
/// was left out.
struct ListHistory: Sendable {
    /// Of so many items that are listed the history is remembered.
    static let itemLimit = 20_000
    /// Of so many that have left, what they were is remembered.
    static let departedLimit = 500
    /// So many entries of all items together are remembered.
    static let logLimit = 20_000
    /// The maximum number of events that are kept.
    static let eventLimit = 8
    /// An entry is cut to so many columns.
    static let entryWidth = 500

    private let charset: Charset
    private(set) var histories: [UUID: ItemHistory] = [:]
    private var awayCount = 0
    private(set) var log = ChangeLog(limit: logLimit)
    private(set) var rates = ArrivalRates()
    /// Who has left, oldest first, those too that have come back since.
    private(set) var departures: [(item: DepartedItem, returned: Timestamp?)] = []
    private(set) var omittedCount = 0
    private(set) var forgottenCount = 0
    private(set) var time: Timestamp?
    /// The latest arrivals, departures and silences, oldest first.
    private(set) var events: [ListEvent] = []

    /// An empty history that is told in the characters that can be shown.
    init(charset: Charset = .unicode) {
        self.charset = charset
    }
}

// MARK: Following the session

extension ListHistory {
    /// Takes note of a difference.
    ///
    /// - Parameters:
    ///   - update: The difference.
    ///   - isJump: Whether it leads to another moment of a recording rather than to what happened next.
    ///     Then it is not told as having happened, and to an earlier moment the history is rewound first.
    /// - Complexity: O(*k*) for *k* items in it, and the words for each change.
    mutating func take(_ update: PeerListUpdate, isJump: Bool = false) {
        if isJump, let time, update.time < time { rewind(to: update.time) }
        time = update.time
        let names = update.replacements.compactMapValues { update.arrivals[$0]?.name }
        for (id, departure) in update.departures {
            let successor = update.replacements[id]
            depart(
                DepartedItem(
                    departure.item, at: update.time, departure.reason,
                    successor: successor.map { ($0, names[id] ?? departure.item.name) }),
                isTold: !isJump)
        }
        let heirs = Dictionary(
            update.replacements.compactMap { old, new in
                update.departures[old].map { (new, $0.item) }
            }, uniquingKeysWith: { first, _ in first })
        for (id, item) in update.arrivals {
            arrive(item, id, from: heirs[id], at: update.time, isTold: !isJump)
        }
        for (id, change) in update.changes {
            self.change(change, id, at: update.time, isTold: !isJump)
        }
        guard !isJump else { return }
        // A service without a host is no arrival yet, and a new identifier is none either.
        let left = update.departures.values.filter { $0.reason != .identity && !$0.item.isPending }
            .map(\.item.name)
        let arrived = update.arrivals.filter { id, item in
            !item.isPending && heirs[id].map(\.isPending) ?? true
        }.map(\.value.name)
        rates.note(arrived: arrived.count, left: left.count, at: update.time)
        noteEvents(at: update.time, arrived: arrived, left: left, changes: update.changes.values)
    }

    /// Records one event for each kind of change in a difference.
    private mutating func noteEvents(
        at time: Timestamp, arrived: [String], left: [String],
        changes: some Sequence<PeerListUpdate.Change>
    ) {
        let silent = changes.filter {
            $0.now.presence == .unanswered && $0.was.presence != .unanswered
        }.map(\.now.name)
        for (kind, names) in [(ListEvent.Kind.silent, silent), (.left, left), (.arrived, arrived)] {
            guard let first = names.min() else { continue }
            if events.count == Self.eventLimit { events.removeFirst() }
            events.append(
                ListEvent(time: time, kind: kind, name: first, more: names.count - 1))
        }
    }

    /// Forgets what came after a moment, because a recording was turned back to it.
    mutating func rewind(to time: Timestamp) {
        log.rewind(to: time)
        events.removeAll { $0.time > time }
        rates.rewind(to: time)
        departures.removeAll { $0.item.time > time }
        for place in departures.indices where departures[place].returned.map({ $0 > time }) == true
        {
            departures[place].returned = nil
        }
        keepLastOpenDepartures()
        var kept: [UUID: ItemHistory] = [:]
        for (id, var history) in histories {
            if history.rewind(to: time, nextEntry: log.next) { kept[id] = history }
        }
        histories = kept
        awayCount = histories.values.count(where: \.isAway)
        self.time = time
    }

    /// Where the clock was set back, an item may have left twice before a moment and come back
    /// after it; nobody is away twice, so the last time counts.
    private mutating func keepLastOpenDepartures() {
        var away: Set<UUID> = []
        let kept = departures.reversed().filter {
            $0.returned != nil || away.insert($0.item.id).inserted
        }
        departures = kept.reversed()
    }

    private mutating func arrive(
        _ item: ListItem, _ id: UUID, from old: ListItem?, at time: Timestamp, isTold: Bool
    ) {
        markReturn(of: id, at: time)
        let isBack = histories[id] != nil
        if isBack {
            histories[id]?.enter(.listed(item.presence), at: time)
        } else {
            guard makeRoom() else {
                omittedCount += 1
                return
            }
            histories[id] = ItemHistory(item, at: time)
        }
        guard isTold else { return }
        let predecessor = old.flatMap { $0.isPending ? nil : $0.name }
        let words = predecessor.map { "was \($0) until now" } ?? (isBack ? "came back" : "arrived")
        note("\(words): \(item.summary(charset))", id, at: time)
    }

    /// Whoever is in the list is not away, whether or not the rest of its history is remembered.
    private mutating func markReturn(of id: UUID, at time: Timestamp) {
        if histories[id]?.isAway == true { awayCount -= 1 }
        for place in departures.indices
        where departures[place].returned == nil && departures[place].item.id == id {
            departures[place].returned = time
        }
    }

    private mutating func change(
        _ change: PeerListUpdate.Change, _ id: UUID, at time: Timestamp, isTold: Bool
    ) {
        if histories[id]?.isAway != false { markReturn(of: id, at: time) }
        guard histories[id] != nil else {
            if makeRoom() { histories[id] = ItemHistory(change.now, at: time) }
            return
        }
        histories[id]?.enter(.listed(change.now.presence), at: time)
        if case .peer(let was) = change.was, case .peer(let now) = change.now {
            let kept = Set(now.services.map(\.id))
            let lost = was.services.filter { !kept.contains($0.id) }
            if !lost.isEmpty { histories[id]?.lose(lost, at: time) }
        }
        guard isTold else { return }
        let words = change.inWords
        if !words.isEmpty { note(words.joined(separator: "; "), id, at: time) }
    }

    private mutating func depart(_ departed: DepartedItem, isTold: Bool) {
        let id = departed.id
        guard histories[id]?.isAway == false else { return }
        let lost = histories[id]?.lostServices(before: departed.time) ?? []
        let departed = departed.with(lost)
        histories[id]?.enter(.away, at: departed.time)
        awayCount += 1
        // A service that turns out to be a device's has not left.
        if departed.item.isPending, departed.reason == .identity { return }
        if isTold { note(departed.reasonInWords, id, at: departed.time) }
        if departures.count == Self.departedLimit {
            if departures.removeFirst().returned == nil { forgottenCount += 1 }
        }
        departures.append((departed, nil))
    }

    private mutating func note(_ words: String, _ id: UUID, at time: Timestamp) {
        guard histories[id] != nil else { return }
        let isShort = words.utf8.count <= Self.entryWidth
        let kept =
            isShort
            ? words : SafeText(words, upTo: Self.entryWidth).cut(to: Self.entryWidth).text
        histories[id]?.note(log.append(HistoryEntry(time: time, words: kept)))
    }

    /// Forgets those that have left when there are too many; false where there is no room even so.
    private mutating func makeRoom() -> Bool {
        if awayCount > 2 * Self.departedLimit {
            let known = Set(departures.map(\.item.id))
            histories = histories.filter { !$0.value.isAway || known.contains($0.key) }
            awayCount = histories.values.count(where: \.isAway)
        }
        return histories.count - awayCount < Self.itemLimit
    }
}
