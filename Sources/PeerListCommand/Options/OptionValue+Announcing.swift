// Checks the parts of a service that is to be announced.
import PeerList

extension OptionValue {
    /// What a TXT record may hold so that it and the rest fit into one packet (RFC 6762, section 17).
    static let recordSize = 8_000
    /// How many subtypes a service may have; the daemon takes 32 entries for each service.
    static let subtypeCount = 31

    /// A type that can be announced: one without a subtype.
    static func announcedType(_ text: String) throws(UsageError) -> String {
        let type: ServiceType
        do throws(InvalidServiceType) {
            type = try ServiceType(text)
        } catch {
            throw UsageError("--type: \(quoted(error.text)) \(printable(error.reason))")
        }
        if let subtype = type.subtype {
            throw UsageError(
                "--type: \(quoted(text)) is a subtype; write '--type \(type.name) --subtype "
                    + "\(printable(subtype))'")
        }
        return type.name
    }

    /// Subtypes of a type, as labels with their underscore: `printer` stands for `_printer`.
    static func subtypes(_ texts: [String], of type: String) throws(UsageError) -> [String] {
        var labels: [String] = []
        for text in texts {
            let end = "._sub.\(type)"
            let label = text.hasSuffix(end) ? String(text.dropLast(end.count)) : text
            let written = label.hasPrefix("_") ? label : "_\(label)"
            guard !written.contains("."), written.utf8.count <= 63, printable(written) == written,
                let subtype = (try? ServiceType("\(written)._sub.\(type)"))?.subtype
            else {
                throw UsageError(
                    "--subtype: \(quoted(text)) is not a subtype; write one such as '_printer', of "
                        + "2 to 62 bytes without dots and spaces")
            }
            if !labels.contains(subtype) { labels.append(subtype) }
        }
        guard labels.count <= subtypeCount else {
            throw UsageError(
                "--subtype: \(labels.count) subtypes are too many; at most \(subtypeCount) fit")
        }
        return labels
    }

    /// A port that something can answer at.
    static func port(_ text: String) throws(UsageError) -> UInt16 {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
        guard isNumber, let port = UInt16(text), port > 0 else {
            throw UsageError(
                "--port: \(quoted(text)) is not a port number; write one from 1 to 65535")
        }
        return port
    }

    /// The strings of a TXT record (RFC 6763, section 6): a key each, and a value behind most of them.
    static func attributes(_ texts: [String]) throws(UsageError) -> [String] {
        var keys: Set<String> = []
        for text in texts {
            let key = String(text.unicodeScalars.prefix { $0 != "=" })
            guard !key.isEmpty, key.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
                throw UsageError(
                    "--txt: \(quoted(text)) has no key; write 'KEY=VALUE', the key in ASCII")
            }
            guard text.utf8.count <= 255 else {
                throw UsageError(
                    "--txt: \(quoted(key)) and its value have \(text.utf8.count) bytes; shorten them to "
                        + "at most 255")
            }
            guard keys.insert(key.lowercased()).inserted else {
                throw UsageError(
                    "--txt: \(quoted(key)) is given twice, and only the first one would be read; leave "
                        + "one out")
            }
        }
        let size = texts.reduce(0) { $0 + 1 + $1.utf8.count }
        guard size <= recordSize else {
            throw UsageError(
                "--txt: the record has \(size) bytes; leave some attributes out, at most "
                    + "\(recordSize) bytes fit into a packet")
        }
        return texts
    }
}
