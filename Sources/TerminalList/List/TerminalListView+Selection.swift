// The selection, and how it moves.

extension TerminalListView {
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

    func move(to place: Int?, top: Int) {
        guard let place else { return }
        selectedRow = place
        selectedItem = rows[place].item
        self.top = max(0, min(top, rows.count - pageHeight))
    }

    /// Without a selection the first step selects what is on the screen.
    func move(by count: Int) {
        let step = count < 0 ? -1 : 1
        var place = selectedRow ?? (step > 0 ? top - 1 : min(rows.count, top + pageHeight))
        for _ in 0..<abs(count) {
            place = nextPresent(from: place, step: step) ?? place
        }
        guard rows.indices.contains(place) else { return }
        move(to: place, top: top)
    }

    func nextPresent(from place: Int, step: Int) -> Int? {
        var place = place + step
        while rows.indices.contains(place) {
            if rows[place].isPresent { return place }
            place += step
        }
        return nil
    }

    /// Scrolls by screens, one row of the former staying, and selects the row on the same line.
    func page(by count: Int) {
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
