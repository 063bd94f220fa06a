// Strings and numbers of a JSON text.

extension JSONReader {
    /// Reads a string.
    mutating func string() throws(JSONError) -> String {
        try expect("\"", "a string")
        let start = offset
        advance(while: isPlain)
        if peek == "\"" { return try text(taken(from: start)) }
        var unescaped = Array(taken(from: start))
        while peek != "\"" {
            guard peek == "\\" else { throw error("a string does not end, or holds a control") }
            try escape(into: &unescaped)
            let start = offset
            advance(while: isPlain)
            unescaped += taken(from: start)
        }
        return try text(unescaped[...])
    }

    /// Reads a whole number.
    mutating func integer() throws(JSONError) -> Int {
        skipSpace()
        let start = offset
        if peek == "-" { _ = take() }
        let digits = offset
        var value = 0
        while let digit = peek.flatMap(\.digit) {
            let (next, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            guard !isTooLarge, next <= Int.max - digit else { throw error("a number is too large") }
            value = next + digit
            _ = take()
        }
        let hasLeadingZero = offset - digits > 1 && taken(from: digits).first == 0x30
        guard offset > digits, !hasLeadingZero, peek != ".", peek != "e", peek != "E" else {
            throw error("a whole number was expected")
        }
        return digits > start ? -value : value
    }

    /// Reads past a number of any kind.
    mutating func skipNumber() throws(JSONError) {
        let start = offset
        if peek == "-" { _ = take() }
        let digits = offset
        try skipDigits()
        guard offset - digits == 1 || taken(from: digits).first != 0x30 else {
            throw JSONError(offset: start, message: "a number begins with zero")
        }
        if peek == "." {
            _ = take()
            try skipDigits()
        }
        guard peek == "e" || peek == "E" else { return }
        _ = take()
        if peek == "+" || peek == "-" { _ = take() }
        try skipDigits()
    }

    private mutating func skipDigits() throws(JSONError) {
        let start = offset
        advance { 0x30...0x39 ~= $0 }
        guard offset > start else { throw error("a value was expected") }
    }

    /// The text of a string whose closing quotation mark stands here.
    private mutating func text(_ bytes: ArraySlice<UInt8>) throws(JSONError) -> String {
        // Nearly all is ASCII, which needs no check.
        let text =
            bytes.allSatisfy { $0 < 0x80 }
            ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self)
        guard let text else { throw error("a string is not UTF-8") }
        _ = take()
        return text
    }

    /// Reads a backslash and what it stands for.
    private mutating func escape(into bytes: inout [UInt8]) throws(JSONError) {
        _ = take()
        let start = offset
        switch take() {
        case 0x22: bytes.append(0x22)
        case 0x5C: bytes.append(0x5C)
        case 0x2F: bytes.append(0x2F)
        case 0x62: bytes.append(0x08)
        case 0x66: bytes.append(0x0C)
        case 0x6E: bytes.append(0x0A)
        case 0x72: bytes.append(0x0D)
        case 0x74: bytes.append(0x09)
        case 0x75: bytes += UTF8.encode(try escapedScalar()) ?? UTF8.encodedReplacementCharacter
        default: throw JSONError(offset: start, message: "an unknown escape")
        }
    }

    /// Reads the digits after `\u`; of a pair of surrogates both.
    private mutating func escapedScalar() throws(JSONError) -> Unicode.Scalar {
        let start = offset
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, take() == 0x5C, take() == 0x75 else {
            throw JSONError(offset: start, message: "half of a surrogate pair")
        }
        let second = try codeUnit()
        guard 0xDC00...0xDFFF ~= second,
            let scalar = Unicode.Scalar(
                0x10000 + (UInt32(first - 0xD800) << 10) + UInt32(second - 0xDC00))
        else { throw JSONError(offset: start, message: "half of a surrogate pair") }
        return scalar
    }

    private mutating func codeUnit() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = peek?.properties.isASCIIHexDigit == true ? peek : nil,
                let value = UInt16(String(digit), radix: 16)
            else { throw error("four hexadecimal digits were expected") }
            unit = unit << 4 | value
            _ = take()
        }
        return unit
    }
}

/// Whether a byte stands for itself in a string: no quotation mark, no backslash, no control.
private func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x22 && byte != 0x5C }

extension Unicode.Scalar {
    fileprivate var digit: Int? { 0x30...0x39 ~= value ? Int(value - 0x30) : nil }
}
