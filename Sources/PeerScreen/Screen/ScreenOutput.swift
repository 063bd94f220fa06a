// Sends the session's events to the screen, across threads and without waiting.
package import FoundationEssentials
package import PeerHappenings
package import PeerModel
package import PeerRecording

/// An event of the session for the screen.
package enum ScreenEvent: Sendable {
    /// The list begins, or another backend took over.
    case began(LineHeader)
    /// The initial fill begins or is over.
    case fill(InitialFill)
    case updated(ItemChanges)
    /// Something happened.
    case happened([Happening])
    /// The paths of a service changed, or it was heard again.
    case sighted
    /// An update of a recording that is undone: marked in the rows, but not recorded in the history.
    case passed(ItemChanges)
    /// The list at a time, after events were left out, with the replacements meanwhile by the former
    /// identifier.
    case caughtUp([ListSection], replaced: [UUID: UUID], time: Timestamp)
    /// The list is replaced, without marks.
    case replaced(ItemChanges)
    case noticed(Notice)
    /// The observers of a fleet, and whether they are online.
    case observers([ObserverName: Bool])
    /// The recording was rewound, so former notices no longer apply.
    case rewound
    case replaying(ReplayStatus)
}

/// Sends the session's events to the screen without ever waiting for it.
///
/// While the terminal blocks the screen, at most ``limit`` events wait; later ones are not stored.
/// When the screen continues, it receives the current list.
package final class ScreenOutput: ListOutput {
    /// The maximum number of events that wait for the screen.
    static let limit = 256
    /// The maximum number of things that happened and could not be sent.
    static let happeningLimit = 1_000

    private let events: AsyncStream<ScreenEvent>.Continuation
    private var header: LineHeader?
    /// The state of the initial fill that could not be sent.
    private var fill: InitialFill?
    /// The notices that could not be sent; of each code and interface the latest.
    private var notices: [Notice] = []
    /// The observers of a fleet that could not be sent.
    private var observers: [ObserverName: Bool]?
    private var isBehindWithList = false
    /// The events that could not be sent, the latest of them.
    private var happened: [Happening] = []
    /// The replacements in updates that were not sent, by the former identifier.
    private var replaced: [UUID: UUID] = [:]

    package static func make() -> (ScreenOutput, AsyncStream<ScreenEvent>) {
        let (events, entry) = AsyncStream<ScreenEvent>.makeStream(
            bufferingPolicy: .bufferingOldest(limit))
        return (ScreenOutput(entry), events)
    }

    /// Creates an output to a stream, which may have room for any number of events.
    package init(_ events: AsyncStream<ScreenEvent>.Continuation) { self.events = events }

    package var isBehind: Bool {
        isBehindWithList || header != nil || fill != nil || observers != nil || !notices.isEmpty
            || !happened.isEmpty
    }

    package func handle(_ event: OutputEvent, at time: Timestamp, list: () -> [ListSection]) {
        switch event {
        case .began(let header), .handedOver(let header):
            self.header = send(.began(header)) ? nil : header
        case .fill(let fill): self.fill = !isBehind && send(.fill(fill)) ? nil : fill
        case .updated(let items, let step):
            let event: ScreenEvent =
                switch step {
                case .event, .line, .lines: .updated(items)
                case .undone: .passed(items)
                case .seek: .replaced(items)
                }
            if !isBehind, send(event) { return }
            isBehindWithList = true
            replaced.merge(items.replacements) { _, new in new }
        case .sighted: _ = send(.sighted)
        case .noticed(let notice):
            if !isBehind, send(.noticed(notice)) { return }
            notices.removeAll { $0.isSuperseded(by: notice) }
            notices.append(notice)
        case .sources(let sources):
            guard let observers = sources.observers else { break }
            self.observers = !isBehind && send(.observers(observers)) ? nil : observers
        case .happened(let events):
            if !isBehind, send(.happened(events)) { return }
            happened = (happened + events).suffix(Self.happeningLimit)
        case .tick: if isBehind { catchUp(with: list, at: time) }
        case .lost, .answered, .reopened, .ended: break
        }
    }

    package func close(within limit: Duration) async -> LineFailure? { nil }

    private func send(_ event: ScreenEvent) -> Bool {
        guard case .dropped = events.yield(event) else { return true }
        return false
    }

    /// Sends what was not sent yet, while there is room.
    private func catchUp(with list: () -> [ListSection], at time: Timestamp) {
        if isBehindWithList {
            guard case .enqueued(let room) = events.yield(.sighted), room > Self.limit / 2 else {
                return
            }
            guard send(.caughtUp(list(), replaced: replaced, time: time)) else { return }
            isBehindWithList = false
            replaced = [:]
        }
        if let header, send(.began(header)) { self.header = nil }
        if !happened.isEmpty, send(.happened(happened)) { happened = [] }
        if let fill, send(.fill(fill)) { self.fill = nil }
        if let observers, send(.observers(observers)) { self.observers = nil }
        while let notice = notices.first, send(.noticed(notice)) { notices.removeFirst() }
    }
}

extension ItemChanges {
    /// Creates the changes from one list to another; `former` returns the items of the old list, and `replaced`
    /// has the replacements meanwhile by the former identifier.
    init(
        from old: some Sequence<UUID>, _ former: (UUID) -> ListItem?, to list: [ListSection],
        replaced: [UUID: UUID], at time: Timestamp
    ) {
        let items = list.lazy.flatMap(\.items).map { ($0.id, $0) }
        self.init(
            at: time, from: old, former, to: Dictionary(items) { $1 }, replaced: replaced)
    }
}
