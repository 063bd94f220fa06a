// The command `peerlist announce`: its options, their checks and its help.
import PeerModel
import PeerText

extension Command {
    static let announce = Command(
        .announce, "announce a service of this machine",
        usage: ["peerlist announce --name NAME --type TYPE --port PORT [OPTION]..."],
        about: """
            Announce a service of this machine until interrupted. Its name is printed; it is
            withdrawn at the end, and announced again after avahi-daemon stops or restarts.
            """,
        notes: """
            Examples:
              peerlist announce --name Web --type http --port 8080 --txt path=/shop
              peerlist announce -n Attic -t ipp --port 631 --subtype printer --txt rp=ipp

            Exit status:
              0    announced until a signal, such as Ctrl-C, ended it
              2    wrong usage
              3    failure: it could not be announced, or avahi-daemon hangs and did not
                   withdraw it
            """,
        defaults: AnnounceOptions(),
        options: [
            .announcement: [
                .value(
                    "-n, --name", .instanceName(),
                    "Instance name, at most 63 bytes; a number is added if the name is taken",
                    .refused
                ) { $0.name = $1 }.required(),
                .value(
                    "-t, --type", .plainType { "--type \($0.name) --subtype \($1)" },
                    "Service type, such as _http._tcp; 'http' means the same", .refused
                ) { $0.type = $1 }.required(),
                .value(
                    "--port", .port, "Port of the service on this machine, 1 to 65535",
                    .refused
                ) { $0.port = $1 }.required(),
                .value(
                    "--txt", .text("KEY[=VALUE]", example: "path=/"),
                    "Attribute of the TXT record, at most 255 bytes; may be repeated", .adds
                ) { $0.txt.append($1) },
                .value(
                    "--subtype", .text("SUBTYPE", example: "_printer"),
                    "Subtype of TYPE to announce as well; may be repeated", .adds
                ) { $0.subtypes.append($1) },
            ] + CommandOption.link("Announce"),
            .output: [
                .flag("-j, --json", "Print JSON lines instead of sentences") { $0.isJSON = true }
            ],
        ]
    ) { options, _ throws(UsageError) in
        options.subtypes = try AnnounceOptions.subtypes(options.subtypes, of: options.type)
        try AnnounceOptions.checkAttributes(options.txt)
        return .announce(options)
    }
}

extension AnnounceOptions: LinkOptions {
    /// The maximum size of a TXT record in bytes, so that it fits into a packet (RFC 6762, section 17).
    private static let recordSize = 8_000
    /// The maximum number of subtypes; the daemon accepts 32 entries per service.
    private static let subtypeLimit = 31

    /// Returns the subtypes of a type as labels with their underscore, each once.
    fileprivate static func subtypes(
        _ texts: [String], of type: String
    ) throws(UsageError) -> [String] {
        var labels: [String] = []
        for text in texts {
            let suffix = "._sub.\(type)"
            let name = text.hasSuffix(suffix) ? String(text.dropLast(suffix.count)) : text
            let label = name.hasPrefix("_") ? name : "_\(name)"
            guard !label.contains("."), label.utf8.count <= 63, printable(label) == label,
                let subtype = (try? ServiceType("\(label)._sub.\(type)"))?.subtype
            else {
                throw UsageError(
                    "--subtype: \(quoted(text)) is not a subtype; write one such as '_printer', of "
                        + "2 to 62 bytes without dots and spaces")
            }
            if !labels.contains(subtype) { labels.append(subtype) }
        }
        guard labels.count <= subtypeLimit else {
            throw UsageError(
                "--subtype: \(labels.count) subtypes are too many; leave some out, at most "
                    + "\(subtypeLimit) fit")
        }
        return labels
    }

    /// Refuses strings that do not make a TXT record (RFC 6763, section 6).
    fileprivate static func checkAttributes(_ texts: [String]) throws(UsageError) {
        func error(_ reason: String) -> UsageError { UsageError("--txt: \(reason)") }
        var keys: Set<String> = []
        for text in texts {
            let key = String(text.unicodeScalars.prefix { $0 != "=" })
            guard !key.isEmpty, key.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
                throw error("\(quoted(text)) has no key; write 'KEY=VALUE', the key in ASCII")
            }
            let size = text.utf8.count
            guard size <= 255 else {
                throw error(
                    "\(quoted(key)) and its value have \(size) bytes; shorten them to at most 255")
            }
            guard keys.insert(key.lowercased()).inserted else {
                throw error(
                    "\(quoted(key)) is given twice, and only the first one would be read; leave one "
                        + "out")
            }
        }
        let size = texts.reduce(0) { $0 + 1 + $1.utf8.count }
        guard size <= recordSize else {
            throw error(
                "the record has \(size) bytes; leave some attributes out, at most \(recordSize) bytes "
                    + "fit into a packet")
        }
    }
}
