// Looks for firewalls on this machine.
import Glibc
import PeerList

/// What can be seen of firewalls.
struct FirewallSurvey: Equatable, Sendable {
    /// The rules of nftables.
    enum Rules: Equatable, Sendable {
        case known(PacketFilter)
        /// There is no program to list them.
        case noTool
        /// Only root may list them.
        case forbidden
        /// Root asked, and they were not told.
        case unreadable
    }

    var rules: Rules
    /// Whether ufw is switched on.
    var hasUFW: Bool
    /// The zone of firewalld that interfaces are in by default, where firewalld runs.
    var zone: String?
    /// Whether that zone lets multicast DNS pass; `nil`: that cannot be read.
    var zonePasses: Bool?

    /// What can be seen now.
    static func system() -> FirewallSurvey {
        let isRunning = unsafe access("/run/firewalld", F_OK) == 0
        let zone =
            isRunning
            ? text(of: "/etc/firewalld/firewalld.conf").flatMap { setting("DefaultZone", in: $0) }
                ?? "public" : nil
        let ufw = text(of: "/etc/ufw/ufw.conf").flatMap { setting("ENABLED", in: $0) }
        return FirewallSurvey(
            rules: rules(), hasUFW: ufw?.lowercased() == "yes", zone: zone,
            zonePasses: zone.flatMap { passes(zone: $0) })
    }

    /// A setting in a file of lines such as `NAME=value`.
    static func setting(_ name: String, in text: String) -> String? {
        text.split(separator: "\n").last { $0.hasPrefix("\(name)=") }
            .map { $0.dropFirst(name.count + 1).filter { $0 != "\"" && !$0.isWhitespace } }
    }

    /// Whether a zone lets multicast DNS pass; `nil` where its file is missing, or may not be read.
    ///
    /// The first folder that has the zone counts, so one that cannot be looked into hides the rest.
    static func passes(
        zone: String, folders: [String] = ["/etc/firewalld/zones", "/usr/lib/firewalld/zones"]
    ) -> Bool? {
        guard !zone.contains("/") else { return nil }
        for folder in folders {
            let path = "\(folder)/\(zone).xml"
            if let zone = text(of: path) {
                return zone.contains("service name=\"mdns\"") || zone.contains("target=\"ACCEPT\"")
            }
            guard unsafe access(path, R_OK) != 0, errno == ENOENT else { return nil }
        }
        return nil
    }

    private static func rules() -> Rules {
        let tools = ["/usr/sbin/nft", "/sbin/nft", "/usr/bin/nft"]
        guard let tool = tools.first(where: { unsafe access($0, X_OK) == 0 }) else {
            return .noTool
        }
        guard geteuid() == 0 else { return .forbidden }
        guard let json = toolOutput([tool, "--json", "list", "ruleset"], within: .seconds(5)),
            let filter = PacketFilter(json: json)
        else { return .unreadable }
        return .known(filter)
    }
}
