// Text without case, accents and spelling variants, as it is searched, and the way back to the original.
import CUnistring
import Glibc

/// A text as it is searched: without regard to case, accents and width.
///
/// Each character is decomposed (NFKD, UAX #15), loses its accents and what
/// shows nothing, and is case folded. Marks that make another letter rather
/// than an accent stay: the dakuten of が, a virama, a nukta.
///
/// ```swift
/// let text = "Zoë’s Büro"
/// FoldedText(text).ranges(of: SearchNeedle("BUR")).map { text[$0] }  // ["Bür"]
/// ```
struct FoldedText {
    private let text: String
    private var bytes: [UInt8] = []
    /// For each byte the place in `text.utf8` of the character that it is from; empty where they are equal.
    private var origins: [Int] = []

    /// Folds a text.
    ///
    /// - Complexity: O(*n*).
    init(_ text: String) {
        self.text = text
        if Self.appendASCII(text, to: &bytes) { return }
        var place = 0
        for character in text {
            for scalar in character.unicodeScalars { Self.append(scalar, to: &bytes) }
            origins += Array(repeating: place, count: bytes.count - origins.count)
            place += character.utf8.count
        }
    }

    /// Where a needle is found, in the original text: whole characters, in order, none overlapping.
    ///
    /// - Complexity: O(*n*), where *n* is the length of the text.
    func ranges(of needle: SearchNeedle) -> [Range<String.Index>] {
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

    private func origin(of place: Int) -> Int { origins.isEmpty ? place : origins[place] }

    /// The end of the character that the byte before a place is from, with all that was dropped behind it.
    private func end(of place: Int) -> Int {
        guard !origins.isEmpty else { return place }
        let last = origins[place - 1]
        return origins[place...].first { $0 > last } ?? text.utf8.count
    }
}

extension FoldedText {
    /// Appends a text, folded, to the bytes that are searched.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        if appendASCII(text, to: &bytes) { return }
        for scalar in text.unicodeScalars { append(scalar, to: &bytes) }
    }

    /// Takes the short way with a text that is ASCII, which most are; false when it is not.
    private static func appendASCII(_ text: String, to bytes: inout [UInt8]) -> Bool {
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        for place in start..<bytes.count {
            guard bytes[place] < 0x80 else {
                bytes.removeSubrange(start...)
                return false
            }
            bytes[place] = lowercased(bytes[place])
        }
        return true
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        0x41...0x5A ~= byte ? byte | 0x20 : byte
    }

    private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        switch scalar.value {
        case ..<0x80: bytes.append(lowercased(UInt8(truncatingIfNeeded: scalar.value)))
        // CJK unified ideographs are what they are.
        case 0x4E00..<0xA000: bytes.append(contentsOf: UTF8.encode(scalar) ?? .init())
        default: appendDecomposed(scalar, to: &bytes)
        }
    }

    /// More than any single character becomes; U+FDFA, the longest, becomes 18.
    private static let most = 64

    private static func appendDecomposed(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        var input = scalar.value
        unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 2 * most) { room in
            guard let parts = room.baseAddress else { return }
            let folded = unsafe parts + most
            var count = most
            var foldedCount = most
            // The results stand in the room that is given, as they fit into it.
            guard unsafe u32_normalize(cunistring_nfkd(), &input, 1, parts, &count) == parts,
                unsafe u32_casefold(parts, count, nil, cunistring_nfkd(), folded, &foldedCount)
                    == folded
            else { return }
            for place in 0..<foldedCount {
                let part = unsafe folded[place]
                guard !isAccent(part), !isInvisible(part), let letter = Unicode.Scalar(part) else {
                    continue
                }
                bytes.append(contentsOf: UTF8.encode(letter) ?? .init())
            }
        }
    }

    /// Whether it is an accent: an overlay, or a point or stroke at a letter, by its combining class
    /// (UAX #44); the classes 6 to 9 make other letters.
    private static func isAccent(_ scalar: UInt32) -> Bool {
        let place = uc_combining_class(scalar)
        return place == 1 || place >= 10
    }

    private static func isInvisible(_ scalar: UInt32) -> Bool {
        uc_is_property_default_ignorable_code_point(scalar)
    }
}
