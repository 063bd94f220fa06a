// The list as the table of `--once`, with the columns of the live list.
import PeerHappenings
package import PeerModel
package import PeerRecording
package import PeerText
import TerminalList

/// The list as a table, in which nothing changes: without the signs of order and disclosure, and without the last
/// hour.
package struct ListTable {
    private let header: LineHeader
    private let style: TableStyle

    package init(header: LineHeader, style: TableStyle) {
        (self.header, self.style) = (header, style)
    }

    /// Returns the tables of the sections; an empty list has no text.
    package func text(
        _ sections: [ListSection], observers: [ObserverName: Bool] = [:]
    ) -> String {
        let sections = sections.filter { !$0.items.isEmpty }
        let content = content(of: sections, observers)
        var columns = content.rowColumns.filter { $0.name != "last-hour" }
        let longestViews = sections.lazy.flatMap(\.items).map { item in
            SafeText.width(of: seers(of: item.peer), charset: style.charset)
        }.max()
        for index in columns.indices {
            let column = columns[index]
            columns[index].layout.title = title(of: column)
            switch column.name {
            case "seen-by":
                columns[index].layout.maximum = max(column.layout.minimum, longestViews ?? 0)
                columns[index].layout.alignment = .leading
            case "since":
                columns[index].layout.isOptional = false
                columns[index].layout.rank = RowColumn.sortedRank
                columns[index].layout.minimum = column.layout.ideal
            default: break
            }
        }
        return sections.map { section in
            heading(of: section, isOnly: sections.count == 1)
                + style.lines(
                    columns.map(\.layout), lists: lists(in: columns),
                    indent: header.grouping == .type ? "  " : "",
                    section.items.lazy.map { row(of: $0, content, columns) })
        }.joined(separator: "\n")
    }

    private func content(
        of sections: [ListSection], _ observers: [ObserverName: Bool]
    ) -> RowContent {
        let content = RowContent(charset: style.charset, signs: .none)
        content.isTable = true
        content.isFleet = header.isFleet
        content.choices.grouping = header.grouping
        // What is there was found at the start, and its time says nothing.
        content.history.fill = .running
        content.setObservers(observers)
        content.apply(
            ItemChanges(from: [], { _ in nil }, to: sections, replaced: [:], at: .now()),
            isSeek: false)
        content.refresh()
        return content
    }

    private func title(of column: RowColumn) -> String {
        column.name == "since" ? "STATE" : column.layout.title.uppercased()
    }

    /// Returns the columns with several values in a field.
    private func lists(in columns: [RowColumn]) -> Set<Int> {
        let names = ["addresses", "services", "seen-by"]
        return Set(columns.indices.filter { names.contains(columns[$0].name) })
    }

    /// Returns the domain above its devices, unless that is only `local`, or the service type.
    private func heading(of section: ListSection, isOnly: Bool) -> String {
        if header.grouping == .device, isOnly, section.id == "local" { return "" }
        let title = KnownServiceType.of(section.id).map { "  \($0.title)" } ?? ""
        let text = header.grouping == .device ? section.id : section.id + title
        return SafeText(text, charset: style.charset)
            .cut(to: style.columns ?? TableStyle.listLimit).text + "\n"
    }

    private func row(
        of item: ListItem, _ content: RowContent, _ columns: [RowColumn]
    ) -> [TableText] {
        let cells = content.cells(of: item.isService ? .listing(item.id) : .device(item.id))
        return columns.map { column in
            let field = cells?[keyPath: column.field] ?? ""
            if column.name == "seen-by" {
                return TableText(filled(seers(of: item.peer)), short: [field.text])
            }
            return TableText(
                filled(field.text),
                short: field.shortTexts + [field.placeholder].compactMap(\.self))
        }
    }

    /// Returns a text that takes a column for programs that split the lines.
    private func filled(_ text: String) -> String {
        text.isEmpty && style.columns == nil ? "-" : text
    }

    private func seers(of peer: Peer) -> String {
        peer.views.filter { $0.presence == .present }.map(\.name.title).joined(separator: ", ")
    }
}
