// Checks which firewalls are active on this machine, and their default policies.
import FoundationEssentials
import Glibc
import PeerSystem

/// The active firewalls of this machine, as far as they can be seen.
struct Firewalls: Equatable, Sendable {
    /// A chain of nftables that receives incoming packets from the kernel.
    struct Chain: Decodable, Equatable, Sendable {
        let family, table, name: String
        var type, hook, policy: String?

        var title: String { "\(family) \(table) \(name)" }
    }

    /// The input chains of nftables, or `nil` if they cannot be listed.
    var inputChains: [Chain]?
    var ufwPolicy: String?
    var zone: String?
    /// Whether that zone accepts multicast DNS; `nil` if its file cannot be read.
    var zoneAcceptsMDNS: Bool?

    /// Whether root has found no firewall.
    var areAbsent: Bool { inputChains == [] && ufwPolicy == nil && zone == nil }

    static func system() -> Firewalls {
        var firewalls = Firewalls(inputChains: listInputChains())
        if setting("ENABLED", in: readText("/etc/ufw/ufw.conf"))?.lowercased() == "yes" {
            let policy = setting("DEFAULT_INPUT_POLICY", in: readText("/etc/default/ufw"))
            firewalls.ufwPolicy = policy?.lowercased() ?? "unknown"
        }
        if unsafe access("/run/firewalld", F_OK) == 0 {
            let settings = readText("/etc/firewalld/firewalld.conf")
            let zone = setting("DefaultZone", in: settings) ?? "public"
            firewalls.zone = zone
            firewalls.zoneAcceptsMDNS = acceptsMDNS(zone: zone)
        }
        return firewalls
    }

    static func setting(_ name: String, in text: String?) -> String? {
        text?.split(separator: "\n").last { $0.hasPrefix("\(name)=") }
            .map { $0.dropFirst(name.count + 1).filter { $0 != "\"" && !$0.isWhitespace } }
    }

    /// Returns the input chains in the output of `nft --json list chains`.
    static func inputChains(json: [UInt8]) -> [Chain]? {
        struct Object: Decodable { let chain: Chain? }
        let listing = try? JSONDecoder().decode([String: [Object]].self, from: Data(json))
        return listing?["nftables"]?.compactMap(\.chain)
            .filter { $0.hook == "input" && $0.type == "filter" }
    }

    /// Lists the input chains of nftables, which only root can do.
    private static func listInputChains() -> [Chain]? {
        let tools = ["/usr/sbin/nft", "/sbin/nft", "/usr/bin/nft"]
        guard geteuid() == 0,
            let tool = tools.first(where: { unsafe access($0, X_OK) == 0 }),
            let json = output(of: "exec \(tool) --json list chains 2>/dev/null </dev/null")
        else { return nil }
        return inputChains(json: json)
    }

    /// Returns the output of a shell command, or `nil` if it fails.
    static func output(of command: String) -> [UInt8]? {
        guard let pipe = unsafe popen(command, "re") else { return nil }
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while case let count = unsafe fread(&buffer, 1, buffer.count, pipe), count > 0 {
            output += buffer.prefix(count)
        }
        return unsafe pclose(pipe) == 0 ? output : nil
    }

    private static func acceptsMDNS(zone: String) -> Bool? {
        guard !zone.contains("/") else { return nil }
        // A zone of the administrator replaces one of the system.
        for folder in ["/etc/firewalld/zones", "/usr/lib/firewalld/zones"] {
            do {
                let text = String(decoding: try readFile("\(folder)/\(zone).xml"), as: UTF8.self)
                return text.contains("service name=\"mdns\"") || text.contains("target=\"ACCEPT\"")
            } catch {
                guard error == .system(ENOENT) else { return nil }
            }
        }
        return nil
    }
}

extension Firewalls {
    /// Rules are not evaluated: whether they accept multicast DNS is tested by ``EchoCheck``.
    var findings: [Finding] {
        var found = (inputChains ?? []).map { chain in
            let policy = chain.policy ?? "accept"
            return Finding(
                .ok,
                "nftables filters incoming packets in '\(chain.title)' (default policy: \(policy)). "
                    + "Multicast loopback below tests whether multicast DNS passes.",
                facts: [
                    ("firewall", .text("nftables")), ("chain", .text(chain.title)),
                    ("policy", .text(policy)),
                ])
        }
        if let ufwPolicy {
            found += .one(
                .ok,
                "ufw is active (default policy: \(ufwPolicy)). Unless changed, its rules accept "
                    + "multicast DNS.",
                facts: [("firewall", .text("ufw")), ("policy", .text(ufwPolicy))])
        }
        if let zone { found.append(finding(zone)) }
        guard found.isEmpty else { return found }
        return areAbsent
            ? .one(.ok, "No active firewall was found.")
            : .one(
                .unknown, "The chains of nftables cannot be listed.",
                advice: "run 'sudo peerlist doctor', with 'nft' installed; in a container, the "
                    + "rules of the host apply")
    }

    private func finding(_ zone: String) -> Finding {
        let advice =
            "'firewall-cmd --permanent --add-service=mdns', then 'firewall-cmd --reload' (as root)"
        let facts = [("firewall", Finding.Value.text("firewalld"))]
        return switch zoneAcceptsMDNS {
        case true?:
            Finding(
                .ok, "firewalld is active; its default zone '\(zone)' accepts multicast DNS.",
                facts: facts)
        case false?:
            Finding(
                .warning,
                "firewalld is active, and its default zone '\(zone)' does not accept multicast "
                    + "DNS.",
                advice: advice, facts: facts)
        case nil:
            Finding(
                .unknown, "firewalld is active; its default zone '\(zone)' cannot be read.",
                advice: "if multicast DNS does not pass: \(advice)", facts: facts)
        }
    }
}
