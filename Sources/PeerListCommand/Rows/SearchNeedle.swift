// The words of a search, and where they are found in folded bytes.
import Glibc

/// The words of a search, each folded.
struct SearchNeedle: Sendable, Equatable {
    /// The words as folded bytes, none of them empty.
    let words: [[UInt8]]

    /// The words of a text that a user has typed; control characters in it, as a paste may bring,
    /// are ignored.
    init(_ text: String) {
        var bytes: [UInt8] = []
        FoldedText.append(text, to: &bytes)
        bytes.removeAll { $0 < 0x20 }
        words = bytes.split(separator: 0x20).map(Array.init)
    }

    /// Whether there is nothing to search for.
    var isEmpty: Bool { words.isEmpty }

    /// Whether folded bytes contain every word.
    ///
    /// - Complexity: O(*n*) for each word, where *n* is the number of bytes.
    func isFound(in haystack: [UInt8]) -> Bool {
        words.allSatisfy { Self.first($0, in: haystack, from: 0) != nil }
    }

    /// The ranges of folded bytes that are one of the words, by their start.
    func matches(in haystack: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        for word in words {
            var start = 0
            while let place = Self.first(word, in: haystack, from: start) {
                start = place + word.count
                found.append(place..<start)
            }
        }
        return words.count > 1 ? found.sorted { $0.lowerBound < $1.lowerBound } : found
    }

    /// The first occurrence of a word in folded bytes at an index or after it.
    static func first(_ word: [UInt8], in haystack: [UInt8], from start: Int) -> Int? {
        guard let initial = word.first else { return nil }
        return unsafe haystack.withUnsafeBytes { hay in
            guard let base = hay.baseAddress else { return nil }
            var place = start
            let end = hay.count - word.count + 1
            while place < end,
                let hit = unsafe memchr(base + place, Int32(initial), end - place)
            {
                let found = UnsafeRawPointer(hit)
                if unsafe memcmp(found, word, word.count) == 0 { return unsafe found - base }
                place = unsafe found - base + 1
            }
            return nil
        }
    }
}
