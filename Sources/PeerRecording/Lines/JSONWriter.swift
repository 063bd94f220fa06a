// Writes JSON text (RFC 8259) byte by byte, in the order in which it is told.
package import FoundationEssentials
package import PeerList

/// JSON text in the making.
///
/// Objects and arrays are filled through ``JSONObjectWriter`` and
/// ``JSONArrayWriter``, so that a key without a value, a missing comma or an
/// unclosed bracket cannot be written. Equal keys are the caller's affair.
///
/// Foundation's `JSONEncoder` takes 6 to 10 times as long for a typical line
/// and has an order of keys of its own; `Benchmarks/LineBench` measures both.
package struct JSONWriter: Sendable {
    /// The text so far, in UTF-8.
    package private(set) var bytes: [UInt8] = []

    /// No text yet.
    package init() {}

    /// Makes room for `count` bytes.
    mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

    /// Appends a byte that is known to be in place: a bracket, a comma, a digit.
    mutating func append(_ character: Unicode.Scalar) { bytes.append(UInt8(ascii: character)) }

    /// Appends ASCII text that is known to need no escape.
    mutating func append(plain text: String) { bytes.append(contentsOf: text.utf8) }

    /// Appends bytes of UTF-8 that are known to need no escape.
    mutating func append(plain text: Span<UInt8>) {
        unsafe text.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }

    /// Appends an object.
    package mutating func object(_ fill: (inout JSONObjectWriter) -> Void) {
        append("{")
        var members = JSONObjectWriter(taking: &self)
        fill(&members)
        members.giveBack(to: &self)
        append("}")
    }

    /// Appends an array.
    package mutating func array(_ fill: (inout JSONArrayWriter) -> Void) {
        append("[")
        var elements = JSONArrayWriter(taking: &self)
        fill(&elements)
        elements.giveBack(to: &self)
        append("]")
    }
}

/// The members of an object in the making.
package struct JSONObjectWriter {
    private var text = JSONWriter()
    private var isEmpty = true

    /// Goes on where `writer` stands; the text moves here until it is given back.
    init(taking writer: inout JSONWriter) { swap(&text, &writer) }

    mutating func giveBack(to writer: inout JSONWriter) { swap(&text, &writer) }

    /// Writes the comma and the key, then has the value written.
    private mutating func member(_ key: String, _ value: (inout JSONWriter) -> Void) {
        if !isEmpty { text.append(",") }
        isEmpty = false
        text.string(key)
        text.append(":")
        value(&text)
    }

    /// A member that is text, or `null`.
    package mutating func member(_ key: String, _ value: String?) {
        member(key) { text in
            if let value { text.string(value) } else { text.append(plain: "null") }
        }
    }

    /// A member that is a whole number, or `null`.
    package mutating func member(_ key: String, _ value: Int?) {
        member(key) { $0.append(plain: value.map { String($0) } ?? "null") }
    }

    /// A member that is `true` or `false`.
    package mutating func member(_ key: String, _ value: Bool) {
        member(key) { $0.append(plain: value ? "true" : "false") }
    }

    /// A member that is a UUID, or `null`.
    package mutating func member(_ key: String, _ value: UUID?) {
        member(key) { text in
            if let value { text.uuid(value) } else { text.append(plain: "null") }
        }
    }

    /// A member that is a moment.
    package mutating func member(_ key: String, _ value: Timestamp) {
        member(key) { $0.time(value) }
    }

    /// A member that is an array of texts.
    package mutating func member(_ key: String, _ values: [String]) {
        array(key) { array in for value in values { array.element(value) } }
    }

    /// A member that is an object.
    package mutating func object(_ key: String, _ fill: (inout JSONObjectWriter) -> Void) {
        member(key) { $0.object(fill) }
    }

    /// A member that is an array.
    package mutating func array(_ key: String, _ fill: (inout JSONArrayWriter) -> Void) {
        member(key) { $0.array(fill) }
    }
}

/// The elements of an array in the making.
package struct JSONArrayWriter {
    private var text = JSONWriter()
    private var isEmpty = true

    /// Goes on where `writer` stands; the text moves here until it is given back.
    init(taking writer: inout JSONWriter) { swap(&text, &writer) }

    mutating func giveBack(to writer: inout JSONWriter) { swap(&text, &writer) }

    /// Writes the comma, then has the value written.
    private mutating func element(_ value: (inout JSONWriter) -> Void) {
        if !isEmpty { text.append(",") }
        isEmpty = false
        value(&text)
    }

    /// An element that is text.
    package mutating func element(_ value: String) { element { $0.string(value) } }

    /// An element that is an object.
    package mutating func object(_ fill: (inout JSONObjectWriter) -> Void) {
        element { $0.object(fill) }
    }
}
