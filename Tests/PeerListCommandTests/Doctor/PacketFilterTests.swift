// The rules of nftables are followed as a packet of multicast DNS would go through them.
import PeerList
import Testing

@testable import PeerListCommand

@Suite struct PacketFilterTests {
    private static let dport =
        #"{"match":{"op":"==","left":{"payload":{"protocol":"udp","field":"dport"}},"right":"#
    private static let port = dport + "5353}}"
    private static let source =
        #"{"match":{"op":"==","left":{"payload":{"protocol":"ip","field":"saddr"}},"right":"10.0.0.2"}}"#
    private static let accept = #"{"accept":null}"#
    private static let drop = #"{"drop":null}"#

    private func meta(_ key: String, _ right: String, op: String = "==") -> String {
        #"{"match":{"op":"\#(op)","left":{"meta":{"key":"\#(key)"}},"right":"\#(right)"}}"#
    }

    /// Rules of `chain input`, and of others as `name: rule`.
    private func filter(
        policy: String = "accept", table: String = "filter", hook: String = "input",
        _ rules: String...
    ) -> PacketFilter? {
        let chain = """
            {"chain":{"family":"inet","table":"\(table)","name":"input","handle":1,"type":"filter",\
            "hook":"\(hook)","prio":0,"policy":"\(policy)"}}
            """
        let ruled = rules.map { rule in
            let isOther = rule.hasPrefix("other:")
            let (name, words) = isOther ? ("other", String(rule.dropFirst(6))) : ("input", rule)
            return
                #"{"rule":{"family":"inet","table":"\#(table)","chain":"\#(name)","handle":4,"expr":[\#(words)]}}"#
        }
        let all = ([#"{"metainfo":{"version":"1.0.6"}}"#, chain] + ruled).joined(separator: ",")
        return PacketFilter(json: Array(#"{"nftables":[\#(all)]}"#.utf8))
    }

    private func findings(_ filter: PacketFilter?, zonePasses: Bool? = nil) -> [Finding] {
        FirewallCheck.findings(
            for: FirewallSurvey(
                rules: filter.map { .known($0) } ?? .noTool, hasUFW: false,
                zonePasses: zonePasses))
    }

    private func outcomes(_ filter: PacketFilter?) -> [DoctorOutcome] {
        findings(filter).map(\.outcome)
    }

    @Test func `what no rule lets in is dropped by the policy, and a rule for the port lets it in`()
    {
        #expect(outcomes(filter()) == [.ok])
        #expect(outcomes(filter(policy: "drop")) == [.problem])
        for right in ["5353", #"{"set":[53,5353]}"#, #"{"range":[5000,6000]}"#] {
            #expect(
                outcomes(filter(policy: "drop", "\(Self.dport)\(right)}},\(Self.accept)")) == [.ok])
        }
        #expect(outcomes(filter(policy: "drop", "\(Self.dport)22}},\(Self.accept)")) == [.problem])
        #expect(outcomes(filter(#"{"reject":{"type":"icmpx"}}"#)) == [.problem])
        #expect(PacketFilter(json: Array("no".utf8)) == nil)
    }

    @Test func `a rule that drops the port is quoted, and nobody is told to delete it`() throws {
        let found = findings(filter("\(Self.port),\(Self.drop)"))
        #expect(found.map(\.outcome) == [.problem])
        #expect(found[0].text.contains("'udp dport 5353 drop'"))
        #expect(found[0].advice?.contains("delete") == false)
    }

    @Test func `a drop under further conditions is a warning that quotes the rule`() {
        let found = findings(filter("\(Self.source),\(Self.port),\(Self.drop)"))
        #expect(found.map(\.outcome) == [.warning])
        #expect(found[0].text.contains("'ip saddr 10.0.0.2 udp dport 5353 drop'"))
        #expect(found[0].text.contains("over IPv4"))
    }

    @Test func `a number that is no port of UDP does not count`() {
        let mark = #"{"match":{"op":"==","left":{"meta":{"key":"mark"}},"right":5353}}"#
        #expect(outcomes(filter("\(mark),\(Self.drop)")) == [.ok])
        let tcp = Self.port.replacing("udp", with: "tcp")
        #expect(outcomes(filter("\(tcp),\(Self.drop)")) == [.ok])
        #expect(outcomes(filter(policy: "drop", "\(tcp),\(Self.accept)")) == [.problem])
    }

    @Test func `where rules accept by what is not known here, the echo is to decide`() {
        #expect(
            outcomes(filter(policy: "drop", "\(Self.source),\(Self.accept)")).contains(.unknown))
        let other = #"{"xt":{"type":"match","name":"udp"}}"#
        #expect(outcomes(filter(policy: "drop", "\(other),\(Self.accept)")) == [.unknown])
        let map = #"{"vmap":{"key":{"meta":{"key":"iifname"}},"data":{"set":[]}}}"#
        #expect(outcomes(filter(policy: "drop", map)) == [.unknown])
    }

    @Test func `answers to what was asked, and the loopback, are no way in`() {
        let states =
            #"{"match":{"op":"in","left":{"ct":{"key":"state"}},"right":["established","related"]}}"#
        #expect(
            outcomes(
                filter(
                    policy: "drop", "\(states),\(Self.accept)",
                    "\(meta("iifname", "lo")),\(Self.accept)")) == [.problem])
    }

    @Test func `jumps are followed, and chains that nothing jumps to are not`() {
        let jump = #"{"jump":{"target":"other"}}"#
        #expect(
            outcomes(filter(policy: "drop", jump, "other:\(Self.port),\(Self.accept)")) == [.ok])
        #expect(outcomes(filter("other:\(Self.port),\(Self.drop)")) == [.ok])
        #expect(
            outcomes(filter(jump, "other:\(Self.port),\(Self.drop)")) == [.problem])
        #expect(
            outcomes(filter("\(meta("iifname", "eth0")),\(jump)", "other:\(Self.drop)"))
                == [.unknown])
        #expect(outcomes(filter(jump, "other:\(jump)")) == [.unknown])
    }

    @Test func `one family alone is told of as such`() {
        let found = findings(filter("\(meta("nfproto", "ipv6")),\(Self.port),\(Self.drop)"))
        #expect(found.map(\.outcome) == [.problem])
        #expect(found[0].text.contains("over IPv6"))
    }

    @Test func `what firewalld made is changed by firewalld alone`() {
        let found = findings(filter(policy: "drop", table: "firewalld"))
        #expect(found[0].advice?.contains("firewall-cmd") == true)
        #expect(found[0].advice?.contains("nft insert") == false)
        let unclear = filter(
            policy: "drop", table: "firewalld", "\(meta("iifname", "eth0")),\(Self.accept)")
        #expect(findings(unclear, zonePasses: true).map(\.outcome) == [.ok])
    }

    @Test func `whether the port of the answers is let in is read off as well`() {
        #expect(filter()?.lets(inPort: 15_353) == true)
        #expect(
            filter(policy: "drop", "\(Self.port),\(Self.accept)")?.lets(inPort: 15_353) == false)
        let own = "\(Self.dport)15353}},\(Self.accept)"
        #expect(filter(policy: "drop", own)?.lets(inPort: 15_353) == true)
        #expect(
            filter(policy: "drop", "\(Self.source),\(Self.accept)")?.lets(inPort: 15_353) != true)
        #expect(filter(policy: "drop", hook: "output")?.lets(inPort: 15_353) == true)
    }
}
