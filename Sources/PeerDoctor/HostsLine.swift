// Reads the line of nsswitch.conf(5) with the services that look up hosts.

/// The services that look up hosts, in order, from the line `hosts:` of /etc/nsswitch.conf.
struct HostsLine: Equatable, Sendable {
    /// A service, and what follows if it does not know a name.
    struct Entry: Equatable, Sendable {
        /// The name of the service, such as `dns`, whose module is `libnss_dns.so.2`.
        let service: String
        /// Whether the look-up ends when the service does not know the name.
        var endsUnknown = false
    }

    /// The line after `hosts:`.
    let text: String
    let entries: [Entry]

    /// Reads the file; `nil` if it has no such line.
    init?(_ file: String) {
        let lines = file.split(whereSeparator: \.isNewline).lazy.map {
            $0.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        guard let line = lines.first(where: { $0.hasPrefix("hosts:") }) else { return nil }
        text = String(line.dropFirst("hosts:".count).drop { $0 == " " })
        var entries: [Entry] = []
        // An action such as `[!UNAVAIL=return]` applies to the service before it.
        var isAction = false
        for word in text.replacing("[", with: " [ ").replacing("]", with: " ] ").split(
            separator: " ")
        {
            switch word {
            case "[": isAction = true
            case "]": isAction = false
            case _ where !isAction: entries.append(Entry(service: String(word)))
            case _ where !entries.isEmpty:
                if let ends = Self.endsUnknown(word) {
                    entries[entries.count - 1].endsUnknown = ends
                }
            default: break
            }
        }
        self.entries = entries
    }

    /// Returns whether an action ends the look-up of an unknown name; `nil` if it says nothing about that.
    private static func endsUnknown(_ action: Substring) -> Bool? {
        let parts = action.lowercased().split(separator: "=")
        guard parts.count == 2 else { return nil }
        let isNegated = parts[0].hasPrefix("!")
        let isUnknown = parts[0].drop { $0 == "!" } == "notfound"
        return isUnknown != isNegated ? parts[1] != "continue" : nil
    }
}
