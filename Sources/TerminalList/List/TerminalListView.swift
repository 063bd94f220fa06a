// The list view: draws a list that a data source drives, and handles keys and the mouse.
public import DiffCore

/// A list in the terminal, driven by a diffable data source.
///
/// Arrivals and changes are marked for a few seconds, and deleted rows stay for a while, marked.
/// The selection and the scroll position follow the items. The view draws into a ``Frame`` and
/// never accesses a terminal.
///
/// ```swift
/// let view = TerminalListView<String, UUID>(columns: [ListColumn("Name", minimum: 8, ideal: 24)])
/// let source = DiffableDataSource(view: view) { _, _, id in ListCell([.init(name(of: id))]) }
/// source.apply(snapshot)
/// terminal.draw(view.frame(size: terminal.size, now: .now))
/// ```
///
/// The owner draws when ``needsDisplay`` is set and at ``nextDeadline``.
public final class TerminalListView<Section, Item>: DiffableListView
where Section: Hashable & Sendable, Item: Hashable & Sendable {
    /// The lines above the list.
    public var header = ListHeader("") { didSet { draw(if: header != oldValue) } }

    /// The paragraphs shown in place of an empty list: the reason, and what to try.
    public var emptyMessage: [String] = [] { didSet { draw(if: emptyMessage != oldValue) } }

    /// The lines below the list, each of several pieces; a low window shows only the last ones.
    public var footer: [[ListCell.Field]] = [] { didSet { draw(if: footer != oldValue) } }

    /// The lines above the column titles, each of several pieces; a low window drops them.
    public var strip: [[ListCell.Field]] = [] { didSet { draw(if: strip != oldValue) } }

    /// The sections of the help after the keys, for example the meaning of signs.
    public var helpSections: [HelpSection] = []

    /// The text being typed in the last line, if any.
    public var prompt: TextPrompt? {
        get { lastLine.prompt }
        set {
            lastLine.prompt = newValue
            setNeedsDisplay()
        }
    }

    /// The box of choices over the list, if any.
    public var choices: Choices? {
        get { boxes.choices }
        set {
            boxes.choices = newValue
            setNeedsDisplay()
        }
    }

    /// The pane beside the list or in its place, if any.
    public var pane: TextPane? {
        get { paneReader.pane }
        set { draw(if: paneReader.show(newValue)) }
    }

    /// Finds the search matches in a text of a row or a pane, which are then marked. Set it again
    /// when the search changes.
    public var highlight: ((String) -> [Range<String.Index>])? { didSet { invalidatePane() } }

    /// The number of lines of a row: 1, or 2 to show ``ListCell/secondaryText``.
    public var rowHeight = 1 { didSet { draw(if: rowHeight != oldValue) } }

    /// The columns, from left to right.
    public var columns: [ListColumn] { didSet { draw(if: columns != oldValue) } }

    /// The characters that the terminal can show.
    public var charset: Charset = .unicode { didSet { invalidatePane() } }

    /// The key bindings.
    public var keys: KeyTable { didSet { setNeedsDisplay() } }

    /// Called when the selected item changes.
    public var selectionDidChange: ((Item?) -> Void)? {
        get { rows.selectionDidChange }
        set { rows.selectionDidChange = newValue }
    }

    /// Called when a disclosure sign is clicked; the outline of a section snapshot needs no such function.
    public var outlineWasClicked: ((Item) -> Void)?

    /// Called when the second button of the mouse is pressed, after the row below it has been selected, unless
    /// there is a prompt or a box.
    public var menuWasRequested: (() -> Void)?

    /// Called with the index of a column whose title is clicked.
    public var titleWasClicked: ((Int) -> Void)?

    /// Called when the selected row is clicked; without this function the click has the effect of
    /// Enter.
    public var itemWasOpened: ((Item) -> Void)?

    /// Whether something changed since the last frame.
    public private(set) var needsDisplay = true {
        didSet { if needsDisplay, !oldValue { displayBecameNeeded?() } }
    }

    /// The time at which the view must be drawn even without changes, because a mark or a departed
    /// row expires; `nil` for never. Set by ``frame(size:now:)``.
    public private(set) var nextDeadline: ContinuousClock.Instant?

    /// Called when ``needsDisplay`` is set, for ``run(in:)``.
    var displayBecameNeeded: (() -> Void)?

    private let rows: ListRows<Section, Item>
    private var lastLine = LastLine()
    private var boxes = ListBoxes()
    private var paneReader = PaneReader()
    /// The size of the last frame.
    package private(set) var size = FrameSize(columns: 80, rows: 24)

    /// Creates an empty list.
    public init(
        columns: [ListColumn], keys: KeyTable = .standard(), timing: ListTiming = ListTiming()
    ) {
        self.columns = columns
        self.keys = keys
        rows = ListRows(timing: timing)
    }

    /// Requests a frame, for instance because the contents of cells have changed.
    public func setNeedsDisplay() { needsDisplay = true }

    private func draw(if isChanged: Bool) { if isChanged { setNeedsDisplay() } }

    // MARK: Data source

    /// Attaches the providers of cells and of section titles, if any; called by the data source.
    ///
    /// Rows of a section snapshot are indented and have disclosure signs. Right, Left, Enter and
    /// clicks on the signs expand and collapse them, if the
    /// `DiffableDataSource.sectionSnapshotHandlers` allow it; rows that are shown or hidden by this
    /// are not marked. If `snapshotForExpandingParent` is set, items without children have a sign
    /// too.
    ///
    /// If `canReorderItem` of the `DiffableDataSource.reorderingHandlers` is set, Alt and Shift with
    /// Up and Down move the selected item, and the mouse drags items. If `canDeleteItem` of the
    /// `DiffableDataSource.editingHandlers` is set, a key deletes it. The help and the hints show
    /// these keys while they have an effect; a key with another binding keeps that.
    ///
    /// - Precondition: The view has no data source yet.
    public func attach(_ content: ListContent<Section, Item, ListCell, String>) {
        rows.attach(content)
        setNeedsDisplay()
    }

    /// Applies a difference in O(changes); called by the data source. Nothing is drawn before the
    /// next frame. With an animation, changes are marked and departed rows stay for a while: `+`
    /// marks an inserted row, `-` a deleted row, `~` a reconfigured row, and `*` a reloaded row,
    /// which counts as another row with the same identifier.
    public func performBatchUpdates(
        _ difference: SnapshotDifference<Section, Item>,
        to snapshot: DiffableDataSourceSnapshot<Section, Item>, animation: RowAnimation
    ) {
        rows.apply(difference, to: snapshot, isMarked: animation != .none)
        setNeedsDisplay()
    }

    /// Shows a snapshot without marks and departed rows; called by the data source.
    public func reloadData(to snapshot: DiffableDataSourceSnapshot<Section, Item>) {
        rows.reload(snapshot)
        setNeedsDisplay()
    }

    /// Removes all marks and departed rows.
    public func forgetChanges() { changeRows { $0.removeAll() } }

    /// Removes the marks and departed rows of items that did not arrive or depart, but are hidden
    /// or shown by the owner. Call it after the difference is applied and before the next frame.
    public func forgetChange(of items: some Sequence<Item>) { changeRows { $0.remove(items) } }

    /// Whether a difference marks the rows that it changes. If not, rows of deleted items stay for four seconds
    /// without a mark, and the owner marks rows by ``mark(_:as:)``.
    public var marksDifferences: Bool {
        get { rows.changes.marksDifferences }
        set { rows.changes.marksDifferences = newValue }
    }

    /// Marks the rows of items for a while. A departure marks only the row of a deleted item that still stays;
    /// an item that has just arrived is not marked as changed.
    ///
    /// - Complexity: O(*m*) for *m* items.
    public func mark(_ items: some Sequence<Item>, as change: RowChange) {
        changeRows { $0.mark(items, as: change) }
    }

    private func changeRows(_ body: (inout RowChanges<Item>) -> Void) {
        rows.change(body)
        setNeedsDisplay()
    }

    /// Announces that the next difference replaces an item by a successor, which may be new or
    /// present already: the selection moves to the successor, and the old row does not stay as
    /// departed.
    public func expectReplacement(of old: Item, by new: Item) {
        rows.changes.expectReplacement(of: old, by: new)
    }

    /// Replaces the texts in the row of a deleted item, if that still stays.
    package func setFields(_ fields: [ListCell.Field], ofDeparted item: Item) {
        rows.changes.setFields(fields, ofDeparted: item)
        setNeedsDisplay()
    }

    /// The deleted items whose rows are still shown, the earliest deletion first.
    public var departedItems: [Item] { rows.changes.departedItems }

    // MARK: Selection and focus

    /// The selected item; it may have departed.
    public var selectedItem: Item? { rows.viewport.selectedItem }

    /// Selects an item and scrolls to it; `nil` selects none, and an unknown item changes nothing.
    public func select(_ item: Item?) {
        rows.update()
        setNeedsDisplay()
        rows.viewport.select(item)
    }

    /// Selects an item and scrolls so that it and the rows below it are visible; an unknown item
    /// changes nothing.
    public func selectAtTop(_ item: Item) {
        rows.update()
        setNeedsDisplay()
        rows.viewport.selectAtTop(item)
    }

    /// Scrolls to the first row, or as near to it as the selected row stays visible.
    public func scrollToTop() {
        rows.update()
        setNeedsDisplay()
        rows.viewport.scrollToTop()
    }

    /// Whether the pane has the keyboard focus.
    package var paneHasFocus: Bool { paneReader.hasFocus(in: size) }

    /// Moves the keyboard focus to the pane beside the list, or back to the list.
    public func switchFocus() {
        paneReader.switchFocus(in: size)
        setNeedsDisplay()
    }

    private func invalidatePane() {
        paneReader.invalidate()
        setNeedsDisplay()
    }

    /// Shows a message in the last line until the next key, at most four seconds from the next
    /// frame; a prompt takes precedence.
    public func show(message: String, tone: Style.Tone = .plain) {
        lastLine.show(message, tone)
        setNeedsDisplay()
    }

    // MARK: Drawing

    /// Draws the list, and sets ``nextDeadline``: in O(rows) after changes, else O(visible rows).
    /// Marks and departed rows expire by `now`. In less than 40 columns or 8 lines, the frame only
    /// says so.
    public func frame(size: FrameSize, now: ContinuousClock.Instant) -> Frame {
        self.size = size
        let messageEnd = lastLine.advance(to: now)
        let layout = layout
        nextDeadline = rows.update(at: now, height: layout.rows.count, rowHeight: rowHeight)
        setDeadline(messageEnd)
        var frame = Frame(size: size, charset: charset)
        if isDrawn {
            draw(layout, now: now, in: &frame)
        } else {
            let text = "\(size.columns)x\(size.rows) is too small, 40x8 needed"
            let lines = SafeText.rows(of: [(frame.safe(text), .plain)], columns: size.columns)
            for (row, line) in lines.enumerated() { frame.write(line, row: row, column: 0) }
        }
        needsDisplay = false
        return frame
    }

    /// Whether the last frame had room for the list; else no key acts but that to quit.
    package var isDrawn: Bool { size.columns >= 40 && size.rows >= 8 }

    private var layout: ScreenLayout {
        ScreenLayout(
            size, warning: header.warning != nil, strip: strip.count, footer: footer.count,
            pane: pane?.placement, columns: columns)
    }

    private func painter(_ layout: ScreenLayout) -> RowPainter {
        RowPainter(columns: columns, layout: layout, highlight: highlight)
    }

    private func setDeadline(_ deadline: ContinuousClock.Instant?) {
        if let deadline { nextDeadline = min(nextDeadline ?? deadline, deadline) }
    }

    private func draw(
        _ layout: ScreenLayout, now: ContinuousClock.Instant, in frame: inout Frame
    ) {
        frame.draw(header)
        frame.draw(strip, rows: layout.strip)
        if !layout.list.isEmpty {
            let painter = painter(layout)
            painter.drawTitles(in: &frame)
            setDeadline(rows.draw(painter, at: now, in: &frame))
            if rows.viewport.rows.count == 0 { painter.drawMessage(emptyMessage, in: &frame) }
        }
        if let columns = layout.pane {
            paneReader.draw(
                columns: columns, lines: layout.rows, highlight: highlight, in: &frame)
        }
        frame.draw(footer.suffix(layout.footer.count), rows: layout.footer)
        let keys = allKeys
        // Boxes name their keys themselves.
        lastLine.draw(
            keys: boxes.isShown ? nil : keys, pane: paneHasFocus ? pane?.placement : nil,
            position: layout.list.isEmpty ? "" : rows.viewport.positionText,
            hasSelection: selectedItem != nil, in: &frame)
        boxes.draw(keys, helpSections, in: &frame)
    }

    // MARK: Keys

    /// Handles a key: in a box over the list, the prompt, the pane, or else by the key table. While
    /// the help is shown, movement keys scroll it and any other key closes it. In a window that is too small
    /// for the list, only the keys to quit act.
    public func handle(_ key: Key) -> KeyResponse {
        rows.update()
        let action = allKeys.action(for: key)
        guard isDrawn else {
            if case .quit = action { return .quit }
            return .unknown
        }
        draw(if: lastLine.removeMessage())
        let effect =
            boxes.handle(key, action, page: max(1, size.rows - 3)) ?? lastLine.handle(key)
            ?? paneReader.handle(
                key, action, keys, in: size, page: max(1, rows.viewport.height - 1))
        return effect.map(perform) ?? handleInList(key, action)
    }

    private func perform(_ effect: InputEffect) -> KeyResponse {
        draw(if: effect.response != .unknown)
        effect.callback()
        return effect.response
    }

    /// Handles pasted text: it is inserted into the prompt, or typed if typing is bound. Otherwise
    /// it is ignored, so that no paste is taken for keys. Line ends become spaces.
    public func handle(pasted text: String) -> KeyResponse {
        guard isDrawn else { return .unknown }
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        if boxes.isShown { return .unknown }
        if let effect = lastLine.insert(line) { return perform(effect) }
        guard case .type(let type) = keys.typingAction else { return .unknown }
        setNeedsDisplay()
        for character in line { type(character) }
        return .handled
    }

    private func handleInList(_ key: Key, _ action: KeyAction?) -> KeyResponse {
        guard let action else { return .unknown }
        setNeedsDisplay()
        switch action {
        case .moveBy(let count): rows.viewport.move(by: count)
        case .pageBy(let count): rows.viewport.page(by: count)
        case .first: rows.viewport.selectEnd(isLast: false)
        case .last: rows.viewport.selectEnd(isLast: true)
        case .expand, .collapse, .toggle:
            if let selectedItem { rows.disclose(selectedItem, action) }
        case .moveItem(let step): if let selectedItem { rows.editor.move(selectedItem, step: step) }
        case .deleteItem: if let selectedItem { rows.editor.dataSource?.delete(selectedItem) }
        case .switchFocus: switchFocus()
        case .help: boxes.showHelp()
        case .redraw: return .redraw
        case .quit: return .quit
        case .run(let action): action()
        case .type(let type): if case .character(let character) = key { type(character) }
        }
        return .handled
    }

    /// The key bindings, and the bindings for outlines and for moving items if these have an
    /// effect.
    private var allKeys: KeyTable {
        let others = rows.editor.bindings
        return others.isEmpty ? keys : keys.adding(others)
    }

    // MARK: Mouse

    /// Handles a mouse event.
    ///
    /// The wheel scrolls what is below the pointer; the selection stays on the screen. A click
    /// selects the row; a click on the selected row (or a double click) or on a switch calls
    /// ``itemWasOpened``; a click on a disclosure sign expands or collapses the item. An item that
    /// the data source allows to move can be dragged to another row. A click on a column title calls
    /// ``titleWasClicked``; a click on a hint in the last line has the effect of its key. In a box
    /// of choices a click picks or switches an entry. A click closes the help. The second button selects
    /// the row and calls ``menuWasRequested``. In a window that is too small for the list, nothing happens.
    public func handle(_ event: MouseEvent) -> KeyResponse {
        guard isDrawn else {
            rows.editor.endDrag()
            return .unknown
        }
        let layout = layout
        // The click is meant for the rows as they were drawn.
        let row = rows.viewport.row(atLine: event.row - layout.rows.lowerBound)
        if event.kind == .drag || event.kind == .release {
            guard rows.editor.isDragging else { return .unknown }
            setNeedsDisplay()
            return rows.editor.drag(to: row, event).map(open) ?? .handled
        }
        rows.editor.endDrag()
        let item = row?.isPresent == true ? row?.item : nil
        let wasSelected = item != nil && item == selectedItem
        _ = lastLine.removeMessage()
        rows.update()
        setNeedsDisplay()
        let isInPane = layout.pane?.contains(event.column) == true
        switch event.kind {
        case .wheelUp: scroll(by: -3, inPane: isInPane)
        case .wheelDown: scroll(by: 3, inPane: isInPane)
        case .press where boxes.isShown:
            return boxes.handleClick(row: event.row, column: event.column).map(perform) ?? .handled
        case .press where event.row == size.rows - 1:
            return lastLine.key(atColumn: event.column).map(handle) ?? .handled
        case .secondaryPress where !boxes.isShown && prompt == nil:
            if !isInPane, let item {
                // It may have departed meanwhile.
                guard rows.viewport.isPresent(item) else { break }
                rows.viewport.select(item)
            }
            menuWasRequested?()
        case .press where isInPane: paneReader.focus(true)
        case .press:
            paneReader.focus(false)
            if event.row == layout.titleRow, let slot = layout.columns.slot(at: event.column) {
                titleWasClicked?(slot.index)
            }
            if let item { return click(item, wasSelected: wasSelected, event.column, layout) }
        case .secondaryPress, .drag, .release: break
        }
        return .handled
    }

    private func scroll(by count: Int, inPane isInPane: Bool) {
        if boxes.scroll(by: count) { return }
        if isInPane { paneReader.scroll(by: count) } else { rows.viewport.scroll(by: count) }
    }

    /// Handles a click on an item's row, unless the item has departed meanwhile.
    private func click(
        _ item: Item, wasSelected: Bool, _ column: Int, _ layout: ScreenLayout
    ) -> KeyResponse {
        guard rows.viewport.isPresent(item) else { return .handled }
        rows.viewport.select(item)
        let (cell, painter) = (rows.drawnCells[item], painter(layout))
        if let cell, painter.disclosureSign(of: cell, charset)?.contains(column) == true {
            rows.disclose(item, .toggle)
            outlineWasClicked?(item)
            return .handled
        }
        let isSwitch = cell.map { painter.isSwitch(of: $0, at: column, charset) } == true
        let opens = prompt == nil && (wasSelected || isSwitch)
        if !isSwitch, rows.editor.beginDrag(item, opens: opens) { return .handled }
        return opens ? open(item) : .handled
    }

    private func open(_ item: Item) -> KeyResponse {
        guard let itemWasOpened else { return handle(.enter) }
        itemWasOpened(item)
        return .handled
    }
}
