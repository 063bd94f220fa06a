// Strings and numbers of a JSON text.

extension JSONReader {
    /// Reads a string.
    mutating func string() throws(JSONError) -> String {
        guard let text = try string(as: text) else {
            throw JSONError(offset: offset - 1, message: "a string is not UTF-8")
        }
        return text
    }

    /// Reads a string and makes something of its bytes.
    ///
    /// - Parameter parse: Makes the value, or says with `nil` that the string is none.
    /// - Returns: The value, if it is one.
    /// - Throws: `JSONError` where no string stands.
    mutating func string<Value>(
        as parse: (Span<UInt8>) -> Value?
    ) throws(JSONError) -> Value? {
        try expect("\"", "a string")
        let start = offset
        advance(while: isPlain)
        defer { offset += 1 }
        if peek == "\"" { return parse(bytes.span.extracting(start..<offset)) }
        let text = try unescaped(from: start)
        return parse(text.span)
    }

    /// Reads on to the closing quotation mark of a string that holds escapes.
    private mutating func unescaped(from start: Int) throws(JSONError) -> [UInt8] {
        var text = Array(bytes[start..<offset])
        while peek != "\"" {
            guard peek == "\\" else { throw error("a string does not end, or holds a control") }
            try escape(into: &text)
            let start = offset
            advance(while: isPlain)
            text += bytes[start..<offset]
        }
        return text
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
        let hasLeadingZero = offset - digits > 1 && bytes[digits] == 0x30
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
        guard offset - digits == 1 || bytes[digits] != 0x30 else {
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

/// The text of these bytes, or `nil` where they are no UTF-8.
private func text(_ bytes: Span<UInt8>) -> String? {
    do throws(UTF8.ValidationError) {
        return String(copying: try UTF8Span(validating: bytes))
    } catch {
        return nil
    }
}

extension Unicode.Scalar {
    fileprivate var digit: Int? { 0x30...0x39 ~= value ? Int(value - 0x30) : nil }
}
