// What changed about an item, in words, from what to what.
import PeerList
import TerminalList

extension PeerListUpdate.Change {
    /// Each difference between the two states in a few words; none for a sign of life alone.
    var inWords: [String] { ChangeWording(isSpoken: false).differences(self) }

    /// Each difference in a sentence that needs no symbol to be understood, read out or looked at.
    var inSentences: [String] {
        ChangeWording(isSpoken: true).differences(self).map { text in
            text.prefix(1).uppercased() + text.dropFirst() + "."
        }
    }
}

extension Service {
    /// The type without its underscore, and the name: `ipp "Office"`.
    var inWords: String { "\(type.drop { $0 == "_" }.prefix { $0 != "." }) \"\(name)\"" }
}

/// How differences are put into words: for the eye, or as one would tell them.
private struct ChangeWording {
    /// Whether symbols are left out, and what is left is a sentence but for its capital and full stop.
    let isSpoken: Bool

    func differences(_ change: PeerListUpdate.Change) -> [String] {
        let (was, now) = (change.was.peer, change.now.peer)
        guard change.was.isService == change.now.isService else { return [] }
        return change.now.isService ? serviceDifferences(was, now) : differences(was, now)
    }

    private func differences(_ was: Peer, _ now: Peer) -> [String] {
        difference("name", was.name, now.name) + difference("host", was.host, now.host)
            + difference("identifier from", was.identity.value, now.identity.value)
            + presence(was.presence, now.presence)
            + list("address", was.addresses, now.addresses)
            + list("interface", was.interfaces, now.interfaces)
            + services(was.services, now.services)
    }

    /// Returns the differences between two states of a service in a list that is grouped by type.
    private func serviceDifferences(_ was: Peer, _ now: Peer) -> [String] {
        difference("host", was.host, now.host)
            + difference(
                "peer", was.isResolved ? was.name : nil, now.isResolved ? now.name : nil)
            + presence(was.presence, now.presence)
            + list("address", was.addresses, now.addresses)
            + service(was.services[0], now.services[0])
    }

    private func presence(_ was: Presence, _ now: Presence) -> [String] {
        was == now ? [] : [isSpoken ? now.inSpeech : now.inWords]
    }

    private func services(_ was: [Service], _ now: [Service]) -> [String] {
        // All of a list change their presence when who is asked goes away, and nothing else.
        guard was != now else { return [] }
        // Of a device's thousands one has come or gone, many times a second.
        let (was, now) = unlike(was, now)
        let old = Dictionary(was.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let new = Dictionary(now.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let lost = was.filter { new[$0.id] == nil }.map {
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

    /// What is left of two lists without that with which both begin, and with which both end.
    private func unlike(
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

    /// What differs between two states of a service.
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

    /// `name a -> b`, `name a gone`, `name b new`, or nothing.
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

    /// What a list lost and gained.
    private func list(_ name: String, _ was: [String], _ now: [String]) -> [String] {
        was.filter { !now.contains($0) }.map {
            isSpoken ? "\(name) gone: \($0)" : "lost \(name) \($0)"
        }
            + now.filter { !was.contains($0) }.map {
                isSpoken ? "new \(name): \($0)" : "gained \(name) \($0)"
            }
    }

    /// At most eight, and how many more there are.
    private func shortened(_ texts: [String]) -> [String] {
        guard texts.count > 8 else { return texts }
        let rest = "\(texts.count - 8) more changes"
        return texts.prefix(8) + [isSpoken ? "there are \(rest)" : "and \(rest)"]
    }
}

extension Presence {
    /// What is known, in words that follow a name.
    var inWords: String {
        switch self {
        case .resolving: "not resolved yet"
        case .present: "answers"
        case .unanswered: "does not answer"
        case .unknown: "not seen since discovery was interrupted"
        }
    }
}

extension Presence {
    /// What is known, in a sentence but for its capital and full stop.
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
    /// The value, cut where it is long.
    fileprivate var inWords: String {
        switch self {
        case .none: "without value"
        case .text(let text): "\"\(SafeText(text, upTo: 60).cut(to: 60).text)\""
        case .bytes(let bytes): "\(bytes.count) bytes"
        }
    }
}
