// What a mouse does: it scrolls, selects and opens.

extension TerminalListView {
    /// How many lines a notch of the wheel is.
    private static var notch: Int { 3 }

    /// Does what a mouse does where it is.
    ///
    /// The wheel scrolls what is below the pointer; the selection is taken along where it would
    /// leave the screen. A click selects the row that was seen there; on the selected row (so by a
    /// double click) it calls ``itemWasOpened``, and on the sign of an outline
    /// ``outlineWasClicked``. A click on a column's title calls ``titleWasClicked``, one on a hint in
    /// the last line does what its key does. In a box of choices a click moves the cursor there and
    /// chooses; it closes the help.
    public func handle(_ event: MouseEvent) -> KeyResponse {
        if message != nil {
            message = nil
            setNeedsDisplay()
        }
        let layout = screenLayout(lastSize)
        let seen = seenItem(at: event, layout)
        let wasSelected = seen != nil && seen == selectedItem
        layOutRows()
        setNeedsDisplay()
        let isPane = layout.pane?.contains(event.column) == true
        switch event.kind {
        case .wheelUp, .wheelDown:
            turnWheel(by: event.kind == .wheelUp ? -Self.notch : Self.notch, inPane: isPane)
        case .press where help != nil: help = nil
        case .press where choices != nil: pressInChoices(event)
        case .press where event.row == lastSize.rows - 1:
            let hint = hints.first { $0.columns.contains(event.column) }
            return hint.map { handle($0.key) } ?? .handled
        case .press where isPane: if pane?.place == .side { sidePaneHasFocus = true }
        case .press:
            sidePaneHasFocus = false
            if event.row == layout.rows.lowerBound - 1 {
                let title = layout.columns.places.first {
                    ($0.start..<$0.start + $0.width).contains(event.column)
                }
                if let title { titleWasClicked?(title.index) }
            }
            guard let seen else { break }
            return press(seen, wasSelected: wasSelected, column: event.column, layout)
        }
        return .handled
    }

    private func turnWheel(by count: Int, inPane isPane: Bool) {
        if help != nil {
            help?.scroll(by: count)
        } else if choices != nil {
            choices?.move(by: count)
        } else if isPane {
            paneScroll.scroll(by: count)
        } else {
            scroll(by: count)
        }
    }

    private func pressInChoices(_ event: MouseEvent) {
        guard let box = choices?.box(lastSize, charset: charset) else { return }
        let line = event.row - box.row - 1
        let sides = box.start..<(box.start + box.width + 4)
        guard (0..<box.height).contains(line), sides.contains(event.column),
            choices?.entries.indices.contains(choicesTop + line) == true
        else {
            return
        }
        choices?.move(to: choicesTop + line)
        chooseAtCursor()
    }

    /// The item that is drawn where the pointer is, as long as the rows are those that were drawn.
    private func seenItem(at event: MouseEvent, _ layout: ScreenLayout) -> Item? {
        let place = top + event.row - layout.rows.lowerBound
        guard layout.rows.contains(event.row), rows.indices.contains(place),
            rows[place].isPresent
        else {
            return nil
        }
        return rows[place].item
    }

    /// A click on an item's row; on one that has left meanwhile it does nothing.
    private func press(
        _ item: Item, wasSelected: Bool, column: Int, _ layout: ScreenLayout
    ) -> KeyResponse {
        guard let place = rows.place(of: item), rows[place].isPresent else { return .handled }
        selectedRow = place
        selectedItem = item
        if let sign = outlineSign(of: item, layout), sign.contains(column) {
            outlineWasClicked?(item)
            return .handled
        }
        guard wasSelected, prompt == nil else { return .handled }
        guard let itemWasOpened else { return handle(.enter) }
        itemWasOpened(item)
        return .handled
    }

    /// The columns of the sign that shows what is beneath a row.
    private func outlineSign(of item: Item, _ layout: ScreenLayout) -> Range<Int>? {
        guard let cell = drawnCells[item], let outline = cell.outline, outline.branch != .leaf,
            let place = layout.columns.places.first(where: { $0.index == 0 })
        else {
            return nil
        }
        let end = place.start + lead(of: cell, in: place).width
        let width = outline.sign(charset: charset).count + 1
        return max(place.start, end - width)..<end
    }

    /// Scrolls the rows; the selection stays where it is, or at the edge that it would pass.
    private func scroll(by count: Int) {
        top = max(0, min(top + count, rows.count - pageHeight))
        guard let selected = selectedRow else { return }
        let visible = top..<min(rows.count, top + pageHeight)
        guard !visible.contains(selected), !visible.isEmpty else { return }
        let isAbove = selected < visible.lowerBound
        let place =
            isAbove
            ? nextPresent(from: visible.lowerBound - 1, step: 1)
            : nextPresent(from: visible.upperBound, step: -1)
        guard let place, visible.contains(place) else { return }
        selectedRow = place
        selectedItem = rows[place].item
    }
}
