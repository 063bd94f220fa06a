// Where each column stands in a window of some width.

/// Where each column stands in a window of some width.
///
/// It follows from the columns and the width alone, never from the rows, so that nothing shifts
/// sideways while rows come and go.
struct ColumnLayout: Equatable {
    /// A column that is shown.
    struct Place: Equatable {
        /// Its number among the columns of the list.
        var index: Int
        /// Where it begins, and how wide it is.
        var start: Int
        var width: Int
    }

    /// Spaces between two columns.
    static let gap = 2

    /// The columns that are shown, from left to right.
    private(set) var places: [Place] = []

    /// Lays columns out between `start` and `end`.
    init(_ columns: [ListColumn], from start: Int, to end: Int) {
        let room = max(0, end - start)
        var shown = Self.fitting(columns, in: room)
        func total(_ width: (ListColumn) -> Int) -> Int {
            shown.reduce(Self.gap * max(0, shown.count - 1)) { $0 + width(columns[$1]) }
        }
        let isTight = total(\.minimum) > room
        var widths = shown.map { isTight ? columns[$0].leastWidth : columns[$0].minimum }
        var rest = room - (isTight ? total(\.leastWidth) : total(\.minimum))
        if rest < 0, let only = shown.last {
            // Not even one column fits at its minimum: what there is goes to the most important.
            shown = [only]
            widths = [room]
            rest = 0
        }
        Self.grow(&widths, to: \.minimum, columns: shown.map { columns[$0] }, rest: &rest)
        Self.grow(&widths, to: \.ideal, columns: shown.map { columns[$0] }, rest: &rest)
        Self.share(&widths, columns: shown.map { columns[$0] }, rest: &rest)
        var position = start
        for (index, width) in zip(shown, widths) {
            places.append(Place(index: index, start: position, width: width))
            position += width + Self.gap
        }
    }

    /// The columns that fit: at their minimum, after those without a least width have been left out
    /// by rank, else at their least width.
    private static func fitting(_ columns: [ListColumn], in room: Int) -> [Int] {
        var shown = Array(columns.indices)
        func fits(_ width: (ListColumn) -> Int) -> Bool {
            shown.reduce(gap * (shown.count - 1)) { $0 + width(columns[$1]) } <= room
        }
        while shown.count > 1, !fits(\.minimum) {
            let spare = shown.filter { columns[$0].least == nil }
            if spare.isEmpty, fits(\.leastWidth) { break }
            // Of equal ranks the rightmost goes.
            let least = (spare.isEmpty ? shown : spare).reversed().min {
                columns[$0].rank < columns[$1].rank
            }
            shown.removeAll { $0 == least }
        }
        return shown
    }

    /// Widens the important columns first.
    private static func grow(
        _ widths: inout [Int], to goal: (ListColumn) -> Int, columns: [ListColumn], rest: inout Int
    ) {
        for index in columns.indices.sorted(by: { columns[$0].rank > columns[$1].rank }) {
            let more = min(rest, max(0, goal(columns[index]) - widths[index]))
            widths[index] += more
            rest -= more
        }
    }

    /// What is left is shared by weight, up to each column's maximum.
    private static func share(_ widths: inout [Int], columns: [ListColumn], rest: inout Int) {
        func wantsMore(_ index: Int) -> Bool {
            columns[index].weight > 0 && widths[index] < columns[index].maximum ?? .max
        }
        while rest > 0 {
            let takers = columns.indices.filter(wantsMore)
            let weights = takers.reduce(0) { $0 + columns[$1].weight }
            guard weights > 0 else { return }
            let whole = rest
            for index in takers {
                let part = max(1, whole * columns[index].weight / weights)
                let limit = (columns[index].maximum ?? .max) - widths[index]
                let more = min(part, limit, rest)
                widths[index] += more
                rest -= more
            }
        }
    }
}

extension ListColumn {
    /// The width below which it is left out in any case.
    fileprivate var leastWidth: Int { least ?? minimum }
}
