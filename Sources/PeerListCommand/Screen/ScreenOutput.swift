// Sends the session's events to the screen, across threads and without waiting.
import DiffCore
import FoundationEssentials
import PeerList
import PeerRecording

/// An event of the session for the screen.
enum ScreenEvent: Sendable {
    /// The list begins, or another backend took over.
    case began(LineHeader)
    case updated(PeerListUpdate)
    /// The paths of a service changed, or it was heard again.
    case sighted
    /// Several updates of a recording combined, or one undone: marked in the rows, but not recorded
    /// in the history.
    case passed(PeerListUpdate)
    /// The list is replaced by another one, without marks.
    case replaced(PeerListUpdate)
    case noticed(Notice)
    /// The recording was rewound, so former notices no longer apply.
    case turnedBack
    /// The position in a recording.
    case replaying(ReplayStatus)
}

/// Sends the session's events to the screen without ever waiting for it.
///
/// While the terminal blocks the screen, at most ``limit`` events wait; later ones are not stored.
/// When the screen continues, it receives the difference to the current list as one update.
final class ScreenOutput: ListOutput {
    /// The maximum number of events that wait for the screen; each may hold a list of its own.
    static let limit = 256

    private let events: AsyncStream<ScreenEvent>.Continuation
    /// The list as of the last event that was sent.
    private var sent = (items: [UUID: ListItem](), snapshot: PeerListSnapshot())
    /// The header that could not be sent.
    private var header: LineHeader?
    /// The notices that could not be sent; of each code the latest.
    private var notices: [Notice] = []
    /// Whether updates could not be sent.
    private var isBehindWithList = false
    /// The replacements in updates that were not sent, by the former identifier.
    private var replaced: [UUID: UUID] = [:]

    /// Creates an output and the stream of its events.
    static func make() -> (ScreenOutput, AsyncStream<ScreenEvent>) {
        let (events, entry) = AsyncStream<ScreenEvent>.makeStream(
            bufferingPolicy: .bufferingOldest(limit))
        return (ScreenOutput(entry), events)
    }

    private init(_ events: AsyncStream<ScreenEvent>.Continuation) { self.events = events }

    var isBehind: Bool { isBehindWithList || header != nil || !notices.isEmpty }

    func begin(_ header: LineHeader, at time: Timestamp) { _ = send(.began(header)) }

    func handedOver(_ header: LineHeader) { self.header = send(.began(header)) ? nil : header }

    func update(_ update: PeerListUpdate, list: @autoclosure () -> [ListSection]) {
        guard !isBehind, send(.updated(update)) else {
            isBehindWithList = true
            replaced.merge(update.replacements) { _, new in new }
            return
        }
        sent.snapshot = update.snapshot
        for id in update.departures.keys { sent.items[id] = nil }
        sent.items.merge(update.arrivals) { _, new in new }
        sent.items.merge(update.changes.mapValues(\.now)) { _, new in new }
    }

    func sighted() { _ = send(.sighted) }

    func notice(_ notice: Notice, list: @autoclosure () -> [ListSection]) {
        if !isBehind, send(.noticed(notice)) { return }
        notices.removeAll { $0.code == notice.code }
        notices.append(notice)
    }

    func tick(at time: Timestamp, list: @autoclosure () -> [ListSection]) {
        guard isBehind else { return }
        if isBehindWithList, !sendDifference(to: list(), at: time) { return }
        isBehindWithList = false
        replaced = [:]
        if let header { handedOver(header) }
        while let notice = notices.first, send(.noticed(notice)) { notices.removeFirst() }
    }

    func end(
        _ reason: LineEncoder.EndReason, at time: Timestamp, list: @autoclosure () -> [ListSection]
    ) {}

    func close(within limit: Duration) async -> LineFailure? { nil }

    private func send(_ event: ScreenEvent) -> Bool {
        guard case .dropped = events.yield(event) else { return true }
        return false
    }

    /// Sends the difference to the current list as one update, unless too many events still wait.
    private func sendDifference(to list: [ListSection], at time: Timestamp) -> Bool {
        guard case .enqueued(let room) = events.yield(.sighted), room > Self.limit / 2 else {
            return false
        }
        var snapshot = PeerListSnapshot()
        snapshot.appendSections(list.map(\.id))
        for section in list { snapshot.appendItems(section.items.map(\.id), toSection: section.id) }
        let items = Dictionary(uniqueKeysWithValues: list.flatMap(\.items).map { ($0.id, $0) })
        let (old, oldSnapshot) = sent
        let changes = items.compactMapValues { item in
            old[item.id].flatMap { $0 == item ? nil : PeerListUpdate.Change(was: $0, now: item) }
        }
        sent = (items, snapshot)
        snapshot.reconfigureItems(Array(changes.keys))
        let departed = old.filter { items[$0.key] == nil }
        let successors = departed.compactMapValues { successor(of: $0.id, in: items) }
        return send(
            .passed(
                PeerListUpdate(
                    time: time, cause: .changed, snapshot: snapshot,
                    difference: snapshot.difference(from: oldSnapshot),
                    arrivals: items.filter { old[$0.key] == nil },
                    departures: departed.mapValues { item in
                        (item, successors[item.id] == nil ? .removed : .identity)
                    },
                    changes: changes, replacements: successors)))
    }

    /// Returns the last replacement of an item that is in the list.
    private func successor(of id: UUID, in items: [UUID: ListItem]) -> UUID? {
        var (last, visited) = (id, Set([id]))
        while let next = replaced[last], visited.insert(next).inserted {
            if items[next] != nil { return next }
            last = next
        }
        return nil
    }
}
