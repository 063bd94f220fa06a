// Checks addresses, host names and URLs from the network before they are passed to a program.
import Glibc
import PeerList

/// An IP address that was parsed from text: its family, scope and reach.
struct ParsedAddress: Equatable, CustomStringConvertible {
    let isIPv6: Bool
    /// The family: `IPv4` or `IPv6`.
    var family: String { isIPv6 ? "IPv6" : "IPv4" }
    /// The interface of a scoped address.
    let scope: String?
    /// The reach: `link-local`, `private`, …; `nil` for a global address.
    let reach: String?

    /// Parses an address such as `fe80::1%eth0`.
    init?(_ text: String) {
        let number = text.prefix { $0 != "%" }
        isIPv6 = number.utf8.contains(UInt8(ascii: ":"))
        // C strings end at a NUL.
        guard !number.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: isIPv6 ? 16 : 4)
        guard unsafe inet_pton(isIPv6 ? AF_INET6 : AF_INET, String(number), &bytes) == 1 else {
            return nil
        }
        let rest = text.dropFirst(number.count + 1)
        scope = rest.isEmpty ? nil : String(rest)
        reach = Self.reach(bytes)
    }

    /// The properties: `IPv6, link-local, on eth0`.
    var description: String {
        [family, reach, scope.map { "on \($0)" }]
            .compactMap { $0 }.joined(separator: ", ")
    }

    /// RFC 6890, section 2.2.2; RFC 4291, section 2.4, and RFC 4193.
    private static func reach(_ bytes: [UInt8]) -> String? {
        let isIPv6 = bytes.count == 16
        return switch (isIPv6, bytes[0], bytes[1]) {
        case (false, 127, _): "loopback"
        case (true, 0, 0) where bytes == Array(repeating: 0, count: 15) + [1]: "loopback"
        case (false, 169, 254), (true, 0xFE, 0x80...0xBF): "link-local"
        case (false, 10, _), (false, 172, 16...31), (false, 192, 168): "private"
        case (true, 0xFC...0xFD, _): "unique local"
        case (false, 100, 64...127): "carrier-grade NAT"
        case (false, 224...239, _), (true, 0xFF, _): "multicast"
        default: nil
        }
    }
}

/// A host name or an address that is safe as an argument and in a URL.
///
/// A host name consists of letters, digits, hyphens, dots and underscores, and starts with a letter or
/// digit; an address is one that can be parsed, with an interface name as scope. Neither can be taken
/// for an option, several arguments, another part of a URL, or shell syntax.
struct SafeHost: Equatable {
    /// The name or address: `nas.local`, `fe80::1%eth0`.
    let text: String

    /// Checks a host name.
    init?(name: String) {
        let bytes = Array(name.utf8)
        guard (1...253).contains(bytes.count), let first = bytes.first, isLetterOrDigit(first),
            bytes.allSatisfy({ isLetterOrDigit($0) || "-._".utf8.contains($0) })
        else { return nil }
        text = name
    }

    /// Checks an address; a link-local IPv6 address needs a scope.
    init?(address text: String) {
        guard let address = ParsedAddress(text), isPlain(scope: address.scope ?? ""),
            address.reach != "link-local" || !address.isIPv6 || address.scope != nil
        else { return nil }
        self.text = text
    }

    /// Selects the host name of a peer, else an address without scope, else any address.
    init?(of peer: Peer) {
        let addresses = peer.addresses.compactMap(SafeHost.init(address:))
        guard
            let host = peer.host.flatMap(SafeHost.init(name:))
                ?? addresses.first(where: { !$0.text.contains("%") }) ?? addresses.first
        else { return nil }
        self = host
    }

    /// The host in a URL: an IPv6 address in brackets, with the `%` of its scope escaped (RFC 6874).
    var inURL: String {
        guard text.contains(":") else { return text }
        let parts = text.split(separator: "%", maxSplits: 1)
        return "[" + parts.joined(separator: "%25") + "]"
    }
}

