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
    private var header = ScreenHeader()
    private var replay: ReplayStatus?
    /// Returns the interfaces on which is listened, all or the one of a name, with their addresses;
    /// `nil` if unknown, as in a recording.
    private let network: (_ interface: String?) -> String?

    /// Whether events arrived since the rows were computed.
    private var hasPendingEvents = false
    /// Whether the list is to be reloaded without marks.
    private var reloads = false
    /// The events since the rows were computed, to mark the rows.
    private var happened: [ItemHappening] = []
    /// The deleted rows since then of items that go on as others, or that had not arrived.
    private var absorbed: [RowID] = []
    /// Whether the user has pressed a key that does not only sort; before, the first row is selected.
    private var isUsed = false
    /// The value of `isUsed` before the key or click that is being handled.
    private var wasUsed = false

    /// The time at which the header, the strip and the message of an empty list are out of date.
    private var nextTick: ContinuousClock.Instant?
    private var start: ContinuousClock.Instant?
    private var size = FrameSize(columns: 80, rows: 24)

    /// The grouping of the settings, until the first session has begun.
    private var initialGrouping: Grouping?
    /// Whether details are to be shown beside the list as soon as it has a row, if there is room.
    private var showsInitialDetails: Bool
    /// Whether Esc leaves details beside the list open, as the settings show them.
    private let keepsDetails: Bool
    /// The texts of keys that depend on the list.
    private var keyState = KeyState()

    /// The row that was selected before the search.
    private var rowBeforeSearch: RowID?
    private let customActions: [CustomAction]
    private(set) lazy var details = DetailsPane(view, content) { [weak self] in self?.request($0) }
    private lazy var actions = SelectedRowActions(customActions, view, content, details) {
        [weak self] in self?.request($0)
    }
    private lazy var filters = FilterBoxes(view, content) { [weak self] in self?.choose($0) }
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
        self.network = network
        header.isRecording = isRecording
        view = TerminalListView(
            columns: content.columns, timing: ListTiming(departure: settings.departure))
        view.charset = settings.charset
        view.marksDifferences = isRecording
        source = DiffableDataSource(view: view) { _, _, row in
            content.cell(row)
        } headerProvider: { _, _, section in
            content.rows.header(of: section)
        }
        view.keys = keyTable(adding: keys, keymap: settings.keymap)
        updateKeys()
        view.helpSections = legend(settings)
        view.titleWasClicked = { [weak self] index in self?.sort(byColumn: index) }
        view.itemWasOpened = { [weak self] _ in self?.details.toggle() }
        view.menuWasRequested = { [weak self] in self?.showMenu() }
        view.outlineWasClicked = { [weak self] row in self?.setExpanded(of: row) }
        view.selectionDidChange = { [weak self] _ in self?.details.update() }
        if let picker { beginPicking(picker, settings) }
        header.isDemo = settings.isDemo
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
            happened += events.compactMap(\.ofItem)
        case .passed(let items): apply(items, isSeek: true)
        case .caughtUp(let list, let replaced, let time):
            let seen = content.seen
            let items = ItemChanges(
                from: seen.itemIDs, seen.item, to: list, replaced: replaced, at: time)
            apply(items, isSeek: true)
        case .replaced(let items):
            apply(items, isSeek: true)
            reloads = true
        case .noticed(let notice): header.note(notice)
        case .observers(let online): content.setObservers(online)
        case .rewound: header.removeWarnings()
        case .replaying(let status):
            if replay?.isStopped != status.isStopped {
                view.keys = status.hinting(view.keys)
            }
            replay = status
            content.clock = status.time
            header.recording = (status.name, status.warning, status.isLost)
        }
    }

    private func begin(_ run: LineHeader) {
        if header.run?.grouping != run.grouping {
            content.choices.grouping = initialGrouping ?? run.grouping
            initialGrouping = nil
        }
        header.run = run
        content.isFleet = run.isFleet
        content.setDomain(run.browsedDomain)
        view.columns = content.columns
    }

    private func apply(_ items: ItemChanges, isSeek: Bool) {
        for (old, new) in items.replacements { replace(old, by: new) }
        for (id, departure) in items.departures
        where departure.reason == .identity || !departure.item.peer.isResolved {
            absorbed += [.device(id), .listing(id)]
            absorbed += departure.item.peer.services.map { .listing($0.id) }
        }
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
        rowBeforeSearch = rowBeforeSearch.map { rows[$0] ?? $0 }
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
        defer { (happened, absorbed) = ([], []) }
        snapshot.reconfigureItems(
            changed.filter { before.indexOfItem($0) != nil && snapshot.indexOfItem($0) != nil })
        let difference = source.apply(snapshot, animatingDifferences: isMarked)
        if reloads { view.forgetChanges() }
        defer { showDepartedOnce(in: snapshot) }
        guard isMarked else { return }
        let hidden = difference.deletedItems.map(\.item).filter { content.isKnown($0) }
        view.forgetChange(of: hidden + absorbed.filter { snapshot.indexOfItem($0) == nil })
        // What is found in the initial fill has not arrived.
        if content.history.fill == .running {
            view.forgetChange(
                of: (difference.insertedItems + difference.reconfiguredItems).map(\.item))
        }
        for event in happened { mark(event) }
    }

    /// Removes the rows that stay for a while of devices that have a row among the departed ones.
    private func showDepartedOnce(in snapshot: RowList.Snapshot) {
        let selected = view.selectedItem
        var twice: [RowID] = []
        for row in view.departedItems {
            guard let id = row.device ?? row.service,
                snapshot.indexOfItem(.departed(id)) != nil
            else { continue }
            twice.append(row)
            if row == selected { view.select(.departed(id)) }
        }
        if !twice.isEmpty { view.forgetChange(of: twice) }
    }

    /// Marks the rows of a device and of the services to which something happened.
    private func mark(_ event: ItemHappening) {
        let id = event.item.peer.id
        func rows(_ services: some Sequence<Service>) -> [RowID] {
            services.flatMap { [.listing($0.id), .service($0.id, of: id)] }
        }
        switch event.event {
        case .arrived:
            view.mark([.device(id)] + rows(event.item.peer.services), as: .arrival)
        case .left:
            view.mark([.device(id)] + rows(event.item.peer.services), as: .departure)
            // Its services may have left one by one.
            if !event.item.isService, let fields = content.departedFields(id) {
                view.setFields(fields, ofDeparted: .device(id))
            }
        case .answers: view.mark([.device(id)], as: .update)
        case .changed:
            let was = Dictionary(
                event.was?.peer.services.map { ($0.id, $0) } ?? [], uniquingKeysWith: { $1 })
            let now = event.item.peer.services
            let kept = Set(now.map(\.id))
            view.mark(rows(now.filter { was[$0.id] == nil }), as: .arrival)
            view.mark(rows(was.values.filter { !kept.contains($0.id) }), as: .departure)
            let changed = now.filter { was[$0.id] != nil && was[$0.id] != $0 }
            view.mark([.device(id)] + rows(changed), as: .update)
        case .silent, .identified, .there: break
        }
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
        [view.nextDeadline, nextTick].compactMap { $0 }.min()
    }

    func frame(size: FrameSize, now: ContinuousClock.Instant) -> Frame {
        self.size = size
        let isDue = nextTick.map { now >= $0 } ?? true
        if isDue, nextTick != nil { details.update() }
        applyPendingEvents()
        if isDue { header.network = network(header.run?.filter.interface) }
        updateEdges(at: now)
        updateKeys()
        return view.frame(size: size, now: now)
    }

    /// Updates the lines above and below the rows, and the time at which they are out of date.
    private func updateEdges(at now: ContinuousClock.Instant) {
        let (counts, choices) = (content.rows.counts, content.choices)
        let start = self.start ?? now
        self.start = start
        view.header = header.lines(counts, choices, content.charset)
        let departedKey = key(.departed)
        let isEmpty = content.rows.snapshot.numberOfItems == 0
        view.emptyMessage = header.emptyMessage(
            counts, choices,
            departed: isEmpty && picker == nil
                ? content.history.departedSummary(key: departedKey) : nil,
            waited: now - start)
        if let replay {
            view.strip = []
            view.footer =
                [eventLine(departedKey)]
                + replay.footer(columns: size.columns, charset: content.charset)
            nextTick = nil
            return
        }
        if let picker {
            view.footer = [picker.footer(columns: size.columns)]
            content.marked = Set(picker.marked)
        }
        let time = content.now
        let history = content.history
        if history.latestTime != nil, picker == nil {
            view.strip =
                history.hasEvents
                ? [
                    history.activityLine(
                        until: time, columns: size.columns, charset: content.charset)
                ] : []
            view.footer =
                (content.showsMatrix ? [content.matrixLegend] : []) + [eventLine(departedKey)]
        }
        // The message of an empty list counts seconds; the strip has a column for each minute.
        let rest = isEmpty ? 1_000_000 : 60_000_000 - time.microseconds % 60_000_000
        let tick = now + .microseconds(rest)
        nextTick = nextTick.flatMap { $0 > now && $0 < tick ? $0 : nil } ?? tick
    }

    /// Returns what happened, and the key for departed devices if there are any.
    private func eventLine(_ departedKey: String?) -> [ListCell.Field] {
        content.history.eventLine(
            columns: size.columns,
            departedKey: content.history.hasDeparted ? departedKey : nil,
            hidesDeparted: content.choices.showsDeparted, charset: content.charset)
    }

    /// Returns the label of the key of a command; `nil` if it has none.
    private func key(_ name: ListKeys.Name) -> String? {
        view.keys.bindings.first { $0.name == name.rawValue }?.keys.first?
            .label(charset: content.charset)
    }

    // MARK: Keys

    /// Returns all bindings; the user's keymap keeps its entries in the help even if `own` has their
    /// keys.
    private func keyTable(adding own: [KeyBinding], keymap: [String: [Key]]) -> KeyTable {
        let taken = Set(own.flatMap(\.keys))
        var keymap = keymap
        for (index, action) in customActions.enumerated() where !action.keys.isEmpty {
            keymap[ListKeys.customName(index)] = action.keys
        }
        let all =
            ListKeys.bindings { [weak self] in self?.perform($0) }
            + ListKeys.custom(customActions) { [weak self] in self?.actions.choose($0) }
        let others = all.compactMap { binding in
            let isChosen = binding.name.map { keymap[$0] != nil } ?? false
            return binding.without(taken) ?? (isChosen ? binding.without([]) : nil)
        }
        return .standard(
            adding: own + others, section: ListKeys.HelpSection.moving.rawValue, keymap: keymap)
    }

    /// The state of the list on which the keys in the help and the bottom line depend.
    private struct KeyState: Equatable {
        /// Whether the list is that of a fleet, which alone has a fleet's keys.
        var isFleet: Bool?
        var leaving: Leaving?
    }

    /// The part of the screen that Esc leaves.
    private enum Leaving: String {
        case details = "close", search = "show all", types = "all types"
        case observers = "all observers"
    }

    private var leaving: Leaving? {
        if details.isBeside, !keepsDetails { return .details }
        if !content.choices.search.isEmpty { return .search }
        if !content.choices.hiddenTypes.isEmpty { return .types }
        return content.choices.hiddenObservers.isEmpty ? nil : .observers
    }

    /// Updates what the help and the bottom line say about the keys.
    private func updateKeys() {
        let state = KeyState(isFleet: content.isFleet, leaving: leaving)
        guard state != keyState else { return }
        keyState = state
        view.keys = KeyTable(
            view.keys.bindings.map { binding in
                var binding = binding
                if binding.section == ListKeys.HelpSection.fleet.rawValue {
                    binding.isHidden = !content.isFleet
                }
                if binding.name == ListKeys.Name.matrix.rawValue {
                    (binding.hint, binding.hintRank) = (content.isFleet ? "matrix" : nil, 92)
                }
                if binding.name == ListKeys.Name.clearSearch.setting {
                    (binding.hint, binding.hintRank) = (leaving?.rawValue, 94)
                }
                return binding
            })
    }

    private func perform(_ action: ListKeys.Name) {
        switch action {
        case .search: search()
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
            selectNearest(to: selected)
        }
    }

    private func selectNearest(to row: RowID?) {
        let row = row.flatMap { content.rows.nearest(to: $0, content.seen) }
        if let row { view.select(row) }
    }

    // MARK: Search

    private func search() {
        let former = content.choices.search
        rowBeforeSearch = view.selectedItem
        // After the frame that shows the prompt, and before a letter.
        Task { content.seen.prepareSearch() }
        view.prompt = TextPrompt("/", text: former) { [weak self] text in
            self?.search(for: text)
        } onEnd: { [weak self] isAccepted in
            guard let self, !isAccepted else { return }
            search(for: former)
            selectNearest(to: rowBeforeSearch)
        }
    }

    private func search(for text: String) {
        choose { $0.search = text }
        view.highlight =
            content.rows.isSearching
            ? { [content] in FoldedText($0).ranges(of: content.rows.needle) } : nil
        if !content.rows.isSearching { return selectNearest(to: rowBeforeSearch) }
        if picker == nil, let row = view.selectedItem, content.rows.isMatch(row) { return }
        if let match = content.rows.firstMatch { view.select(match) }
    }

    /// Leaves what was opened or chosen last in this order: the details beside the list, the search, the
    /// choice of types, that of observers. The selected row stays selected.
    private func leave() {
        switch leaving {
        case .details: details.close()
        case .search:
            let row = view.selectedItem ?? rowBeforeSearch
            view.highlight = nil
            choose { $0.search = "" }
            selectNearest(to: row)
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
        header.isPicking = true
        view.keys = pickKeys(picker.options) { [weak self] in
            self?.markSelection()
        } setExpanded: { [weak self] in
            self?.setExpanded($0, of: self?.view.selectedItem)
        }
        // Without the mouse, which opens no details here.
        view.helpSections = legend(settings).dropLast()
        promptForPick(picker.options.query)
        search(for: picker.options.query)
    }

    private func promptForPick(_ text: String) {
        let keys = picker?.keysWhileEmpty ?? []
        view.prompt = TextPrompt("> ", text: text, keysWhileEmpty: keys) { [weak self] text in
            self?.search(for: text)
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
