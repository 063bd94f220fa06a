// What changed about an item, in words, from what to what.
import PeerList
import TerminalList

extension PeerListUpdate.Change {
    /// Each difference between the two states in a few words; none for a sign of life alone.
    var inWords: [String] {
        switch (was, now) {
        case (.peer(let was), .peer(let now)): differences(was, now)
        case (.service(let was), .service(let now)): differences(was, now)
        default: []
        }
    }

    private func differences(_ was: Peer, _ now: Peer) -> [String] {
        differenceOf("name", was.name, now.name) + differenceOf("host", was.host, now.host)
            + differenceOf("identifier from", was.identity.value, now.identity.value)
            + presence(was.presence, now.presence)
            + listDifference("address", was.addresses, now.addresses)
            + listDifference("interface", was.interfaces, now.interfaces)
            + serviceDifferences(was.services, now.services)
    }

    private func differences(_ was: ServiceListing, _ now: ServiceListing) -> [String] {
        differenceOf("host", was.peer.host, now.peer.host)
            + differenceOf("peer", was.peer.name, now.peer.name)
            + presence(was.presence, now.presence)
            + listDifference("address", was.peer.addresses, now.peer.addresses)
            + now.service.differences(from: was.service)
    }

    private func presence(_ was: Presence, _ now: Presence) -> [String] {
        was == now ? [] : [now.inWords]
    }

    private func serviceDifferences(_ was: [Service], _ now: [Service]) -> [String] {
        // All of a list change their presence when the daemon goes away, and nothing else.
        guard was != now else { return [] }
        let old = Dictionary(was.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let new = Dictionary(now.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let lost = was.filter { new[$0.id] == nil }.map { "lost \($0.inWords)" }
        let gained = now.filter { old[$0.id] == nil }.map { service in
            "gained \(service.inWords)" + (service.port.map { " port \($0)" } ?? "")
        }
        let changed = now.compactMap { service -> String? in
            guard let before = old[service.id], before != service else { return nil }
            let differences = service.differences(from: before)
            return differences.isEmpty
                ? nil : "\(service.inWords): \(differences.joined(separator: ", "))"
        }
        return shortened(lost + gained + changed)
    }
}

extension Service {
    /// The type without its underscore, and the name: `ipp "Office"`.
    var inWords: String { "\(type.drop { $0 == "_" }.prefix { $0 != "." }) \"\(name)\"" }

    /// What differs from an earlier state of the service.
    fileprivate func differences(from was: Service) -> [String] {
        var keys: [String] = []
        for pair in was.txt.pairs + txt.pairs where !keys.contains(pair.key) {
            keys.append(pair.key)
        }
        let attributes = keys.flatMap { key in
            differenceOf("txt \(key)", was.txt[key]?.inWords, txt[key]?.inWords)
        }
        return differenceOf("port", was.port.map { "\($0)" }, port.map { "\($0)" })
            + listDifference("subtype", was.subtypes, subtypes) + shortened(attributes)
    }
}

extension Presence {
    /// What is known, in words that follow a name.
    var inWords: String {
        switch self {
        case .resolving: "not resolved yet"
        case .present: "answers"
        case .unanswered: "does not answer"
        case .unknown: "not seen since the daemon went away"
        }
    }
}

extension TXTRecord.Value {
    /// The value, cut where it is long.
    fileprivate var inWords: String {
        switch self {
        case .none: "without value"
        case .text(let text): "\"\(SafeText(text, upTo: 60).cut(to: 60).text)\""
        case .bytes(let bytes): "\(bytes.count) bytes"
        }
    }
}

/// `name a -> b`, `name a gone`, `name b new`, or nothing.
private func differenceOf(_ name: String, _ was: String?, _ now: String?) -> [String] {
    switch (was, now) {
    case (let was?, let now?): was == now ? [] : ["\(name) \(was) -> \(now)"]
    case (let was?, nil): ["\(name) \(was) gone"]
    case (nil, let now?): ["\(name) \(now) new"]
    case (nil, nil): []
    }
}

/// What a list lost and gained.
private func listDifference(_ name: String, _ was: [String], _ now: [String]) -> [String] {
    was.filter { !now.contains($0) }.map { "lost \(name) \($0)" }
        + now.filter { !was.contains($0) }.map { "gained \(name) \($0)" }
}

/// At most eight, and how many more there are.
private func shortened(_ texts: [String]) -> [String] {
    texts.count <= 8 ? texts : texts.prefix(8) + ["and \(texts.count - 8) more changes"]
}
