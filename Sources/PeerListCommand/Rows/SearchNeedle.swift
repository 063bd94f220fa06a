// What is searched for, and where it is found in folded bytes.
import Glibc

/// What is searched for.
struct SearchNeedle: Sendable, Equatable {
    private let bytes: [UInt8]

    /// What a user has typed; control characters in it, as a paste may bring, are passed over.
    init(_ text: String) {
        var bytes: [UInt8] = []
        FoldedText.append(text, to: &bytes)
        bytes.removeAll { $0 < 0x20 }
        self.bytes = bytes
    }

    /// Whether nothing is searched for.
    var isEmpty: Bool { bytes.isEmpty }

    /// Whether it is found in folded bytes; nothing is found everywhere.
    ///
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    func isFound(in haystack: [UInt8]) -> Bool { first(in: haystack, from: 0) != nil }

    /// Where it is found in folded bytes, one behind the other; nothing is found nowhere.
    func matches(in haystack: [UInt8]) -> [Range<Int>] {
        guard !isEmpty else { return [] }
        var found: [Range<Int>] = []
        while let place = first(in: haystack, from: found.last?.upperBound ?? 0) {
            found.append(place..<place + bytes.count)
        }
        return found
    }

    /// Where it is found first behind a place in folded bytes; nothing is found right there.
    func first(in haystack: [UInt8], from start: Int) -> Int? {
        guard let initial = bytes.first else { return start }
        return unsafe haystack.withUnsafeBytes { hay in
            guard let base = hay.baseAddress else { return nil }
            var place = start
            // Behind this there is no room for it.
            let end = hay.count - bytes.count + 1
            while place < end,
                let hit = unsafe memchr(base + place, Int32(initial), end - place)
            {
                let found = UnsafeRawPointer(hit)
                if unsafe memcmp(found, bytes, bytes.count) == 0 { return unsafe found - base }
                place = unsafe found - base + 1
            }
            return nil
        }
    }
}
