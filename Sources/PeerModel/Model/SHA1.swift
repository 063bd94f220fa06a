// The hash function of version-5 UUIDs.

/// SHA-1 (RFC 3174), which name-based UUIDs need.
///
/// It protects nothing here: an identifier is as public as the name of which it is made.
enum SHA1 {
    /// Computes the 20 bytes of a message's digest.
    ///
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    static func digest(of message: [UInt8]) -> [UInt8] {
        var hash: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
        let padded = padded(message)
        for start in stride(from: 0, to: padded.count, by: 64) {
            add(padded[start..<start + 64], to: &hash)
        }
        return hash.flatMap(bytes)
    }

    /// Returns the message with a bit, zeros to a multiple of 64 bytes, and its length in bits (section 4).
    private static func padded(_ message: [UInt8]) -> [UInt8] {
        let zeros = (119 - message.count % 64) % 64
        return message + [0x80] + [UInt8](repeating: 0, count: zeros)
            + bytes(UInt64(message.count) * 8)
    }

    /// Adds a block of 64 bytes to the hash (section 6.1).
    private static func add(_ block: ArraySlice<UInt8>, to hash: inout [UInt32]) {
        var words = [UInt32](repeating: 0, count: 80)
        for (index, byte) in block.enumerated() {
            words[index / 4] = words[index / 4] << 8 | UInt32(byte)
        }
        for index in 16..<80 {
            let word = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
            words[index] = rotated(word, by: 1)
        }
        var (a, b, c, d, e) = (hash[0], hash[1], hash[2], hash[3], hash[4])
        for (index, word) in words.enumerated() {
            let (function, constant): (UInt32, UInt32) =
                switch index {
                case ..<20: (b & c | ~b & d, 0x5a82_7999)
                case ..<40: (b ^ c ^ d, 0x6ed9_eba1)
                case ..<60: (b & c | b & d | c & d, 0x8f1b_bcdc)
                default: (b ^ c ^ d, 0xca62_c1d6)
                }
            let next = rotated(a, by: 5) &+ function &+ e &+ word &+ constant
            (a, b, c, d, e) = (next, a, rotated(b, by: 30), c, d)
        }
        for (index, part) in [a, b, c, d, e].enumerated() { hash[index] &+= part }
    }

    private static func rotated(_ word: UInt32, by bits: UInt32) -> UInt32 {
        word << bits | word >> (32 - bits)
    }

    /// Returns the bytes of a number, the most significant first.
    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        stride(from: number.bitWidth - 8, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: number >> $0)
        }
    }
}
