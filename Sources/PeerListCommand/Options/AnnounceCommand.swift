// The command `peerlist announce`: its options, their checks and its help.
import PeerList

extension Command {
    static let announce = Command(
        .announce, "announce a service of this machine",
        usage: ["peerlist announce --name NAME --type TYPE --port PORT [OPTION]..."],
        about: """
            Announce a service of this machine until interrupted. Its name is printed; it is
            withdrawn at the end, and announced again after avahi-daemon stops or restarts.
            """,
        sections: [
            Section(
                "Examples",
                """
                  peerlist announce --name Web --type http --port 8080 --txt path=/shop
                  peerlist announce -n Attic -t ipp --port 631 --subtype printer --txt rp=ipp
                """),
            Section(
                "Exit status",
                """
                  0    announced until a signal, such as Ctrl-C, ended it
                  2    wrong usage
                  3    failure: it could not be announced, or avahi-daemon hangs and did not
                       withdraw it
                """),
        ],
        defaults: AnnounceOptions(), options: AnnounceOptions.table
    ) { options, _ throws(UsageError) in
        var options = options
        options.subtypes = try AnnounceOptions.subtypes(options.subtypes, of: options.type)
        try AnnounceOptions.checkAttributes(options.txt)
        return .announce(options)
    }
}

extension AnnounceOptions {
    /// The options, in the order of the help.
    fileprivate static let table: [CommandOption<AnnounceOptions>] =
        [
            .value(
                "--name", "n", .init("NAME", example: "Web"), .announcement,
                "Instance name, at most 63 bytes; a number is added if the name is taken", .refused
            ) { options, given throws(UsageError) in
                options.name = try given.instanceName(whenEmpty: "write one such as 'Web'")
            }.required(),
            .value(
                "--type", "t", .init("TYPE", example: "http", .serviceType), .announcement,
                "Service type, such as _http._tcp; 'http' means the same", .refused
            ) { options, given throws(UsageError) in
                options.type = try given.announcedType()
            }.required(),
            .value(
                "--port", nil, .init("PORT", example: "80"), .announcement,
                "Port of the service on this machine, 1 to 65535", .refused
            ) { options, given throws(UsageError) in
                options.port = try given.port()
            }.required(),
            .value(
                "--txt", nil, .init("KEY[=VALUE]", example: "path=/"), .announcement,
                "Attribute of the TXT record, at most 255 bytes; may be repeated", .adds
            ) { $0.txt.append($1.text) },
            .value(
                "--subtype", nil, .init("SUBTYPE", example: "_printer"), .announcement,
                "Subtype of TYPE to announce as well; may be repeated", .adds
            ) { $0.subtypes.append($1.text) },
        ] + CommandOption.link("Announce", .announcement, \.interface, \.family, \.backend) + [
            .flag("--json", "j", .output, "Print JSON lines instead of sentences") {
                $0.isJSON = true
            }
        ]

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
    }
}
