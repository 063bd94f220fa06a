// Checks addresses, host names and URLs from the network before they are passed to a program.
import Glibc
package import PeerModel

/// An IP address that was parsed from text: its family, scope and kind.
package struct ParsedAddress: Equatable, CustomStringConvertible {
    package let isIPv6: Bool
    /// The family: `IPv4` or `IPv6`.
    package var family: String { isIPv6 ? "IPv6" : "IPv4" }
    /// The interface of a scoped address.
    package let scope: String?
    /// The kind: `link-local`, `private`, …; `nil` for a global address.
    package let kind: String?

    /// Parses an address such as `fe80::1%eth0`.
    package init?(_ text: String) {
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
        kind = Self.kind(bytes)
    }

    /// The properties: `IPv6, link-local, on eth0`.
    package var description: String {
        [family, kind, scope.map { "on \($0)" }]
            .compactMap { $0 }.joined(separator: ", ")
    }

    /// RFC 6890, section 2.2.2; RFC 4291, section 2.4, and RFC 4193.
    private static func kind(_ bytes: [UInt8]) -> String? {
        let isIPv6 = bytes.count == 16
        return switch (isIPv6, bytes[0], bytes[1]) {
        case (false, 127, _): "loopback"
        case (true, 0, 0) where bytes == Array(repeating: 0, count: 15) + [1]: "loopback"
        case (false, 169, 254), (true, 0xFE, 0x80...0xBF): "link-local"
        case (false, 10, _), (false, 172, 16...31), (false, 192, 168): "private"
        case (true, 0xFC...0xFD, _): "unique local"
        case (false, 100, 64...127): "carrier-grade NAT"
        case (false, 0, _): "this network"
        case (true, 0, 0) where bytes.dropFirst(2).allSatisfy { $0 == 0 }: "unspecified"
        case (true, 0, 0) where bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF:
            "IPv4-mapped"
        case (false, 240...255, _): "reserved"
        case (false, 224...239, _), (true, 0xFF, _): "multicast"
        default: nil
        }
    }
}

/// A host name or an address that is safe as an argument and in a URL.
///
/// A host name consists of letters, digits, hyphens, dots and underscores, and starts with a letter or
/// digit; an address can be parsed, and may have an interface name as scope. Neither can be taken for
/// an option, several arguments, another part of a URL, or shell syntax.
package struct SafeHost: Equatable {
    /// The name or address: `nas.local`, `fe80::1%eth0`.
    package let text: String

    /// Checks a host name; with a number as last label, programs read it as an IPv4 address.
    package init?(name: String) {
        guard name.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._-]{0,252}/) != nil,
            name.firstMatch(of: /(?:^|\.)(?:[0-9]+|0[xX][0-9A-Fa-f]*)\.?$/) == nil
        else { return nil }
        text = name
    }

    /// Checks an address; a link-local IPv6 address needs a scope.
    package init?(address text: String) {
        guard let address = ParsedAddress(text) else { return nil }
        if let scope = address.scope {
            let isName = scope.wholeMatch(of: /[A-Za-z0-9._@][A-Za-z0-9._@-]{0,14}/) != nil
            guard isName else { return nil }
        } else if address.isIPv6, address.kind == "link-local" {
            return nil
        }
        self.text = text
    }

    /// Returns the first safe address of a peer in the order in which to try them.
    package init?(addressOf peer: Peer) {
        let address = peer.addressesByReach.lazy.compactMap(SafeHost.init(address:)).first
        guard let address else { return nil }
        self = address
    }

    /// Checks the host name of a peer, which may name another machine as well.
    package init?(nameOf peer: Peer, in domain: BrowsedDomain) {
        guard let host = domain.hostName(of: peer) else { return nil }
        self.init(name: host)
    }

    /// Returns the host name of a peer in the browsed domain and the first of its addresses to try, if they
    /// are safe.
    ///
    /// The name comes first, because its owner keeps it, unless it is not in `local`: then multicast DNS may
    /// not resolve it. The address is for machines whose resolver does not use multicast DNS.
    package static func all(of peer: Peer, in domain: BrowsedDomain) -> [SafeHost] {
        let name = SafeHost(nameOf: peer, in: domain)
        let address = SafeHost(addressOf: peer)
        let isInLocal = name?.text.lowercased().hasSuffix(".local") == true
        return (isInLocal ? [name, address] : [address, name]).compactMap(\.self)
    }

    /// The host in a URL: an IPv6 address in brackets, with the `%` of its scope escaped (RFC 6874).
    package var inURL: String {
        guard text.contains(":") else { return text }
        let parts = text.split(separator: "%", maxSplits: 1)
        return "[" + parts.joined(separator: "%25") + "]"
    }
}

