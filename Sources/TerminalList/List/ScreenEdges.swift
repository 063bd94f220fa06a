// Draws the lines above and below the list: header, strip, footer, and the last line.

extension ListHeader {
    func draw(charset: Charset, in frame: inout Frame) {
        let columns = frame.size.columns
        let status = SafeText(status, charset: charset, cutTo: columns)
        let room = max(0, columns - (status.width == 0 ? 0 : status.width + 2))
        let title = SafeText(title, charset: charset, cutTo: room)
        frame.write(title, row: 0, column: 0, style: Style(.bold, tone: .accent))
        if let badge {
            let text = SafeText(
                badge.text, charset: charset, cutTo: max(0, room - title.width - 2))
            frame.write(text, row: 0, column: title.width + 2, style: badge.style)
        }
        frame.write(status, row: 0, column: columns - status.width)
        if let warning {
            frame.write(
                SafeText("! " + warning, charset: charset, cutTo: columns), row: 1, column: 0,
                style: Style(.bold, tone: .bad))
        }
    }
}

extension Frame {
    /// Draws lines, each of several pieces, and cuts them at the edge.
    mutating func draw(
        _ lines: some Sequence<[ListCell.Field]>, rows: Range<Int>, charset: Charset
    ) {
        for (row, pieces) in zip(rows, lines) {
            var column = 0
            for piece in pieces where column < size.columns {
                let text = SafeText(piece.text, charset: charset, cutTo: size.columns - column)
                write(text, row: row, column: column, style: piece.style)
                column += text.width
            }
        }
    }
}

/// The last line of the screen: a prompt, a message or key hints, and a position at the right.
struct LastLine {
    /// A key and its effect.
    private struct Hint {
        var text: String
        /// The key that a click on the hint stands for.
        var key: Key?
        /// The importance: where space is short, hints of low rank are dropped.
        var rank: Int
    }

    /// A message, whose time begins with the next frame.
    private struct Message {
        let text: String
        let style: Style
        let duration: Duration
        var since: ContinuousClock.Instant?
    }

    private var message: Message?
    /// The columns and keys of the visible hints.
    private var visibleHints: [(columns: Range<Int>, key: Key)] = []

    mutating func show(_ message: String, _ style: Style, for duration: Duration) {
        self.message = Message(text: message, style: style, duration: duration)
    }

    /// Removes the message; returns whether there was one.
    mutating func removeMessage() -> Bool {
        defer { message = nil }
        return message != nil
    }

    /// Starts the time of a new message and removes an expired one; returns when it expires.
    mutating func advance(to now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard let message else { return nil }
        let since = message.since ?? now
        let end = since + message.duration
        self.message?.since = since
        if now < end { return end }
        self.message = nil
        return nil
    }

    /// Returns the key of the hint at a column.
    func key(atColumn column: Int) -> Key? {
        visibleHints.first { $0.columns.contains(column) }?.key
    }

    /// Draws the line.
    ///
    /// - Parameters:
    ///   - prompt: The prompt, which takes precedence.
    ///   - keys: The keys whose hints are shown where there is no message; `nil` for none.
    ///   - pane: The placement of the pane, if it has the keyboard focus.
    ///   - position: The text at the right.
    ///   - charset: The characters that can be shown.
    ///   - frame: The screen.
    mutating func draw(
        prompt: TextPrompt?, keys: KeyTable?, pane: TextPane.Placement?, position: String?,
        charset: Charset, in frame: inout Frame
    ) {
        let (row, columns) = (frame.size.rows - 1, frame.size.columns)
        let position = SafeText(position ?? "", charset: charset, cutTo: columns)
        let room = max(0, columns - (position.width == 0 ? 0 : position.width + 2))
        visibleHints = []
        if let prompt {
            frame.cursorColumn = prompt.draw(
                row: row, columns: room, charset: charset, in: &frame)
            frame.cursorRow = row
        } else if let message {
            frame.write(
                SafeText(message.text, charset: charset, cutTo: room), row: row, column: 0,
                style: message.style)
        } else if let keys {
            let hints = Self.hints(keys, pane: pane, charset: charset)
            draw(hints, row: row, room: room, charset: charset, in: &frame)
        }
        frame.write(
            position, row: row, column: columns - position.width, style: Style(tone: .muted))
    }

    private static func hints(
        _ keys: KeyTable, pane: TextPane.Placement?, charset: Charset
    ) -> [Hint] {
        let bindings = keys.bindings.filter { pane != .full || $0.actsInPane || $0.isHelp }
        let hints = bindings.compactMap { binding in
            binding.hint.map { hint in
                Hint(
                    text: binding.labels(charset: charset)[0] + " " + hint,
                    key: binding.keys.first, rank: binding.hintRank)
            }
        }
        switch pane {
        case .full: return hints + [Hint(text: "Esc back", key: .escape, rank: 100)]
        case .side: return [Hint(text: "Esc back to the list", key: .escape, rank: 99)] + hints
        case nil: return hints
        }
    }

    /// Draws as many hints as fit, without those of lowest rank.
    private mutating func draw(
        _ hints: [Hint], row: Int, room: Int, charset: Charset, in frame: inout Frame
    ) {
        let gap = 3
        var shown = hints.map { (hint: $0, text: SafeText($0.text, charset: charset, upTo: room)) }
        var width = shown.reduce(-gap) { $0 + $1.text.width + gap }
        while width > room, shown.count > 1 {
            let least =
                shown.indices.reversed().min { shown[$0].hint.rank < shown[$1].hint.rank } ?? 0
            width -= shown.remove(at: least).text.width + gap
        }
        var column = 0
        for (hint, text) in shown {
            let text = text.cut(to: max(0, room - column))
            frame.write(text, row: row, column: column, style: Style(tone: .muted))
            if let key = hint.key { visibleHints.append((column..<column + text.width, key)) }
            column += text.width + gap
        }
    }
}
