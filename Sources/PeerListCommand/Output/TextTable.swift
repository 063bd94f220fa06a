// Columns of text, aligned by their width on a terminal.
import TerminalList

/// How a table is written.
struct TableStyle: Sendable {
    /// The characters that can be shown.
    var charset: Charset
    /// The width of the terminal; `nil` if the output is not a terminal, and nothing is cut.
    var columns: Int?
    /// Whether the columns have a heading.
    var hasHeading = true
}

/// Rows of cells under a heading.
struct TextTable {
    /// A column of a table.
    enum Column {
        case text(String)
        /// Numbers, which are aligned to the right.
        case number(String)
    }

    private let columns: [Column]
    private let indent: String
    private let style: TableStyle
    private var rows: [[SafeText]] = []
    private let gap = "  "

    /// An empty table.
    init(_ columns: [Column], indent: String = "", style: TableStyle) {
        self.columns = columns
        self.indent = indent
        self.style = style
        guard style.hasHeading else { return }
        add(
            columns.map { column in
                switch column {
                case .text(let title), .number(let title): title
                }
            })
    }

    /// Adds a row; the cells are made safe to show.
    mutating func add(_ cells: [String]) {
        rows.append(cells.map { SafeText($0, charset: style.charset) })
    }

    /// The heading and the rows, without line feeds.
    var lines: [String] {
        let widths = widths
        return rows.map { row in
            let cells = columns.indices.map { column in
                let width = widths[column]
                guard case .number = columns[column] else {
                    return row[column].fitted(to: width).text
                }
                let cell = row[column].cut(to: width)
                return String(repeating: " ", count: width - cell.width) + cell.text
            }
            let line = indent + cells.joined(separator: gap)
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// The width of each column; if they do not fit the terminal, the widest columns are narrowed.
    private var widths: [Int] {
        var widths = columns.indices.map { column in rows.map { $0[column].width }.max() ?? 0 }
        guard let limit = style.columns.map({ $0 - indent.count }) else { return widths }
        let least = 4
        while widths.reduce(0, +) + gap.count * (columns.count - 1) > limit,
            let widest = widths.indices.max(by: { widths[$0] < widths[$1] }), widths[widest] > least
        {
            widths[widest] -= 1
        }
        return widths
    }
}
