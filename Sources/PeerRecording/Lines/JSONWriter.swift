// Writes JSON text (RFC 8259) in the order of the calls.
package import FoundationEssentials
package import PeerList

/// A writer of JSON text.
///
/// Objects and arrays are filled through ``JSONObjectWriter`` and
/// ``JSONArrayWriter``, which makes a missing value, comma or bracket impossible.
/// Repeated keys are not detected.
///
/// Foundation's `JSONEncoder` takes 6 to 10 times as long for a typical line
/// and does not keep the order of keys; `Benchmarks/LineBench` measures both.
package struct JSONWriter: Sendable {
    /// The text so far in UTF-8.
    package private(set) var bytes: [UInt8] = []

    /// An empty text.
    package init() {}

    /// Reserves capacity for `count` bytes.
    mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

    /// Appends a character of JSON syntax.
    mutating func append(_ character: Unicode.Scalar) { bytes.append(UInt8(ascii: character)) }

    /// Appends ASCII text that needs no escape.
    mutating func append(plain text: String) { bytes.append(contentsOf: text.utf8) }

    /// Appends UTF-8 bytes that need no escape.
    mutating func append(plain text: Span<UInt8>) {
        unsafe text.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }

    /// Appends an object.
    package mutating func object(_ fill: (inout JSONObjectWriter) -> Void) {
        append("{")
        var members = JSONObjectWriter(taking: &self)
        fill(&members)
        members.finish(&self)
        append("}")
    }

    /// Appends an array.
    package mutating func array(_ fill: (inout JSONArrayWriter) -> Void) {
        append("[")
        var elements = JSONArrayWriter(taking: &self)
        fill(&elements)
        elements.finish(&self)
        append("]")
    }
}

extension JSONWriter {
    /// Appends a string in quotation marks.
    ///
    /// Escapes what RFC 8259, section 7, requires, and also characters that could
    /// control a terminal or end a line in some readers: DEL, C1, the line and
    /// paragraph separators, and the controls of writing direction. JSON
    /// readers return the same text.
    mutating func string(_ text: String) {
        append("\"")
        let bytes = text.utf8Span.span
        if isPlain(bytes) {
            append(plain: bytes)
        } else {
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
            for shift in [12, 8, 4, 0] {
                append(Unicode.Scalar(hexDigit(UInt8(scalar.value >> shift & 0xF))))
            }
        default: append(plain: String(scalar))
        }
    }

    /// Appends a UUID in lower case in quotation marks.
    mutating func uuid(_ id: UUID) {
        var text = [38 of UInt8](repeating: UInt8(ascii: "-"))
        text[0] = UInt8(ascii: "\"")
        text[37] = UInt8(ascii: "\"")
        unsafe withUnsafeBytes(of: id.uuid) { octets in
            var position = 1
            for index in octets.indices {
                if index == 4 || index == 6 || index == 8 || index == 10 { position += 1 }
                text[position] = unsafe hexDigit(octets[index] >> 4)
                text[position + 1] = unsafe hexDigit(octets[index] & 0xF)
                position += 2
            }
        }
        append(plain: text.span)
    }

    /// Appends a timestamp as in `Timestamp.description`, in quotation marks.
    ///
    /// Computes the date itself, because the C library would take longer than
    /// the rest of a line.
    mutating func time(_ time: Timestamp) {
        let seconds = floorDivide(time.microseconds, 1_000_000)
        let days = floorDivide(seconds.quotient, 86_400)
        let date = CivilDate(daysSince1970: days.quotient)
        var text: [29 of UInt8] = timePattern
        text.write(date.year, 4, at: 1)
        text.write(date.month, 2, at: 6)
        text.write(date.day, 2, at: 9)
        text.write(days.remainder / 3600, 2, at: 12)
        text.write(days.remainder / 60 % 60, 2, at: 15)
        text.write(days.remainder % 60, 2, at: 18)
        text.write(seconds.remainder, 6, at: 21)
        append(plain: text.span)
    }
}

