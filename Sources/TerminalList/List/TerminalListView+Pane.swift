// The pane: drawn beside the list or in its place, and the keys that scroll it.

/// A pane's text in rows of some width, and how each row is found again.
struct WrappedPane {
    let columns: Int
    var rows: [[WrappedText.Piece]] = []
    var keys: [PaneScroll.RowKey] = []
}

extension TerminalListView {
    /// More columns of a piece of text than this are not shown in a pane.
    private static var pieceLimit: Int { 4000 }

    /// Draws the pane: its title where the columns' titles are, its text where rows are.
    func drawPane(_ layout: ScreenLayout, in frame: inout Frame) {
        guard let pane, let columns = layout.pane else { return }
        let isSide = pane.place == .side
        if isSide { drawRule(layout, left: columns.lowerBound - 2, in: &frame) }
        let text = wrappedText(of: pane, columns: columns.count)
        paneScroll.settle(text.keys, height: layout.rows.count)
        for (line, row) in zip(layout.rows, text.rows.dropFirst(paneScroll.top)) {
            frame.write(row, row: line, column: columns.lowerBound)
        }
        drawPaneTitle(pane, row: layout.rows.lowerBound - 1, columns: columns, in: &frame)
        if paneHasFocus {
            frame.cursorRow = layout.rows.lowerBound
            frame.cursorColumn = columns.lowerBound
        }
    }

    /// The pane's text, wrapped once for each width, text and search.
    private func wrappedText(of pane: TextPane, columns: Int) -> WrappedPane {
        if let wrappedPane, wrappedPane.columns == columns { return wrappedPane }
        var wrapped = WrappedPane(columns: columns)
        var key = PaneScroll.RowKey(id: nil, below: -1, part: 0)
        for line in pane.lines {
            key = .init(id: line.id ?? key.id, below: line.id == nil ? key.below + 1 : 0, part: 0)
            for row in wrap(line, columns: columns).rows {
                wrapped.rows.append(row)
                wrapped.keys.append(key)
                key.part += 1
            }
        }
        wrappedPane = wrapped
        return wrapped
    }

    private func wrap(_ line: TextPane.Line, columns: Int) -> WrappedText {
        let texts = line.fields.map { field in
            (
                safe(field.text, upTo: Self.pieceLimit, marking: highlight?(field.text) ?? [])
                    .cut(to: Self.pieceLimit), field.style
            )
        }
        return WrappedText(texts, columns: columns, indent: line.indent)
    }

    private func drawPaneTitle(
        _ pane: TextPane, row: Int, columns: Range<Int>, in frame: inout Frame
    ) {
        let position = safe(paneScroll.position ?? "", upTo: columns.count)
        let room = max(0, columns.count - position.width - 2)
        let sign = pane.place == .side && paneHasFocus ? "> " : ""
        let title = safe(sign + pane.title, upTo: room).cut(to: room)
        frame.write(title, row: row, column: columns.lowerBound, style: Style(.bold))
        frame.write(position, row: row, column: columns.upperBound - position.width)
        let look = Style(paneHasFocus && !sign.isEmpty ? [.reverse] : [.underline], tone: .muted)
        frame.restyle(row: row, columns: columns, adding: look)
    }

    private func drawRule(_ layout: ScreenLayout, left: Int, in frame: inout Frame) {
        let rule = safe(charset == .ascii ? "|" : "│", upTo: 1)
        for row in (layout.rows.lowerBound - 1)..<layout.rows.upperBound {
            frame.write(rule, row: row, column: left, style: Style(tone: .muted))
        }
    }

    /// Whether keys go to the pane rather than to the list.
    public var paneHasFocus: Bool {
        switch pane?.place {
        case nil: false
        case .full: true
        case .side: sidePaneHasFocus && ScreenLayout.showsSidePane(lastSize)
        }
    }

    /// Gives the keys to the pane beside the list, or back to the list.
    public func switchFocus() {
        guard pane?.place == .side else { return }
        sidePaneHasFocus = !paneHasFocus && ScreenLayout.showsSidePane(lastSize)
        setNeedsDisplay()
    }

    /// Does what a key does in a pane that has the keys; `nil` for what it does elsewhere too.
    func handleInPane(_ key: Key, _ action: KeyAction?) -> KeyResponse? {
        guard let pane, paneHasFocus else { return nil }
        if pane.place == .full {
            switch (key, action) {
            case (.control("c"), _): break
            case (.escape, _), (.enter, _), (_, .quit):
                self.pane = nil
                pane.onEnd()
                return .handled
            default: break
            }
        } else if key == .escape {
            switchFocus()
            return .handled
        }
        switch action {
        case .moveBy(let count): paneScroll.scroll(by: count)
        case .pageBy(let count): paneScroll.scroll(by: count * max(1, pageHeight - 1))
        case .first: paneScroll.scroll(by: .min)
        case .last: paneScroll.scroll(by: .max)
        case .help, .redraw, .quit: return nil
        // The list behind a pane in its place is not seen, so no key acts on it.
        default: return pane.place == .side || keys.actsInPane(key) ? nil : .unknown
        }
        setNeedsDisplay()
        return .handled
    }
}
