// Describes the differences between two states of an item, as phrases or as sentences.
import PeerList
import TerminalList

extension PeerListUpdate.Change {
    /// The differences between the two states as short phrases; none if only `lastSeen` differs.
    var inWords: [String] { ChangeText(isSpoken: false).differences(self) }

    /// The differences as sentences without symbols, for a screen reader.
    var inSentences: [String] {
        ChangeText(isSpoken: true).differences(self).map(\.asSentence)
    }
}

extension Service {
    /// The type without its underscore, and the name: `ipp "Office"`.
    var inWords: String { "\(shortType) \"\(name)\"" }

    /// The type without its underscore and protocol: `ipp`.
    var shortType: Substring { type.drop { $0 == "_" }.prefix { $0 != "." } }
}

extension String {
    /// The text with a capital letter and a full stop.
    var asSentence: String { prefix(1).uppercased() + dropFirst() + "." }
}

/// The wording of differences.
private struct ChangeText {
    /// Whether to use sentences without symbols, still without their capital and full stop.
    let isSpoken: Bool

    /// The maximum number of texts for the services, and for the TXT attributes, of an item.
    private static let limit = 8

    func differences(_ change: PeerListUpdate.Change) -> [String] {
        let (was, now) = (change.was.peer, change.now.peer)
        switch (change.was.service, change.now.service) {
        case (nil, nil):
            return difference("name", was.name, now.name) + difference("host", was.host, now.host)
                + difference("identifier from", was.identity.value, now.identity.value)
                + presence(was.presence, now.presence)
                + list("address", was.addresses, now.addresses)
                + list("interface", was.interfaces, now.interfaces)
                + services(was.services, now.services)
        case (let former?, let current?):
            return difference("host", was.host, now.host)
                + difference(
                    "peer", was.isResolved ? was.name : nil, now.isResolved ? now.name : nil)
                + presence(was.presence, now.presence)
                + list("address", was.addresses, now.addresses) + service(former, current)
        default: return []
        }
    }

    private func presence(_ was: Presence, _ now: Presence) -> [String] {
        was == now ? [] : [isSpoken ? now.inSpeech : now.inWords]
    }

    private func services(_ was: [Service], _ now: [Service]) -> [String] {
        // When the backend goes away, only the presence of all items changes.
        guard was != now else { return [] }
        let (was, now) = withoutCommonEnds(was, now)
        let old = Dictionary(was.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let new = Set(now.map(\.id))
        let lost = was.filter { !new.contains($0.id) }.map {
            isSpoken ? "service gone: \($0.inWords)" : "lost \($0.inWords)"
        }
        let gained = now.filter { old[$0.id] == nil }.map { service in
            let port = service.port.map { isSpoken ? ", port \($0)" : " port \($0)" } ?? ""
            return (isSpoken ? "new service: " : "gained ") + service.inWords + port
        }
        let changed = now.compactMap { service -> String? in
            guard let before = old[service.id], before != service else { return nil }
            let differences = self.service(before, service)
            guard !differences.isEmpty else { return nil }
            let text = differences.joined(separator: ", ")
            return isSpoken ? "of \(service.inWords), \(text)" : "\(service.inWords): \(text)"
        }
        return shortened(lost + gained + changed)
    }

    /// Returns two lists without their common start and end, because usually one service of thousands changes.
    private func withoutCommonEnds(
        _ was: [Service], _ now: [Service]
    ) -> (ArraySlice<Service>, ArraySlice<Service>) {
        let common = min(was.count, now.count)
        var head = 0
        while head < common, was[head] == now[head] { head += 1 }
        var tail = 0
        while tail < common - head, was[was.count - 1 - tail] == now[now.count - 1 - tail] {
            tail += 1
        }
        return (was[head..<was.count - tail], now[head..<now.count - tail])
    }

    private func service(_ was: Service, _ now: Service) -> [String] {
        var keys: [String] = []
        for pair in was.txt.pairs + now.txt.pairs where !keys.contains(pair.key) {
            keys.append(pair.key)
        }
        let attributes = keys.flatMap { key in
            difference("txt \(key)", was.txt[key]?.inWords, now.txt[key]?.inWords)
        }
        return difference("port", was.port.map { "\($0)" }, now.port.map { "\($0)" })
            + list("subtype", was.subtypes, now.subtypes) + shortened(attributes)
    }

    /// Returns `name a -> b`, `name a gone`, `name b new`, or nothing.
    private func difference(_ name: String, _ was: String?, _ now: String?) -> [String] {
        switch (was, now) {
        case (let was?, let now?) where was == now: []
        case (let was?, let now?):
            [isSpoken ? "the \(name) changed from \(was) to \(now)" : "\(name) \(was) -> \(now)"]
        case (let was?, nil): [isSpoken ? "the \(name), \(was), is gone" : "\(name) \(was) gone"]
        case (nil, let now?): [isSpoken ? "the \(name) is now \(now)" : "\(name) \(now) new"]
        case (nil, nil): []
        }
    }

    /// Returns the elements that a list lost and gained.
    private func list(_ name: String, _ was: [String], _ now: [String]) -> [String] {
        was.filter { !now.contains($0) }.map {
            isSpoken ? "\(name) gone: \($0)" : "lost \(name) \($0)"
        }
            + now.filter { !was.contains($0) }.map {
                isSpoken ? "new \(name): \($0)" : "gained \(name) \($0)"
            }
    }

    /// Returns the first texts, and the number of the others.
    private func shortened(_ texts: [String]) -> [String] {
        guard texts.count > Self.limit else { return texts }
        let rest = "\(texts.count - Self.limit) more changes"
        return texts.prefix(Self.limit) + [isSpoken ? "there are \(rest)" : "and \(rest)"]
    }
}

extension Presence {
    /// The presence as a phrase that follows a name.
    var inWords: String {
        switch self {
        case .resolving: "not resolved yet"
        case .present: "answers"
        case .unanswered: "does not answer"
        case .unknown: "not seen since discovery was interrupted"
        }
    }

    /// The presence as a sentence without its capital and full stop.
    var inSpeech: String {
        switch self {
        case .resolving: "its address is not known yet"
        case .present: "it answers"
        case .unanswered: "it does not answer"
        case .unknown: "it has not been seen since discovery was interrupted"
        }
    }
}

extension TXTRecord.Value {
    /// The value, cut after 60 columns.
    fileprivate var inWords: String {
        switch self {
        case .none: "without value"
        case .text(let text): "\"\(SafeText(text, upTo: 60).cut(to: 60).text)\""
        case .bytes(let bytes): "\(bytes.count) bytes"
        }
    }
}
