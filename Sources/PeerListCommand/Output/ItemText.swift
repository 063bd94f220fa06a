// Describes items and their changes, as phrases or as sentences for a screen reader.
import FoundationEssentials
import PeerList
import TerminalList

extension ListItem {
    /// The name, with the host in brackets.
    var title: String {
        let owner = peer.isResolved ? " on \(peer.name)" : ""
        let name = service.map { $0.shortTitle + owner } ?? peer.name
        let details = (peer.host.map { [$0] } ?? []) + (peer.isSelf ? ["this machine"] : [])
        return details.isEmpty ? name : "\(name) (\(details.joined(separator: ", ")))"
    }

    /// Returns the addresses, the presence and the services of an arrival in one line.
    func summary(_ charset: Charset) -> String {
        var parts = service?.port.map { ["port \($0)"] } ?? []
        if !peer.addresses.isEmpty { parts.append(peer.addresses.joined(separator: " ")) }
        if peer.presence != .present { parts.append(peer.presence.phrase) }
        if !isService, !peer.services.isEmpty {
            parts.append("offers \(peer.services.typeSummary(charset))")
        }
        return parts.joined(separator: "; ")
    }

    /// The title, the addresses, the presence and the services of an arrival in sentences.
    var sentences: String {
        var parts = ["\(title)."]
        if let port = service?.port { parts.append("It is on port \(port).") }
        if !peer.addresses.isEmpty {
            let noun = peer.addresses.count == 1 ? "address is" : "addresses are"
            parts.append("Its \(noun) \(enumeration(of: peer.addresses)).")
        }
        if peer.presence != .present { parts.append(sentence(peer.presence.clause)) }
        if !isService, !peer.services.isEmpty {
            parts.append("It offers \(peer.services.spokenTypes).")
        }
        return parts.joined(separator: " ")
    }
}

extension Service {
    /// The type without its underscore, and the name: `ipp "Office"`.
    var shortTitle: String { "\(shortType) \"\(name)\"" }

    /// The type without its underscore and protocol: `ipp`.
    fileprivate var shortType: Substring { type.drop { $0 == "_" }.prefix { $0 != "." } }
}

extension [Service] {
    /// The types without their underscores, each with the number of its services; sorted services have each type once.
    private var typeCounts: [(name: Substring, count: Int)] {
        var types: [(name: Substring, count: Int)] = []
        for service in self {
            let name = service.shortType
            if types.last?.name == name {
                types[types.count - 1].count += 1
            } else {
                types.append((name, 1))
            }
        }
        return types
    }

    /// Returns the types, with a count for several services: `http ipp ×2`.
    func typeSummary(_ charset: Charset, separator: String = " ") -> String {
        let times = charset == .unicode ? "×" : "x"
        return typeCounts.map { $0.count == 1 ? String($0.name) : "\($0.name) \(times)\($0.count)" }
            .joined(separator: separator)
    }

    /// The first twelve types as part of a sentence: `http, ipp (2 of them) and ssh`.
    fileprivate var spokenTypes: String {
        let counts = typeCounts
        let shown = counts.prefix(12).map { name, count in
            count == 1 ? String(name) : "\(name) (\(count) of them)"
        }
        let rest = counts.count - shown.count
        return enumeration(of: shown + (rest > 0 ? ["\(rest) more types"] : []))
    }
}

extension TXTRecord {
    /// The first attributes, about 200 bytes of them: `txtvers=1 note=2nd floor`.
    var summary: String {
        var text = ""
        for pair in pairs where text.utf8.count < 200 {
            if !text.isEmpty { text += " " }
            text += pair.key
            if case .text(let value) = pair.value { text += "=" + value.prefix(100) }
            if case .bytes(let bytes) = pair.value { text += "=(\(bytes.count) bytes)" }
        }
        return text
    }
}

extension Presence {
    /// The presence as a phrase that follows a name.
    fileprivate var phrase: String {
        switch self {
        case .resolving: "not resolved yet"
        case .present: "answers"
        case .unanswered: "does not answer"
        case .unknown: "not seen since discovery was interrupted"
        }
    }

    /// The presence as a sentence without its capital and full stop.
    fileprivate var clause: String {
        switch self {
        case .resolving: "its address is not known yet"
        case .present: "it answers"
        case .unanswered: "it does not answer"
        case .unknown: "it has not been seen since discovery was interrupted"
        }
    }
}

