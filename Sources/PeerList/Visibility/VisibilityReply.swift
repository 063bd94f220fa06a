// The datagram in which a peerlist tells a prober the path on which it sees the prober.

/// The reply of a machine that sees a prober: "`host` sees you over `family` on `interface`".
///
/// It is one datagram of words separated by spaces. The host is last because its name may contain spaces:
///
/// ```
/// peerlist-sees-you 1 0123456789abcdef0123456789abcdef ipv4 eth0 h2.local
/// ```
///
/// Any machine on the link can send a reply, so its form and nonce are checked, and it is shown with
/// its source address.
public struct VisibilityReply: Sendable, Hashable {
    /// The version of the wire form.
    static let version = "1"
    /// The host name in replies of a machine whose name is not published.
    public static let unnamed = "-"
    /// The maximum size of a datagram, in bytes.
    static let sizeLimit = 512
    private static let keyword = "peerlist-sees-you"

    /// The nonce of the probe.
    public var nonce: VisibilityNonce
    /// The address family over which the replying machine received the prober's announcement.
    public var family: AddressFamily
    /// The interface on which the replying machine received the announcement.
    public var interface: String
    /// The host name of the replying machine, or ``unnamed``.
    public var host: String

    /// Creates a reply from its parts.
    public init(nonce: VisibilityNonce, family: AddressFamily, interface: String, host: String) {
        self.nonce = nonce
        self.family = family
        self.interface = interface
        self.host = host
    }

    /// The datagram.
    public var bytes: [UInt8] {
        let words = [Self.keyword, Self.version, nonce.text, family.rawValue, interface, host]
        return Array(words.joined(separator: " ").utf8)
    }

    /// Parses a datagram; returns `nil` if it is not a reply of this version.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count <= Self.sizeLimit, let text = String(validating: bytes, as: UTF8.self)
        else { return nil }
        let words = text.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: false)
        guard words.count == 6, words[0] == Self.keyword, words[1] == Self.version,
            let nonce = VisibilityNonce(String(words[2])),
            let family = AddressFamily(rawValue: String(words[3])),
            1...15 ~= words[4].utf8.count, words[4].utf8.allSatisfy({ 0x21...0x7E ~= $0 }),
            1...253 ~= words[5].utf8.count,
            words[5].utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        self.init(
            nonce: nonce, family: family, interface: String(words[4]), host: String(words[5]))
    }
}

/// A received reply and its origin.
public struct ReceivedReply: Sendable, Hashable {
    /// The content of the reply.
    public var reply: VisibilityReply
    /// The source address; a link-local IPv6 address includes its scope.
    public var source: HostAddress
    /// The index of the interface on which the reply arrived, if the system reported it.
    public var interface: Int32?

    /// Creates a received reply from its parts.
    public init(_ reply: VisibilityReply, from source: HostAddress, on interface: Int32? = nil) {
        self.reply = reply
        self.source = source
        self.interface = interface
    }
}