/// A URL of a page, a printer, shared files or a screen, which contains only characters of URLs.
package struct SafeURL: Equatable {
    /// The schemes of announced URLs: pages and printers, none that starts programs or reads files.
    static let schemes = ["http", "https", "ipp", "ipps"]
    static let limit = 2_000

    package let text: String

    /// The scheme, the TXT key of the path, if any, and the default port of service types with a URL.
    private static let forms: [String: (scheme: String, pathKey: String?, port: UInt16)] = [
        "_http._tcp": ("http", "path", 80), "_https._tcp": ("https", "path", 443),
        "_ipp._tcp": ("ipp", "rp", 631), "_ipps._tcp": ("ipps", "rp", 631),
        "_smb._tcp": ("smb", nil, 445), "_rfb._tcp": ("vnc", nil, 5900),
        "_sftp-ssh._tcp": ("sftp", "path", 22),
    ]

    /// RFC 3986, sections 3.3 to 3.5, without quotes and parentheses.
    private static let allowed = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/?#=&+,:@".utf8)

    /// Composes the URL of a service at a host; `nil` if its type has none, or the result would be unsafe.
    package init?(of service: Service, at host: SafeHost) {
        if !service.hasOwnName, case .text(let page)? = service.txt["presentationURL"] {
            self.init(page: page, port: service.port ?? 0, at: host)
            return
        }
        guard let (scheme, key, defaultPort) = Self.forms[service.type],
            let port = service.port, port != 0
        else { return nil }
        var path = ""
        if let key, case .text(let text)? = service.txt[key] { path = text }
        guard let escaped = Self.escaped(path.hasPrefix("/") ? path : "/\(path)") else {
            return nil
        }
        let suffix = port == defaultPort ? "" : ":\(port)"
        self.init(checked: "\(scheme)://\(host.inURL)\(suffix)\(escaped)")
    }

    /// Composes the URL of the page that a device describes (UPnP Device Architecture 2.0, section 2.3): its port and path
    /// at the device itself, whatever host is written in it.
    ///
    /// - Parameters:
    ///   - page: A URL, or a path.
    ///   - port: The port of the description, which is that of a path.
    ///   - host: The device.
    private init?(page: String, port: UInt16, at host: SafeHost) {
        var (port, path) = (port, page)
        if let whole = page.wholeMatch(of: /[Hh][Tt][Tt][Pp]:\/\/[^\/:?#]+(?::([0-9]{1,5}))?(.*)/)?
            .output
        {
            guard let stated = whole.1.map({ UInt16($0) }) ?? 80 else { return nil }
            (port, path) = (stated, String(whole.2))
        } else if page.contains("://") {
            return nil
        }
        guard port != 0, !page.isEmpty,
            let escaped = Self.escaped(path.hasPrefix("/") ? path : "/\(path)")
        else { return nil }
        self.init(checked: "http://\(host.inURL)\(port == 80 ? "" : ":\(port)")\(escaped)")
    }

    /// Checks a URL that a service announces: a scheme, a host without user name, and a path.
    package init?(announced url: String) {
        let start =
            /([A-Za-z]+):\/\/([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?(?=[\/?#]|\z)/
        guard let (start, name, host, _) = url.prefixMatch(of: start)?.output else { return nil }
        let scheme = name.lowercased()
        let isHost =
            host.hasPrefix("[")
            ? ParsedAddress(String(host.dropFirst().dropLast()))?.isIPv6 == true
            : (SafeHost(name: String(host)) ?? SafeHost(address: String(host))) != nil
        guard Self.schemes.contains(scheme), isHost,
            let path = Self.escaped(String(url[start.endIndex...]))
        else { return nil }
        self.init(checked: scheme + start.dropFirst(name.count) + path)
    }

    private init?(checked text: String) {
        guard text.utf8.count <= Self.limit else { return nil }
        self.text = text
    }

    /// Escapes a path and query; returns `nil` if it contains control characters.
    private static func escaped(_ path: String) -> String? {
        guard !path.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        let bytes = Array(path.utf8)
        return bytes.indices.map { index in
            let byte = bytes[index]
            let isEscape =
                byte == UInt8(ascii: "%")
                && bytes[index...].dropFirst().prefix(2)
                    .count { UnicodeScalar($0).properties.isASCIIHexDigit } == 2
            if isEscape || allowed.contains(byte) { return String(UnicodeScalar(byte)) }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}

/// Returns a host or address with a port: `nas.local:22`, `[fe80::1%eth0]:22`.
package func endpoint(host: String, port: UInt16) -> String {
    host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
}

extension Service {
    /// The types of services through which ssh(1) logs in, the best one first.
    package static let shellTypes = ["_ssh._tcp", "_sftp-ssh._tcp"]
}
