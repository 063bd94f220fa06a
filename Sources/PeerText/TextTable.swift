// Tables of text: aligned columns, and the tables that `--once` prints.
package import PeerList
package import PeerRecording
package import TerminalList

/// The form of tables with aligned columns.
package struct TableStyle: Sendable {
    var charset: Charset
    /// The width of the terminal; `nil` if the output is not a terminal.
    var columns: Int?
    var hasHeading = true

    package init(charset: Charset, columns: Int? = nil, hasHeading: Bool = true) {
        (self.charset, self.columns, self.hasHeading) = (charset, columns, hasHeading)
    }

    private static let gap = "  "
    /// The maximum width of a cell if the output is not a terminal, so that a single hostile name does not
    /// widen all lines: more than a host name in `local` takes, whose first label has at most 63 bytes.
    static let cellLimit = 72
    /// The maximum width then of a cell that is a list: four addresses of any length fit.
    static let listLimit = 160

    /// Returns the lines of a table without line feeds; the cells are made safe to show, and those
    /// of the columns of `numbers` are aligned to the right. On a narrow terminal, the columns of
    /// `narrow` are narrowed first, down to their widths there. The columns of `lists` have several values.
    package func table(
        _ titles: [String], numbers: Set<Int> = [], lists: Set<Int> = [],
        narrow: [Int: Int] = [:], indent: String = "", _ rows: [[String]]
    ) -> [String] {
        let rows = ((hasHeading ? [titles] : []) + rows).map { row in
            row.map { SafeText($0, charset: charset) }
        }
        let widths = widths(
            of: rows, columns: titles.count, lists: lists, narrow: narrow, indent: indent.count)
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                let alignment = numbers.contains(column) ? TextAlignment.trailing : .leading
                return cell.fitted(to: widths[column], alignment: alignment).text
            }
            let line = indent + cells.joined(separator: Self.gap)
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// Returns the width of each column; the widest ones are narrowed to fit the terminal, or to the limits.
    private func widths(
        of rows: [[SafeText]], columns count: Int, lists: Set<Int>, narrow: [Int: Int], indent: Int
    ) -> [Int] {
        var widths = (0..<count).map { column in rows.map { $0[column].width }.max() ?? 0 }
        guard let limit = columns.map({ $0 - indent - Self.gap.count * (count - 1) }) else {
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
        // Only the devices of a fleet have observers.
        let isFleet = items.contains { !$0.peer.views.isEmpty }
        return style.table(
            ["NAME", "KIND", "ADDRESSES", "SERVICES", "HOST", "STATE"]
                + (isFleet ? ["SEEN BY"] : []),
            lists: [2, 3, 6], narrow: [2: 15, 3: 8, 4: 6],
            items.map(\.peer).map { peer in
                let observers = peer.views.filter { $0.presence == .present }.map(\.name.title)
                return [
                    peer.displayName, peer.deviceText.isEmpty ? "-" : peer.deviceText,
                    joined(peer.addresses),
                    peer.services.typeSummary(style.charset, separator: ", "), peer.host ?? "-",
                    state(peer),
                ] + (isFleet ? [observers.isEmpty ? "-" : joined(observers)] : [])
            })
    }

    private func services(_ items: [ListItem]) -> [String] {
        style.table(
            ["SERVICE", "HOST", "PORT", "ADDRESSES", "STATE"], numbers: [2], lists: [3],
            indent: "  ",
            items.map { item in
                [
                    item.name, item.peer.host ?? "-", item.service?.port.map { "\($0)" } ?? "-",
                    joined(item.peer.addresses), state(item.peer),
                ]
            })
    }

    private func state(_ peer: Peer) -> String {
        peer.presence.rawValue + (peer.isSelf ? ", self" : "")
    }

    private func joined(_ texts: [String]) -> String {
        texts.isEmpty ? "-" : texts.joined(separator: ", ")
    }

    private func shown(_ text: String) -> String {
        SafeText(text, charset: style.charset).cut(to: style.columns ?? TableStyle.listLimit).text
    }
}
