// Reads one JSON text from its bytes, value by value, without building a tree.
package import PeerModel

/// An error in a line: invalid JSON, an unexpected value, or an inconsistency with the lines before it.
package struct LineError: Error, Equatable {
    /// The offset in bytes at which reading stopped.
    package var offset = 0
    /// A description such as "a string was expected".
    package let message: String

    init(offset: Int = 0, message: String) { (self.offset, self.message) = (offset, message) }

    /// An error in the values, at no position.
    package init(_ message: String) { self.init(message: message) }
}

/// A pull parser for JSON text (RFC 8259).
///
/// The caller reads the values that its format has, with members in any order,
/// and skips unknown members. `LineBench` compares it with Foundation's decoder,
/// which reads 15,000 to 40,000 lines of a recording per second.
///
/// The text is untrusted: reading any bytes ends with a value or an error, and
/// needs memory of at most a few times the text's length.
package struct JSONReader {
    /// The maximum nesting of a skipped value.
    static let depthLimit = 64

    /// The kind of the items in the text.
    var grouping: Grouping
    private let bytes: [UInt8]
    /// The offset of the next byte.
    private var offset = 0

    package init(_ bytes: [UInt8], grouping: Grouping = .device) {
        (self.bytes, self.grouping) = (bytes, grouping)
    }

    package func error(_ message: String) -> LineError {
        LineError(offset: offset, message: message)
    }

    package func require(_ condition: Bool, _ message: String) throws(LineError) {
        if !condition { throw error(message) }
    }

    /// Reads an object; the closure is called for each member with its key, also for repeated keys, and must
    /// read or skip the value.
    package mutating func object(
        _ member: (inout JSONReader, String) throws(LineError) -> Void
    ) throws(LineError) {
        try members { reader throws(LineError) in
            let key = try reader.key()
            try member(&reader, key)
        }
    }

    /// Reads an object; the closure is called for each member and must read its key and its value.
    mutating func members(
        _ member: (inout JSONReader) throws(LineError) -> Void
    ) throws(LineError) {
        try sequence("{", "}", "object", member)
    }

    /// Reads the key of a member, up to its value.
    mutating func key() throws(LineError) -> String {
        let key = try string()
        try expect(":", "a colon")
        return key
    }

    /// Skips the bytes of `"key":` if they come next; returns whether they do.
    mutating func passes(label: [UInt8]) -> Bool {
        guard bytes.count - offset >= label.count else { return false }
        for index in label.indices where bytes[offset + index] != label[index] { return false }
        offset += label.count
        return true
    }

    /// Reads an array; the closure is called for each element and must read or skip it.
    package mutating func array(_ element: (inout JSONReader) throws(LineError) -> Void)
        throws(LineError)
    {
        try sequence("[", "]", "array", element)
    }

    @inline(__always)
    private mutating func sequence(
        _ start: Unicode.Scalar, _ end: Unicode.Scalar, _ noun: String,
        _ part: (inout JSONReader) throws(LineError) -> Void
    ) throws(LineError) {
        try expect(start, "an \(noun)")
        if next(is: end) { return }
        repeat { try part(&self) } while next(is: ",")
        try expect(end, "a comma or the end of the \(noun)")
    }

    /// Reads `null` if it is the next value; returns whether it is.
    package mutating func null() throws(LineError) -> Bool {
        skipSpace()
        guard peek == "n" else { return false }
        try literal("null")
        return true
    }

    mutating func boolean() throws(LineError) -> Bool {
        skipSpace()
        guard peek == "t" || peek == "f" else { throw error("true or false was expected") }
        let isTrue = peek == "t"
        try literal(isTrue ? "true" : "false")
        return isTrue
    }

    package mutating func end() throws(LineError) {
        skipSpace()
        guard offset == bytes.count else { throw error("nothing more was expected") }
    }

    package mutating func skip(depth: Int = 0) throws(LineError) {
        guard depth < Self.depthLimit else { throw error("a value is nested too deep") }
        skipSpace()
        switch peek {
        case "{":
            try object { (reader, _) throws(LineError) in try reader.skip(depth: depth + 1) }
        case "[": try array { reader throws(LineError) in try reader.skip(depth: depth + 1) }
        case "\"": _ = try string()
        case "t", "f": _ = try boolean()
        case "n": _ = try null()
        default: try skipNumber()
        }
    }

    // MARK: Strings

    package mutating func string() throws(LineError) -> String {
        if let text = try string(as: text) { return text }
        throw LineError(offset: offset - 1, message: "a string is not UTF-8")
    }

    /// Reads a string and returns the value that a closure parses from its bytes.
    mutating func string<Value>(as parse: (Span<UInt8>) -> Value?) throws(LineError) -> Value? {
        try expect("\"", "a string")
        let start = offset
        advance(while: isPlain)
        defer { offset += 1 }
        if peek == "\"" { return parse(bytes.span.extracting(start..<offset)) }
        // A string with escapes.
        var text = Array(bytes[start..<offset])
        while peek != "\"" {
            guard passes("\\") else { throw error("a string does not end, or holds a control") }
            text += try escape()
            let start = offset
            advance(while: isPlain)
            text += bytes[start..<offset]
        }
        return parse(text.span)
    }

    /// Reads an escape after its backslash.
    private mutating func escape() throws(LineError) -> [UInt8] {
        let start = offset
        switch nextByte() {
        case let byte? where [0x22, 0x5C, 0x2F].contains(byte): return [byte]
        case 0x62: return [0x08]
        case 0x66: return [0x0C]
        case 0x6E: return [0x0A]
        case 0x72: return [0x0D]
        case 0x74: return [0x09]
        case 0x75: return try escapedCharacter()
        default: throw LineError(offset: start, message: "an unknown escape")
        }
    }

    /// Reads the digits after `\u`, and the second half of a surrogate pair; returns its UTF-8.
    private mutating func escapedCharacter() throws(LineError) -> [UInt8] {
        let start = offset
        var units = [try codeUnit()]
        if UTF16.isLeadSurrogate(units[0]), nextByte() == 0x5C, nextByte() == 0x75 {
            units.append(try codeUnit())
        }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw LineError(offset: start, message: "half of a surrogate pair")
        }
        return Array(text.utf8)
    }

    private mutating func codeUnit() throws(LineError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard offset < bytes.count, let digit = hexValue(bytes[offset]) else {
                throw error("four hexadecimal digits were expected")
            }
            unit = unit << 4 | UInt16(digit)
            offset += 1
        }
        return unit
    }

    // MARK: Numbers

    package mutating func integer() throws(LineError) -> Int {
        skipSpace()
        let sign = passes("-") ? -1 : 1
        let start = offset
        advance { 0x30...0x39 ~= $0 }
        let hasLeadingZero = offset - start > 1 && bytes[start] == 0x30
        guard offset > start, !hasLeadingZero, peek != ".", peek != "e", peek != "E" else {
            throw error("a whole number was expected")
        }
        guard let value = Int(String(decoding: bytes[start..<offset], as: UTF8.self)) else {
            throw error("a number is too large")
        }
        return sign * value
    }

    private mutating func skipNumber() throws(LineError) {
        let start = offset
        _ = passes("-")
        let digits = offset
        try skipDigits()
        guard offset - digits == 1 || bytes[digits] != 0x30 else {
            throw LineError(offset: start, message: "a number begins with zero")
        }
        if passes(".") { try skipDigits() }
        guard passes("e") || passes("E") else { return }
        if !passes("+") { _ = passes("-") }
        try skipDigits()
    }

    private mutating func skipDigits() throws(LineError) {
        let start = offset
        advance { 0x30...0x39 ~= $0 }
        if offset == start { throw error("a value was expected") }
    }

    // MARK: Bytes

    /// The next byte as a scalar, or `nil` at the end.
    var peek: Unicode.Scalar? {
        offset < bytes.count ? Unicode.Scalar(bytes[offset]) : nil
    }

    private mutating func nextByte() -> UInt8? {
        guard offset < bytes.count else { return nil }
        defer { offset += 1 }
        return bytes[offset]
    }

    @inline(__always)
    private mutating func passes(_ character: Unicode.Scalar) -> Bool {
        guard peek == character else { return false }
        offset += 1
        return true
    }

    @inline(__always)
    private mutating func advance(while isWanted: (UInt8) -> Bool) {
        offset = end(ofRun: isWanted)
    }

    @inline(__always)
    private func end(ofRun isWanted: (UInt8) -> Bool) -> Int {
        let bytes = bytes.span
        var end = offset
        while end < bytes.count, isWanted(bytes[end]) { end += 1 }
        return end
    }

    mutating func skipSpace() {
        advance { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
    }

    @inline(__always)
    private mutating func expect(
        _ character: Unicode.Scalar, _ what: @autoclosure () -> String
    ) throws(LineError) {
        guard next(is: character) else { throw error("\(what()) was expected") }
    }

    /// Skips white space, and then a character if it is the next one.
    @inline(__always)
    private mutating func next(is character: Unicode.Scalar) -> Bool {
        skipSpace()
        return passes(character)
    }

    private mutating func literal(_ word: String) throws(LineError) {
        let start = offset
        advance { 0x61...0x7A ~= $0 }
        guard bytes[start..<offset].elementsEqual(word.utf8) else {
            offset = start
            throw error("\(word) was expected")
        }
    }
}

/// Returns whether a byte can be in a string unescaped: it is no quotation mark, backslash or
/// control.
private func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x22 && byte != 0x5C }

/// Returns the text of UTF-8 bytes, or `nil` if they are invalid.
private func text(_ bytes: Span<UInt8>) -> String? {
    // `String(validating:as:)` is not specialized, and takes four times as long.
    do throws(UTF8.ValidationError) {
        return String(copying: try UTF8Span(validating: bytes))
    } catch {
        return nil
    }
}

/// Returns the value of a hexadecimal digit, or `nil` for another byte.
func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
}
