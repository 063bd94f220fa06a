// Decides which description of a device may be fetched, and writes the request for it.
import Glibc

/// The address of a description at the device that has announced it.
///
/// An announcement may name any URL. It is fetched only from the address that has sent the announcement, so that no
/// device can aim a request at another machine.
package struct DescriptionAddress: Sendable, Hashable {
    /// The maximum length of a path in bytes.
    package static let pathLimit = 512

    /// The reason for which a description is not fetched.
    package enum Refusal: Error, Sendable, Hashable, CaseIterable, CustomStringConvertible {
        case notHTTP, elsewhere, tooLong, malformed

        package var description: String {
            switch self {
            case .notHTTP: "the address of the description is not one of HTTP"
            case .elsewhere: "the description is not at the address of the device itself"
            case .tooLong: "the path of the description is longer than \(pathLimit) bytes"
            case .malformed: "the address of the description is not valid"
            }
        }
    }

    /// The address of the device, of 4 or 16 bytes.
    package let address: [UInt8]
    package let port: UInt16
    /// The path, and the query if there is one.
    package let path: String
    /// The host as it is written in the URL, an IPv6 address without brackets and zone.
    private let host: String

    /// Checks a URL: `http`, the sender's own address as a number, any port but 0, and a path of visible ASCII.
    ///
    /// - Parameters:
    ///   - url: The URL that was announced.
    ///   - sender: The source address of the announcement, of 4 or 16 bytes.
    /// - Throws: The reason for which nothing may be fetched from the URL.
    package init(_ url: String, from sender: [UInt8]) throws(Refusal) {
        guard let rest = url.dropping(prefix: "http://") else { throw .notHTTP }
        guard rest.utf8.allSatisfy(\.isVisible) else { throw .malformed }
        let whole = rest.prefix { $0 != "#" }
        let authority = whole.prefix { $0 != "/" && $0 != "?" }
        let path = whole[authority.endIndex...]
        self.path = path.hasPrefix("/") ? String(path) : "/" + path
        guard self.path.utf8.count <= Self.pathLimit else { throw .tooLong }

        let isIPv6 = authority.hasPrefix("[")
        let inner = isIPv6 ? authority.dropFirst() : authority
        let host = inner.prefix { $0 != (isIPv6 ? "]" : ":") }
        let behind = inner[host.endIndex...]
        guard !authority.contains("@"), !host.isEmpty, !isIPv6 || behind.hasPrefix("]"),
            let port = Self.port(isIPv6 ? behind.dropFirst() : behind)
        else { throw .malformed }
        self.port = port
        self.host = String(host.prefix { $0 != "%" })
        var bytes = [UInt8](repeating: 0, count: isIPv6 ? 16 : 4)
        guard unsafe inet_pton(isIPv6 ? AF_INET6 : AF_INET, self.host, &bytes) == 1, bytes == sender
        else { throw .elsewhere }
        address = bytes
    }

    /// Returns the port of what follows a host: nothing, or a colon and digits.
    private static func port(_ text: Substring) -> UInt16? {
        if text.isEmpty { return 80 }
        guard text.hasPrefix(":"), let port = UInt16(digits: text.dropFirst()), port > 0 else {
            return nil
        }
        return port
    }

    /// Returns the request for the description (RFC 9112, section 3).
    ///
    /// - Parameter envelope: The body that is posted, as WS-Discovery needs one; `nil` for a GET request.
    /// - Returns: The bytes of the request.
    package func request(posting envelope: [UInt8]? = nil) -> [UInt8] {
        let host = address.count == 16 ? "[\(host)]" : host
        var lines = [
            "\(envelope == nil ? "GET" : "POST") \(path) HTTP/1.1",
            "Host: \(host)\(port == 80 ? "" : ":\(port)")", "Connection: close",
            "Accept-Encoding: identity", "User-Agent: peerlist",
        ]
        if let envelope {
            lines += [
                "Content-Type: application/soap+xml; charset=utf-8",
                "Content-Length: \(envelope.count)",
            ]
        }
        return Array((lines + ["", ""]).joined(separator: "\r\n").utf8) + (envelope ?? [])
    }
}
