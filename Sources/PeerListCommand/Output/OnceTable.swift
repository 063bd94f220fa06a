// The table that `--once` prints.
import PeerList
import PeerRecording
import TerminalList

/// The list as a table.
struct OnceTable {
    /// The filter and the grouping of the list.
    let header: LineHeader
    /// How the table is written.
    let style: TableStyle

    /// Returns the table with its last line feed; an empty list has none.
    func text(_ sections: [ListSection]) -> String {
        let sections = sections.filter { !$0.items.isEmpty }
        let blocks = header.grouping == .device ? devices(sections) : services(sections)
        return blocks.map { $0.map { "\($0)\n" }.joined() }.joined(separator: "\n")
    }

    /// A table for each domain, below the domain unless that is `local` alone.
    private func devices(_ sections: [ListSection]) -> [[String]] {
        sections.map { section in
            var table = TextTable(
                [
                    .text("NAME"), .text("HOST"), .text("ADDRESSES"), .text("SERVICES"),
                    .text("STATE"),
                ], style: style)
            for peer in section.items.map(\.peer) {
                table.add([
                    peer.name, peer.host ?? "-", listed(peer.addresses),
                    peer.services.inShort(style.charset, separator: ", "),
                    state(peer.presence, isSelf: peer.isSelf),
                ])
            }
            let isUsual = sections.count == 1 && section.id == "local"
            return (isUsual ? [] : [shown(section.id)]) + table.lines
        }
    }

    /// A table for each service type, below the type.
    private func services(_ sections: [ListSection]) -> [[String]] {
        sections.map { section in
            var table = TextTable(
                [
                    .text("SERVICE"), .text("HOST"), .number("PORT"), .text("ADDRESSES"),
                    .text("STATE"),
                ], indent: "  ", style: style)
            for item in section.items {
                table.add([
                    item.name, item.peer.host ?? "-",
                    item.service?.port.map { "\($0)" } ?? "-", listed(item.peer.addresses),
                    state(item.peer.presence, isSelf: item.peer.isSelf),
                ])
            }
            let title = KnownServiceType.of(section.id).map { "  \($0.title)" } ?? ""
            return [shown(section.id + title)] + table.lines
        }
    }

    private func state(_ presence: Presence, isSelf: Bool) -> String {
        isSelf ? "\(presence.rawValue), self" : presence.rawValue
    }

    private func listed(_ texts: [String]) -> String {
        texts.isEmpty ? "-" : texts.joined(separator: ", ")
    }

    private func shown(_ text: String) -> String {
        let safe = SafeText(text, charset: style.charset)
        return (style.columns.map { safe.cut(to: $0) } ?? safe).text
    }
}
