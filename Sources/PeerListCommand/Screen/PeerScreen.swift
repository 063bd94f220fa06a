// The live list: the session's news and keys in, frames out; it knows no terminal.
import DiffCore
import FoundationEssentials
import PeerList
import PeerRecording
import TerminalList

/// The live list as it is to be drawn.
///
/// The session's differences are gathered, and before a frame is drawn the rows
/// are made anew from the session's list and what the keys have chosen, and
/// applied to the view's own data source. So frames may be skipped, and differences are not.
@MainActor final class PeerScreen {
    let view: TerminalListView<String, RowID>
    let content: RowContent
    /// Asks others for what the screen cannot do.
    var ask: (ScreenRequest) -> Void = { _ in }

    private let source: DiffableDataSource<String, RowID>
    private var header = ScreenHeader()
    private var replay: ReplayStatus?
    /// Whether the session told anything since the rows were made.
    private var hasNews = false
    /// Whether the list is to be shown anew, with nothing marked as new or gone.
    private var isReplaced = false

    /// When what the header, the strip and the words in place of an empty list say is out of date.
    private var nextTick: ContinuousClock.Instant?
    /// When the first frame was drawn.
    private var start: ContinuousClock.Instant?
    /// Returns the interfaces that are listened on, with their addresses; `nil` in a recording.
    private let network: (_ interface: String?) -> String?
    /// Whether the user has done anything yet: until then the first row is selected.
    private var isUsed = false

    /// The window's size as of the last frame.
    private(set) var size = FrameSize(columns: 80, rows: 24)

    /// Who has come since the rows were made.
    private var arrived: Set<UUID> = []
    /// Whether the box over the list is that of the service types.
    var isChoosingTypes = false
    /// The row that was selected before the search began.
    var rowBeforeSearch: RowID?
    /// The row that the details are shown of, and where.
    var details: (row: RowID, place: TextPane.Placement)?
    /// The session's latest answer about the row of the details.
    var sightings: (row: RowID, found: ItemSightings)?
    /// Whether the details in place of the list hide those beside it.
    var hidesSidePane = false

    /// An empty list.
    ///
    /// - Parameters:
    ///   - settings: The characters that the terminal can show, and the keys that the user chose.
    ///   - sort: What the list is ordered by at first.
    ///   - keys: What keys do in a list of this kind, beside what they do in every one.
    ///   - isRecording: Whether the list is recorded into a file.
    ///   - network: Returns the interfaces that are listened on, all or the one of a name, with their
    ///     addresses; `nil` where that is not known.
    init(
        _ settings: ScreenSettings, sort: RowSort = .name, keys: [KeyBinding] = [],
        isRecording: Bool = false,
        network: @escaping (_ interface: String?) -> String? = { _ in nil }
    ) {
        let content = RowContent(charset: settings.charset)
        content.choices.sort = sort
        self.content = content
        self.network = network
        header.isRecording = isRecording
        view = TerminalListView(
            columns: content.columns, timing: ListTiming(departure: settings.departure))
        view.charset = settings.charset
        source = DiffableDataSource(view: view) { _, _, row in
            content.cell(row)
        } headerProvider: { _, _, section in
            content.rows.header(of: section)
        }
        view.keys = keyTable(adding: keys, keymap: settings.keymap)
        view.helpSections = Self.legend(settings.charset)
        view.titleWasClicked = { [weak self] index in self?.sort(byColumn: index) }
        view.itemWasOpened = { [weak self] _ in self?.toggleDetails() }
        view.outlineWasClicked = { [weak self] row in self?.toggle(row) }
        view.selectionDidChange = { [weak self] _ in self?.updateDetails() }
    }

    /// Whether something changed since the last frame.
    var needsFrame: Bool { hasNews || view.needsDisplay }

    /// When a frame is due though nothing happens; `nil`: never.
    var nextDeadline: ContinuousClock.Instant? {
        guard let tick = nextTick else { return view.nextDeadline }
        return min(view.nextDeadline ?? tick, tick)
    }

    /// Has a frame drawn though nothing has changed.
    func setNeedsFrame() { view.setNeedsDisplay() }

    /// Does what a key is for.
    func handle(_ key: Key) -> KeyResponse {
        isUsed = true
        // What a key does, it does to the list as it is.
        if hasNews { applyNews() }
        return view.handle(key)
    }

    /// Does what the mouse does, to the rows as they were drawn.
    func handle(_ event: MouseEvent) -> KeyResponse {
        isUsed = true
        return view.handle(event)
    }

    /// Takes what was pasted.
    func paste(_ text: String) -> KeyResponse { view.handle(pasted: text) }

    /// Says something in the last line.
    func tell(_ message: String, _ tone: Style.Tone = .plain) {
        view.show(message: message, tone: tone)
    }

    /// Takes in what the session tells.
    func take(_ news: ScreenEvent) {
        // Paths are told of in the details alone.
        if case .sighted = news, details == nil { return }
        hasNews = true
        switch news {
        case .sighted: break
        case .began(let run): begin(run)
        case .updated(let update): take(update, isJump: false)
        case .passed(let update): take(update, isJump: true)
        case .replaced(let update):
            take(update, isJump: true)
            isReplaced = true
        case .noticed(let notice): header.note(notice)
        case .turnedBack: header.forgetWarnings()
        case .replaying(let status):
            replay = status
            content.clock = status.time
            header.recording = (status.name, status.warning, status.isLost)
        }
    }

