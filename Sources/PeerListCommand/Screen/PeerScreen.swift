// The live list: the session's news in, frames out; it knows no terminal.
import DiffCore
import FoundationEssentials
import PeerList
import TerminalList

/// The live list as it is to be drawn.
///
/// The session's differences are gathered, and before a frame is drawn the list's
/// latest snapshot is applied to the view's own data source. So frames may be
/// skipped, and differences are not.
@MainActor final class PeerScreen {
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

    /// What the cells are made from; apart from the screen because the cells are asked for while it draws.
    private final class Content {
        var items: [UUID: ListItem] = [:]
        var cells = PeerCells(grouping: .device)

        func cell(_ id: UUID) -> ListCell { items[id].map(cells.cell) ?? ListCell([]) }
    }

    /// An empty list.
    ///
    /// - Parameters:
    ///   - charset: The characters that the terminal can show.
    ///   - keys: What keys do beside moving in the list.
    init(charset: Charset, keys: [KeyBinding] = []) {
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

    /// Whether something changed since the last frame.
    var needsFrame: Bool { hasNews || view.needsDisplay }

    /// When a frame is due though nothing happens; `nil`: never.
    var nextDeadline: ContinuousClock.Instant? { view.nextDeadline }

    /// Has a frame drawn though nothing has changed.
    func setNeedsFrame() { view.setNeedsDisplay() }

    /// Does what a key is for.
    func handle(_ key: Key) -> KeyResponse { view.handle(key) }

    /// Does what the mouse is for.
    func handle(_ event: MouseEvent) -> KeyResponse { view.handle(event) }

    /// Takes text that was pasted.
    func handle(pasted text: String) -> KeyResponse { view.handle(pasted: text) }

    /// Takes in what the session tells.
    func take(_ news: ScreenNews) {
        hasNews = true
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

    /// The list as it is now.
    func frame(size: FrameSize, now: ContinuousClock.Instant) -> Frame {
        if hasNews { applyNews() }
        if let replay {
            view.footer = replay.footer(columns: size.columns, charset: view.charset)
        }
        return view.frame(size: size, now: now)
    }
}

extension PeerScreen {
    private func begin(_ run: LineHeader) {
        header.run = run
        guard content.cells.grouping != run.grouping else { return }
        content.cells = PeerCells(grouping: run.grouping)
        view.columns = content.cells.columns
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
