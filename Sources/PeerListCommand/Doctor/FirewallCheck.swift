// Does a firewall on this machine drop multicast DNS?
import PeerList

/// Judges what can be seen of firewalls.
enum FirewallCheck {
    static func findings(for survey: FirewallSurvey) -> [Finding] {
        let managers = managers(survey)
        switch survey.rules {
        case .known(let filter):
            let chains = filter.chains(port: PortListener.port)
            let found = chains.compactMap { chain -> Finding? in
                // What the zone lets pass was read where firewalld keeps it.
                let isKnown = chain.isOfFirewalld && survey.zonePasses == true
                return isKnown && chain.effect == .unclear ? nil : finding(chain)
            }
            if !found.isEmpty { return found + managers }
            let isGuarded = chains.contains { $0.effect == .passesByRule }
            let said =
                isGuarded
                ? "Rules of nftables let UDP port 5353 pass."
                : "No rule of nftables drops UDP port 5353."
            return [Finding(.ok, said)] + managers
        case .noTool, .forbidden, .unreadable:
            return managers.isEmpty ? [unread(survey.rules)] : managers
        }
    }

    /// What is said where there is nothing to judge.
    private static func unread(_ rules: FirewallSurvey.Rules) -> Finding {
        switch rules {
        case .forbidden:
            Finding(
                .unknown, "The rules of this machine can be read by root alone.",
                advice: "run 'sudo peerlist doctor'")
        case .unreadable:
            Finding(
                .unknown, "'nft' does not tell the rules of this machine.",
                advice: """
                    see what 'nft --json list ruleset' says (as root); in a container it may not, \
                    and the rules of the host count there
                    """)
        case .noTool, .known:
            Finding(.unknown, "The rules of this machine cannot be read: there is no 'nft'.")
        }
    }

    private static func finding(_ chain: PacketFilter.Chain) -> Finding? {
        let over = chain.packets.count == 1 ? " over \(listed(chain.packets.map(\.title)))" : ""
        let fact = Finding.Fact("chain", .text(chain.title))
        switch chain.effect {
        case .passes, .passesByRule: return nil
        case .unclear:
            return Finding(
                .unknown,
                "Rules of '\(chain.title)' decide about UDP port 5353\(over) by what is not known here.",
                advice: "the echo below tells whether they let it pass", facts: [fact])
        case .dropsSome(let rules):
            return Finding(
                .warning,
                "Some of UDP port 5353\(over) is dropped by '\(chain.title)': "
                    + rules.map { "'\($0)'" }.joined(separator: ", ") + ".",
                advice: "see whether it is meant so: 'nft list chain \(chain.title)' (as root)",
                facts: [fact, Finding.Fact("rules", .texts(rules))])
        case .dropsPort(let rule):
            return Finding(
                .problem, "UDP port 5353\(over) is dropped by '\(chain.title)': '\(rule)'.",
                advice: "if it is not meant so, " + opening(chain),
                facts: [fact, Finding.Fact("rules", .texts([rule]))])
        case .dropsTheRest:
            let way = chain.hook == "input" ? "comes in" : "goes out"
            return Finding(
                .problem,
                "'\(chain.title)' drops what \(way)\(over), and no rule lets UDP port 5353 pass.",
                advice: opening(chain), facts: [fact])
        }
    }

    private static let firewalldAdvice = """
        'firewall-cmd --permanent --add-service=mdns', then 'firewall-cmd --reload' (as root)
        """

    /// How to let the port pass.
    private static func opening(_ chain: PacketFilter.Chain) -> String {
        // Whatever else is put into that table is gone when firewalld loads its own again.
        if chain.isOfFirewalld { return firewalldAdvice }
        let port = chain.hook == "input" ? "udp dport 5353" : "udp sport 5353"
        return "'nft insert rule \(chain.title) \(port) accept' (as root), "
            + "or where ufw made the rules 'ufw allow 5353/udp'"
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
                    advice: firewalldAdvice))
        }
        if survey.hasUFW, !survey.isRead {
            found.append(
                Finding(
                    .unknown, "ufw is on; it lets multicast DNS pass unless it was told otherwise.",
                    advice: "if others are not heard: 'ufw allow 5353/udp' (as root)"))
        }
        return found
    }
}

extension PacketFilter.Chain {
    /// Whether firewalld made it.
    fileprivate var isOfFirewalld: Bool { table == "firewalld" }
}

extension FirewallSurvey {
    /// Whether the rules are known.
    fileprivate var isRead: Bool {
        if case .known = rules { true } else { false }
    }
}
