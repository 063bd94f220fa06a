// The selection, and the keys that move it.

/// What became of a key.
public enum KeyResponse: Sendable {
    /// The list knew it; draw if ``TerminalListView/needsDisplay`` is set.
    case handled
    /// The list does not know it.
    case unknown
    /// The whole screen is to be drawn again.
    case redraw
    /// The program is to end.
    case quit
}

extension TerminalListView {
    /// Does what the key table says about a key.
    ///
    /// While the help is shown, it is scrolled by arrows and left by any other key.
    ///
    /// - Complexity: O(rows) after changes.
    public func handle(_ key: Key) -> KeyResponse {
        let action = keys.action(for: key)
        if help != nil { return handleInHelp(key, action) }
        guard let action else { return .unknown }
        layOutRows()
        setNeedsDisplay()
        switch action {
        case .moveBy(let count): move(by: count)
        case .pageBy(let count): page(by: count)
        case .first: move(to: rows.firstItem, top: 0)
        case .last: move(to: rows.lastItem, top: rows.count)
        case .help: help = HelpState()
        case .redraw: return .redraw
        case .quit: return .quit
        case .run(let action): action()
        case .type(let type): if case .character(let character) = key { type(character) }
        }
        return .handled
    }

    /// Selects an item and brings it into view; `nil` selects none.
    ///
    /// An item that is not in the list leaves the selection as it is.
    public func select(_ item: Item?) {
        layOutRows()
        setNeedsDisplay()
        guard let item else {
            selectedRow = nil
            selectedItem = nil
            return
        }
        guard let place = rows.place(of: item) else { return }
        selectedRow = place
        selectedItem = item
    }

    private func move(to place: Int?, top: Int) {
        guard let place else { return }
        selectedRow = place
        selectedItem = rows[place].item
        self.top = max(0, min(top, rows.count - pageHeight))
    }

    /// Without a selection the first step selects what is on the screen.
    private func move(by count: Int) {
        let step = count < 0 ? -1 : 1
        var place = selectedRow ?? (step > 0 ? top - 1 : min(rows.count, top + pageHeight))
        for _ in 0..<abs(count) {
            place = nextPresent(from: place, step: step) ?? place
        }
        guard rows.indices.contains(place) else { return }
        move(to: place, top: top)
    }

    private func nextPresent(from place: Int, step: Int) -> Int? {
        var place = place + step
        while rows.indices.contains(place) {
            if rows[place].isPresent { return place }
            place += step
        }
        return nil
    }

    /// Scrolls by screens, one row of the former staying, and selects the row on the same line.
    private func page(by count: Int) {
        let distance = count * max(1, pageHeight - 1)
        let from = selectedRow ?? (count > 0 ? top : top + pageHeight - 1)
        let goal = max(0, min(rows.count - 1, from + distance))
        let step = count < 0 ? -1 : 1
        let place =
            nextPresent(from: goal - step, step: step)
            ?? nextPresent(from: goal + step, step: -step)
        move(to: place, top: top + distance)
    }
}