/// Returns a clause with a capital letter and a full stop.
private func sentence(_ clause: String) -> String {
    clause.prefix(1).uppercased() + clause.dropFirst() + "."
}

/// Returns texts as part of a sentence: `a, b and c`.
private func enumeration(of texts: [String]) -> String {
    guard texts.count > 1, let last = texts.last else { return texts.joined() }
    return texts.dropLast().joined(separator: ", ") + " and " + last
}

// MARK: Changes

extension PeerListUpdate.Change {
    /// The differences between the two states as short phrases; none if only `lastSeen` differs.
    var phrases: [String] { ChangeText(isSpoken: false).differences(self) }

    /// The title and the differences as sentences without symbols; `nil` without differences.
    var sentences: String? {
        let clauses = ChangeText(isSpoken: true).differences(self)
        return clauses.isEmpty
            ? nil : (["\(was.title)."] + clauses.map(sentence)).joined(separator: " ")
    }
}

/// The wording of differences.
private struct ChangeText {
    /// Whether to use sentences without symbols, still without their capital and full stop.
    let isSpoken: Bool

    /// The maximum number of texts for the services, and for the TXT attributes, of an item.
    private static let limit = 8

    func differences(_ change: PeerListUpdate.Change) -> [String] {
        let (was, now) = (change.was.peer, change.now.peer)
        let host = difference("host", was.host, now.host)
        let state =
            (was.presence == now.presence
                ? [] : [isSpoken ? now.presence.clause : now.presence.phrase])
            + list("address", was.addresses, now.addresses)
        switch (change.was.service, change.now.service) {
        case (nil, nil):
            return difference("name", was.name, now.name) + host
                + difference("identifier from", was.identity.value, now.identity.value) + state
                + list("interface", was.interfaces, now.interfaces)
                + (was.hasSameServices(as: now) ? [] : services(was.services, now.services))
        case (let former?, let current?):
            let names = (was.isResolved ? was.name : nil, now.isResolved ? now.name : nil)
            return host + difference("peer", names.0, names.1) + state + service(former, current)
        default: return []
        }
    }

    private func services(_ was: [Service], _ now: [Service]) -> [String] {
        // Usually one service of thousands changes, so the common start and end are left out.
        let head = commonCount(was, now)
        let tail = commonCount(was[head...].reversed(), now[head...].reversed())
        let (was, now) = (was[head...].dropLast(tail), now[head...].dropLast(tail))
        let old = Dictionary(was.map { ($0.id, $0) }) { first, _ in first }
        let new = Set(now.map(\.id))
        let lost = was.filter { !new.contains($0.id) }.map {
            isSpoken ? "service gone: \($0.shortTitle)" : "lost \($0.shortTitle)"
        }
        let gained = now.filter { old[$0.id] == nil }.map { service in
            let port = service.port.map { isSpoken ? ", port \($0)" : " port \($0)" } ?? ""
            return (isSpoken ? "new service: " : "gained ") + service.shortTitle + port
        }
        let changed = now.compactMap { service -> String? in
            guard let before = old[service.id], before != service else { return nil }
            let differences = self.service(before, service).joined(separator: ", ")
            guard !differences.isEmpty else { return nil }
            return isSpoken
                ? "of \(service.shortTitle), \(differences)"
                : "\(service.shortTitle): \(differences)"
        }
        return shortened(lost + gained + changed)
    }

    private func commonCount(
        _ was: some Collection<Service>, _ now: some Collection<Service>
    ) -> Int {
        zip(was, now).enumerated().first { $1.0 != $1.1 }?.offset ?? min(was.count, now.count)
    }

    private func service(_ was: Service, _ now: Service) -> [String] {
        var keys: [String] = []
        for pair in was.txt.pairs + now.txt.pairs where !keys.contains(pair.key) {
            keys.append(pair.key)
        }
        let attributes = keys.flatMap { key in
            difference("txt \(key)", was.txt[key].map(text), now.txt[key].map(text))
        }
        return difference("port", was.port.map { "\($0)" }, now.port.map { "\($0)" })
            + list("subtype", was.subtypes, now.subtypes) + shortened(attributes)
    }

    /// Returns the value of an attribute, cut after 60 columns.
    private func text(_ value: TXTRecord.Value) -> String {
        switch value {
        case .none: "without value"
        case .text(let text): "\"\(SafeText(text, upTo: 60).cut(to: 60).text)\""
        case .bytes(let bytes): "\(bytes.count) bytes"
        }
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
