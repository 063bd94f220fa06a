// The rules of nftables, as far as they concern multicast DNS.
import FoundationEssentials
import PeerList

/// What the rules of nftables do to packets of UDP, as far as that can be read off them.
struct PacketFilter: Equatable, Sendable {
    /// What a chain does that sees all packets that come in, or all that go out.
    enum Effect: Hashable, Sendable {
        /// It lets the packets pass.
        case passes
        /// A rule of its own lets them pass.
        case passesByRule
        /// Rules decide whose conditions cannot be judged from here.
        case unclear
        /// It drops what no rule lets pass, and none lets these.
        case dropsTheRest
        /// This rule names the port and drops.
        case dropsPort(rule: String)
        /// These rules name the port and drop, under further conditions.
        case dropsSome(rules: [String])
    }

    /// A chain that the kernel hands packets to, and what it does to one kind of them.
    struct Chain: Equatable, Sendable {
        /// `ip`, `ip6` or `inet`.
        let family: String
        let table: String
        let name: String
        /// `input` or `output`.
        let hook: String
        /// The families of packets with which it does so.
        var packets: [AddressFamily]
        let effect: Effect

        /// What nft calls it.
        var title: String { "\(family) \(table) \(name)" }
    }

    private let hooked: [NftListing.Chain]
    private let rules: [NftListing.Rule]

    /// Reads what `nft --json list ruleset` prints; `nil` where it is something else.
    init?(json: [UInt8]) {
        guard let listing = try? JSONDecoder().decode(NftListing.self, from: Data(json)) else {
            return nil
        }
        rules = listing.nftables.compactMap(\.rule)
        hooked = listing.nftables.compactMap(\.chain)
    }

    /// What every chain does to packets of UDP for a port that come in, and, of multicast DNS, go out.
    ///
    /// - Complexity: O(*n*) for *n* rules that no chain jumps to twice.
    func chains(port: Int) -> [Chain] {
        hooked.flatMap { chain -> [Chain] in
            guard let hook = chain.hook, hook == "input" || hook == "output" && port == Self.port
            else { return [] }
            let packets: [AddressFamily]
            switch chain.family {
            case "ip": packets = [.ipv4]
            case "ip6": packets = [.ipv6]
            case "inet": packets = AddressFamily.allCases
            default: return []
            }
            let own = rules.filter { $0.family == chain.family && $0.table == chain.table }
            let table = Dictionary(grouping: own, by: \.chain)
            let effects = packets.map { family in
                RuleWalk.effect(
                    of: chain, rules: table,
                    on: RuleWalk.Packet(family: family, port: port, hook: hook))
            }
            let isOne = Set(effects).count == 1
            return zip(packets, effects).prefix(isOne ? 1 : packets.count).map {
                Chain(
                    family: chain.family, table: chain.table, name: chain.name, hook: hook,
                    packets: isOne ? packets : [$0], effect: $1)
            }
        }
    }

    /// Whether packets for a port come in; `nil` where that cannot be read off the rules.
    func lets(inPort port: Int) -> Bool? {
        let effects = chains(port: port).filter { $0.hook == "input" }.map(\.effect)
        if effects.allSatisfy({ $0 == .passes || $0 == .passesByRule }) { return true }
        let isDropped = effects.contains { effect in
            if case .dropsPort = effect { return true }
            return effect == .dropsTheRest
        }
        return isDropped ? false : nil
    }

    private static let port = PortListener.port
}
