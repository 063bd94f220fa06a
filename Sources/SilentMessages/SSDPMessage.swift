// Reads what devices announce by the Simple Service Discovery Protocol of UPnP.

/// A message with which a device tells that it, or a service of it, is there or leaves (UPnP Device Architecture 2.0,
/// sections 1.2 and 1.3).
///
/// A datagram of at most 8,192 bytes with at most 64 header lines of 1,024 bytes each. All values are printable.
package struct SSDPMessage: Sendable, Hashable {
    /// The maximum size in bytes.
    package static let sizeLimit = 8_192
    private static let lineLimit = 1_024
    private static let headerLimit = 64

    /// The occasion of a message.
    package enum Kind: Sendable, Hashable, CaseIterable {
        /// The device is there, and repeats this before its time is over.
        case alive
        /// The device is going to change its boot number, since it has got another address.
        case update
        /// The device answers a search.
        case answer
        /// The device leaves.
        case byebye
    }

    package let kind: Kind
    /// The unique service name: the device's identifier, and usually the target.
    package let usn: String
    /// The device's identifier, `uuid:…`, a UUID in lower case.
    package let udn: String
    /// The device type or service type that is announced, or `upnp:rootdevice`, or the identifier.
    package let target: String
    /// The URL of the device's description.
    package let location: String?
    /// The number of seconds after which the device is to be considered gone, from 1 to 86,400.
    package let maxAge: Int
    /// The operating system and the product, as the device tells them.
    package let server: String?

    /// Whether the message is about the device with all that is in it.
    package var isOfRootDevice: Bool { target.lowercased() == "upnp:rootdevice" }

    /// The service type or device type as users see it, such as `upnp:MediaRenderer:1`.
    package var serviceType: String? { Self.serviceType(of: target) }

    /// Reads a datagram; `nil` if it is no message of a device, such as a search, or exceeds a bound.
    ///
    /// Lines may end without a carriage return. Of headers with the same name the first one counts.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.sizeLimit, let (start, fields) = Self.lines(bytes) else {
            return nil
        }
        let isAnswer = start.count > 1 && start[0].hasPrefix("HTTP/1.") && start[1] == "200"
        let isNotice = start.count > 1 && start[0] == "NOTIFY" && start[1] == "*"
        switch (isAnswer, isNotice, fields["nts"]?.lowercased()) {
        case (true, _, _): kind = .answer
        case (_, true, "ssdp:alive"): kind = .alive
        case (_, true, "ssdp:update"): kind = .update
        case (_, true, "ssdp:byebye"): kind = .byebye
        default: return nil
        }
        guard let usn = fields["usn"], let udn = Self.udn(of: usn),
            let target = fields[isAnswer ? "st" : "nt"], !target.isEmpty
        else { return nil }
        (self.usn, self.udn, self.target) = (usn, udn, target)
        location = fields["location"].flatMap { $0.isEmpty ? nil : $0 }
        server = fields["server"]?.tidied
        maxAge = Self.maxAge(fields["cache-control"] ?? "")
    }

    /// Returns the words of the first line, and the headers by their names in lower case.
    private static func lines(_ bytes: [UInt8]) -> (start: [Substring], fields: [String: String])? {
        var lines = bytes.split(
            separator: UInt8(ascii: "\n"), maxSplits: headerLimit + 2,
            omittingEmptySubsequences: false
        ).map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }[...]
        guard let first = lines.popFirst(), first.count <= lineLimit,
            let start = String(printable: first)
        else { return nil }
        let headers = lines.prefix { !$0.isEmpty }
        guard headers.count <= headerLimit, headers.allSatisfy({ $0.count <= lineLimit }) else {
            return nil
        }
        var fields: [String: String] = [:]
        for field in headers.compactMap(HeaderField.init) {
            guard let value = String(printable: field.value) else { return nil }
            if fields[field.name] == nil { fields[field.name] = value }
        }
        return (start.split(separator: " "), fields)
    }

    /// Returns the identifier at the start of a unique service name.
    private static func udn(of usn: String) -> String? {
        let bytes = Array(usn.utf8)
        let end = bytes.indices.dropLast().first {
            bytes[$0] == UInt8(ascii: ":") && bytes[$0 + 1] == UInt8(ascii: ":")
        }
        return DeviceID.canonical(String(decoding: bytes[..<(end ?? bytes.count)], as: UTF8.self))
    }

    /// Returns the seconds of a `CACHE-CONTROL` header; 1,800, the usual ones, if it has none that are valid.
    private static func maxAge(_ text: String) -> Int {
        for directive in text.split(separator: ",") {
            let words = directive.split(whereSeparator: { $0 == " " || $0 == "=" })
            guard words.count == 2, words[0].lowercased() == "max-age" else { continue }
            return Int(digits: words[1]).map { min(max($0, 1), 86_400) } ?? 1_800
        }
        return 1_800
    }

    /// Returns a UPnP type as users see it: `urn:schemas-upnp-org:device:MediaRenderer:1` is `upnp:MediaRenderer:1`,
    /// whatever the vendor's domain, and another target such as `roku:ecp` is `upnp:roku:ecp`.
    ///
    /// - Parameter target: A search target, a device type or a service type.
    /// - Returns: The type; `nil` for a target that is a device, and unless it is a token.
    package static func serviceType(of target: String) -> String? {
        guard let token = target.token, token.dropping(prefix: "uuid:") == nil,
            !["upnp:rootdevice", "ssdp:all"].contains(token.lowercased())
        else { return nil }
        guard let urn = token.dropping(prefix: "urn:") else { return "upnp:" + token }
        let parts = urn.split(separator: ":")
        guard !parts.isEmpty else { return nil }
        return "upnp:" + (parts.count < 4 ? parts[...] : parts.suffix(2)).joined(separator: ":")
    }
}

/// Writes searches for all devices and services (UPnP Device Architecture 2.0, section 1.3.2).
package enum SSDPSearch {
    /// The multicast group and port of SSDP over IPv4.
    package static let hostOfIPv4 = "239.255.255.250:1900"
    /// The multicast group and port of SSDP over IPv6, on the link.
    package static let hostOfIPv6 = "[FF02::C]:1900"

    /// Returns a search, which devices answer within two seconds.
    ///
    /// - Parameter host: The group to which it is sent.
    /// - Returns: The datagram.
    package static func message(host: String) -> [UInt8] {
        Array(
            """
            M-SEARCH * HTTP/1.1\r
            HOST: \(host)\r
            MAN: "ssdp:discover"\r
            MX: 2\r
            ST: ssdp:all\r
            \r

            """.utf8)
    }
}
