// Cutting and padding by the columns that a text takes.

/// On which side a text stands in a field that is wider.
public enum TextAlignment: Sendable {
    /// The text first, then spaces.
    case leading
    /// Spaces first, then the text.
    case trailing
}

extension SafeText {
    /// The text in exactly so many columns: cut, with an ellipsis, or padded with spaces.
    ///
    /// Nothing that belongs together is cut apart: no combined character, no `\u{202e}`.
    ///
    /// - Parameters:
    ///   - columns: The columns to fill.
    ///   - alignment: Where the text stands when there is room left.
    /// - Returns: A text whose ``width`` is `columns`.
    public func fitted(to columns: Int, alignment: TextAlignment = .leading) -> SafeText {
        var result = cut(to: columns)
        let room = max(0, columns - result.width)
        let space = Cell(text: " ", width: 1, isEscape: false, startsCluster: true)
        let spaces = Array(repeating: space, count: room)
        switch alignment {
        case .leading: result.replaceCells(result.cells + spaces)
        case .trailing: result.replaceCells(spaces + result.cells)
        }
        return result
    }

    /// The text in at most so many columns: what is cut off leaves an ellipsis behind.
    public func cut(to columns: Int) -> SafeText {
        guard width > columns else { return self }
        var sign = ellipsis(within: columns)
        var end = 0
        var used = 0
        for (index, cell) in cells.enumerated() {
            if cell.startsCluster { end = index }
            used += cell.width
            if used > columns - sign.count { break }
        }
        if hasMarksBeyond || cells[end...].contains(where: \.isMarked) {
            for place in sign.indices { sign[place].isMarked = true }
        }
        var result = self
        result.replaceCells(cells[..<end] + sign)
        return result
    }

    /// Drops what comes first until the rest takes no more than so many columns.
    mutating func dropFirst(untilAtMost columns: Int) {
        var (first, left) = (0, width)
        while first < cells.count, left > columns || !cells[first].startsCluster {
            left -= cells[first].width
            first += 1
        }
        replaceCells(cells[first...])
    }

    private func ellipsis(within columns: Int) -> [Cell] {
        let sign = charset == .ascii ? String(repeating: ".", count: max(0, min(2, columns))) : "…"
        guard columns > 0 else { return [] }
        return sign.map {
            Cell(text: String($0), width: 1, isEscape: false, startsCluster: false)
        }
    }
}
