// The live list without a terminal: session events and keys in, frames out.
import DiffCore
import FoundationEssentials
import PeerHappenings
import PeerModel
import PeerRecording
import PeerSession
import PeerText
package import TerminalList

/// The live list.
///
/// Updates of the session are collected. Before a frame is drawn, the rows are computed from the
/// session's list and the user's choices and applied to the view, so frames may be skipped but
/// updates are not.
@MainActor package final class PeerScreen {
    let view: TerminalListView<String, RowID>
    let content: RowContent
    /// Called with requests for the terminal and the session.
    var request: (ScreenRequest) -> Void = { _ in }

    private let source: DiffableDataSource<String, RowID>
    private var lines: ScreenLines
    private var marks: RowMarks

    /// Whether events arrived since the rows were computed.
    private var hasPendingEvents = false
    /// Whether the list is to be reloaded without marks.
    private var reloads = false
    /// Whether the user has pressed a key that does not only sort; before, the first row is selected.
    private var isUsed = false
    /// The value of `isUsed` before the key or click that is being handled.
    private var wasUsed = false

    private var size = FrameSize(columns: 80, rows: 24)

    /// The grouping of the settings, until the first session has begun.
    private var initialGrouping: Grouping?
    /// Whether details are to be shown beside the list as soon as it has a row, if there is room.
    private var showsInitialDetails: Bool
    /// Whether Esc leaves details beside the list open, as the settings show them.
    private let keepsDetails: Bool
    /// The state that the keys of the view are for.
    private var keyState: ListKeys.State?

    private let customActions: [CustomAction]
    private(set) lazy var details = DetailsPane(view, content) { [weak self] in self?.request($0) }
    private lazy var actions = SelectedRowActions(customActions, view, content, details) {
        [weak self] in self?.request($0)
    }
    private lazy var filters = FilterBoxes(view, content) { [weak self] in self?.choose($0) }
    private lazy var search = RowSearch(view, content) { [weak self] in self?.choose($0) }
    /// The choice of rows for another program; `nil` in the ordinary list.
    private var picker: Picker?

    /// Creates an empty list; additional keys take precedence over keys of the settings.
    package init(
        _ settings: ScreenSettings, keys: [KeyBinding] = [], isRecording: Bool = false,
        picker: Picker? = nil,
        network: @escaping (_ interface: String?) -> String? = { _ in nil }
    ) {
        let content = RowContent(
            charset: settings.charset, signs: settings.signs, columns: settings.columns)
        content.choices.sort = settings.sort
        content.choices.isDescending = settings.isDescending
        (customActions, initialGrouping) = (settings.actions, settings.grouping)
        (showsInitialDetails, keepsDetails) = (settings.showsDetails, settings.showsDetails)
        self.content = content
        lines = ScreenLines(network: network)
        lines.header.isRecording = isRecording
        lines.header.isDemo = settings.isDemo
        view = TerminalListView(
            columns: content.columns, timing: ListTiming(departure: settings.departure))
        view.charset = settings.charset
        view.marksDifferences = isRecording
        source = DiffableDataSource(view: view) { _, _, row in
            content.cell(row)
        } headerProvider: { _, _, section in
            content.rows.header(of: section)
        }
        marks = RowMarks(view, content)
        view.keys = ListKeys.table(
            adding: keys, customActions, keymap: settings.keymap
        ) { [weak self] in
            self?.perform($0)
        } runCustom: { [weak self] in
            self?.actions.choose($0)
        }
        updateKeys()
        view.helpSections = legend(settings)
        view.titleWasClicked = { [weak self] index in self?.sort(byColumn: index) }
        view.itemWasOpened = { [weak self] _ in self?.details.toggle() }
        view.menuWasRequested = { [weak self] in self?.showMenu() }
        view.outlineWasClicked = { [weak self] row in self?.setExpanded(of: row) }
        view.selectionDidChange = { [weak self] _ in self?.details.update() }
        if let picker { beginPicking(picker, settings) }
        if let reason = settings.asciiReason { show("ASCII only, because of \(reason)") }
    }

    // MARK: Events of the session

    func handle(_ event: ScreenEvent) {
        // Sightings are shown in the details only.
        if case .sighted = event, !details.isShown { return }
        hasPendingEvents = true
        switch event {
        case .sighted: break
        case .began(let run): begin(run)
        case .fill(let fill):
            // What came before the end of the fill is shown without marks.
            applyPendingEvents()
            content.history.fill = fill
        case .updated(let items): apply(items, isSeek: false)
        case .happened(let events):
            content.history.record(events)
            marks.add(events)
        case .passed(let items): apply(items, isSeek: true)
        case .caughtUp(let list, let replaced, let time):
            let seen = content.seen
            let items = ItemChanges(
                from: seen.itemIDs, seen.item, to: list, replaced: replaced, at: time)
            apply(items, isSeek: true)
        case .replaced(let items):
            apply(items, isSeek: true)
            reloads = true
        case .noticed(let notice): lines.header.note(notice)
        case .observers(let online): content.setObservers(online)
        case .rewound: lines.header.removeWarnings()
        case .replaying(let status):
            if lines.replay?.isStopped != status.isStopped {
                view.keys = status.hinting(view.keys)
            }
            lines.replay = status
            content.clock = status.time
        }
    }

    private func begin(_ run: LineHeader) {
        if lines.header.run?.grouping != run.grouping {
            content.choices.grouping = initialGrouping ?? run.grouping
            initialGrouping = nil
        }
        lines.header.run = run
        content.isFleet = run.isFleet
        content.setDomain(run.browsedDomain)
        view.columns = content.columns
    }

    private func apply(_ items: ItemChanges, isSeek: Bool) {
        for (old, new) in items.replacements { replace(old, by: new) }
        marks.add(items)
        content.apply(items, isSeek: isSeek)
    }

    /// Moves selection, details and expansion from an identifier to its replacement.
    private func replace(_ old: UUID, by new: UUID) {
        view.expectReplacement(of: .listing(old), by: .listing(new))
        var rows = [RowID.device(old): RowID.device(new)]
        for service in content.seen.devices[old]?.serviceIDs ?? [] {
            rows[.service(service, of: old)] = .service(service, of: new)
        }
        for (old, new) in rows { view.expectReplacement(of: old, by: new) }
        search.replace(rows)
        details.replace(rows)
        picker?.replace(rows)
        if content.choices.expansion.contains(old) {
            content.choices.expansion.set(new, isExpanded: true)
        }
    }

    private func applyPendingEvents() {
        guard hasPendingEvents else { return }
        hasPendingEvents = false
        updateRows(isMarked: !reloads)
        reloads = false
        if !isUsed || view.selectedItem == nil { selectFirst() }
        if showsInitialDetails, view.selectedItem != nil {
            showsInitialDetails = false
            if size.columns >= TextPane.leastColumns { details.open(.side) }
        }
        filters.update()
        details.update()
    }

    /// Selects the first match, or without a search the first row.
    private func selectFirst() {
        view.select(content.rows.firstMatch ?? content.rows.snapshot.itemIdentifiers.first)
    }

    private func updateRows(isMarked: Bool) {
        let before = source.snapshot()
        let changed = content.refresh()
        view.columns = content.columns
        var snapshot = content.rows.snapshot
        snapshot.reconfigureItems(
            changed.filter { before.indexOfItem($0) != nil && snapshot.indexOfItem($0) != nil })
        let difference = source.apply(snapshot, animatingDifferences: isMarked)
        if reloads { view.forgetChanges() }
        if isMarked { marks.apply(difference) }
        marks.removeAll()
        marks.showDepartedOnce()
    }

    // MARK: Input

    func handle(_ key: Key) -> KeyResponse {
        guard view.isDrawn else { return view.handle(key) }
        (wasUsed, isUsed) = (isUsed, true)
        picker?.message = nil
        applyPendingEvents()
        return view.handle(key)
    }

    /// Handles a mouse event, which is meant for the rows as they were drawn.
    func handle(_ event: MouseEvent) -> KeyResponse {
        (wasUsed, isUsed) = (isUsed, isUsed || view.isDrawn)
        return view.handle(event)
    }

    /// Returns the other machine that answers for a device; `nil` if none does.
    func voucher(of id: UUID) -> String? { content.seen.devices[id]?.peer.vouchedBy?.other }

    /// Whether no address of a device can work from here.
    func isUnreachable(_ id: UUID) -> Bool {
        content.seen.devices[id]?.peer.isUnreachable ?? false
    }

    func show(_ message: String, _ tone: Style.Tone = .plain) {
        view.show(message: message, tone: tone)
    }

    // MARK: Frames

    /// Whether something changed since the last frame.
    var needsFrame: Bool { hasPendingEvents || view.needsDisplay }

    /// The time at which a frame is due even without changes; `nil` for never.
    var nextDeadline: ContinuousClock.Instant? {
        [view.nextDeadline, lines.due].compactMap { $0 }.min()
    }

    func frame(size: FrameSize, now: ContinuousClock.Instant) -> Frame {
        self.size = size
        if let due = lines.due, now >= due { details.update() }
        applyPendingEvents()
        if let picker { content.marked = Set(picker.marked) }
        lines.update(view, content, picker, size: size, at: now)
        updateKeys()
        return view.frame(size: size, now: now)
    }

    // MARK: Keys

    /// The part of the screen that Esc leaves.
    private var leaving: ListKeys.State.Leaving? {
        if details.isBeside, !keepsDetails { return .details }
        if !content.choices.search.isEmpty { return .search }
        if !content.choices.hiddenTypes.isEmpty { return .types }
        return content.choices.hiddenObservers.isEmpty ? nil : .observers
    }

    /// Updates what the help and the bottom line say about the keys.
    private func updateKeys() {
        let state = ListKeys.State(isFleet: content.isFleet, leaving: leaving)
        guard state != keyState else { return }
        keyState = state
        view.keys = state.described(view.keys)
    }

    private func perform(_ action: ListKeys.Name) {
        switch action {
        case .search: search.begin()
        case .clearSearch: leave()
        case .types: filters.chooseTypes()
        case .departed: toggleDeparted()
        case .group: choose { $0.grouping = $0.grouping == .device ? .type : .device }
        case .sort:
            sort { $0.sort = $0.sort.next }
            show("sorted by \(content.choices.sort.rawValue)")
        case .reverseSort: sort { $0.isDescending.toggle() }
        case .expand: setExpanded(true, of: view.selectedItem)
        case .collapse: setExpanded(false, of: view.selectedItem)
        case .toggle: setExpanded(of: view.selectedItem)
        case .expandAll: choose { $0.expansion.setAll(isExpanded: true) }
        case .collapseAll: choose { $0.expansion.setAll(isExpanded: false) }
        case .matrix: toggleMatrix()
        case .observers: if hasObservers() { filters.chooseObservers() }
        case .details: details.toggle()
        case .sidePane: details.toggleBeside()
        case .focus: view.switchFocus()
        case .nextDevice: details.selectDevice(step: 1)
        case .previousDevice: details.selectDevice(step: -1)
        case .verify: actions.verify()
        case .verifyAll: actions.verifyAll()
        case .label: actions.label()
        case .copy: actions.choose("Copy", \.copies, ifNone: "has nothing to copy")
        case .open: actions.choose("Open", \.links, ifNone: "has no address to open")
        case .ssh: actions.choose("Run", \.logins, ifNone: "has no SSH service")
        case .actions: actions.chooseAction()
        case .mouse: request(.switchMouse)
        case .menu: if view.prompt == nil { showMenu() }
        }
    }

    /// Shows the menu: of the details in place of the list, or else of the list.
    private func showMenu() {
        let menu = KeyMenu(view.keys, isFleet: content.isFleet, isInDetails: details.isFull)
        view.choices = menu.choices { [weak self] binding in
            switch binding.action {
            case .run(let run): run()
            case .quit: self?.request(.quit)
            default: if let key = binding.keys.first { _ = self?.view.handle(key) }
            }
        }
    }

    /// Shows the departed devices and selects the latest, or hides them.
    private func toggleDeparted() {
        choose { $0.showsDeparted.toggle() }
        guard content.choices.showsDeparted else { return }
        guard let latest = content.history.departed.first else { return show("none has departed") }
        view.selectAtTop(.departed(latest.id))
    }

    /// Changes the choices and updates the rows without marks.
    private func choose(_ change: (inout RowChoices) -> Void) {
        applyPendingEvents()
        let before = content.choices
        change(&content.choices)
        let selected = view.selectedItem
        updateRows(isMarked: false)
        if before.search != content.choices.search
            || before.hiddenTypes != content.choices.hiddenTypes
            || before.hiddenObservers != content.choices.hiddenObservers
        {
            let hidden = view.departedItems.filter { !content.includesDeparted($0) }
            if !hidden.isEmpty { view.forgetChange(of: hidden) }
        }
        if before.grouping != content.choices.grouping {
            view.forgetChanges()
            search.selectNearest(to: selected)
        }
    }

    /// Leaves what was opened or chosen last in this order: the details beside the list, the search, the
    /// choice of types, that of observers. The selected row stays selected.
    private func leave() {
        switch leaving {
        case .details: details.close()
        case .search: search.end()
        case .types: choose { $0.hiddenTypes = [] }
        case .observers: choose { $0.hiddenObservers = [] }
        case nil: break
        }
    }

    // MARK: Picking

    /// Prompts for a search, which ends with the choice.
    private func beginPicking(_ picker: Picker, _ settings: ScreenSettings) {
        self.picker = picker
        content.choices.matching = .bestFirst
        lines.header.isPicking = true
        view.keys = pickKeys(picker.options) { [weak self] in
            self?.markSelection()
        } setExpanded: { [weak self] in
            self?.setExpanded($0, of: self?.view.selectedItem)
        }
        // Without the mouse, which opens no details here.
        view.helpSections = legend(settings).dropLast()
        promptForPick(picker.options.query)
        search.search(for: picker.options.query, keepsMatch: false)
    }

    private func promptForPick(_ text: String) {
        let keys = picker?.keysWhileEmpty ?? []
        view.prompt = TextPrompt("> ", text: text, keysWhileEmpty: keys) { [weak self] text in
            self?.search.search(for: text, keepsMatch: false)
            if self?.view.selectedItem == nil { self?.selectFirst() }
        } onEnd: { [weak self] isAccepted in
            if isAccepted { self?.pick() } else { self?.picker?.onEnd([], 0) }
        }
    }

    private func pick() {
        guard let fault = picker?.choose(selected: view.selectedItem, in: content.seen) else {
            return
        }
        picker?.message = fault
        promptForPick(content.choices.search)
    }

    private func markSelection() {
        guard let row = view.selectedItem else { return }
        picker?.toggle(row)
        _ = view.handle(.down)
    }

    // MARK: The observers of a fleet

    /// Whether there are observers to show or to choose; reports if not.
    private func hasObservers() -> Bool {
        if !content.isFleet {
            show("the list is not that of a fleet: run peerlist fleet")
        } else if content.seen.observers.isEmpty {
            show("no observer is known yet")
        }
        return content.isFleet && !content.seen.observers.isEmpty
    }

    private func toggleMatrix() {
        guard hasObservers() else { return }
        choose { choices in
            choices.showsMatrix.toggle()
            choices.grouping = .device
        }
    }

    // MARK: Order and expansion

    /// Changes the order, and shows its first rows as far as the selected row stays visible.
    private func sort(_ change: (inout RowChoices) -> Void) {
        isUsed = wasUsed
        choose(change)
        if !isUsed { selectFirst() }
        view.scrollToTop()
    }

    /// Sorts by a column, or reverses the order if the list is sorted by it.
    private func sort(byColumn index: Int) {
        // A title that was clicked may be of a column that has gone since it was drawn.
        guard content.rowColumns.indices.contains(index),
            let sort = content.rowColumns[index].sorts.first
        else { return }
        self.sort { choices in
            choices.isDescending = choices.sort == sort && !choices.isDescending
            choices.sort = sort
        }
    }

    /// Expands or collapses the device of a row, or else does the opposite of its state.
    private func setExpanded(_ isExpanded: Bool? = nil, of row: RowID?) {
        guard let row, let id = row.device else {
            return show(
                content.choices.grouping == .type
                    ? "grouped by type: press g for devices and their services"
                    : "the row has no services to show")
        }
        if isExpanded == false, let parent = row.parent { view.select(parent) }
        choose { $0.expansion.set(id, isExpanded: isExpanded ?? !$0.expansion.contains(id)) }
    }
}

/// Returns the sections of the help after the keys.
private func legend(_ settings: ScreenSettings) -> [HelpSection] {
    let isPlain = settings.charset == .ascii
    return [
        HelpSection(
            "Signs",
            [
                .init("+ ~ -", "arrived, changed, left"),
                .init(isPlain ? "." : "…", "resolving: no host yet"),
                .init("?", "unanswered, or unknown"),
                .init(RowContent.otherSign(settings.charset), "another machine answers for it"),
                .init("! *", "no address can work from here; never seen before"),
                .init(isPlain ? "# ? ." : "█ ▒ ·", "last hour: there, in doubt, away"),
            ])
    ]
        + (settings.signs == .none
            ? [] : [HelpSection("Kinds", DeviceKind.legend(settings.signs))])
        + [
            HelpSection(
                "Mouse",
                [
                    .init("row", "select; on the selected row: details"),
                    .init("title", "sort by the column; again: reverse"),
                    .init("hint", "as pressing its key"),
                    .init("wheel", "scroll"),
                    .init("right", "select, and show a menu"),
                ])
        ]
}
