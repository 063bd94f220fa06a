// Makes bounded, printable text of a stranger's bytes.

extension Unicode.Scalar {
    /// Whether the scalar can neither control a terminal nor end a line.
    package var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}

extension UInt8 {
    /// Whether the byte is an ASCII character that can be seen, and no space.
    var isVisible: Bool { 0x21...0x7e ~= self }

    /// Whether the byte is a space or a tab.
    var isBlank: Bool { self == 0x20 || self == 0x09 }
}

extension FixedWidthInteger {
    /// Reads a number of digits alone, without a sign; `nil` for other text, and for a number that does not fit.
    init?(digits: some StringProtocol, radix: Int = 10) {
        guard digits.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") }) else { return nil }
        self.init(digits, radix: radix)
    }
}

extension String {
    /// The maximum length in bytes of a value that a device tells about itself.
    package static let valueLimit = 255

    /// Creates text from bytes; `nil` if these are not UTF-8, or a control character is among them.
    init?(printable bytes: some Collection<UInt8>) {
        guard let text = String(validating: bytes, as: UTF8.self),
            text.unicodeScalars.allSatisfy(\.isPrintable)
        else { return nil }
        self = text
    }

    /// The text with one space for each run of white space and control characters, none at its ends, cut to
    /// ``valueLimit``; `nil` if nothing is left.
    var tidied: String? {
        let words = unicodeScalars.split { !$0.isPrintable || $0.properties.isWhitespace }
        let line = words.map { String($0) }.joined(separator: " ")
        guard !line.isEmpty else { return nil }
        let cut = line.prefix(byteCount: Self.valueLimit)
        return cut.hasSuffix(" ") ? String(cut.dropLast()) : cut
    }

    /// Returns the longest prefix of whole characters of Unicode (scalars) with at most the number of bytes.
    func prefix(byteCount limit: Int) -> String {
        var size = 0
        return String(
            unicodeScalars.prefix { scalar in
                size += UTF8.width(scalar)
                return size <= limit
            })
    }
}

extension StringProtocol {
    /// The text if it is visible ASCII without spaces, and at most as long as ``Swift/String/valueLimit``, as
    /// identifiers and URLs are; `nil` otherwise.
    var token: String? {
        1...String.valueLimit ~= utf8.count && utf8.allSatisfy(\.isVisible) ? String(self) : nil
    }

    /// Returns the rest after a prefix that is written in ASCII and lower case, in whatever case it is; `nil`
    /// for another prefix.
    func dropping(prefix: String) -> SubSequence? {
        let start = self.prefix(prefix.count)
        return start.lowercased() == prefix ? dropFirst(prefix.count) : nil
    }
}
