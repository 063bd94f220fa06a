// The live list: the session's news and the terminal's events, drawn at most thirty times a second.
import DiffCore
import FoundationEssentials
import PeerList
import TerminalList

/// The live list on the terminal.
///
/// The session's differences may come faster than anybody can look. They are
/// gathered, and before a frame is drawn the list's latest snapshot is applied
/// to the view's own data source. So frames may be skipped, and differences are not.
@MainActor final class PeerScreen {
    /// At most so many frames are drawn in a tenth of a second: thirty a second, and yet the first
    /// peers, which come right after the empty list, need not wait for their turn.
    private static let frameLimit = (count: 3, time: Duration.milliseconds(100))

    /// What the screen waits for.
    private enum Wake: Sendable {
        case terminal(TerminalWakeUp)
        case news(ScreenNews)
        case frame
    }

    private let terminal: Terminal
    private let ended: @Sendable (SessionEnd) -> Void
    private let view: TerminalListView<String, UUID>
    private let source: DiffableDataSource<String, UUID>
    private let content: Content

    private var header = ScreenHeader()
    private var replay: ReplayStatus?
    private var snapshot = PeerListSnapshot()
    private var hasNews = false
    /// Whether the list is to be shown anew, with nothing marked as new or gone.
    private var isReplaced = false
    private var changed: Set<UUID> = []

    /// When the last few frames were drawn, oldest first.
    private var frames: [ContinuousClock.Instant] = []
    private var nextFrame: (due: ContinuousClock.Instant, timer: Task<Void, Never>)?
    private let wakes = AsyncStream<Wake>.makeStream()

    /// What the cells are made from; apart from the screen because the cells are asked for while it draws.
    private final class Content {
        var items: [UUID: ListItem] = [:]
        var cells = PeerCells(grouping: .device)

        func cell(_ id: UUID) -> ListCell { items[id].map(cells.cell) ?? ListCell([]) }
    }

    /// Takes the terminal.
    ///
    /// - Parameters:
    ///   - charset: The characters that the terminal can show.
    ///   - keys: What keys do beside moving in the list.
    ///   - ended: Told when the user or a signal asks for the end.
    /// - Throws: ``TerminalError``, with the terminal as it was.
    init(
        charset: Charset, keys: [KeyBinding] = [], ended: @escaping @Sendable (SessionEnd) -> Void
    ) throws(TerminalError) {
        terminal = try Terminal(charset: charset)
        self.ended = ended
        let content = Content()
        self.content = content
        view = TerminalListView(columns: content.cells.columns, keys: .standard(adding: keys))
        view.charset = charset
        source = DiffableDataSource(view: view) { _, _, id in
            content.cell(id)
        } headerProvider: { _, _, section in
            content.cells.grouping == .type ? serviceTypeTitle(section) : nil
        }
    }

    /// Shows the list until the task is cancelled, and gives the terminal back.
    ///
    /// - Parameter news: What the session tells.
    func run(_ news: AsyncStream<ScreenNews>) async {
        let entry = wakes.continuation
        let forwarders = [
            Task { for await item in news { entry.yield(.news(item)) } },
            Task { [wakeUps = terminal.wakeUps] in
                for await wakeUp in wakeUps { entry.yield(.terminal(wakeUp)) }
            },
        ]
        defer {
            for task in forwarders { task.cancel() }
            nextFrame?.timer.cancel()
            terminal.close()
        }
        draw()
        for await wake in wakes.stream {
            take(wake)
            planFrame()
        }
    }
}

extension PeerScreen {
    private func take(_ wake: Wake) {
        switch wake {
        case .terminal(let wakeUp):
            for event in terminal.events(at: wakeUp) { take(event) }
        case .news(let news):
            take(news)
            hasNews = true
        case .frame:
            nextFrame = nil
            draw()
        }
    }

