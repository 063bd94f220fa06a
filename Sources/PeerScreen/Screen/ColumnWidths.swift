// Measures the texts of all rows, so that each column has the width that they need.
import FoundationEssentials
import PeerText
import TerminalList

/// The widths of the texts of a list, by column.
///
/// Only the rows of devices that change are measured. A width that a column has got is kept when its
/// texts become shorter, so that nothing moves sideways when devices come and go. Texts that are provisional
/// keep no width.
struct ColumnWidths {
    /// The widths for the texts of a column, and for the short texts of a narrow column.
    struct Need: Equatable {
        /// The width that suffices for nine texts in ten; 0 if all are empty.
        var usual = 0
        var usualShort = 0
        var longest = 0

        /// Returns the widths that suffice for this need and another.
        func combined(with other: Need) -> Need {
            Need(
                usual: max(usual, other.usual), usualShort: max(usualShort, other.usualShort),
                longest: max(longest, other.longest))
        }
    }

    /// The widths of some texts, as the number of texts of each width.
    private struct Histogram {
        /// The width above which texts count as equal, and which no column needs.
        static let limit = TableStyle.listLimit

        private var counts = [Int](repeating: 0, count: limit + 1)
        private var count = 0

        mutating func add(_ width: UInt8, _ number: Int) {
            guard width > 0 else { return }
            counts[Int(width)] += number
            count += number
        }

        /// The width that suffices for most texts that are not empty, and that for all of them.
        var usual: Int { width(for: ListColumn.usualCount(of: count)) }
        var longest: Int { counts.lastIndex { $0 > 0 } ?? 0 }

        /// Returns the width that suffices for a number of texts.
        private func width(for wanted: Int) -> Int {
            var found = 0
            guard wanted > 0 else { return 0 }
            return counts.indices.first { width in
                found += counts[width]
                return found >= wanted
            } ?? 0
        }
    }

    /// The widths of the full and the short texts of a column.
    private struct Column {
        var full = Histogram()
        var short = Histogram()

        var need: Need {
            Need(usual: full.usual, usualShort: short.usual, longest: full.longest)
        }
    }

    /// The widths of all texts of each column, and of its lasting texts.
    private var all, lasting: [Column]
    /// The widths of the texts of each device, row by row, of each column the full and the short text.
    private var widths: [UUID: (texts: [UInt8], isLasting: Bool)] = [:]
    /// The widths that the columns need, or have needed.
    private(set) var needs: [Need]
    /// The part of ``needs`` that lasts.
    private var kept: [Need]

    init(columnCount: Int) {
        all = Array(repeating: Column(), count: columnCount)
        lasting = all
        needs = Array(repeating: Need(), count: columnCount)
        kept = needs
    }

    /// Replaces the rows of a device.
    ///
    /// - Complexity: O(*m*) for the texts of *m* rows.
    mutating func set(
        _ device: UUID, to rows: [[ListCell.Field]], _ charset: Charset, isProvisional: Bool = false
    ) {
        let new = rows.joined().flatMap { field -> [UInt8] in
            let full = Self.width(of: field.text, charset)
            return [full, field.shortText.map { min(full, Self.width(of: $0, charset)) } ?? full]
        }
        let old = widths[device]
        guard (old?.texts ?? []) != new || old?.isLasting == isProvisional else { return }
        widths[device] = new.isEmpty ? nil : (new, !isProvisional)
        if let old { count(old.texts, -1, isLasting: old.isLasting) }
        count(new, 1, isLasting: !isProvisional)
    }

    private static func width(of text: String, _ charset: Charset) -> UInt8 {
        UInt8(
            min(SafeText.width(of: text, charset: charset, upTo: Histogram.limit), Histogram.limit))
    }

    private mutating func count(_ widths: [UInt8], _ number: Int, isLasting: Bool) {
        for (index, width) in widths.enumerated() {
            let column = index / 2 % all.count
            let path = index % 2 == 0 ? \Column.full : \Column.short
            all[column][keyPath: path].add(width, number)
            if isLasting { lasting[column][keyPath: path].add(width, number) }
        }
    }

    /// Updates ``needs``; if they may not shrink, they remain at least what lasting texts have needed.
    ///
    /// - Complexity: O(1), whatever the number of rows.
    mutating func update(mayShrink: Bool) {
        let now = lasting.map(\.need)
        kept = mayShrink ? now : zip(kept, now).map { $0.combined(with: $1) }
        needs = zip(all, kept).map { $0.need.combined(with: $1) }
    }
}
