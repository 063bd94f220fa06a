// The form of nft's JSON (libnftables-json(5)), as far as it is needed.

/// What `nft --json list ruleset` prints.
struct NftListing: Decodable, Equatable, Sendable {
    struct Object: Decodable, Equatable, Sendable {
        let chain: Chain?
        let rule: Rule?
    }

    struct Chain: Decodable, Equatable, Sendable {
        let family: String
        let table: String
        let name: String
        let hook: String?
        let policy: String?
    }

    struct Rule: Decodable, Equatable, Sendable {
        let family: String
        let table: String
        let chain: String
        let expr: [Value]
    }

    /// Any JSON value.
    enum Value: Decodable, Equatable, Sendable {
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

        /// A member of an object; `nil` where it has none, or it is something else.
        subscript(key: String) -> Value? {
            guard case .object(let object) = self else { return nil }
            return object[key]
        }

        /// The text, where it is one.
        var text: String? {
            guard case .text(let text) = self else { return nil }
            return text
        }
    }

    let nftables: [Object]
}

extension NftListing.Value {
    /// Whether a number is among what a match compares with: alone, in a set, or in a range; `nil`
    /// where that cannot be read off it.
    func holds(_ number: Int) -> Bool? {
        switch self {
        case .number(let own): return own == number
        case .text(let text): return text.hasPrefix("@") ? nil : text == "mdns" && number == 5_353
        case .list(let list):
            let answers = list.map { $0.holds(number) }
            return answers.contains(true) ? true : answers.contains(nil) ? nil : false
        case .object:
            if let set = self["set"] { return set.holds(number) }
            guard case .list(let range)? = self["range"], range.count == 2,
                case .number(let first) = range[0], case .number(let last) = range[1]
            else { return nil }
            return first <= number && number <= last
        case .other: return nil
        }
    }

    /// The words that it compares with, alone or in a set; `nil` where there is something else.
    var words: Set<String>? {
        switch self {
        case .text(let text): return text.hasPrefix("@") ? nil : [text]
        case .list(let list):
            let words = list.compactMap(\.text)
            return words.count == list.count ? Set(words) : nil
        case .object: return self["set"]?.words
        case .number, .other: return nil
        }
    }

    /// As nft writes it in its own language, roughly.
    var title: String {
        switch self {
        case .number(let number): return "\(number)"
        case .text(let text): return text
        case .list(let list): return "{ \(list.map(\.title).joined(separator: ", ")) }"
        case .object:
            if let set = self["set"] { return set.title }
            if let payload = self["payload"] {
                return [payload["protocol"], payload["field"]].compactMap { $0?.title }
                    .joined(separator: " ")
            }
            if let meta = self["meta"]?["key"] { return "meta \(meta.title)" }
            if let state = self["ct"]?["key"] { return "ct \(state.title)" }
            if let prefix = self["prefix"], let address = prefix["addr"], let length = prefix["len"]
            {
                return "\(address.title)/\(length.title)"
            }
            if case .list(let range)? = self["range"] {
                return range.map(\.title).joined(separator: "-")
            }
            return "…"
        case .other: return "…"
        }
    }
}

extension NftListing.Rule {
    /// What it does in the end with what it matches.
    enum Verdict: Equatable {
        case accepts, drops, returns
        case jumps(to: String)
        case goes(to: String)
        /// Something that cannot be read off it.
        case unclear
    }

    /// `nil`: it lets what it matches go on to the next rule.
    var verdict: Verdict? {
        for part in expr {
            guard case .object(let object) = part else { continue }
            if object["accept"] != nil { return .accepts }
            if object["drop"] != nil || object["reject"] != nil { return .drops }
            if object["return"] != nil { return .returns }
            if let target = object["jump"]?["target"]?.text { return .jumps(to: target) }
            if let target = object["goto"]?["target"]?.text { return .goes(to: target) }
            let unread = ["vmap", "xt", "queue", "tproxy", "synproxy", "jump", "goto"]
            if unread.contains(where: { object[$0] != nil }) { return .unclear }
        }
        return nil
    }

    /// The rule in words like those of nft.
    var title: String {
        expr.compactMap { part -> String? in
            guard case .object(let object) = part else { return part.text }
            if let match = object["match"] {
                let sign = match["op"]?.text.flatMap { ["==", "in"].contains($0) ? nil : " \($0)" }
                return (match["left"]?.title ?? "…") + (sign ?? "")
                    + " " + (match["right"]?.title ?? "…")
            }
            if let target = (object["jump"] ?? object["goto"])?["target"]?.text {
                return "jump \(target)"
            }
            return object.keys.first { $0 != "counter" && $0 != "comment" }
        }.joined(separator: " ")
    }
}
