// The box of choices on a screen.

extension Choices {
    /// The box around the entries on a screen.
    func box(_ size: FrameSize, charset: Charset) -> Box {
        func width(_ text: String) -> Int {
            SafeText(text, charset: charset, upTo: size.columns).width
        }
        let widest = entries.map { width($0.label) + width($0.detail) + 8 }.max() ?? 0
        return Box(
            size, width: max(36, widest, width(title) + 4), height: max(1, entries.count),
            charset: charset)
    }

    /// Draws the box.
    ///
    /// - Parameters:
    ///   - top: The first entry that is shown; another one where the cursor would not be seen.
    ///   - charset: Which characters can be shown.
    ///   - frame: What it is drawn into.
    /// - Returns: The row of the cursor.
    func draw(from top: inout Int, charset: Charset, in frame: inout Frame) -> Int {
        let box = box(frame.size, charset: charset)
        top = max(min(top, place, entries.count - box.height), place - box.height + 1, 0)
        for line in 0..<box.height {
            let entry = top + line
            guard entries.indices.contains(entry) else {
                let note = line == 0 ? "nothing to choose from" : ""
                box.draw(SafeText(note, charset: charset), line: line, in: &frame)
                continue
            }
            let style = entry == place ? Style(.reverse) : .plain
            box.draw(
                text(of: entry, width: box.width, charset: charset), line: line, style: style,
                in: &frame)
        }
        let isCut = box.height < entries.count
        let counts = isCut ? "\(place + 1) of \(entries.count)  " : ""
        let keys = hasCheckBoxes ? "Space on/off  a all  n none  Enter" : "Enter picks  Esc back"
        let isShort = hasCheckBoxes && counts.count + keys.count > box.width - 2
        box.drawEdges(
            top: title, bottom: counts + (isShort ? "Space a n Enter" : keys), in: &frame)
        return box.row + 1 + place - top
    }

    private func text(of place: Int, width: Int, charset: Charset) -> SafeText {
        let entry = entries[place]
        let sign = place == self.place ? "> " : "  "
        let check = entry.isOn.map { $0 ? "[x] " : "[ ] " } ?? ""
        let labelWidth = SafeText(entry.label, charset: charset, upTo: width).width
        let beside = width - sign.count - check.count - labelWidth - 2
        let detail = SafeText(entry.detail, charset: charset, upTo: width)
            .cut(to: max(width / 2, beside))
        let room = width - sign.count - check.count - detail.width - 2
        let label = SafeText(entry.label, charset: charset, upTo: room).fitted(to: room)
        return SafeText(sign + check, charset: charset) + label
            + SafeText("  ", charset: charset) + detail
    }
}
