// The URL of an MQTT broker, with the prefix of the topics.
import Glibc
import PeerModel

/// The address of an MQTT broker and the prefix of its topics, such as `mqtts://user@broker.example/peerlist`.
package struct BrokerURL: Sendable, Hashable {
    /// Whether the connection uses TLS.
    package let isSecure: Bool

    /// The name of the user, if the URL has one.
    package let user: String?

    /// The name or the address of the broker, without brackets.
    package let host: String

    /// The TCP port; 0 for a Unix socket.
    package let port: Int

    /// The first levels of all topics.
    package let prefix: String

    /// Parses `mqtt://[USER@]HOST[:PORT][/PREFIX]`, or the same with `mqtts://`.
    ///
    /// User and prefix may be percent-encoded.
    package init(_ text: String) throws(BrokerURLError) {
        guard text.utf8.count <= 2_000 else { throw BrokerURLError("the URL is too long") }
        let lowercased = text.prefix(8).lowercased()
        guard let scheme = ["mqtts://", "mqtt://"].first(where: { lowercased.hasPrefix($0) }) else {
            throw BrokerURLError("the URL of a broker begins with mqtt:// or mqtts://")
        }
        isSecure = scheme == "mqtts://"
        let parts = text.dropFirst(scheme.count).split(
            separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        var address = parts[0]
        if let at = address.lastIndex(of: "@") {
            user = try BrokerURL.parseUser(address[..<at])
            address = address[address.index(after: at)...]
        } else {
            user = nil
        }
        (host, port) = try BrokerURL.parseAddress(address, defaultPort: isSecure ? 8883 : 1883)
        let path = parts.count > 1 ? parts[1] : ""
        prefix = path.isEmpty ? "peerlist" : try BrokerURL.parsePrefix(path)
    }

    /// The address of a broker that listens on a Unix socket, which no URL can express.
    package init(socket path: String, user: String? = nil, prefix: String = "peerlist") {
        (isSecure, port) = (false, 0)
        (host, self.user, self.prefix) = (path, user, prefix)
    }

    private static func parseUser(_ text: Substring) throws(BrokerURLError) -> String {
        guard !text.contains(":") else {
            throw BrokerURLError(
                "a password in the URL is visible to others; write it to a file, and use --password-file"
            )
        }
        guard let user = decoded(text), !user.isEmpty, user.utf8.count <= 200 else {
            throw BrokerURLError("the user name in the URL is empty, too long or wrongly encoded")
        }
        return user
    }

    private static func parseAddress(
        _ text: Substring, defaultPort: Int
    ) throws(BrokerURLError) -> (host: String, port: Int) {
        var host = text
        var portText: Substring?
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else {
                throw BrokerURLError("the IPv6 address in the URL has no closing bracket")
            }
            host = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.first == ":", isIPv6(host) else {
                throw BrokerURLError("the brackets in the URL contain no IPv6 address")
            }
            portText = rest.isEmpty ? nil : rest.dropFirst()
        } else {
            if let colon = text.firstIndex(of: ":") {
                (host, portText) = (text[..<colon], text[text.index(after: colon)...])
            }
            let isName = host.utf8.allSatisfy { byte in
                isLetterOrDigit(byte) || [0x2D, 0x2E, 0x5F].contains(byte)  // - . _
            }
            guard isName, !host.isEmpty, host.utf8.count <= 253, host.first != "-" else {
                throw BrokerURLError("the URL has no valid host name or address of a broker")
            }
        }
        guard let portText else { return (String(host), defaultPort) }
        guard portText.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(portText),
            (1...65_535).contains(port)
        else { throw BrokerURLError("the port in the URL is not a number from 1 to 65535") }
        return (String(host), port)
    }

    private static func parsePrefix(_ text: Substring) throws(BrokerURLError) -> String {
        guard !text.contains(where: { "?#+".contains($0) }), let prefix = decoded(text),
            !prefix.contains(where: { "#+".contains($0) })
        else {
            throw BrokerURLError(
                "the topic prefix in the URL contains a wildcard, '?' or a control character")
        }
        let levels = prefix.split(separator: "/", omittingEmptySubsequences: false)
        guard levels.allSatisfy({ !$0.isEmpty }) else {
            throw BrokerURLError("the topic prefix in the URL has an empty level; remove a '/'")
        }
        guard !prefix.hasPrefix("$") else {
            throw BrokerURLError(
                "topics that begin with '$' belong to the broker; change the prefix")
        }
        guard prefix.utf8.count <= 200 else {
            throw BrokerURLError("the topic prefix in the URL is longer than 200 bytes")
        }
        return prefix
    }

    /// Whether a text is an IPv6 address, with or without a zone such as `%eth0`.
    private static func isIPv6(_ text: Substring) -> Bool {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        var address = in6_addr()
        guard unsafe inet_pton(AF_INET6, String(parts[0]), &address) == 1 else { return false }
        guard parts.count > 1 else { return true }
        return (1...15).contains(parts[1].utf8.count)
            && parts[1].utf8.allSatisfy { isLetterOrDigit($0) || [0x2D, 0x2E, 0x5F].contains($0) }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }

    /// Decodes percent-encoding; nil if it is wrong, or the text is not UTF-8 or has control characters.
    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit),
                let low = rest.popFirst().flatMap(digit)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        guard let decoded = String(validating: bytes, as: UTF8.self),
            !decoded.unicodeScalars.contains(where: \.isHidden)
        else { return nil }
        return decoded
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain = isLetterOrDigit(byte) || [0x2D, 0x2E, 0x2F, 0x5F].contains(byte)
            if isPlain { return String(Unicode.Scalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            return byte < 16 ? "%0" + digits : "%" + digits
        }.joined()
    }
}

extension BrokerURL: CustomStringConvertible {
    /// The URL with port and prefix, which can be parsed again; the path of a Unix socket.
    package var description: String {
        if port == 0 { return host }
        let user = user.map {
            BrokerURL.encoded($0).split(separator: "/", omittingEmptySubsequences: false)
                .joined(separator: "%2F") + "@"
        }
        let address = host.contains(":") ? "[\(host)]" : host
        return "\(isSecure ? "mqtts" : "mqtt")://\(user ?? "")\(address):\(port)/"
            + BrokerURL.encoded(prefix)
    }
}

extension BrokerURL {
    /// The user, the host, and the port and prefix unless they are the defaults: `me@broker.example`.
    package var title: String {
        let address = host.contains(":") ? "[\(host)]" : host
        let isDefault = port == 0 || port == (isSecure ? 8883 : 1883)
        return (user.map { $0 + "@" } ?? "") + address + (isDefault ? "" : ":\(port)")
            + (prefix == "peerlist" ? "" : "/" + prefix)
    }
}

/// A reason why a text is not the URL of a broker.
package struct BrokerURLError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