    private func take(_ news: ScreenNews) {
        switch news {
        case .began(let run): begin(run)
        case .updated(let update): take(update)
        case .replaced(let update):
            take(update)
            isReplaced = true
        case .noticed(let notice): header.note(notice)
        case .turnedBack: header.forgetWarnings()
        case .replaying(let status):
            replay = status
            header.recording = (status.name, status.warning, status.isLost)
        }
    }

    private func begin(_ run: LineHeader) {
        header.run = run
        guard content.cells.grouping != run.grouping else { return }
        content.cells = PeerCells(grouping: run.grouping)
        view.columns = content.cells.columns
    }

    private func take(_ event: TerminalEvent) {
        switch event {
        case .key(let key): take(view.handle(key))
        case .pasted(let text): take(view.handle(pasted: text))
        case .mouse(let event): take(view.handle(event))
        case .resized, .resumed: view.setNeedsDisplay()
        case .suspendRequested: terminal.suspend()
        case .terminated: ended(.interrupted)
        case .inputEnded: ended(.finished)
        }
    }

    private func take(_ response: KeyResponse) {
        switch response {
        case .quit: ended(.finished)
        case .redraw:
            terminal.redraw()
            view.setNeedsDisplay()
        case .handled, .unknown: break
        }
    }

    private func take(_ update: PeerListUpdate) {
        content.items.merge(update.arrivals) { $1 }
        content.items.merge(update.changes.mapValues(\.now)) { $1 }
        for id in update.departures.keys where update.arrivals[id] == nil {
            content.items[id] = nil
        }
        for (old, new) in update.replacements { view.expectReplacement(of: old, by: new) }
        changed.formUnion(update.changes.keys)
        snapshot = update.snapshot
    }

    /// Draws at once what can be drawn, else when a frame's time has passed or something is due.
    private func planFrame() {
        let now = ContinuousClock.now
        let due: ContinuousClock.Instant
        if hasNews || view.needsDisplay {
            let isFree = frames.count < Self.frameLimit.count
            due = isFree ? now : frames[0] + Self.frameLimit.time
        } else if let deadline = view.nextDeadline {
            due = deadline
        } else {
            return
        }
        guard due > now else {
            draw()
            // What was drawn decides when the next frame is due by itself.
            return planFrame()
        }
        if let next = nextFrame, next.due <= due { return }
        nextFrame?.timer.cancel()
        let timer = Task { [entry = wakes.continuation] in
            guard (try? await Task.sleep(until: due)) != nil else { return }
            entry.yield(.frame)
        }
        nextFrame = (due, timer)
    }

    private func draw() {
        if hasNews { applyNews() }
        if let replay {
            view.footer = replay.footer(columns: terminal.size.columns, charset: view.charset)
        }
        frames = frames.suffix(Self.frameLimit.count - 1) + [.now]
        terminal.draw(view.frame(size: terminal.size, now: .now))
    }

    private func applyNews() {
        hasNews = false
        var next = snapshot
        next.reconfigureItems(changed.filter { next.sectionIdentifier(containingItem: $0) != nil })
        changed = []
        if isReplaced { source.applySnapshotUsingReloadData(next) } else { source.apply(next) }
        isReplaced = false
        let items = next.itemIdentifiers.lazy.compactMap { self.content.items[$0] }
        let services = items.reduce(0) { $0 + $1.serviceCount }
        view.header = header.lines(
            rows: next.numberOfItems,
            services: content.cells.grouping == .device ? services : nil)
        view.emptyMessage = header.emptyMessage
    }
}

extension ListItem {
    fileprivate var serviceCount: Int {
        switch self {
        case .peer(let peer): peer.services.count
        case .service: 1
        }
    }
}

/// A service type by its friendly name, where it has one: `Web Site  _http._tcp`.
private func serviceTypeTitle(_ type: String) -> String {
    KnownServiceType.of(type).map { "\($0.title)  \(type)" } ?? type
}
