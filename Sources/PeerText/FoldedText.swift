// Searches text without regard to case, accents and width.
import CUnistring
import Glibc

/// The words of a search, each folded.
package struct SearchNeedle: Sendable, Equatable {
    /// The words as folded bytes, none of them empty.
    package let words: [[UInt8]]
    /// Whether a word that a text does not contain matches the text's letters in order too.
    package let isLoose: Bool

    /// Splits a search text into words, ignoring control characters, which a paste can contain.
    package init(_ text: String, isLoose: Bool = false) {
        self.isLoose = isLoose
        var bytes: [UInt8] = []
        FoldedText.append(text, to: &bytes)
        bytes.removeAll { $0 < 0x20 }
        words = bytes.split(separator: 0x20).map(Array.init)
    }

    package var isEmpty: Bool { words.isEmpty }

    /// Returns the ranges of folded bytes that match a word, by their start.
    fileprivate func matches(in haystack: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        for word in words {
            var start = 0
            while let hit = Self.first(word, in: haystack, start..<haystack.count) {
                start = hit + word.count
                found.append(hit..<start)
            }
            if isLoose, start == 0 {
                found += Self.letters(of: word, in: haystack, 0..<haystack.count) ?? []
            }
        }
        return words.count > 1 ? found.sorted { $0.lowerBound < $1.lowerBound } : found
    }

    /// The maximum number of word starts at which a match by letters is tried.
    private static let startLimit = 16

    /// Returns the places of a word's letters, in order, in a range of folded bytes: from the start of a
    /// word on, the shortest such match; `nil` for a word of less than three letters.
    ///
    /// - Complexity: O(*b*) for *b* bytes, as 16 starts are tried at most.
    package static func letters(
        of word: [UInt8], in haystack: [UInt8], _ range: Range<Int>
    ) -> [Range<Int>]? {
        let starts = word.indices.filter { word[$0] & 0xC0 != 0x80 }
        guard starts.count >= 3 else { return nil }
        let letters = zip(starts, starts.dropFirst() + [word.count]).map { Array(word[$0..<$1]) }
        var best: [Range<Int>]?
        var (next, tried) = (range.lowerBound, 0)
        while tried < startLimit,
            let start = first(letters[0], in: haystack, next..<range.upperBound)
        {
            next = start + 1
            guard startsWord(start, in: haystack, range) else { continue }
            tried += 1
            var found: [Range<Int>] = []
            for letter in letters {
                let rest = (found.last?.upperBound ?? start)..<range.upperBound
                // Then no later start has a match either.
                guard let hit = first(letter, in: haystack, rest) else { return best }
                found.append(hit..<hit + letter.count)
            }
            if best.map({ span(found) < span($0) }) ?? true { best = found }
        }
        return best
    }

    /// Returns the number of bytes from the first letter of a match to its last.
    package static func span(_ letters: [Range<Int>]) -> Int {
        (letters.last?.upperBound ?? 0) - (letters.first?.lowerBound ?? 0)
    }

    /// Whether a letter or digit at an index follows none in a range of folded bytes.
    package static func startsWord(
        _ index: Int, in haystack: [UInt8], _ range: Range<Int>
    ) -> Bool {
        guard index > range.lowerBound else { return true }
        return switch haystack[index - 1] {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
            false
        default: true
        }
    }

    /// Returns the first occurrence of a word in a range of folded bytes.
    package static func first(
        _ word: [UInt8], in haystack: [UInt8], _ range: Range<Int>
    ) -> Int? {
        unsafe haystack.withUnsafeBytes { hay in
            guard let base = hay.baseAddress else { return nil }
            var index = range.lowerBound
            let end = range.upperBound - word.count + 1
            while index < end,
                let hit = unsafe memchr(base + index, Int32(word[0]), end - index)
            {
                let found = UnsafeRawPointer(hit)
                if unsafe memcmp(found, word, word.count) == 0 { return unsafe found - base }
                index = unsafe found - base + 1
            }
            return nil
        }
    }
}

