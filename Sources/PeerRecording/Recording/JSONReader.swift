// Reads one JSON text from its bytes, value after value, in the order in which they stand.

/// A JSON text that cannot be read, or does not say what it should.
struct JSONError: Error, Equatable {
    /// The byte of the text at which reading stopped, counted from zero.
    let offset: Int
    /// What is wrong there, such as "a string was expected".
    let message: String
}

/// Reads a JSON text (RFC 8259) without building a tree of it.
///
/// The caller asks for the values that the format has, in whatever order the
/// members stand, and skips those that it does not know. Foundation's decoder
/// reads fifteen to forty thousand lines of a recording a second; this one is
/// measured by `LineBench`.
///
/// The text is a stranger's: whatever its bytes are, reading ends with a value
/// or with an error, and never needs more memory than a few times the text.
struct JSONReader {
    /// How deep a value that is skipped may be nested.
    static let depthLimit = 64

    let bytes: [UInt8]
    var offset: Int

    /// A reader of a whole text.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        offset = 0
    }

    /// Reads an object.
    ///
    /// - Parameter member: Called for each member with its key; it must read, or
    ///   skip, the value. Of equal keys each is told.
    /// - Throws: `JSONError`, also what `member` throws.
    mutating func object(
        _ member: (inout JSONReader, String) throws(JSONError) -> Void
    ) throws(JSONError) {
        try expect("{", "an object")
        if next(is: "}") { return }
        repeat {
            let key = try string()
            try expect(":", "a colon")
            try member(&self, key)
        } while next(is: ",")
        try expect("}", "a comma or the end of the object")
    }

    /// Reads an array.
    ///
    /// - Parameter element: Called for each element; it must read, or skip, the value.
    /// - Throws: `JSONError`, also what `element` throws.
    mutating func array(
        _ element: (inout JSONReader) throws(JSONError) -> Void
    ) throws(JSONError) {
        try expect("[", "an array")
        if next(is: "]") { return }
        repeat { try element(&self) } while next(is: ",")
        try expect("]", "a comma or the end of the array")
    }

    /// Reads `null`, if it stands here.
    mutating func null() throws(JSONError) -> Bool {
        skipSpace()
        guard peek == "n" else { return false }
        try word("null")
        return true
    }

    /// Reads `true` or `false`.
    mutating func boolean() throws(JSONError) -> Bool {
        skipSpace()
        switch peek {
        case "t":
            try word("true")
            return true
        case "f":
            try word("false")
            return false
        default:
            throw error("true or false was expected")
        }
    }

    /// Expects the end of the text.
    mutating func end() throws(JSONError) {
        skipSpace()
        guard offset == bytes.count else { throw error("nothing more was expected") }
    }

    /// Reads past a value of any kind.
    mutating func skip(depth: Int = 0) throws(JSONError) {
        guard depth < Self.depthLimit else { throw error("a value is nested too deep") }
        skipSpace()
        switch peek {
        case "{":
            try object { (reader, _) throws(JSONError) in try reader.skip(depth: depth + 1) }
        case "[": try array { reader throws(JSONError) in try reader.skip(depth: depth + 1) }
        case "\"": _ = try string()
        case "t", "f": _ = try boolean()
        case "n": _ = try null()
        default: try skipNumber()
        }
    }
}

// MARK: Bytes

extension JSONReader {
    /// The byte here, or `nil` at the end.
    var peek: Unicode.Scalar? {
        offset < bytes.count ? Unicode.Scalar(bytes[offset]) : nil
    }

    /// The byte here, passed over.
    mutating func take() -> UInt8? {
        guard offset < bytes.count else { return nil }
        defer { offset += 1 }
        return bytes[offset]
    }

    /// Passes over bytes as long as they are as wanted.
    mutating func advance(while isWanted: (UInt8) -> Bool) {
        offset = end(ofRun: isWanted)
    }

    /// Where the bytes from here end to be as wanted.
    private func end(ofRun isWanted: (UInt8) -> Bool) -> Int {
        let bytes = bytes.span
        var end = offset
        while end < bytes.count, isWanted(bytes[end]) { end += 1 }
        return end
    }

    /// What is wrong here.
    func error(_ message: String) -> JSONError { JSONError(offset: offset, message: message) }

    mutating func skipSpace() {
        advance { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
    }

    /// Passes over white space and one character.
    mutating func expect(_ character: Unicode.Scalar, _ what: String) throws(JSONError) {
        guard next(is: character) else { throw error("\(what) was expected") }
    }

    private mutating func next(is character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard peek == character else { return false }
        offset += 1
        return true
    }

    private mutating func word(_ word: String) throws(JSONError) {
        let start = offset
        advance { 0x61...0x7A ~= $0 }
        guard bytes[start..<offset].elementsEqual(word.utf8) else {
            offset = start
            throw error("\(word) was expected")
        }
    }
}
