// Parses the service types that users write and explains what is wrong with invalid ones.

/// A service type, such as `_ssh._tcp`, or one of its subtypes (RFC 6763, section 7).
///
/// Types are compared in lower case, as DNS does.
public struct ServiceType: Sendable, Hashable, CustomStringConvertible {
    /// The type without its subtype: `_http._tcp`.
    public let name: String

    /// The label of the subtype, such as `_printer`, or `nil` for a whole type.
    public let subtype: String?

    /// The name that is browsed for: `_http._tcp` or `_printer._sub._http._tcp`.
    public var description: String { subtype.map { "\($0)._sub.\(name)" } ?? name }

    private init(name: String, subtype: String? = nil) {
        self.name = name
        self.subtype = subtype
    }

    /// Parses a comma-separated list of types; repeated types count once.
    ///
    /// - Throws: ``InvalidServiceType`` for the first invalid type.
    public static func list(_ text: String) throws(InvalidServiceType) -> [ServiceType] {
        var types: [ServiceType] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            var text = part.drop { $0 == " " }
            while text.last == " " { text.removeLast() }
            let type = try ServiceType(String(text))
            if !types.contains(type) { types.append(type) }
        }
        return types
    }

    /// Parses one type: `_ssh._tcp`, `_printer._sub._http._tcp`, or a known short name, `ssh`; or a type of another
    /// protocol, `upnp:MediaRenderer` or `wsd:Computer`, which stands for all its versions.
    ///
    /// The name of a type has 1 to 15 letters, digits and hyphens (RFC 6335, section 5.1); Avahi refuses
    /// names of one character. Inner underscores and known names that break the rule are accepted.
    ///
    /// - Throws: ``InvalidServiceType`` if the text is not a type.
    public init(_ text: String) throws(InvalidServiceType) {
        func invalid(_ reason: String) -> InvalidServiceType {
            InvalidServiceType(text: text, reason: reason)
        }
        var written = text.lowercased()
        if DiscoveryProtocol(ofType: written) != .mdns {
            guard (3...128).contains(written.utf8.count),
                written.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != 0x2C })
            else { throw invalid("is not a type of service of SSDP or WS-Discovery") }
            self.init(name: written)
            return
        }
        if written.hasSuffix(".") { written.removeLast() }
        guard !written.isEmpty else {
            throw invalid("is not a service type; write one, such as 'ssh'")
        }
        let labels = written.split(separator: ".", omittingEmptySubsequences: false)
            .map(String.init)
        if labels.count == 1, !written.hasPrefix("_") {
            guard let known = KnownServiceType.named(written) else {
                throw invalid(Self.adviceForShortName(written))
            }
            self.init(name: known.type)
            return
        }
        guard let transport = labels.last, labels.count >= 2, isTransport(transport) else {
            throw invalid(Self.adviceForEnd(of: labels))
        }
        if let problem = Self.problem(withName: labels[labels.count - 2], transport: transport) {
            throw invalid(problem)
        }
        let name = labels.suffix(2).joined(separator: ".")
        switch labels.count {
        case 2: self.init(name: name)
        case 4 where labels[1] == "_sub" && isSubtype(labels[0]):
            self.init(name: name, subtype: labels[0])
        case 4 where labels[1] == "_sub" && isSubtype("_\(labels[0])"):
            throw invalid("cannot be browsed for; did you mean '_\(labels[0])._sub.\(name)'?")
        default:
            throw invalid("is not a service type; a subtype is written '_printer._sub.\(name)'")
        }
    }

    /// Returns the error in a name, or `nil` if the name is valid.
    private static func problem(withName label: String, transport: String) -> String? {
        guard label.hasPrefix("_") else {
            return "is not a service type; did you mean '_\(label).\(transport)'?"
        }
        let name = label.dropFirst()
        if KnownServiceType.of("\(label).\(transport)") != nil { return nil }
        if name.isEmpty { return "is not a service type; a name is missing after the first '_'" }
        if name.utf8.count > 15 {
            return "is not a service type; the name '\(name)' is longer than 15 bytes"
        }
        if name.utf8.count == 1 {
            return "cannot be browsed for; Avahi refuses names of a single letter"
        }
        let isValid =
            name.utf8.allSatisfy { isLetter($0) || 0x30...0x39 ~= $0 || $0 == 0x2D || $0 == 0x5F }
            && name.utf8.contains(where: isLetter) && !name.hasPrefix("-") && !name.hasSuffix("-")
            && !name.contains("--")
        if isValid { return nil }
        return "is not a service type; a name has letters, digits and single hyphens between them"
    }

    private static func adviceForShortName(_ name: String) -> String {
        let isValid = problem(withName: "_\(name)", transport: "_tcp") == nil
        let nearest = nearestName(to: name, among: KnownServiceType.all.flatMap(\.shortNames))
        let advice = nearest.map { "did you mean '\($0)'? Or write" } ?? "write"
        return "is not a known short name; \(advice) the type in full, such as "
            + "'_\(isValid ? name : "ssh")._tcp'"
    }

    /// Returns advice for a text that does not end in `._tcp` or `._udp`.
    private static func adviceForEnd(of labels: [String]) -> String {
        if let index = labels.firstIndex(where: isTransport), index > 0 {
            let type = labels[...index].joined(separator: ".")
            let domain = labels[(index + 1)...].joined(separator: ".")
            return "is more than a service type; write '\(type)', and '--domain \(domain)' "
                + "if that domain alone is meant"
        }
        let bare = labels[0].hasPrefix("_") ? String(labels[0].dropFirst()) : labels[0]
        let transport = labels.last.map { "_\($0)" } ?? ""
        if labels.count == 2, isTransport(transport) {
            return "is not a service type; did you mean '_\(bare).\(transport)'?"
        }
        let known = KnownServiceType.named(bare)?.type
        return "is not a service type, because it does not end in '._tcp' or '._udp'"
            + (known.map { "; did you mean '\($0)'?" } ?? "")
    }
}

private func isTransport(_ label: String) -> Bool { label == "_tcp" || label == "_udp" }

/// Whether a label is a subtype that Avahi browses for without escapes: any label is valid (RFC 6763,
/// section 7.1), but Avahi accepts only an underscore followed by at least two bytes.
private func isSubtype(_ label: String) -> Bool {
    label.hasPrefix("_") && (3...63).contains(label.utf8.count)
        && label.unicodeScalars.allSatisfy {
            $0.value > 0x20 && $0 != "\\" && !(0x7F...0x9F ~= $0.value)
        }
}

private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

/// The error thrown for a text that is not a service type.
public struct InvalidServiceType: Error, Hashable, CustomStringConvertible {
    /// The rejected text.
    public let text: String

    /// The reason and what to write instead, phrased to follow the text.
    public let reason: String

    /// The text in quotation marks and the reason.
    ///
    /// The text is not escaped: escape it before it reaches a terminal.
    public var description: String { "'\(text)' \(reason)" }
}