/// A text folded for searching: without case, accents and width.
///
/// Each character is decomposed (NFKD, UAX #15), stripped of accents and
/// invisible code points, and case folded. Marks that form another letter are
/// kept: the dakuten of が, a virama, a nukta.
package struct FoldedText {
    private let text: String
    private var bytes: [UInt8] = []
    /// The offset in `text.utf8` of each byte's character; empty if the offsets are equal.
    private var origins: [Int] = []

    package init(_ text: String) {
        self.text = text
        if Self.appendASCII(text, to: &bytes) { return }
        var offset = 0
        for character in text {
            for scalar in character.unicodeScalars { Self.append(scalar, to: &bytes) }
            origins += Array(repeating: offset, count: bytes.count - origins.count)
            offset += character.utf8.count
        }
    }

    /// Returns the ranges of the original text that match: whole characters, in order, none overlapping.
    package func ranges(of needle: SearchNeedle) -> [Range<String.Index>] {
        var found: [Range<Int>] = []
        for match in needle.matches(in: bytes) {
            let range = origin(of: match.lowerBound)..<end(of: match.upperBound)
            if let last = found.last, range.lowerBound < last.upperBound {
                found[found.count - 1] = last.lowerBound..<range.upperBound
            } else {
                found.append(range)
            }
        }
        return found.map { range in
            let utf8 = text.utf8
            let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
            return start..<utf8.index(start, offsetBy: range.count)
        }
    }

    private func origin(of offset: Int) -> Int { origins.isEmpty ? offset : origins[offset] }

    /// Returns the end of the character of the byte before an offset, including dropped code points.
    private func end(of offset: Int) -> Int {
        guard !origins.isEmpty else { return offset }
        let last = origins[offset - 1]
        return origins[offset...].first { $0 > last } ?? text.utf8.count
    }
}

extension FoldedText {
    /// Appends folded texts to bytes, each followed by a line feed, until `limit` bytes are exceeded.
    package static func append(_ texts: [String], to bytes: inout [UInt8], limit: Int) {
        let end = bytes.count + limit
        for text in texts where !text.isEmpty && bytes.count < end {
            append(text, to: &bytes)
            bytes.append(UInt8(ascii: "\n"))
        }
    }

    /// Returns a text as folded bytes.
    package static func folded(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return bytes
    }

    static func append(_ text: String, to bytes: inout [UInt8]) {
        if appendASCII(text, to: &bytes) { return }
        for scalar in text.unicodeScalars { append(scalar, to: &bytes) }
    }

    /// Appends a folded ASCII text; returns false for any other text.
    private static func appendASCII(_ text: String, to bytes: inout [UInt8]) -> Bool {
        // Copying at once and folding in place takes a sixth of the time that a lazy map takes.
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        for index in start..<bytes.count {
            guard bytes[index] < 0x80 else {
                bytes.removeSubrange(start...)
                return false
            }
            bytes[index] = lowercased(bytes[index])
        }
        return true
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        0x41...0x5A ~= byte ? byte | 0x20 : byte
    }

    private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        switch scalar.value {
        case ..<0x80: bytes.append(lowercased(UInt8(truncatingIfNeeded: scalar.value)))
        // CJK unified ideographs have no variants to fold.
        case 0x4E00..<0xA000: bytes.append(contentsOf: UTF8.encode(scalar) ?? .init())
        default: appendDecomposed(scalar, to: &bytes)
        }
    }

    /// The maximum length of a folded scalar; U+FDFA, the longest, has 18.
    private static let foldedLimit = 64

    private static func appendDecomposed(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        var input = scalar.value
        unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 2 * foldedLimit) { room in
            guard let parts = room.baseAddress else { return }
            let folded = unsafe parts + foldedLimit
            var count = foldedLimit
            var foldedCount = foldedLimit
            // Both functions return the buffer they were given if the result fits.
            guard unsafe u32_normalize(cunistring_nfkd(), &input, 1, parts, &count) == parts,
                unsafe u32_casefold(parts, count, nil, cunistring_nfkd(), folded, &foldedCount)
                    == folded
            else { return }
            for index in 0..<foldedCount {
                let part = unsafe folded[index]
                guard !isAccent(part), !uc_is_property_default_ignorable_code_point(part),
                    let letter = Unicode.Scalar(part)
                else {
                    continue
                }
                bytes.append(contentsOf: UTF8.encode(letter) ?? .init())
            }
        }
    }

    /// Whether a scalar is an accent, by its combining class (UAX #44): an overlay, or a mark at a letter;
    /// classes 6 to 9 form other letters.
    private static func isAccent(_ scalar: UInt32) -> Bool {
        let combiningClass = uc_combining_class(scalar)
        return combiningClass == 1 || combiningClass >= 10
    }
}

extension Unicode.Scalar {
    /// The characters of the compatibility decomposition (NFKD, UAX #15); none if they are too many.
    var compatibilityDecomposition: [Unicode.Scalar] {
        var input = value
        let limit = 32
        return unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: limit) { parts in
            var count = limit
            // The function returns the buffer it was given if the result fits.
            guard
                unsafe u32_normalize(cunistring_nfkd(), &input, 1, parts.baseAddress, &count)
                    == parts.baseAddress
            else { return [] }
            return unsafe parts[..<count].compactMap { Unicode.Scalar($0) }
        }
    }

    /// Whether it is an accent above or below a letter, by its combining class (UAX #44).
    var isAccent: Bool { uc_combining_class(value) >= 200 }
}
