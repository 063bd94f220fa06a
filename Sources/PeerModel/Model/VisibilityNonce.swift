// The random word that ties the replies to a visibility probe.

/// A random word of 32 hexadecimal digits that ties replies to one visibility probe.
public struct VisibilityNonce: Sendable, Hashable {
    /// The digits, in lower case.
    public let text: String

    /// The TXT key under which a probe announces its nonce.
    public static let key = "probe"

    /// Creates an unpredictable nonce.
    public init() {
        var generator = SystemRandomNumberGenerator()
        let digits = Array("0123456789abcdef")
        text = String((0..<32).map { _ in digits[Int(generator.next() & 15)] })
    }

    /// Parses a received nonce; returns `nil` if it has another form.
    public init?(_ text: String) {
        let isHexadecimal = text.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
        guard text.utf8.count == 32, isHexadecimal else { return nil }
        self.text = text
    }
}
