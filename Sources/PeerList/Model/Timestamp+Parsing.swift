// A moment read from the text that the lines have.

extension Timestamp: LosslessStringConvertible {
    /// The moment of a text such as `2026-11-21T08:30:00.000125Z`; `nil` if it is written in any other way.
    public init?(_ description: String) {
        self.init(text: Array(description.utf8).span)
    }

    /// The moment of such a text in UTF-8.
    package init?(text: Span<UInt8>) {
        guard text.count == 27, text[4] == 0x2D, text[7] == 0x2D, text[10] == 0x54,
            text[13] == 0x3A, text[16] == 0x3A, text[19] == 0x2E, text[26] == 0x5A,
            let year = number(text, 0..<4), let month = number(text, 5..<7),
            let day = number(text, 8..<10), let hour = number(text, 11..<13),
            let minute = number(text, 14..<16), let second = number(text, 17..<19),
            let fraction = number(text, 20..<26),
            1...12 ~= month, 1...days(inMonth: month, of: year) ~= day, hour < 24, minute < 60,
            second < 60
        else { return nil }
        let days = daysSince1970(year, month, day)
        let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
        self.init(microseconds: seconds * 1_000_000 + fraction)
    }
}

private func number(_ text: Span<UInt8>, _ range: Range<Int>) -> Int64? {
    var value: Int64 = 0
    for index in range {
        guard 0x30...0x39 ~= text[index] else { return nil }
        value = value * 10 + Int64(text[index] - 0x30)
    }
    return value
}

private func days(inMonth month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
}

/// The days from 1970-01-01, in the Gregorian calendar; years begin on 1 March here, so that the leap day is the last one.
private func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    // An era of 400 years later, because divisions below zero round the other way.
    let year = (month <= 2 ? year - 1 : year) + 400
    let monthFromMarch = (month + 9) % 12
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468 - 146_097
}
