// A moment read from the text that the lines have.

extension Timestamp: LosslessStringConvertible {
    /// The moment of a text such as `2026-11-21T08:30:00.000125Z`; `nil` if it is written in any other way.
    public init?(_ description: String) {
        let bytes = Array(description.utf8)
        guard bytes.count == 27, matches(bytes, "....-..-..T..:..:.........Z"), bytes[19] == 0x2E,
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
            let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]),
            let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
            let fraction = number(bytes[20..<26]),
            1...12 ~= month, 1...days(inMonth: month, of: year) ~= day, hour < 24, minute < 60,
            second < 60
        else { return nil }
        let days = daysSince1970(year, month, day)
        let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
        self.init(microseconds: seconds * 1_000_000 + fraction)
    }
}

/// Whether a text has the punctuation of a pattern in which dots stand for anything.
private func matches(_ bytes: [UInt8], _ pattern: String) -> Bool {
    zip(bytes, pattern.utf8).allSatisfy { $1 == 0x2E || $0 == $1 }
}

private func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    var value: Int64 = 0
    for digit in digits {
        guard 0x30...0x39 ~= digit else { return nil }
        value = value * 10 + Int64(digit - 0x30)
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
    let year = month <= 2 ? year - 1 : year
    let monthFromMarch = (month + 9) % 12
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
}