/// A URL with an allowed scheme that contains only characters of URLs.
struct SafeURL: Equatable {
    /// The allowed schemes: pages and printers, none that starts programs or reads files.
    static let schemes = ["http", "https", "ipp", "ipps"]
    /// The maximum length in bytes.
    static let limit = 2_000

    /// The URL, in ASCII.
    let text: String

    /// The scheme, the TXT key of the path, and the default port of service types with a URL.
    private static let forms = [
        "_http._tcp": ("http", "path", UInt16(80)), "_https._tcp": ("https", "path", 443),
        "_ipp._tcp": ("ipp", "rp", 631), "_ipps._tcp": ("ipps", "rp", 631),
    ]

    /// RFC 3986, sections 3.3 to 3.5, without quotes and parentheses.
    private static let allowed = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/?#=&+,:@".utf8)

    /// Builds the URL of a service according to its type.
    init?(of service: Service, _ peer: Peer) {
        guard let (scheme, key, defaultPort) = Self.forms[service.type],
            let port = service.port, port != 0, let host = SafeHost(of: peer)
        else { return nil }
        var path = ""
        if case .text(let text)? = service.txt[key] { path = text }
        guard let escaped = Self.escaped(path.hasPrefix("/") ? path : "/\(path)") else {
            return nil
        }
        let suffix = port == defaultPort ? "" : ":\(port)"
        self.init(checked: "\(scheme)://\(host.inURL)\(suffix)\(escaped)")
    }

    /// Checks a URL that a service announces: a scheme, a host without user name, and a path.
    init?(announced url: String) {
        guard let separator = url.firstRange(of: "://") else { return nil }
        let scheme = url[..<separator.lowerBound].lowercased()
        guard Self.schemes.contains(scheme) else { return nil }
        let rest = url[separator.upperBound...]
        let authority = rest.prefix { !"/?#".contains($0) }
        guard Self.isPlain(authority: String(authority)),
            let escaped = Self.escaped(String(rest.dropFirst(authority.count)))
        else { return nil }
        self.init(checked: "\(scheme)://\(authority)\(escaped)")
    }

    private init?(checked text: String) {
        guard text.utf8.count <= Self.limit else { return nil }
        self.text = text
    }

    /// Whether a text is `host`, `host:port`, `[address]` or `[address]:port`.
    private static func isPlain(authority: String) -> Bool {
        var host = authority[...]
        let digits = authority.reversed().prefix { ("0"..."9").contains($0) }.count
        if authority.dropLast(digits).last == ":", !authority.hasSuffix("]") {
            host = authority.dropLast(digits + 1)
            guard (1...5).contains(digits) else { return false }
        }
        if host.hasPrefix("["), host.hasSuffix("]") {
            let address = host.dropFirst().dropLast()
            return ParsedAddress(String(address)).map { $0.isIPv6 && $0.scope == nil } ?? false
        }
        return SafeHost(name: String(host)) != nil
    }

    /// Escapes a path and query; returns `nil` if it contains control characters.
    private static func escaped(_ path: String) -> String? {
        guard !path.unicodeScalars.contains(where: { $0.value < 0x20 || 0x7F...0x9F ~= $0.value })
        else { return nil }
        let bytes = Array(path.utf8)
        return bytes.indices.map { index in
            let byte = bytes[index]
            let isEscape =
                byte == UInt8(ascii: "%") && bytes.count > index + 2
                && bytes[index + 1...index + 2].allSatisfy {
                    UnicodeScalar($0).properties.isASCIIHexDigit
                }
            if isEscape || allowed.contains(byte) { return String(UnicodeScalar(byte)) }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}

private func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
}

private func isPlain(scope: String) -> Bool {
    scope.utf8.count < 16
        && scope.utf8.allSatisfy { isLetterOrDigit($0) || "-._@".utf8.contains($0) }
        && !scope.utf8.starts(with: "-".utf8)
}
