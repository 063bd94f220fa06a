// The parts of a line in a file of the user, without comments and without spaces around them.

extension String {
    /// The text before a `#` at the beginning of the line or after a space.
    package var withoutComment: Substring {
        var isAfterSpace = true
        for index in indices {
            if self[index] == "#", isAfterSpace { return self[..<index] }
            isAfterSpace = self[index].isWhitespace
        }
        return self[...]
    }
}

/// Returns the lines of a text in UTF-8, without the byte order mark with which some editors begin a file.
package func lines(of text: [UInt8]) -> [ArraySlice<UInt8>] {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    return text.dropFirst(text.starts(with: mark) ? mark.count : 0)
        .split(separator: 0x0A, omittingEmptySubsequences: false)
}

extension Substring {
    /// The text without spaces around it.
    package var trimmed: Substring {
        let start = drop(while: \.isWhitespace)
        return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? start
    }

    /// The trimmed parts of a list with commas, at least one.
    package var parts: [Substring] {
        split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
    }
}
