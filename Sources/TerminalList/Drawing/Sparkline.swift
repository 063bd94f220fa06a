// Draws counts as a row of small bars.

/// A row of small bars, one for each count: `▁▂ ▅█▁`.
///
/// The height of a bar is proportional to the number of binary digits of its count, so that a
/// burst of a thousand does not flatten single events. A count of zero is a space.
public enum Sparkline {
    /// Returns a bar, one column wide, for each count; `greatest` is the count of a full bar, by
    /// default the greatest of `counts`. Where the font may lack bars, the heights are shown as `.:-=+*%#`.
    public static func bars(
        _ counts: [Int], of greatest: Int? = nil, charset: Charset
    ) -> [String] {
        let levels = Array(charset == .unicode ? "▁▂▃▄▅▆▇█" : ".:-=+*%#").map(String.init)
        let digits = digits(of: greatest ?? counts.max() ?? 0)
        return counts.map { count in
            guard count > 0, digits > 0 else { return " " }
            let level = self.digits(of: count) * levels.count / digits - 1
            return levels[max(0, min(levels.count - 1, level))]
        }
    }

    /// Returns the bars of ``bars(_:of:charset:)`` as one text.
    public static func text(
        _ counts: [Int], of greatest: Int? = nil, charset: Charset
    ) -> String {
        bars(counts, of: greatest, charset: charset).joined()
    }

    private static func digits(of count: Int) -> Int {
        count > 0 ? Int.bitWidth - count.leadingZeroBitCount : 0
    }
}
