// Writes HTML text: escaping, sections and tables.
import PeerText

/// The parts of an HTML page.
package enum HTML {
    /// Returns text as HTML that shows it, in an element or between quotation marks.
    static func escaped(_ text: String) -> String {
        var html = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": html += "&amp;"
            case "<": html += "&lt;"
            case ">": html += "&gt;"
            case "\"": html += "&quot;"
            case "'": html += "&#39;"
            default: html.unicodeScalars.append(scalar)
            }
        }
        return html
    }

    /// Returns text of others, isolated so that its writing direction does not affect the text around it.
    static func shown(_ text: String) -> String { "<bdi>\(escaped(text))</bdi>" }

    /// Returns texts of others separated by commas, or a dash.
    static func shown(_ texts: [String]) -> String {
        texts.isEmpty ? "–" : texts.map { shown($0) }.joined(separator: ", ")
    }

    /// Returns a cell that is sorted by a number.
    static func cell(_ value: some BinaryInteger, _ text: String) -> String {
        "<data value=\"\(value)\">\(text)</data>"
    }

    static func section(
        _ id: String, _ title: String, remarks: [String] = [], _ content: String
    ) -> String {
        let remarks = remarks.map { "<p class=\"remark\">\($0)</p>\n" }.joined()
        return """
            <section aria-labelledby="\(id)">
            <h2 id="\(id)">\(title)</h2>
            \(remarks)\(content)
            </section>

            """
    }
}

/// A table whose first column names the rows.
struct HTMLTable {
    struct Row {
        /// The number of the device in the report, by which the filter finds the row.
        var device: Int?
        let cells: [String]
    }

    /// The class of the table.
    var name = "sortable"
    /// The identifier of the heading above it.
    let heading: String
    let columns: [String]
    /// The columns with numbers, which are aligned at their ends.
    var numbers: Set<Int> = []
    let rows: [Row]

    /// The table, which scrolls sideways where it has no room.
    var text: String {
        let heads = columns.enumerated().map { index, title in
            "<th scope=\"col\"\(style(index))>\(title)</th>"
        }.joined()
        return """
            <div class="scroll" tabindex="0" role="group" aria-labelledby="\(heading)">\
            <table class="\(name)">
            <thead>
            <tr>\(heads)</tr>
            </thead>
            <tbody>
            \(rows.map(text).joined())</tbody>
            </table></div>
            """
    }

    private func text(_ row: Row) -> String {
        let cells = row.cells.enumerated().map { index, cell in
            index == 0
                ? "<th scope=\"row\">\(cell)</th>" : "<td\(style(index))>\(cell)</td>"
        }.joined()
        let device = row.device.map { " data-device=\"\($0)\"" } ?? ""
        return "<tr\(device)>\(cells)</tr>\n"
    }

    private func style(_ column: Int) -> String {
        numbers.contains(column) ? " class=\"number\"" : ""
    }
}
