// Tables of text on standard output, with the columns of the list.
package import TerminalText

/// A column of a table.
package struct TableColumn: Sendable {
    let title: String
    /// The width below which a text is not cut; `nil` if it is never cut.
    let minimum: Int?
    let rank: Int
    let alignment: TextAlignment

    /// A column whose long texts are cut where the table is too wide.
    package static func text(_ title: String, minimum: Int = 8, rank: Int) -> TableColumn {
        TableColumn(title: title, minimum: minimum, rank: rank, alignment: .leading)
    }

    /// A column whose texts are whole, or not shown.
    package static func whole(_ title: String, rank: Int) -> TableColumn {
        TableColumn(title: title, minimum: nil, rank: rank, alignment: .leading)
    }

    /// A column of numbers.
    package static func number(_ title: String, rank: Int) -> TableColumn {
        TableColumn(title: title, minimum: nil, rank: rank, alignment: .trailing)
    }
}

/// The text of a column in a row.
package struct TableText: Sendable, ExpressibleByStringLiteral {
    let text: String
    /// The texts in a narrower column, from long to short; the last one is cut if it does not fit.
    let shortTexts: [String]

    package init(_ text: String, short shortTexts: [String] = []) {
        (self.text, self.shortTexts) = (text, shortTexts)
    }

    package init(stringLiteral text: String) { self.init(text) }
}

extension ListColumn {
    /// Returns the number of rows out of a number for which a column is wide enough before others get more; longer
    /// texts are cut.
    package static func usualCount(of rowCount: Int) -> Int { (rowCount * 9 + 9) / 10 }
}

/// The form of tables with aligned columns.
package struct TableStyle: Sendable {
    package var charset: Charset
    /// The width of the terminal; `nil` if the output is not a terminal.
    package var columns: Int?
    package var hasHeading = true

    package init(charset: Charset, columns: Int? = nil, hasHeading: Bool = true) {
        (self.charset, self.columns, self.hasHeading) = (charset, columns, hasHeading)
    }

    /// The maximum width of a cell if the output is not a terminal, so that a single hostile name does not
    /// widen all lines: more than a host name in `local` takes, whose first label has at most 63 bytes.
    static let cellLimit = 72
    /// The maximum width then of a cell that is a list: four addresses of any length fit.
    package static let listLimit = 160

    /// Returns a table with the widths that its texts need. The rows are read twice, so that they can be made one at
    /// a time.
    package func table(
        _ columns: [TableColumn], _ rows: some Collection<[TableText]>
    ) -> String {
        var widths: [(full: [Int], short: Int)] = columns.map { _ in ([], 0) }
        for row in rows {
            for (column, cell) in row.enumerated() {
                let full = width(of: cell.text)
                widths[column].full.append(full)
                widths[column].short = max(
                    widths[column].short, cell.shortTexts.last.map { width(of: $0) } ?? full)
            }
        }
        let layouts = zip(columns, widths).map { column, widths in
            let title = hasHeading ? SafeText.width(of: column.title) : 0
            let sorted = widths.full.sorted()
            let longest = max(title, sorted.last ?? 0)
            let usual =
                sorted.isEmpty ? 0 : sorted[ListColumn.usualCount(of: sorted.count) - 1]
            let least = max(title, column.minimum.map { min($0, longest) } ?? widths.short)
            return ListColumn(
                column.title, minimum: least, usual: least,
                ideal: column.minimum == nil ? longest : max(least, usual), maximum: longest,
                rank: column.rank, alignment: column.alignment)
        }
        return lines(layouts, rows)
    }

    /// Returns the lines of a table, each with its line feed; the texts are made safe to show. If the output is not a
    /// terminal, each column is as wide as its texts need, up to a limit that is higher for the columns of `lists`.
    package func lines(
        _ columns: [ListColumn], lists: Set<Int> = [], indent: String = "",
        _ rows: some Sequence<[TableText]>
    ) -> String {
        let slots = slots(of: columns, lists: lists, from: indent.count)
        var text = ""
        func append(_ texts: (Int) -> TableText) {
            var (line, end) = ("", 0)
            for slot in slots {
                let (shown, width) = fitted(texts(slot.index), to: slot.width)
                let isTrailing = columns[slot.index].alignment == .trailing
                let start = slot.start + (isTrailing ? slot.width - width : 0)
                line += String(repeating: " ", count: start - end) + shown
                end = start + width
            }
            while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
            text += line + "\n"
        }
        if hasHeading { append { TableText(columns[$0].title) } }
        for row in rows { append { row[$0] } }
        return text
    }

    private func slots(
        of columns: [ListColumn], lists: Set<Int>, from start: Int
    ) -> [ColumnLayout.Slot] {
        if let width = self.columns { return ColumnLayout(columns, from: start, to: width).slots }
        var start = start
        return columns.indices.filter { !columns[$0].isHidden }.map { index in
            let limit = lists.contains(index) ? Self.listLimit : Self.cellLimit
            let width = min(columns[index].maximum ?? columns[index].ideal, limit)
            defer { start += width + ColumnLayout.gap }
            return (index, start, width)
        }
    }

    /// Whether a text is shown as it is, in a column for each byte, as most are.
    private func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { 0x20..<0x7f ~= $0 } }

    private func width(of cell: String) -> Int {
        isPlain(cell) ? cell.utf8.count : SafeText(cell, charset: charset).width
    }

    private func fitted(_ cell: TableText, to width: Int) -> (text: String, width: Int) {
        let shorter = cell.shortTexts.first { self.width(of: $0) <= width }
        let shown = self.width(of: cell.text) <= width ? cell.text : shorter
        return cut(shown ?? cell.shortTexts.last ?? cell.text, to: width)
    }

    private func cut(_ cell: String, to width: Int) -> (text: String, width: Int) {
        if cell.utf8.count <= width, isPlain(cell) { return (cell, cell.utf8.count) }
        let text = SafeText(cell, charset: charset).cut(to: width)
        return (text.text, text.width)
    }
}
