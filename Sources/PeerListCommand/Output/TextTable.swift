// Tables of text: aligned columns, and the tables that `--once` prints.
import PeerList
import PeerRecording
import TerminalList

/// The style of a table.
struct TableStyle: Sendable {
    /// The character set of the terminal.
    var charset: Charset
    /// The width of the terminal; `nil` if the output is not a terminal, and nothing is cut.
    var columns: Int?
    /// Whether the columns have a heading.
    var hasHeading = true
}

/// A table with aligned columns.
struct TextTable {
    struct Column {
        let title: String
        let alignment: TextAlignment

        static func text(_ title: String) -> Column { Column(title: title, alignment: .leading) }
        static func number(_ title: String) -> Column { Column(title: title, alignment: .trailing) }
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
        if style.hasHeading { add(columns.map(\.title)) }
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
                row[column].fitted(to: widths[column], alignment: columns[column].alignment).text
            }
            let line = indent + cells.joined(separator: gap)
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// The width of each column; the widest ones are narrowed to fit the terminal.
    private var widths: [Int] {
        var widths = columns.indices.map { column in rows.map { $0[column].width }.max() ?? 0 }
        guard let limit = style.columns.map({ $0 - indent.count }) else { return widths }
        let minimum = 4
        while widths.reduce(0, +) + gap.count * (columns.count - 1) > limit,
            let widest = widths.indices.max(by: { widths[$0] < widths[$1] }),
            widths[widest] > minimum
        {
            widths[widest] -= 1
        }
        return widths
    }
}

/// The list as the tables of `--once`.
struct OnceTable {
    /// The filter and the grouping of the list.
    let header: LineHeader
    /// The style of the tables.
    let style: TableStyle

    /// Returns the tables; an empty list has no text.
    func text(_ sections: [ListSection]) -> String {
        let sections = sections.filter { !$0.items.isEmpty }
        return sections.map { section in
            lines(section, isOnly: sections.count == 1).map { "\($0)\n" }.joined()
        }.joined(separator: "\n")
    }

    /// Returns the table of a domain below the domain, unless that is only `local`, or the table of a
    /// service type below the type.
    private func lines(_ section: ListSection, isOnly: Bool) -> [String] {
        guard header.grouping == .device else {
            let title = KnownServiceType.of(section.id).map { "  \($0.title)" } ?? ""
            return [shown(section.id + title)] + services(section.items)
        }
        let isUsual = isOnly && section.id == "local"
        return (isUsual ? [] : [shown(section.id)]) + devices(section.items)
    }

    private func devices(_ items: [ListItem]) -> [String] {
        var table = TextTable(
            [.text("NAME"), .text("HOST"), .text("ADDRESSES"), .text("SERVICES"), .text("STATE")],
            style: style)
        for peer in items.map(\.peer) {
            table.add([
                peer.name, peer.host ?? "-", listed(peer.addresses),
                peer.services.typeSummary(style.charset, separator: ", "), state(peer),
            ])
        }
        return table.lines
    }

    private func services(_ items: [ListItem]) -> [String] {
        var table = TextTable(
            [.text("SERVICE"), .text("HOST"), .number("PORT"), .text("ADDRESSES"), .text("STATE")],
            indent: "  ", style: style)
        for item in items {
            table.add([
                item.name, item.peer.host ?? "-", item.service?.port.map { "\($0)" } ?? "-",
                listed(item.peer.addresses), state(item.peer),
            ])
        }
        return table.lines
    }

    private func state(_ peer: Peer) -> String {
        peer.presence.rawValue + (peer.isSelf ? ", self" : "")
    }

    private func listed(_ texts: [String]) -> String {
        texts.isEmpty ? "-" : texts.joined(separator: ", ")
    }

    private func shown(_ text: String) -> String {
        let safe = SafeText(text, charset: style.charset)
        return (style.columns.map { safe.cut(to: $0) } ?? safe).text
    }
}
