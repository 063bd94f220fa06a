// Counts as a line of small bars.

/// Counts as a line of small bars: `▁▂ ▅█▁`.
///
/// A bar is as high as its count has binary digits, beside the greatest count: so a burst of a
/// thousand does not flatten the single ones around it. Nothing at all is a space.
public enum Sparkline {
    /// A bar for each count.
    ///
    /// - Parameters:
    ///   - counts: The counts; less than nothing is nothing.
    ///   - greatest: The count of a full bar; `nil` for the greatest of `counts`.
    ///   - charset: Where it is ASCII, `.:-=+*%#` stand for the heights.
    /// - Returns: One column for each count.
    public static func bars(
        _ counts: [Int], of greatest: Int? = nil, charset: Charset
    ) -> [String] {
        let greatest = greatest ?? counts.max() ?? 0
        return counts.map { bar($0, of: greatest, charset) }
    }

    /// The bars of ``bars(_:of:charset:)`` in one text.
    public static func text(
        _ counts: [Int], of greatest: Int? = nil, charset: Charset
    ) -> String {
        bars(counts, of: greatest, charset: charset).joined()
    }

    private static func bar(_ count: Int, of greatest: Int, _ charset: Charset) -> String {
        let bars =
            charset == .unicode
            ? ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] : [".", ":", "-", "=", "+", "*", "%", "#"]
        guard count > 0, greatest > 0 else { return " " }
        let (digits, most) = (digits(of: count), digits(of: greatest))
        return bars[max(0, min(bars.count - 1, digits * bars.count / most - 1))]
    }

    private static func digits(of count: Int) -> Int { Int.bitWidth - count.leadingZeroBitCount }
}
