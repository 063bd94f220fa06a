// Follows a packet of UDP through the rules of one chain and of those that it jumps to.
import PeerList

/// The way of one kind of packet through the rules of a table.
struct RuleWalk {
    /// The packets that are followed: the first of their kind, from another machine on the link.
    struct Packet {
        let family: AddressFamily
        let port: Int
        /// `input` or `output`.
        let hook: String

        /// Packets of multicast DNS come from the port that they go to, and go to a group.
        var isMulticast: Bool { port == PortListener.port }
        var group: String { family == .ipv4 ? "224.0.0.251" : "ff02::fb" }
        /// What rules call the other family's headers.
        var foreign: String { family == .ipv4 ? "ip6" : "ip" }
    }

    /// How a chain is left.
    private enum End: Equatable {
        case passes
        /// Dropped; by this rule, where it names the port.
        case drops(rule: String?)
        /// Back to where the chain was jumped to.
        case falls
    }

    /// No chain of the kernel's is jumped to through more others.
    private static let depthLimit = 16

    private let rules: [String: [NftListing.Rule]]
    private let packet: Packet
    /// Rules that name the port and drop, under further conditions.
    private var drops: [String] = []
    private var mayPass = false
    private var isUnclear = false

    /// What a chain that the kernel hands packets to does to them.
    static func effect(
        of chain: NftListing.Chain, rules: [String: [NftListing.Rule]], on packet: Packet
    ) -> PacketFilter.Effect {
        var walk = RuleWalk(rules: rules, packet: packet)
        var end = walk.end(of: chain.name, depth: 0)
        let isPolicy = end == .falls
        if isPolicy { end = chain.policy == "drop" ? .drops(rule: nil) : .passes }
        switch end {
        case .drops where walk.mayPass || walk.isUnclear: return .unclear
        case .drops(let rule?): return .dropsPort(rule: rule)
        case .drops: return .dropsTheRest
        case .passes, .falls:
            if !walk.drops.isEmpty { return .dropsSome(rules: walk.drops) }
            return walk.isUnclear ? .unclear : isPolicy ? .passes : .passesByRule
        }
    }

    private init(rules: [String: [NftListing.Rule]], packet: Packet) {
        (self.rules, self.packet) = (rules, packet)
    }

    private mutating func end(of chain: String, depth: Int) -> End {
        guard depth < Self.depthLimit else {
            isUnclear = true
            return .falls
        }
        for rule in rules[chain] ?? [] {
            let fit = packet.fit(rule)
            guard fit != .no, let verdict = rule.verdict else { continue }
            let isSure = fit == .yes
            switch verdict {
            case .accepts:
                if isSure { return .passes }
                mayPass = true
            case .drops:
                let isNamed = packet.isNamed(in: rule)
                if isSure { return .drops(rule: isNamed ? rule.title : nil) }
                if isNamed { drops.append(rule.title) }
            case .returns: if isSure { return .falls }
            case .unclear: isUnclear = true
            case .jumps(let target), .goes(let target):
                let end = end(of: target, depth: depth + 1)
                if isSure, end != .falls || verdict == .goes(to: target) { return end }
                if end == .passes { mayPass = true }
                if case .drops = end { isUnclear = true }
            }
        }
        return .falls
    }
}

extension RuleWalk.Packet {
    /// Whether the conditions of a rule hold.
    enum Fit: Int { case no, maybe, yes }

    /// Whether a rule is for such packets.
    func fit(_ rule: NftListing.Rule) -> Fit {
        let fits = rule.expr.map { part -> Fit in
            if part["limit"] != nil || part["xt"] != nil { return .maybe }
            return part["match"].map(fit(match:)) ?? .yes
        }
        return fits.min { $0.rawValue < $1.rawValue } ?? .yes
    }

    /// Whether a rule asks for the port of the packets, as a port of UDP.
    func isNamed(in rule: NftListing.Rule) -> Bool {
        rule.expr.contains { part in
            guard let match = part["match"], let port = portField(match) else { return false }
            return port && match["op"]?.text != "!=" && match["right"]?.holds(self.port) == true
        }
    }

    /// Whether a match is about a port of UDP that is known of the packets; `nil`: about no port of UDP.
    private func portField(_ match: NftListing.Value) -> Bool? {
        guard let payload = match["left"]?["payload"],
            ["udp", "th"].contains(payload["protocol"]?.text)
        else { return nil }
        switch payload["field"]?.text {
        case "dport": return true
        case "sport": return isMulticast
        default: return nil
        }
    }

    private func fit(match: NftListing.Value) -> Fit {
        guard let left = match["left"], let right = match["right"] else { return .maybe }
        let isEqual: Bool?
        if let isKnown = portField(match) {
            isEqual = isKnown ? right.holds(port) : nil
        } else if let payload = left["payload"] {
            switch payload["protocol"]?.text {
            case "tcp", "icmp", "icmpv6", "sctp", "dccp", "esp", "ah", foreign: return .no
            default: isEqual = address(payload, right)
            }
        } else {
            isEqual = meta(left, right)
        }
        guard let isEqual else { return .maybe }
        return isEqual == (match["op"]?.text != "!=") ? .yes : .no
    }

    private func address(_ payload: NftListing.Value, _ right: NftListing.Value) -> Bool? {
        switch payload["field"]?.text {
        case "daddr" where isMulticast:
            guard let words = right.words else { return nil }
            return words.contains(group)
        case "protocol", "nexthdr": return right.words.map { $0.contains("udp") }
        default: return nil
        }
    }

    private func meta(_ left: NftListing.Value, _ right: NftListing.Value) -> Bool? {
        let words = right.words
        switch left["meta"]?["key"]?.text ?? left["ct"]?["key"]?.text {
        case "l4proto": return words?.contains("udp")
        case "nfproto": return words?.contains(family.rawValue)
        case "iif", "iifname", "oif", "oifname": return words == ["lo"] ? false : nil
        case "state": return words?.contains("new")
        default: return nil
        }
    }
}
