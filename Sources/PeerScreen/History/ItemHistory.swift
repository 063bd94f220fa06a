// The history of one item, its presence in the last hour, and the state in which it departed.
import FoundationEssentials
import PeerHappenings
import PeerModel
import PeerText
import TerminalList

/// The history of one item of the session's list.
struct ItemHistory: Sendable {
    static let entryLimit = 20
    /// The maximum number of states; a peer that comes and goes every few seconds fills an hour with
    /// them.
    static let stateLimit = 256
    /// The presence of the item from each time on, `nil` for an item that is away; never empty.
    private(set) var states: [(time: Timestamp, presence: Presence?)]
    /// The numbers of the item's entries in the log, oldest first.
    private(set) var entries: [Int] = []

    init(_ item: ListItem, at time: Timestamp) {
        states = [(time, item.peer.presence)]
    }

    /// The current state and its start.
    var latest: (time: Timestamp, presence: Presence?) { states[states.count - 1] }
    var isAway: Bool { latest.presence == nil }

    /// Appends a state if it differs from the current one.
    mutating func enter(_ presence: Presence?, at time: Timestamp) {
        guard latest.presence != presence else { return }
        if states.count == Self.stateLimit { states.removeFirst(Self.stateLimit / 4) }
        states.append((time, presence))
    }

    mutating func append(entry: Int) {
        if entries.count == Self.entryLimit { entries.removeFirst() }
        entries.append(entry)
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
    static let serviceLimit = 128
    /// The maximum size of the TXT records kept of a departed device, in bytes.
    static let attributeLimit = 16 << 10
    /// The maximum size of the searchable text, in bytes.
    static let searchLimit = 16 << 10

    /// The item as last known, within the limits.
    let item: ListItem
    let time: Timestamp
    /// The reason; `nil` if it is not known, as after a jump in a recording.
    let reason: ItemHappening.Reason?
    let searchText: SearchText
    var id: UUID { item.id }

    init(_ item: ListItem, at time: Timestamp, _ reason: ItemHappening.Reason?) {
        var peer = item.peer
        peer.services.removeLast(max(0, peer.services.count - Self.serviceLimit))
        var room = Self.attributeLimit
        for index in peer.services.indices {
            room -= peer.services[index].txt.footprint
            if room < 0 { peer.services[index].txt = TXTRecord() }
        }
        self.item = item.isService ? .service(peer.services[0], of: peer) : .peer(peer)
        self.time = time
        self.reason = reason
        searchText = SearchText(item, limit: Self.searchLimit)
    }

    /// The reason, as text: `said goodbye`.
    var reasonText: String { reason?.phrase(item) ?? "said goodbye, or expired" }
}

/// The presence of an item in equal intervals of the last hour.
struct PresenceStrip: Sendable, Equatable {
    /// The worst state in an interval; in the last interval the current state.
    enum Mark: Int, Sendable, Comparable {
        /// Nothing is known.
        case unseen
        /// It answered.
        case present
        /// It did not answer, was not resolved, or there was no backend.
        case doubtful
        /// It was not in the list.
        case away

        static func < (left: Mark, right: Mark) -> Bool { left.rawValue < right.rawValue }
    }

    private(set) var marks: [Mark]

    /// Creates the strip of an item in the hour up to a time.
    ///
    /// Intervals start at multiples of their length, so that the strip shifts only
    /// when one is over.
    init(_ history: ItemHistory, until end: Timestamp, buckets: Int = 60) {
        let hour = HourBuckets(until: end, count: buckets)
        marks = Array(repeating: .unseen, count: hour.count)
        let ends = history.states.dropFirst().map(\.time) + [Timestamp(microseconds: .max)]
        for (step, next) in zip(history.states, ends) where step.time <= min(next, end) {
            let mark = Self.mark(of: step.presence, from: step.time, to: min(next, end))
            for bucket in hour.buckets(from: step.time, to: min(next, end)) {
                marks[bucket] = max(marks[bucket], mark)
            }
            if next > end { marks[hour.count - 1] = mark }
        }
    }

    private static func mark(
        of presence: Presence?, from start: Timestamp, to end: Timestamp
    ) -> Mark {
        switch presence {
        case .present: .present
        // A new service may take five seconds to be resolved.
        case .resolving:
            end.microseconds - start.microseconds < 5_000_000 ? .present : .doubtful
        case .unanswered, .proxied, .unknown: .doubtful
        case nil: .away
        }
    }

    /// Returns the strip of a device with the services of both strips: present if one of them is.
    func joined(with other: PresenceStrip) -> PresenceStrip {
        var result = self
        result.marks = zip(marks, other.marks).map { left, right in
            left == .unseen || right == .unseen ? max(left, right) : min(left, right)
        }
        return result
    }

    /// Returns one character for each interval: `··██▒█`, in ASCII `..##?#`.
    func text(charset: Charset) -> String {
        let signs = charset == .ascii ? Array(" #?.") : Array(" █▒·")
        return String(marks.map { signs[$0.rawValue] })
    }

    /// Returns the meanings of the characters of ``text(charset:)``.
    static func legend(charset: Charset) -> String {
        charset == .ascii ? "# there, ? in doubt, . away" : "█ there, ▒ in doubt, · away"
    }
}

/// Equal intervals of the hour up to a time, which is in the last one.
struct HourBuckets {
    let count: Int
    private let width: Int
    /// The number of the first interval since 1970.
    private let first: Int

    init(until end: Timestamp, count: Int) {
        self.count = count
        width = 3_600_000_000 / count
        first = number(of: end, width) - count + 1
    }

    func buckets(from start: Timestamp, to end: Timestamp) -> Range<Int> {
        let low = max(number(of: start, width) - first, 0)
        let high = min(number(of: end, width) - first, count - 1)
        return low <= high ? low..<high + 1 : 0..<0
    }
}

/// Returns the number of the interval that contains a time, rounded down, also before 1970.
private func number(of time: Timestamp, _ width: Int) -> Int {
    let time = Int(time.microseconds)
    return (time >= 0 ? time : time - width + 1) / width
}
