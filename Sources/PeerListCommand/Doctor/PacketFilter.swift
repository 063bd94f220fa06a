// The rules of nftables, as far as they concern multicast DNS.
import FoundationEssentials

/// What the rules of nftables do to packets of multicast DNS, as far as that can be read off them.
struct PacketFilter: Equatable, Sendable {
    /// What a chain does that sees all packets that come in, or all that go out.
    enum Effect: Equatable, Sendable {
        /// It drops nothing by itself.
        case passes
        /// It drops what no rule lets pass, and rules name the port.
        case passesByRule
        /// It drops what no rule lets pass, and none names the port.
        case dropsTheRest
        /// A rule names the port and drops.
        case dropsPort
    }

    /// A chain that the kernel hands packets to.
    struct Chain: Equatable, Sendable {
        /// `ip`, `ip6`, `inet`, …
        let family: String
        let table: String
        let name: String
        /// `input` or `output`.
        let hook: String
        let effect: Effect

        /// What nft calls it.
        var title: String { "\(family) \(table) \(name)" }
    }

    let chains: [Chain]

    /// Reads what `nft --json list ruleset` prints; `nil` where it is something else.
    init?(json: [UInt8]) {
        guard let listing = try? JSONDecoder().decode(Listing.self, from: Data(json)) else {
            return nil
        }
        let rules = listing.nftables.compactMap(\.rule)
        chains = listing.nftables.compactMap(\.chain).compactMap { chain in
            guard let hook = chain.hook, ["input", "output"].contains(hook),
                ["ip", "ip6", "inet"].contains(chain.family)
            else { return nil }
            let inTable = rules.filter { $0.family == chain.family && $0.table == chain.table }
            let own = inTable.filter { $0.chain == chain.name }
            return Chain(
                family: chain.family, table: chain.table, name: chain.name, hook: hook,
                effect: Self.effect(of: chain, own: own, all: inTable))
        }
    }

    private static func effect(
        of chain: Listing.Chain, own: [Listing.Rule], all: [Listing.Rule]
    ) -> Effect {
        let named = all.filter { $0.expr.contains { $0.names(port: PortListener.port) } }
        if named.contains(where: \.drops) { return .dropsPort }
        // A last rule that drops, with no condition, is a policy too.
        let endsInDrop = own.last.map { $0.drops && !$0.isConditional } ?? false
        guard chain.policy == "drop" || endsInDrop else { return .passes }
        return named.isEmpty ? .dropsTheRest : .passesByRule
    }
}

/// The form of nft's JSON (libnftables-json(5)), as far as it is needed.
private struct Listing: Decodable {
    struct Object: Decodable {
        let chain: Chain?
        let rule: Rule?
    }

    struct Chain: Decodable {
        let family: String
        let table: String
        let name: String
        let hook: String?
        let policy: String?
    }

    struct Rule: Decodable {
        let family: String
        let table: String
        let chain: String
        let expr: [Value]

        var drops: Bool { expr.contains { $0.has(key: "drop") || $0.has(key: "reject") } }
        var isConditional: Bool { expr.contains { $0.has(key: "match") } }
    }

    /// Any JSON value.
    enum Value: Decodable {
        case number(Int)
        case text(String)
        case list([Value])
        case object([String: Value])
        case other

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int.self) {
                self = .number(number)
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let list = try? container.decode([Value].self) {
                self = .list(list)
            } else if let object = try? container.decode([String: Value].self) {
                self = .object(object)
            } else {
                self = .other
            }
        }

        func has(key: String) -> Bool {
            guard case .object(let object) = self else { return false }
            return object[key] != nil
        }

        /// Whether the port stands in it, alone, in a set, or in a range.
        func names(port: Int) -> Bool {
            switch self {
            case .number(let number): return number == port
            case .text(let text): return text == "mdns"
            case .list(let list): return list.contains { $0.names(port: port) }
            case .object(let object):
                if case .list(let range)? = object["range"], range.count == 2,
                    case .number(let first) = range[0], case .number(let last) = range[1]
                {
                    return first <= port && port <= last
                }
                return object.values.contains { $0.names(port: port) }
            case .other: return false
            }
        }
    }

    let nftables: [Object]
}
