// What the session hands to the screen, across from its own thread.
import DiffCore
import FoundationEssentials
import PeerList
import PeerRecording

/// One thing that the screen is told.
enum ScreenEvent: Sendable {
    /// The list begins, or another backend answers.
    case began(LineHeader)
    case updated(PeerListUpdate)
    /// A service is announced on another path, or no longer on one, or something was heard of it.
    case sighted
    /// Several differences of a recording in one, or one taken back: the rows show it as news, and the
    /// history does not have it as something that happened.
    case passed(PeerListUpdate)
    /// The list is another one: what leads to it is not to be marked as news.
    case replaced(PeerListUpdate)
    case noticed(Notice)
    /// What was noticed is not so any more, because time was turned back.
    case turnedBack
    /// It is a recording that is shown, and this is how far it is.
    case replaying(ReplayStatus)
}

/// Passes everything on to the screen and never waits for it: the screen draws when it has time.
///
/// A terminal that takes no more holds the screen up for as long as it likes.
/// What the screen has not taken by then is not kept for it: when it goes on,
/// it is told in one piece what has become of the list meanwhile.
final class ScreenOutput: ListOutput {
    /// So many news wait for the screen at the most; each may hold a list of its own.
    static let limit = 256

    private let news: AsyncStream<ScreenEvent>.Continuation
    /// The list as the screen was told of it.
    private var told = (items: [UUID: ListItem](), snapshot: PeerListSnapshot())
    /// Who is asked now, where that found no room.
    private var header: LineHeader?
    /// The notices that found no room, of each kind the latest.
    private var notices: [Notice] = []
    private var isBehindWithList = false
    /// What goes on under another identifier, by the old one, as far as it was left out.
    private var replaced: [UUID: UUID] = [:]

    /// An output for a screen, and the news that it takes.
    static func make() -> (ScreenOutput, AsyncStream<ScreenEvent>) {
        let (news, entry) = AsyncStream<ScreenEvent>.makeStream(
            bufferingPolicy: .bufferingOldest(limit))
        return (ScreenOutput(entry), news)
    }

    private init(_ news: AsyncStream<ScreenEvent>.Continuation) { self.news = news }

    var isBehind: Bool { isBehindWithList || header != nil || !notices.isEmpty }

    func begin(_ header: LineHeader, at time: Timestamp) { _ = tell(.began(header)) }

    func handedOver(_ header: LineHeader) { self.header = tell(.began(header)) ? nil : header }

    func update(_ update: PeerListUpdate, list: @autoclosure () -> [ListSection]) {
        guard !isBehind, tell(.updated(update)) else {
            isBehindWithList = true
            replaced.merge(update.replacements) { _, new in new }
            return
        }
        told.snapshot = update.snapshot
        for id in update.departures.keys { told.items[id] = nil }
        told.items.merge(update.arrivals) { _, new in new }
        told.items.merge(update.changes.mapValues(\.now)) { _, new in new }
    }

    func sighted() { _ = tell(.sighted) }

    func notice(_ notice: Notice, list: @autoclosure () -> [ListSection]) {
        if !isBehind, tell(.noticed(notice)) { return }
        notices.removeAll { $0.code == notice.code }
        notices.append(notice)
    }

    func tick(at time: Timestamp, list: @autoclosure () -> [ListSection]) {
        guard isBehind else { return }
        if isBehindWithList, !tellRest(list(), at: time) { return }
        isBehindWithList = false
        replaced = [:]
        if let header { handedOver(header) }
        while let notice = notices.first, tell(.noticed(notice)) { notices.removeFirst() }
    }

    func end(
        _ reason: LineEncoder.EndReason, at time: Timestamp, list: @autoclosure () -> [ListSection]
    ) {}

    func close(within limit: Duration) async -> LineFailure? { nil }

    /// Tells in one piece what the list is by now.
    private func tellRest(_ list: [ListSection], at time: Timestamp) -> Bool {
        // The screen is not to be given more before it has taken what it has.
        guard case .enqueued(let room) = news.yield(.sighted), room > Self.limit / 2 else {
            return false
        }
        var snapshot = PeerListSnapshot()
        snapshot.appendSections(list.map(\.id))
        for section in list { snapshot.appendItems(section.items.map(\.id), toSection: section.id) }
        let items = Dictionary(uniqueKeysWithValues: list.flatMap(\.items).map { ($0.id, $0) })
        let (old, oldSnapshot) = told
        let changes = items.compactMapValues { item in
            old[item.id].flatMap { $0 == item ? nil : PeerListUpdate.Change(was: $0, now: item) }
        }
        told = (items, snapshot)
        snapshot.reconfigureItems(Array(changes.keys))
        let departed = old.filter { items[$0.key] == nil }
        let heirs = departed.compactMapValues { heir(of: $0.id, in: items) }
        return tell(
            .passed(
                PeerListUpdate(
                    time: time, cause: .changed, snapshot: snapshot,
                    difference: snapshot.difference(from: oldSnapshot),
                    arrivals: items.filter { old[$0.key] == nil },
                    departures: departed.mapValues { item in
                        (item, heirs[item.id] == nil ? .removed : .identity)
                    },
                    changes: changes, replacements: heirs)))
    }

    /// The identifier under which an item goes on after all that was left out.
    private func heir(of id: UUID, in items: [UUID: ListItem]) -> UUID? {
        var (last, passed) = (id, Set([id]))
        while let next = replaced[last], passed.insert(next).inserted {
            if items[next] != nil { return next }
            last = next
        }
        return nil
    }

    private func tell(_ item: ScreenEvent) -> Bool {
        guard case .dropped = news.yield(item) else { return true }
        return false
    }
}
