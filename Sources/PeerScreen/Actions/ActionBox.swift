// Fits actions into a box: as its entries, and a long command as several lines.
import TerminalList

/// A box of actions in a window of a size.
struct ActionBox {
    let size: FrameSize
    let charset: Charset

    /// The number of columns for a label and a detail.
    private var room: Int { size.columns - Choices.margin }

    /// Returns the entries of actions; the detail of a command is cut, so that the command is not.
    func entries(of actions: [RowAction]) -> [Choices.Entry] {
        actions.enumerated().map { index, action in
            var detail = action.detail
            if action.isCommand {
                let rest = max(0, room - width(of: action.label))
                detail = SafeText(detail, charset: charset, upTo: rest).cut(to: rest).text
            }
            return Choices.Entry("\(index)", action.label, detail: detail)
        }
    }

    /// Whether a line of a box has room for an entry.
    func fits(_ entry: Choices.Entry) -> Bool {
        width(of: entry.label) + width(of: entry.detail) <= room
    }

    /// Returns a command in lines of a box; `nil` if the window is too small for all of it.
    func lines(of action: RowAction) -> [Choices.Entry]? {
        let lines = SafeText.lines(
            of: action.label, columns: room, limit: size.rows, charset: charset)
        // The box has borders.
        guard lines.count <= size.rows - 2 else { return nil }
        return lines.enumerated().map { Choices.Entry("\($0)", $1) }
    }

    private func width(of text: String) -> Int {
        SafeText(text, charset: charset, upTo: size.columns).width
    }
}
