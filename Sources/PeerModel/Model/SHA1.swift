// The hash function of version-5 UUIDs.

/// SHA-1 (RFC 3174), which name-based UUIDs need.
///
/// It protects nothing here: an identifier is as public as the name of which it is made.
enum SHA1 {
    /// Computes the 20 bytes of a message's digest.
    ///
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    static func digest(of message: [UInt8]) -> [UInt8] {
        var (a, b, c, d, e): State = (
            0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0
        )
        let padded = padded(message)
        var words = [UInt32](repeating: 0, count: 80)
        var start = 0
        while start < padded.count {
            expand(padded, from: start, into: &words)
            let next = processed(words, (a, b, c, d, e))
            (a, b, c, d, e) = (a &+ next.0, b &+ next.1, c &+ next.2, d &+ next.3, e &+ next.4)
            start += 64
        }
        return bytes(a) + bytes(b) + bytes(c) + bytes(d) + bytes(e)
    }

    private typealias State = (UInt32, UInt32, UInt32, UInt32, UInt32)

    /// Returns the message with a bit, zeros to a multiple of 64 bytes, and its length in bits (section 4).
    private static func padded(_ message: [UInt8]) -> [UInt8] {
        let zeros = (119 - message.count % 64) % 64
        let bits = UInt64(message.count) * 8
        return message + [0x80] + [UInt8](repeating: 0, count: zeros)
            + bytes(UInt32(truncatingIfNeeded: bits >> 32))
            + bytes(UInt32(truncatingIfNeeded: bits))
    }

    /// Makes the 80 words of a block of 64 bytes (section 6.1, steps a and b).
    private static func expand(_ bytes: [UInt8], from start: Int, into words: inout [UInt32]) {
        var index = 0
        while index < 16 {
            let first = start + 4 * index
            words[index] =
                UInt32(bytes[first]) << 24 | UInt32(bytes[first + 1]) << 16
                | UInt32(bytes[first + 2]) << 8 | UInt32(bytes[first + 3])
            index += 1
        }
        while index < 80 {
            let word = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
            words[index] = word << 1 | word >> 31
            index += 1
        }
    }

    /// Returns the state after the 80 steps of a block (section 6.1, steps c and d).
    private static func processed(_ words: [UInt32], _ state: State) -> State {
        var (a, b, c, d, e) = state
        var index = 0
        while index < 80 {
            let function: UInt32
            switch index / 20 {
            case 0: function = (b & c | ~b & d) &+ 0x5a82_7999
            case 1: function = (b ^ c ^ d) &+ 0x6ed9_eba1
            case 2: function = (b & c | b & d | c & d) &+ 0x8f1b_bcdc
            default: function = (b ^ c ^ d) &+ 0xca62_c1d6
            }
            let next = (a << 5 | a >> 27) &+ function &+ e &+ words[index]
            (a, b, c, d, e) = (next, a, b << 30 | b >> 2, c, d)
            index += 1
        }
        return (a, b, c, d, e)
    }

    /// Returns the bytes of a word, the most significant first.
    private static func bytes(_ word: UInt32) -> [UInt8] {
        [
            UInt8(word >> 24), UInt8(word >> 16 & 0xff), UInt8(word >> 8 & 0xff),
            UInt8(word & 0xff),
        ]
    }
}