    /// The list as it is now.
    func frame(size: FrameSize, now: ContinuousClock.Instant) -> Frame {
        self.size = size
        let isDue = nextTick.map { now >= $0 } ?? true
        if isDue, nextTick != nil { updateDetails() }
        if hasNews { applyNews() }
        if isDue { header.network = network(header.run?.filter.interface) }
        showEdges(at: now)
        return view.frame(size: size, now: now)
    }

    /// Changes what is chosen, and shows the rows that follow from it: they move, and none is
    /// marked as new or gone.
    func choose(_ change: (inout RowChoices) -> Void) {
        if hasNews { applyNews() }
        let before = content.choices
        change(&content.choices)
        let selected = view.selectedItem
        refresh(isMarked: false)
        view.columns = content.columns
        if before.search != content.choices.search
            || before.hiddenTypes != content.choices.hiddenTypes
        {
            let dropped = view.departedItems.filter { !content.keepsDeparted($0) }
            if !dropped.isEmpty { view.forgetChange(of: dropped) }
        }
        if before.grouping != content.choices.grouping {
            view.forgetChanges()
            if let row = selected.flatMap({ content.rows.nearest(to: $0, content.seen) }) {
                view.select(row)
            }
        }
    }
}

extension PeerScreen {
    private func begin(_ run: LineHeader) {
        let isOther = header.run?.grouping != run.grouping
        header.run = run
        guard isOther else { return }
        content.choices.grouping = run.grouping
        view.columns = content.columns
    }

    private func take(_ update: PeerListUpdate, isJump: Bool) {
        for (old, new) in update.replacements { follow(old, new) }
        arrived.formUnion(update.arrivals.keys)
        content.take(update, isJump: isJump)
    }

    /// Has all that is known by an identifier go on under another one.
    private func follow(_ old: UUID, _ new: UUID) {
        view.expectReplacement(of: .listing(old), by: .listing(new))
        var rows = [RowID.device(old): RowID.device(new)]
        for service in content.seen.devices[old]?.serviceIDs ?? [] {
            rows[.service(service, of: old)] = .service(service, of: new)
        }
        for (old, new) in rows { view.expectReplacement(of: old, by: new) }
        if let row = rowBeforeSearch { rowBeforeSearch = rows[row] ?? row }
        if let row = details?.row { details?.row = rows[row] ?? row }
        if content.choices.expansion.contains(old) {
            content.choices.expansion.set(new, isExpanded: true)
        }
    }

    private func applyNews() {
        hasNews = false
        refresh(isMarked: !isReplaced)
        isReplaced = false
        if !isUsed { view.select(content.rows.snapshot.itemIdentifiers.first) }
        updateTypes()
        updateDetails()
    }

    private func refresh(isMarked: Bool) {
        content.refresh()
        let snapshot = content.rows.snapshot
        defer { arrived = [] }
        guard !isReplaced else { return source.applySnapshotUsingReloadData(snapshot) }
        let difference = source.apply(snapshot, animatingDifferences: isMarked)
        guard isMarked else { return }
        let hidden = difference.deletedItems.map(\.item).filter { content.isSeen($0) }
        let shown = difference.insertedItems.map(\.item).filter { !isNews($0) }
        view.forgetChange(of: hidden + shown)
    }

    /// Whether a row is there because somebody has come, and not because it is shown again, or under
    /// those who have left.
    private func isNews(_ row: RowID) -> Bool {
        switch row {
        case .departed: false
        case .device(let id): arrived.contains(id) || !content.choices.hidesSome
        case .service, .listing: true
        }
    }

    /// Shows what stands above and below the rows, and plans when that is out of date.
    private func showEdges(at now: ContinuousClock.Instant) {
        let (counts, choices) = (content.rows.counts, content.choices)
        let start = self.start ?? now
        self.start = start
        view.header = header.lines(counts, choices, content.charset)
        view.emptyMessage = header.emptyMessage(counts, choices, waited: now - start)
        if let replay {
            view.strip = []
            view.footer = replay.footer(columns: size.columns, charset: content.charset)
            nextTick = nil
            return
        }
        let time = content.now
        let events = content.history.events
        if !events.isEmpty {
            let key = view.keys.bindings.first { $0.name == KeyRow.Name.departed.rawValue }?.keys
            let hasDeparted = !content.history.departed.isEmpty
            view.strip = HistoryStrip(content.history, until: time)
                .lines(columns: size.columns, charset: content.charset)
            view.footer = [
                ListEvent.line(
                    events, columns: size.columns,
                    departedKey: hasDeparted ? key?.first?.label(charset: content.charset) : nil,
                    charset: content.charset)
            ]
        }
        let isEmpty = content.rows.snapshot.numberOfItems == 0
        let rest = isEmpty ? 1_000_000 : 60_000_000 - time.microseconds % 60_000_000
        let tick = now + .microseconds(rest)
        nextTick = nextTick.flatMap { $0 > now && $0 < tick ? $0 : nil } ?? tick
    }

    /// The sections of the help after the keys.
    private static func legend(_ charset: Charset) -> [HelpSection] {
        let isPlain = charset == .ascii
        return [
            HelpSection(
                "Signs",
                [
                    .init("+ ~ -", "arrived, changed, left"),
                    .init(isPlain ? "." : "…", "resolving: no host yet"),
                    .init("?", "unanswered, or unknown"),
                    .init(
                        isPlain ? "# ? ." : "█ ▒ ·", "last hour: there, in doubt, away"),
                ]),
            HelpSection(
                "Mouse",
                [
                    .init("row", "select; on the selected row: details"),
                    .init("title", "sort by the column; again: reverse"),
                    .init("hint", "as pressing its key"),
                    .init("wheel", "scroll"),
                ]),
        ]
    }
}
