// A line of the details of a row.
import TerminalList

/// A line of the details: texts as raw as they came, and an identifier that stays while the text changes.
struct DetailLine: Equatable, Sendable {
    /// What the line is about: `presence`, `service/…/txt/path`.
    let id: String
    /// The texts, one behind the other.
    let fields: [ListCell.Field]

    /// A line of these texts.
    init(_ id: String, _ fields: [ListCell.Field]) {
        self.id = id
        self.fields = fields
    }

    /// What stands above a group of lines.
    static func heading(_ id: String, _ text: String) -> DetailLine {
        DetailLine(id, [.init(text, style: Style(.bold, tone: .accent))])
    }

    /// A line that is empty.
    static func space(_ id: String) -> DetailLine { DetailLine(id, []) }

    /// A name and what there is to say under it.
    static func entry(
        _ id: String, _ name: String, _ text: String, tone: Style.Tone = .plain, note: String? = nil
    ) -> DetailLine {
        let padding = String(repeating: " ", count: max(1, 12 - name.count))
        let remark = note.map {
            [ListCell.Field("  \($0)", style: Style(tone: .muted))]
        }
        return DetailLine(
            id,
            [
                .init("  \(name)\(padding)", style: Style(tone: .muted)),
                .init(text, style: Style(tone: tone)),
            ] + (remark ?? []))
    }
}
