// URLs that may be opened: of a service, or one that it announces.
import PeerList

/// A URL of a scheme that is allowed, in which nothing is but what may be in a URL.
struct SafeURL: Equatable {
    /// The schemes that are opened: pages and printers, nothing that starts programs or reads files.
    static let schemes = ["http", "https", "ipp", "ipps"]
    /// Longer ones are refused.
    static let limit = 2_000

    /// The URL, in ASCII.
    let text: String

    /// The URL of a service by its type; `nil` where it has none, or would be no safe one.
    init?(of service: Service, _ peer: Peer) {
        guard let (scheme, key, port) = Self.forms[service.type], let own = service.port, own != 0,
            let host = SafeHost(of: peer)
        else { return nil }
        var path = ""
        if case .text(let text)? = service.txt[key] { path = text }
        guard let escaped = Self.escaped(path.hasPrefix("/") ? path : "/\(path)") else {
            return nil
        }
        let place = own == port ? "" : ":\(own)"
        self.init(checked: "\(scheme)://\(host.inURL)\(place)\(escaped)")
    }

    /// A URL that a service announces; `nil` where it is no safe one.
    ///
    /// It must be of a page: a scheme, a host without a user's name, and a path.
    init?(announced url: String) {
        guard let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://") else {
            return nil
        }
        let scheme = url[..<colon].lowercased()
        guard Self.schemes.contains(scheme) else { return nil }
        let rest = url[colon...].dropFirst(3)
        let place = rest.prefix { !"/?#".contains($0) }
        guard Self.isPlain(place: String(place)),
            let escaped = Self.escaped(String(rest.dropFirst(place.count)))
        else { return nil }
        self.init(checked: "\(scheme)://\(place)\(escaped)")
    }

    private init?(checked text: String) {
        guard text.utf8.count <= Self.limit else { return nil }
        self.text = text
    }

    /// For the types that have one: the scheme, the key of the path, and the port that goes without saying.
    private static let forms = [
        "_http._tcp": ("http", "path", UInt16(80)), "_https._tcp": ("https", "path", 443),
        "_ipp._tcp": ("ipp", "rp", 631), "_ipps._tcp": ("ipps", "rp", 631),
    ]

    /// Whether it is `host`, `host:port`, `[address]` or `[address]:port`.
    private static func isPlain(place: String) -> Bool {
        var host = place[...]
        let digits = place.reversed().prefix { ("0"..."9").contains($0) }.count
        if place.dropLast(digits).last == ":", !place.hasSuffix("]") {
            host = place.dropLast(digits + 1)
            guard (1...5).contains(digits) else { return false }
        }
        if host.hasPrefix("["), host.hasSuffix("]") {
            let address = host.dropFirst().dropLast()
            return AddressInWords(String(address)).map { $0.isIPv6 && $0.scope == nil } ?? false
        }
        return SafeHost(name: String(host)) != nil
    }

    /// A path with its query: all that may not stand there escaped; `nil` with control characters in it.
    private static func escaped(_ path: String) -> String? {
        guard !path.unicodeScalars.contains(where: { $0.value < 0x20 || 0x7F...0x9F ~= $0.value })
        else { return nil }
        let bytes = Array(path.utf8)
        return bytes.indices.map { place in
            let byte = bytes[place]
            let isEscape =
                byte == UInt8(ascii: "%") && bytes.count > place + 2
                && isHexDigit(bytes[place + 1]) && isHexDigit(bytes[place + 2])
            if isEscape || allowed.contains(byte) { return String(UnicodeScalar(byte)) }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    /// RFC 3986, sections 3.3 to 3.5, less what is quoted or grouped by somebody else's rules.
    private static let allowed = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/?#=&+,:@".utf8)
}

private func isHexDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
    default: false
    }
}
