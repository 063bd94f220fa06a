// One small datagram by which a machine tells another one on which path it sees it.

/// What a machine says that sees another one: "I, `host`, see you on this path".
///
/// It is one datagram of words with a space between them, the host last because its name may hold
/// spaces:
///
/// ```
/// peerlist-sees-you 1 0123456789abcdef0123456789abcdef ipv4 eth0 h2.local
/// ```
///
/// Anybody on the link can send one, so it is a claim: it is checked for its form and its nonce, and
/// what it says is shown with the address that it came from.
public struct VisibilityReply: Sendable, Hashable {
    /// The version of the form.
    static let version = "1"
    /// What stands for the name of a machine that is not published, and so does not tell it.
    public static let unnamed = "-"
    /// What a datagram may hold; longer ones are none of ours.
    static let sizeLimit = 512
    private static let word = "peerlist-sees-you"

    /// The word of the request that is answered.
    public var nonce: VisibilityNonce
    /// The family over which the announcement came to the one who answers.
    public var family: AddressFamily
    /// The interface of the one who answers.
    public var interface: String
    /// The host name of the one who answers, or ``unnamed``.
    public var host: String

    /// A message with all of its parts.
    public init(nonce: VisibilityNonce, family: AddressFamily, interface: String, host: String) {
        self.nonce = nonce
        self.family = family
        self.interface = interface
        self.host = host
    }

    /// The datagram.
    public var bytes: [UInt8] {
        let words = [
            Self.word, Self.version, nonce.text, family.rawValue, interface, host,
        ]
        return Array(words.joined(separator: " ").utf8)
    }

    /// Reads a datagram; `nil` where it is none of this version, whatever it is.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count <= Self.sizeLimit, let text = String(validating: bytes, as: UTF8.self)
        else { return nil }
        let words = text.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: false)
        guard words.count == 6, words[0] == Self.word, words[1] == Self.version,
            let nonce = VisibilityNonce(String(words[2])),
            let family = AddressFamily(rawValue: String(words[3])),
            Self.isInterface(words[4]), Self.isHost(words[5])
        else { return nil }
        self.init(
            nonce: nonce, family: family, interface: String(words[4]), host: String(words[5]))
    }

    private static func isInterface(_ name: Substring) -> Bool {
        1...15 ~= name.utf8.count && name.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }

    private static func isHost(_ name: Substring) -> Bool {
        1...253 ~= name.utf8.count && name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}

/// The word that tells the answers to one request from all others: 32 hexadecimal digits.
public struct VisibilityNonce: Sendable, Hashable {
    /// The digits, in lower case.
    public let text: String

    /// A word that nobody can guess.
    public init() {
        var generator = SystemRandomNumberGenerator()
        let digits = Array("0123456789abcdef")
        text = String((0..<32).map { _ in digits[Int(generator.next() & 15)] })
    }

    /// The word that somebody else has chosen; `nil` where it has another form.
    public init?(_ text: String) {
        let isHexadecimal = text.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
        guard text.utf8.count == 32, isHexadecimal else { return nil }
        self.text = text
    }

    /// The key under which a request stands in the TXT record of its announcement.
    public static let key = "probe"
}
