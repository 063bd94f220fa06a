// Tables of text: aligned columns, and the tables that `--once` prints.
package import PeerModel
package import PeerRecording
package import TerminalText

/// The form of tables with aligned columns.
package struct TableStyle: Sendable {
    var charset: Charset
    /// The width of the terminal; `nil` if the output is not a terminal.
    var columns: Int?
    var hasHeading = true

    package init(charset: Charset, columns: Int? = nil, hasHeading: Bool = true) {
        (self.charset, self.columns, self.hasHeading) = (charset, columns, hasHeading)
    }

    /// The number of spaces between columns.
    private static let gap = 2
    /// The maximum width of a cell if the output is not a terminal, so that a single hostile name does not
    /// widen all lines: more than a host name in `local` takes, whose first label has at most 63 bytes.
    static let cellLimit = 72
    /// The maximum width then of a cell that is a list: four addresses of any length fit.
    static let listLimit = 160

    /// Returns a table, each line with its line feed; the cells are made safe to show, and the columns of `numbers`
    /// are aligned to the right. On a narrow terminal, the columns of `narrow` are narrowed first, down to
    /// their widths there. The columns of `lists` have several values. The rows are read twice, so that they can be
    /// made one at a time.
    package func table(
        _ titles: [String], numbers: Set<Int> = [], lists: Set<Int> = [],
        narrow: [Int: Int] = [:], indent: String = "", _ rows: some Collection<[String]>
    ) -> String {
        var widths = titles.map { hasHeading ? width(of: $0) : 0 }
        for row in rows {
            for (column, cell) in row.enumerated() {
                widths[column] = max(widths[column], width(of: cell))
            }
        }
        widths = fitted(widths, lists: lists, narrow: narrow, indent: indent.count)
        var text = ""
        func append(_ row: [String]) {
            var (line, spaces) = (indent, 0)
            for (column, cell) in row.enumerated() {
                let (shown, width) = cut(cell, to: widths[column])
                let padding = widths[column] - width
                if numbers.contains(column) { spaces += padding }
                line += String(repeating: " ", count: spaces) + shown
                spaces = Self.gap + (numbers.contains(column) ? 0 : padding)
            }
            while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
            text += line + "\n"
        }
        if hasHeading { append(titles) }
        for row in rows { append(row) }
        return text
    }

    /// Whether a text is shown as it is, in a column for each byte, as most are.
    private func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { 0x20..<0x7f ~= $0 } }

    private func width(of cell: String) -> Int {
        isPlain(cell) ? cell.utf8.count : SafeText(cell, charset: charset).width
    }

    private func cut(_ cell: String, to width: Int) -> (text: String, width: Int) {
        if cell.utf8.count <= width, isPlain(cell) { return (cell, cell.utf8.count) }
        let text = SafeText(cell, charset: charset).cut(to: width)
        return (text.text, text.width)
    }

    /// Returns the widths of the columns; the widest ones are narrowed to fit the terminal, or to the limits.
    private func fitted(
        _ wanted: [Int], lists: Set<Int>, narrow: [Int: Int], indent: Int
    ) -> [Int] {
        var widths = wanted
        guard let limit = columns.map({ $0 - indent - Self.gap * (widths.count - 1) }) else {
            return widths.enumerated().map { column, width in
                min(width, lists.contains(column) ? Self.listLimit : Self.cellLimit)
            }
        }
        let leastWidth = 4
        for minimums in [narrow, [:]] {
            while widths.reduce(0, +) > limit {
                let wide = widths.indices.filter { column in
                    let minimum = minimums.isEmpty ? leastWidth : minimums[column]
                    return minimum.map { widths[column] > $0 } ?? false
                }
                guard let widest = wide.max(by: { widths[$0] < widths[$1] }) else { break }
                widths[widest] -= 1
            }
        }
        return widths
    }
}

/// The list as the tables of `--once`.
package struct OnceTable {
    let header: LineHeader
    let style: TableStyle

    package init(header: LineHeader, style: TableStyle) {
        (self.header, self.style) = (header, style)
    }

    /// Returns the tables; an empty list has no text.
    package func text(_ sections: [ListSection]) -> String {
        let sections = sections.filter { !$0.items.isEmpty }
        return sections.map { table(of: $0, isOnly: sections.count == 1) }.joined(separator: "\n")
    }

    /// Returns the table of a domain below the domain, unless that is only `local`, or the table of a
    /// service type below the type.
    private func table(of section: ListSection, isOnly: Bool) -> String {
        guard header.grouping == .device else {
            let title = KnownServiceType.of(section.id).map { "  \($0.title)" } ?? ""
            return shown(section.id + title) + "\n" + services(section.items)
        }
        let isUsual = isOnly && section.id == "local"
        return (isUsual ? "" : shown(section.id) + "\n") + devices(section.items)
    }

    private func devices(_ items: [ListItem]) -> String {
        // Only the devices of a fleet have observers.
        let isFleet = items.contains { !$0.peer.views.isEmpty }
        return style.table(
            ["NAME", "KIND", "ADDRESSES", "SERVICES", "HOST", "STATE"]
                + (isFleet ? ["SEEN BY"] : []),
            lists: [2, 3, 6], narrow: [2: 15, 3: 8, 4: 6],
            items.lazy.map { item -> [String] in
                let peer = item.peer
                let observers = peer.views.filter { $0.presence == .present }.map(\.name.title)
                return [
                    peer.displayName, peer.deviceText.isEmpty ? "-" : peer.deviceText,
                    joined(peer.addresses),
                    peer.services.typeSummary(style.charset, separator: ", "), peer.host ?? "-",
                    state(peer),
                ] + (isFleet ? [observers.isEmpty ? "-" : joined(observers)] : [])
            })
    }

    private func services(_ items: [ListItem]) -> String {
        style.table(
            ["SERVICE", "HOST", "PORT", "ADDRESSES", "STATE"], numbers: [2], lists: [3],
            indent: "  ",
            items.lazy.map { item -> [String] in
                [
                    item.name, item.peer.host ?? "-", item.service?.port.map { "\($0)" } ?? "-",
                    joined(item.peer.addresses), state(item.peer),
                ]
            })
    }

    private func state(_ peer: Peer) -> String {
        peer.presence.rawValue + (peer.isSelf ? ", self" : "")
            + (peer.vouchedBy?.mark.map { ", \($0)" } ?? "")
    }

    private func joined(_ texts: [String]) -> String {
        texts.isEmpty ? "-" : texts.joined(separator: ", ")
    }

    private func shown(_ text: String) -> String {
        SafeText(text, charset: style.charset).cut(to: style.columns ?? TableStyle.listLimit).text
    }
}