/// A writer of an object's members.
package struct JSONObjectWriter {
    private var text = JSONWriter()
    private var isEmpty = true

    /// Moves the text of `writer` here, without copying it.
    fileprivate init(taking writer: inout JSONWriter) { swap(&text, &writer) }

    /// Moves the text back.
    fileprivate mutating func finish(_ writer: inout JSONWriter) { swap(&text, &writer) }

    /// Writes a comma, the key and the value.
    private mutating func member(_ key: String, _ value: (inout JSONWriter) -> Void) {
        if !isEmpty { text.append(",") }
        isEmpty = false
        text.string(key)
        text.append(":")
        value(&text)
    }

    /// Writes a string or `null`.
    package mutating func member(_ key: String, _ value: String?) {
        member(key) { text in
            if let value { text.string(value) } else { text.append(plain: "null") }
        }
    }

    /// Writes an integer or `null`.
    package mutating func member(_ key: String, _ value: Int?) {
        member(key) { $0.append(plain: value.map { String($0) } ?? "null") }
    }

    /// Writes `true` or `false`.
    package mutating func member(_ key: String, _ value: Bool) {
        member(key) { $0.append(plain: value ? "true" : "false") }
    }

    /// Writes a UUID or `null`.
    package mutating func member(_ key: String, _ value: UUID?) {
        member(key) { text in
            if let value { text.uuid(value) } else { text.append(plain: "null") }
        }
    }

    /// Writes a timestamp.
    package mutating func member(_ key: String, _ value: Timestamp) {
        member(key) { $0.time(value) }
    }

    /// Writes an array of strings.
    package mutating func member(_ key: String, _ values: [String]) {
        array(key) { array in for value in values { array.element(value) } }
    }

    /// Writes an object.
    package mutating func object(_ key: String, _ fill: (inout JSONObjectWriter) -> Void) {
        member(key) { $0.object(fill) }
    }

    /// Writes an array.
    package mutating func array(_ key: String, _ fill: (inout JSONArrayWriter) -> Void) {
        member(key) { $0.array(fill) }
    }
}

/// A writer of an array's elements.
package struct JSONArrayWriter {
    private var text = JSONWriter()
    private var isEmpty = true

    /// Moves the text of `writer` here, without copying it.
    fileprivate init(taking writer: inout JSONWriter) { swap(&text, &writer) }

    /// Moves the text back.
    fileprivate mutating func finish(_ writer: inout JSONWriter) { swap(&text, &writer) }

    /// Writes a comma and the value.
    private mutating func element(_ value: (inout JSONWriter) -> Void) {
        if !isEmpty { text.append(",") }
        isEmpty = false
        value(&text)
    }

    /// Writes a string.
    package mutating func element(_ value: String) { element { $0.string(value) } }

    /// Writes an object.
    package mutating func object(_ fill: (inout JSONObjectWriter) -> Void) {
        element { $0.object(fill) }
    }
}

// MARK: Helpers

/// The characters of a timestamp, with zeros for all digits.
private let timePattern: [29 of UInt8] = {
    var text = [29 of UInt8](repeating: 0)
    for (index, byte) in "\"0000-00-00T00:00:00.000000Z\"".utf8.enumerated() { text[index] = byte }
    return text
}()

extension InlineArray<29, UInt8> {
    /// Writes a number with leading zeros.
    fileprivate mutating func write(_ number: Int64, _ width: Int, at index: Int) {
        var rest = number
        for digit in (index..<index + width).reversed() {
            self[digit] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
            rest /= 10
        }
    }
}

/// Returns the hexadecimal digit of a value up to 15.
private func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

/// Returns whether no byte needs an escape; tests eight at a time.
private func isPlain(_ text: Span<UInt8>) -> Bool {
    unsafe text.withUnsafeBytes { bytes in
        var offset = 0
        while offset + 8 <= bytes.count {
            let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            guard isPlain(word) else { return false }
            offset += 8
        }
        while offset < bytes.count {
            let byte = unsafe bytes[offset]
            guard isPlain(UInt64(byte) | 0x2020_2020_2020_2000) else { return false }
            offset += 1
        }
        return true
    }
}

/// Returns whether each of eight bytes is printable ASCII other than a quotation mark or backslash.
///
/// Subtracting a bound from a smaller byte sets its highest bit. A borrow reaches the next byte only if
/// the lower one was found already.
private func isPlain(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* 0x22)
    let slashes = word ^ (ones &* 0x5C)
    let deletes = word ^ (ones &* 0x7F)
    let found =
        (word &- ones &* 0x20) | (quotes &- ones) | (slashes &- ones) | (deletes &- ones) | word
    return found & (ones &* 0x80) == 0
}

/// Divides and rounds down, so that the remainder is never negative.
private func floorDivide(_ value: Int64, _ by: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: by)
    return remainder < 0 ? (quotient - 1, remainder + by) : (quotient, remainder)
}

/// A day of the Gregorian calendar.
private struct CivilDate {
    let year: Int64
    let month: Int64
    let day: Int64

    /// Computes with years that begin on 1 March, so that the leap day is the last of its year.
    init(daysSince1970: Int64) {
        let days = daysSince1970 + 719_468
        let (era, dayOfEra) = floorDivide(days, 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }
}
