// Does a firewall on this machine drop multicast DNS?
import PeerList

/// Judges what can be seen of firewalls.
enum FirewallCheck {
    static func findings(for survey: FirewallSurvey) -> [Finding] {
        let managers = managers(survey)
        switch survey.rules {
        case .known(let filter):
            let found = filter.chains.compactMap(finding)
            if !found.isEmpty { return found + managers }
            let isGuarded = filter.chains.contains { $0.effect == .passesByRule }
            let said =
                isGuarded
                ? "What is not let in by a rule is dropped, and rules let UDP port 5353 in."
                : "No rule of nftables drops what comes in or goes out."
            return [Finding(.ok, said)] + managers
        case .noTool, .forbidden:
            if !managers.isEmpty { return managers }
            let isForbidden = survey.rules == .forbidden
            return [
                Finding(
                    .unknown,
                    isForbidden
                        ? "The rules of this machine can be read by root alone."
                        : "The rules of this machine cannot be read: there is no 'nft'.",
                    advice: isForbidden ? "run 'sudo peerlist doctor'" : nil)
            ]
        }
    }

    private static func finding(_ chain: PacketFilter.Chain) -> Finding? {
        let way = chain.hook == "input" ? "comes in" : "goes out"
        let family =
            switch chain.family {
            case "ip": " over IPv4"
            case "ip6": " over IPv6"
            default: ""
            }
        let facts = [Finding.Fact("chain", .text(chain.title))]
        let port = chain.hook == "input" ? "udp dport 5353" : "udp sport 5353"
        switch chain.effect {
        case .passes, .passesByRule: return nil
        case .dropsPort:
            return Finding(
                .problem, "A rule in the table of '\(chain.title)' drops UDP port 5353\(family).",
                advice: "see 'nft --handle list ruleset', and delete it", facts: facts)
        case .dropsTheRest:
            return Finding(
                .problem,
                "'\(chain.title)' drops what \(way)\(family), and no rule lets UDP port 5353 pass.",
                advice: "'nft insert rule \(chain.title) \(port) accept' (as root); "
                    + "docs/two-machines.md has the same for ufw and firewalld",
                facts: facts)
        }
    }

    /// The programs that make the rules.
    private static func managers(_ survey: FirewallSurvey) -> [Finding] {
        var found: [Finding] = []
        if let zone = survey.zone, survey.zonePasses != true {
            let isKnown = survey.zonePasses == false
            found.append(
                Finding(
                    isKnown ? .warning : .unknown,
                    "firewalld runs, and its usual zone '\(zone)' "
                        + (isKnown ? "does not let mdns pass." : "cannot be read."),
                    advice: """
                        'firewall-cmd --permanent --add-service=mdns', then \
                        'firewall-cmd --reload' (as root)
                        """))
        }
        if survey.hasUFW, survey.rules == .forbidden || survey.rules == .noTool {
            found.append(
                Finding(
                    .unknown, "ufw is on; it lets multicast DNS pass unless it was told otherwise.",
                    advice: "if others are not heard: 'ufw allow 5353/udp' (as root)"))
        }
        return found
    }
}
