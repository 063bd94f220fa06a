// Writes JSON text (RFC 8259) in the order of the calls.

/// A writer of JSON text, which adds commas, brackets and escapes. Repeated keys are not detected.
///
/// Foundation's `JSONEncoder` takes 6 to 10 times as long for a typical line
/// and does not keep the order of keys; `Benchmarks/LineBench` measures both.
package struct JSONWriter: Sendable {
    /// The text so far in UTF-8.
    package private(set) var bytes: [UInt8] = []

    /// Whether the object or array has a value before the next one.
    var needsComma = false

    /// An empty text.
    package init() {}

    /// An empty text with room for a number of bytes.
    package init(capacity count: Int) { bytes.reserveCapacity(count) }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Returns the text so far and removes it from the writer, which continues after it.
    mutating func removeText() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    /// Writes an object.
    package mutating func object(_ fill: (inout JSONWriter) -> Void) {
        separate()
        append("{")
        fill(&self)
        append("}")
        needsComma = true
    }

    /// Writes an array.
    package mutating func array(_ fill: (inout JSONWriter) -> Void) {
        separate()
        append("[")
        fill(&self)
        append("]")
        needsComma = true
    }

    /// Writes a member that is an object.
    package mutating func object(_ key: String, _ fill: (inout JSONWriter) -> Void) {
        self.key(key)
        object(fill)
    }

    /// Writes a member that is an array.
    package mutating func array(_ key: String, _ fill: (inout JSONWriter) -> Void) {
        self.key(key)
        array(fill)
    }

    /// Writes the key of a member, whose value comes next.
    mutating func key(_ key: String) { self.key(utf8: key.utf8Span.span) }

    mutating func key(utf8 key: Span<UInt8>) {
        separate()
        string(utf8: key)
        append(":")
    }

    /// Writes the key of a member as the bytes of `"key":`.
    mutating func key(label: [UInt8]) {
        separate()
        bytes += label
    }

    mutating func separate() {
        if needsComma { append(",") }
        needsComma = false
    }

    /// Ends the line.
    package mutating func endLine() { append("\n") }

    mutating func append(_ character: Unicode.Scalar) { bytes.append(UInt8(ascii: character)) }

    mutating func append(plain text: String) { bytes.append(contentsOf: text.utf8) }

    /// Appends UTF-8 bytes that need no escape.
    mutating func append(plain text: Span<UInt8>) {
        unsafe text.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }

    /// Appends a string in quotation marks.
    ///
    /// Escapes the characters of RFC 8259, section 7, and also characters that could control a
    /// terminal or end a line in some readers: DEL, C1, the line and paragraph separators, and the
    /// controls of writing direction. JSON readers return the same text.
    mutating func string(_ text: String) { string(utf8: text.utf8Span.span) }

    /// Appends the string of these bytes, which are UTF-8, like ``string(_:)``.
    mutating func string(utf8 text: Span<UInt8>) {
        append("\"")
        if isPlain(text) {
            append(plain: text)
        } else {
            let text = unsafe text.withUnsafeBufferPointer {
                unsafe String(decoding: $0, as: UTF8.self)
            }
            for scalar in text.unicodeScalars { append(escaping: scalar) }
        }
        append("\"")
    }

    private mutating func append(escaping scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x22: append(plain: "\\\"")
        case 0x5C: append(plain: "\\\\")
        case 0x08: append(plain: "\\b")
        case 0x09: append(plain: "\\t")
        case 0x0A: append(plain: "\\n")
        case 0x0C: append(plain: "\\f")
        case 0x0D: append(plain: "\\r")
        case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069:
            append(plain: "\\u")
            for shift in [12, 8, 4, 0] { bytes.append(hexDigit(scalar.value >> shift & 0xF)) }
        default: bytes.append(contentsOf: scalar.utf8)
        }
    }
}

func hexDigit(_ value: UInt32) -> UInt8 {
    UInt8(truncatingIfNeeded: value < 10 ? 0x30 + value : 0x57 + value)
}

/// Returns whether no byte needs an escape; tests eight at a time.
private func isPlain(_ text: Span<UInt8>) -> Bool {
    unsafe text.withUnsafeBytes { bytes in
        var offset = 0
        while offset + 8 <= bytes.count {
            let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            guard isPlain(word) else { return false }
            offset += 8
        }
        // The rest, with spaces before it.
        var rest: UInt64 = 0x2020_2020_2020_2020
        for index in offset..<bytes.count { rest = unsafe rest << 8 | UInt64(bytes[index]) }
        return isPlain(rest)
    }
}

/// Returns whether each of eight bytes is printable ASCII other than a quotation mark or backslash.
///
/// Subtracting a bound from a smaller byte sets its highest bit. A borrow reaches the next byte only
/// from a byte that was found already.
private func isPlain(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* 0x22)
    let slashes = word ^ (ones &* 0x5C)
    let deletes = word ^ (ones &* 0x7F)
    let found =
        (word &- ones &* 0x20) | (quotes &- ones) | (slashes &- ones) | (deletes &- ones) | word
    return found & (ones &* 0x80) == 0
}
