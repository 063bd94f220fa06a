// The table that `--once` prints: who is there.
import PeerList
import TerminalList

/// Makes the table of who is there.
struct OnceTable {
    /// Who looked, and for what.
    let header: LineHeader
    /// The characters that may be sent.
    let charset: Charset
    /// What the terminal shows; `nil` where there is none, and nothing is cut.
    let columns: Int?

    /// The table with its last line feed; where nobody is there, it says so and what to try.
    func text(_ sections: [ListSection]) -> String {
        let sections = sections.filter { !$0.items.isEmpty }
        guard !sections.isEmpty else { return nobody }
        let blocks = header.grouping == .device ? devices(sections) : services(sections)
        return blocks.map { $0.map { "\($0)\n" }.joined() }.joined(separator: "\n")
    }

    /// One table for each domain, with the domain above it where it is not the usual one alone.
    private func devices(_ sections: [ListSection]) -> [[String]] {
        sections.map { section in
            var table = TextTable(
                heading: ["NAME", "HOST", "ADDRESSES", "SERVICES"], charset: charset)
            for case .peer(let peer) in section.items {
                table.add([
                    named(peer.name, isSelf: peer.isSelf, peer.presence), peer.host ?? "-",
                    listed(peer.addresses), peer.services.inShort(charset),
                ])
            }
            let isUsual = sections.count == 1 && section.id == "local"
            return (isUsual ? [] : [shown(section.id)]) + table.lines(fitting: columns)
        }
    }

    /// One table for each service type, with the type above it.
    private func services(_ sections: [ListSection]) -> [[String]] {
        sections.map { section in
            var table = TextTable(
                heading: ["SERVICE", "HOST", "PORT", "ADDRESSES"], indent: "  ", charset: charset)
            for case .service(let listing) in section.items {
                table.add([
                    named(listing.service.name, isSelf: listing.peer.isSelf, listing.presence),
                    listing.peer.host ?? "-", listing.service.port.map { "\($0)" } ?? "-",
                    listed(listing.peer.addresses),
                ])
            }
            let title = KnownServiceType.of(section.id).map { "  \($0.title)" } ?? ""
            return [shown(section.id + title)] + table.lines(fitting: columns)
        }
    }

    private func named(_ name: String, isSelf: Bool, _ presence: Presence) -> String {
        let remarks =
            (isSelf ? ["this machine"] : []) + (presence == .present ? [] : [presence.inWords])
        return remarks.isEmpty ? name : "\(name) (\(remarks.joined(separator: ", ")))"
    }

    private func listed(_ texts: [String]) -> String {
        texts.isEmpty ? "-" : texts.joined(separator: " ")
    }

    private func shown(_ text: String) -> String {
        let safe = SafeText(text, charset: charset)
        return (columns.map { safe.cut(to: $0) } ?? safe).text
    }

    private var nobody: String {
        let types = header.filter.types.joined(separator: ", ")
        var advice: [String] = []
        if !types.isEmpty { advice.append("leave out --type, to see who offers something else") }
        if let interface = header.filter.interface {
            advice.append("leave out --interface \(interface), to look on all interfaces")
        }
        if let family = header.filter.family {
            let option = family == .ipv4 ? "-4" : "-6"
            advice.append("leave out \(option), to look through IPv4 and IPv6")
        }
        if let domain = header.filter.domain {
            advice.append("leave out --domain \(domain), to look in the usual domain")
        }
        advice += [
            "wait longer: --timeout 15",
            "let the firewall pass UDP port 5353, here and on the other machines",
            "on Wi-Fi, see whether the access point filters multicast between its clients",
        ]
        let said = types.isEmpty ? "Nobody is there." : "Nobody there offers \(types)."
        return ([said, "What to try:"] + advice.map { "  - \($0)" }).map { "\(shown($0))\n" }
            .joined()
    }
}
