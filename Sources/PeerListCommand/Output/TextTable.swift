// Columns of text, aligned by what a terminal shows.
import TerminalList

/// Rows of cells under a heading.
struct TextTable {
    private let charset: Charset
    private let indent: String
    private var rows: [[SafeText]] = []

    /// An empty table.
    init(heading: [String], indent: String = "", charset: Charset) {
        self.charset = charset
        self.indent = indent
        add(heading)
    }

    /// Adds a row; the cells are made safe to show.
    mutating func add(_ cells: [String]) {
        rows.append(cells.map { SafeText($0, charset: charset) })
    }

    /// The lines of the table.
    ///
    /// - Parameter columns: What the terminal shows; `nil`: nothing is cut.
    /// - Returns: The heading and the rows, without line feeds.
    func lines(fitting columns: Int?) -> [String] {
        let widths = widths(fitting: columns.map { $0 - indent.count })
        return rows.map { row in
            let cells = zip(row, widths).map { $0.fitted(to: $1).text }
            let line = indent + cells.joined(separator: gap)
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    private let gap = "  "

    /// What each column needs; where that is too much, the widest ones give.
    private func widths(fitting columns: Int?) -> [Int] {
        let count = rows.first?.count ?? 0
        var widths = (0..<count).map { column in rows.map { $0[column].width }.max() ?? 0 }
        guard let columns else { return widths }
        let least = 8
        while widths.reduce(0, +) + gap.count * (count - 1) > columns,
            let widest = widths.indices.max(by: { widths[$0] < widths[$1] }), widths[widest] > least
        {
            widths[widest] -= 1
        }
        return widths
    }
}
