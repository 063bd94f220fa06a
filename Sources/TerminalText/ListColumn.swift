// The columns of a list or a table, and how they share its width.

/// A column of a list.
public struct ListColumn: Hashable, Sendable {
    /// The title above the column.
    public var title: String
    /// The title if the column is too narrow for ``title`` and has fewer than four characters; `nil` to
    /// cut ``title``, as in a wider column.
    public var shortTitle: String?
    /// The minimum width at which a title is cut, not replaced by a short title.
    package static let leastTitle = 4
    /// The width below which a column is dropped: this column, or a column of lower rank.
    public var minimum: Int
    /// The width that suffices for most texts, which each column gets before one gets its ``ideal``;
    /// `nil` if it is the ideal.
    public var usual: Int?
    /// The width that each column gets before an optional column is shown.
    public var ideal: Int
    /// The width beyond which more is of no use; `nil` if it is ``ideal``. Columns with `.max` share the space that
    /// the others leave.
    public var maximum: Int?
    /// The importance: the column of lowest rank is dropped first, the column of highest rank grows
    /// first.
    public var rank: Int
    /// Whether the column is shown only if all other columns, except optional columns of lower
    /// rank, have their ideal widths.
    public var isOptional: Bool
    /// Whether the column is not shown.
    public var isHidden = false
    /// The alignment of the texts.
    public var alignment: TextAlignment

    /// Creates a column.
    public init(
        _ title: String, minimum: Int, usual: Int? = nil, ideal: Int, maximum: Int? = nil,
        rank: Int = 0, isOptional: Bool = false, alignment: TextAlignment = .leading
    ) {
        self.title = title
        self.minimum = minimum
        self.usual = usual
        self.ideal = ideal
        self.maximum = maximum
        self.rank = rank
        self.isOptional = isOptional
        self.alignment = alignment
    }
}

/// The positions of the columns. They depend only on the columns and the width, never on the rows,
/// so that nothing moves sideways when rows change.
package struct ColumnLayout {
    /// A visible column, by its index in the list's columns.
    package typealias Slot = (index: Int, start: Int, width: Int)

    /// The number of spaces between two columns.
    package static let gap = 2

    /// The visible columns, from left to right.
    package private(set) var slots: [Slot] = []

    /// Lays columns out between `start` and `end`.
    package init(_ columns: [ListColumn], from start: Int, to end: Int) {
        let room = max(0, end - start)
        let ranked = columns.indices.filter { !columns[$0].isHidden }.sorted {
            (columns[$0].rank, $1) > (columns[$1].rank, $0)
        }
        let needed = ranked.filter { !columns[$0].isOptional }
        let fixed = Self.fitting(needed, columns, in: room)
        var widths = Dictionary(uniqueKeysWithValues: fixed.map { ($0, columns[$0].minimum) })
        var rest = room - widths.values.reduce(Self.gap * (widths.count - 1), +)
        // A single column may be narrower than its minimum.
        if rest < 0, let only = fixed.first { (widths[only], rest) = (room, 0) }
        func grow(_ order: [Int], to goal: (ListColumn) -> Int) {
            for index in order {
                guard let width = widths[index] else { continue }
                let more = min(rest, max(0, goal(columns[index]) - width))
                widths[index] = width + more
                rest -= more
            }
        }
        grow(ranked) { min($0.usual ?? $0.ideal, $0.ideal) }
        grow(ranked, to: \.ideal)
        for index in ranked where columns[index].isOptional && fixed.count == needed.count {
            let ideal = columns[index].ideal
            guard rest >= ideal + Self.gap else { break }
            widths[index] = ideal
            rest -= ideal + Self.gap
        }
        // The column that lacks least comes first, so that a single long text takes no space from others.
        func greatest(_ column: ListColumn) -> Int {
            column.maximum.map { $0 == .max ? 0 : $0 } ?? column.ideal
        }
        let lacking = ranked.enumerated().map { place, index in
            (width: greatest(columns[index]) - (widths[index] ?? 0), place: place, index: index)
        }.sorted { ($0.width, $0.place) < ($1.width, $1.place) }
        grow(lacking.map(\.index), to: greatest)
        // Columns for texts of any length share the rest.
        let open = ranked.filter { widths[$0] != nil && columns[$0].maximum == .max }
        for (number, index) in open.enumerated() {
            let share = rest / (open.count - number)
            widths[index, default: 0] += share
            rest -= share
        }
        var position = start
        for (index, width) in widths.sorted(by: { $0.key < $1.key }) {
            slots.append((index, position, width))
            position += width + Self.gap
        }
    }

    /// Returns the visible column at a column of the screen.
    package func slot(at column: Int) -> Slot? {
        slots.first { ($0.start..<$0.start + $0.width).contains(column) }
    }

    /// Drops columns, the lowest rank first and the rightmost of equal ranks, until the minimum widths
    /// of the rest fit.
    private static func fitting(
        _ ranked: [Int], _ columns: [ListColumn], in room: Int
    ) -> [Int] {
        var shown = ranked
        while shown.count > 1,
            shown.reduce(gap * (shown.count - 1), { $0 + columns[$1].minimum }) > room
        {
            shown.removeLast()
        }
        return shown
    }
}
