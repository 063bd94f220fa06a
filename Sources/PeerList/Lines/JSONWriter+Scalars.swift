// How texts, UUIDs and moments are written in JSON.
import FoundationEssentials

extension JSONWriter {
    /// Appends text in quotation marks.
    ///
    /// Escaped is what RFC 8259, section 7, asks for, and beyond it what would
    /// act on a terminal or end a line in some readers: DEL, C1, the line and
    /// paragraph separators, and the controls of writing direction. Any JSON
    /// reader gives back the very same text.
    mutating func string(_ text: String) {
        append("\"")
        let isDone = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
            guard unsafe bytes.allSatisfy(isPlain) else { return false }
            unsafe append(plain: bytes)
            return true
        }
        if isDone != true {
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
                append(hex: UInt8(truncatingIfNeeded: scalar.value >> shift))
            }
        default: append(plain: String(scalar))
        }
    }

    /// Appends the lower four bits as a hexadecimal digit.
    private mutating func append(hex value: UInt8) {
        let digit = value & 0xF
        append(Unicode.Scalar(digit < 10 ? 0x30 + digit : 0x57 + digit))
    }

    /// Appends a UUID in lower case, in quotation marks.
    mutating func uuid(_ id: UUID) {
        let parts = id.uuid
        let octets: [16 of UInt8] = [
            parts.0, parts.1, parts.2, parts.3, parts.4, parts.5, parts.6, parts.7,
            parts.8, parts.9, parts.10, parts.11, parts.12, parts.13, parts.14, parts.15,
        ]
        append("\"")
        for index in octets.indices {
            if index == 4 || index == 6 || index == 8 || index == 10 { append("-") }
            append(hex: octets[index] >> 4)
            append(hex: octets[index])
        }
        append("\"")
    }

    /// Appends a moment as ``Timestamp/description`` has it, in quotation marks.
    ///
    /// The calendar is computed here, because asking the C library costs more
    /// than all the rest of a line.
    mutating func time(_ time: Timestamp) {
        let seconds = floorDivide(time.microseconds, 1_000_000)
        let days = floorDivide(seconds.quotient, 86_400)
        let date = CivilDate(daysSince1970: days.quotient)
        append("\"")
        append(digits: date.year, 4)
        append("-")
        append(digits: date.month, 2)
        append("-")
        append(digits: date.day, 2)
        append("T")
        append(digits: days.remainder / 3600, 2)
        append(":")
        append(digits: days.remainder / 60 % 60, 2)
        append(":")
        append(digits: days.remainder % 60, 2)
        append(".")
        append(digits: seconds.remainder, 6)
        append(plain: "Z\"")
    }

    /// Appends a number with leading zeros.
    private mutating func append(digits number: Int64, _ width: Int) {
        var divisor: Int64 = 1
        for _ in 1..<width { divisor *= 10 }
        while divisor > 0 {
            append(Unicode.Scalar(UInt8(truncatingIfNeeded: 0x30 + number / divisor % 10)))
            divisor /= 10
        }
    }
}

/// Whether a byte of UTF-8 may stand in a JSON text as it is.
private func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7F && byte != 0x22 && byte != 0x5C
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
