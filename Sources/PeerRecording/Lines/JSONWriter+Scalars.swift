// How texts, UUIDs and moments are written in JSON.
import FoundationEssentials
import PeerList

extension JSONWriter {
    /// Appends text in quotation marks.
    ///
    /// Escaped is what RFC 8259, section 7, asks for, and beyond it what would
    /// act on a terminal or end a line in some readers: DEL, C1, the line and
    /// paragraph separators, and the controls of writing direction. Any JSON
    /// reader gives back the very same text.
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

    /// Appends a UUID in lower case, in quotation marks.
    mutating func uuid(_ id: UUID) {
        var text = [38 of UInt8](repeating: UInt8(ascii: "-"))
        text[0] = UInt8(ascii: "\"")
        text[37] = UInt8(ascii: "\"")
        unsafe withUnsafeBytes(of: id.uuid) { octets in
            var place = 1
            for index in octets.indices {
                if index == 4 || index == 6 || index == 8 || index == 10 { place += 1 }
                text[place] = unsafe hexDigit(octets[index] >> 4)
                text[place + 1] = unsafe hexDigit(octets[index] & 0xF)
                place += 2
            }
        }
        append(plain: text.span)
    }

    /// Appends a moment as ``Timestamp/description`` has it, in quotation marks.
    ///
    /// The calendar is computed here, because asking the C library costs more
    /// than all the rest of a line.
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

/// What of a moment is the same in each.
private let timePattern: [29 of UInt8] = {
    var text = [29 of UInt8](repeating: 0)
    for (place, byte) in "\"0000-00-00T00:00:00.000000Z\"".utf8.enumerated() { text[place] = byte }
    return text
}()

extension InlineArray<29, UInt8> {
    /// Writes a number with leading zeros.
    fileprivate mutating func write(_ number: Int64, _ width: Int, at place: Int) {
        var rest = number
        for digit in (place..<place + width).reversed() {
            self[digit] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
            rest /= 10
        }
    }
}

/// The hexadecimal digit of a value up to 15.
private func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

/// Whether all bytes may stand in a JSON text as they are; eight are looked at together.
private func isPlain(_ text: Span<UInt8>) -> Bool {
    unsafe text.withUnsafeBytes { bytes in
        var place = 0
        while place + 8 <= bytes.count {
            let word = unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            guard isPlain(word) else { return false }
            place += 8
        }
        while place < bytes.count {
            let byte = unsafe bytes[place]
            guard isPlain(UInt64(byte) | 0x2020_2020_2020_2000) else { return false }
            place += 1
        }
        return true
    }
}

/// Whether each of eight bytes is printable ASCII, no quotation mark and no backslash.
///
/// A byte below a bound borrows from its highest bit; a borrow from a lower byte comes only where
/// that one is found already.
private func isPlain(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* 0x22)
    let slashes = word ^ (ones &* 0x5C)
    let deletes = word ^ (ones &* 0x7F)
    let found =
        (word &- ones &* 0x20) | (quotes &- ones) | (slashes &- ones) | (deletes &- ones) | word
    return found & (ones &* 0x80) == 0
}

/// Division that rounds down, so that the remainder is never negative.
private func floorDivide(_ value: Int64, _ by: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: by)
    return remainder < 0 ? (quotient - 1, remainder + by) : (quotient, remainder)
}

/// A day of the Gregorian calendar.
private struct CivilDate {
    let year: Int64
    let month: Int64
    let day: Int64

    /// Counts in years that begin on 1 March, so that the leap day is the last of its year.
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
