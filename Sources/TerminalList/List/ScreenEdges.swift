// Draws the lines above and below the list: header, strip, footer, and the last line.

extension Frame {
    /// Draws the header: the status at the right, the title and its badge at the left, the warning
    /// below.
    mutating func draw(_ header: ListHeader) {
        let status = safe(header.status, upTo: size.columns).cut(to: size.columns)
        let room = size.columns - (status.width == 0 ? 0 : status.width + 2)
        let badge = header.badge.map { (text: safe($0.text, upTo: room), style: $0.style) }
        // The title makes room for the badge, down to its first word.
        let title = safe(header.title, upTo: room)
        let badgeRoom = badge.map { $0.text.width + 2 } ?? 0
        let least = header.title.prefix { $0 != " " }.count
        let titleRoom = room - badgeRoom < least ? room : room - badgeRoom
        let shown = title.cut(to: titleRoom)
        write(shown, row: 0, column: 0, style: Style(.bold, tone: .accent))
        if let badge, titleRoom < room {
            write(badge.text, row: 0, column: shown.width + 2, style: badge.style)
        }
        write(status, row: 0, column: size.columns - status.width)
        if let warning = header.warning {
            write(
                "! " + warning, row: 1, column: 0, upTo: size.columns,
                style: Style(.bold, tone: .bad))
        }
    }

    /// Draws lines, each of several pieces, and cuts them at the edge.
    mutating func draw(_ lines: some Sequence<[ListCell.Field]>, rows: Range<Int>) {
        for (row, pieces) in zip(rows, lines) {
            var column = 0
            for piece in pieces where column < size.columns {
                column += write(
                    piece.text, row: row, column: column, upTo: size.columns - column,
                    style: piece.style)
            }
        }
    }
}

/// The last line of the screen: a prompt, a message or key hints, and a position at the right.
struct LastLine {
    /// A key and its effect. A click on the hint stands for the key; where space is short, hints of
    /// low rank are dropped.
    private typealias Hint = (text: String, key: Key?, rank: Int)

    /// The least number of spaces between two hints.
    private static let leastGap = 2
    /// The time for which a message is shown.
    private static let messageDuration = Duration.seconds(4)

    /// The text being typed, if any.
    var prompt: TextPrompt? { didSet { promptHasCursor = true } }
    /// Whether the terminal's cursor, which screen readers follow, is in the prompt; after a key that moves
    /// in the list it is on the selected row.
    private var promptHasCursor = true
    /// The message, and the time of the first frame that shows it.
    private var message: (text: String, tone: Style.Tone, since: ContinuousClock.Instant?)?
    /// The columns and keys of the visible hints.
    private var visibleHints: [(columns: Range<Int>, key: Key)] = []

    mutating func show(_ text: String, _ tone: Style.Tone) { message = (text, tone, nil) }

    /// Removes the message; returns whether there was one.
    mutating func removeMessage() -> Bool {
        defer { message = nil }
        return message != nil
    }

    /// Starts the time of a new message and removes an expired one; returns when it expires.
    mutating func advance(to now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard let message else { return nil }
        let end = (message.since ?? now) + Self.messageDuration
        self.message = now < end ? (message.text, message.tone, message.since ?? now) : nil
        return now < end ? end : nil
    }

    /// Handles a key in the prompt; returns `nil` for a key that the list handles.
    mutating func handle(_ key: Key) -> InputEffect? {
        guard var edited = prompt else { return nil }
        switch key {
        case .enter, .escape, .control("c"):
            prompt = nil
            return InputEffect { [edited] in edited.onEnd(key == .enter) }
        default:
            if edited.edit(with: key) { return replacePrompt(by: edited) }
            promptHasCursor = false
            return nil
        }
    }

    /// Inserts a text into the prompt; returns `nil` if there is none.
    mutating func insert(_ text: String) -> InputEffect? {
        guard var edited = prompt else { return nil }
        edited.insert(text)
        return replacePrompt(by: edited)
    }

    /// Shows an edited prompt; the effect reports its text if that has changed.
    private mutating func replacePrompt(by edited: TextPrompt) -> InputEffect {
        let isChanged = edited.text != prompt?.text
        prompt = edited
        return InputEffect { if isChanged { edited.onChange(edited.text) } }
    }

    /// Returns the key of the hint at a column.
    func key(atColumn column: Int) -> Key? {
        visibleHints.first { $0.columns.contains(column) }?.key
    }

    /// Draws the position at the right; at the left, the prompt, else the message, else the hints
    /// of `keys`. `pane` is the placement of a pane that has the keyboard focus. `hasSelection` is whether the cursor
    /// is on a row.
    mutating func draw(
        keys: KeyTable?, pane: TextPane.Placement?, position: String, hasSelection: Bool,
        in frame: inout Frame
    ) {
        let (row, columns) = (frame.size.rows - 1, frame.size.columns)
        let position = frame.safe(position, upTo: columns).cut(to: columns)
        let room = max(0, columns - (position.width == 0 ? 0 : position.width + 2))
        visibleHints = []
        if let prompt {
            let column = prompt.draw(row: row, columns: room, in: &frame)
            if promptHasCursor || !hasSelection {
                (frame.cursorRow, frame.cursorColumn) = (row, column)
            }
        } else if let message {
            frame.write(
                message.text, row: row, column: 0, upTo: room,
                style: Style(.bold, tone: message.tone))
        } else if let keys {
            draw(Self.hints(keys, pane: pane, frame.charset), row: row, room: room, in: &frame)
        }
        frame.write(
            position, row: row, column: columns - position.width, style: Style(tone: .muted))
    }

    private static func hints(
        _ keys: KeyTable, pane: TextPane.Placement?, _ charset: Charset
    ) -> [Hint] {
        let hints = keys.bindings.compactMap { binding -> Hint? in
            guard let hint = binding.hint, pane != .full || binding.actsInPane || binding.isHelp
            else { return nil }
            let label = binding.labels(charset: charset)[0]
            return (label + " " + hint, binding.keys.first, binding.hintRank)
        }
        return switch pane {
        case .full: hints + [("Esc back", .escape, 100)]
        case .side:
            [("Esc back to the list", .escape, 99)] + hints.filter { $0.key != .escape }
        case nil: hints
        }
    }

    /// Draws as many hints as fit, the most important ones first, with smaller gaps if that shows more.
    private mutating func draw(_ hints: [Hint], row: Int, room: Int, in frame: inout Frame) {
        let texts = hints.map { frame.safe($0.text, upTo: room) }
        let ranked = hints.indices.sorted { (hints[$0].rank, $1) > (hints[$1].rank, $0) }
        var (shown, width) = (Set(ranked.prefix(1)), ranked.first.map { texts[$0].width } ?? 0)
        for index in ranked.dropFirst() where width + Self.leastGap + texts[index].width <= room {
            shown.insert(index)
            width += Self.leastGap + texts[index].width
        }
        let gap = width + shown.count - 1 <= room ? Self.leastGap + 1 : Self.leastGap
        var column = 0
        for index in shown.sorted() {
            let (hint, text) = (hints[index], texts[index].cut(to: room - column))
            frame.write(text, row: row, column: column, style: Style(tone: .muted))
            if let key = hint.key { visibleHints.append((column..<column + text.width, key)) }
            column += text.width + gap
        }
    }
}
