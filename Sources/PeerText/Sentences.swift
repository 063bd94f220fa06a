// Describes items and their changes, as phrases or as sentences.
import FoundationEssentials
package import PeerHappenings
package import PeerModel
package import TerminalText

extension ListItem {
    /// The name, with what the device is, or else its host, in brackets.
    package var title: String {
        let owner = peer.isResolved ? " on \(peer.displayName)" : ""
        let name = service.map { $0.shortTitle + owner } ?? peer.displayName
        let details = [
            peer.deviceText.isEmpty ? peer.host : peer.deviceText,
            peer.isSelf ? "this machine" : nil,
        ].compactMap(\.self)
        return details.isEmpty ? name : "\(name) (\(details.joined(separator: ", ")))"
    }

    /// Returns the addresses, the presence and the services of an arrival in one line.
    package func summary(_ charset: Charset) -> String {
        var parts = service?.port.map { ["port \($0)"] } ?? []
        if !peer.addresses.isEmpty { parts.append(peer.addresses.joined(separator: " ")) }
        if peer.presence != .present { parts.append(peer.presence.phrase) }
        if let other = peer.vouchedBy?.other { parts.append("\(other) answers for it") }
        if !isService, !peer.services.isEmpty {
            parts.append("offers \(peer.services.typeSummary(charset))")
        }
        return parts.joined(separator: "; ")
    }

    /// Returns the title, the host, the addresses, the presence and the services of an arrival in sentences, and
    /// whether it was ever seen before.
    fileprivate func sentences(_ encounter: Encounter?) -> String {
        var parts = ["\(title)."]
        if let port = service?.port { parts.append("It is on port \(port).") }
        if let host = peer.host, !peer.deviceText.isEmpty { parts.append("Its host is \(host).") }
        if !peer.addresses.isEmpty {
            let noun = peer.addresses.count == 1 ? "address is" : "addresses are"
            parts.append("Its \(noun) \(listed(peer.addresses)).")
        }
        if peer.presence != .present { parts.append(sentence(peer.presence.phrase)) }
        if let other = peer.vouchedBy?.other { parts.append("\(other) answers for it.") }
        if let encounter { parts.append("It \(encounter).") }
        if !isService, !peer.services.isEmpty {
            parts.append("It offers \(peer.services.spokenTypes).")
        }
        return parts.joined(separator: " ")
    }
}

/// A phrase that says whether a device was ever seen before.
package struct Encounter: CustomStringConvertible {
    fileprivate let verb: String
    /// The words without their verb: `back after 3 weeks`.
    package let words: String
    package let isNew: Bool

    /// A phrase that follows a name: `is back after 3 weeks`.
    package var description: String { "\(verb) \(words)" }
}

extension Peer {
    /// The minimum absence to mention for a device of the initial fill, in microseconds.
    private static let leastAbsence: Int64 = 86_400_000_000

    /// Returns whether it was ever seen before; `nil` if unknown, or if it was there at the start and seen on
    /// the day before.
    package func encounter(during fill: InitialFill) -> Encounter? {
        encounter(fill.covers(self), since: lastSeenBefore, until: firstSeen)
    }

    fileprivate func encounter(
        _ wasThere: Bool, since last: Timestamp?, until end: Timestamp
    ) -> Encounter? {
        guard !isNew else { return Encounter(verb: "was", words: "never seen before", isNew: true) }
        guard let last, let absence = spokenTime(from: last, to: end) else { return nil }
        guard wasThere else {
            return Encounter(verb: "is", words: "back after \(absence)", isNew: false)
        }
        let isLong = firstSeen.microseconds - last.microseconds >= Self.leastAbsence
        return isLong
            ? Encounter(verb: "was", words: "last seen \(absence) ago", isNew: false) : nil
    }
}

// MARK: What happened

extension ItemHappening {
    /// Whether an item that arrived was ever seen before; `nil` if unknown, or if it was there at the start and
    /// seen on the day before.
    package var encounter: Encounter? {
        let wasThere = event == .there
        return item.peer.encounter(
            wasThere, since: since, until: wasThere ? item.peer.firstSeen : time)
    }

    /// The word for the event: `Arrived`.
    package var word: String {
        switch event {
        case .there: "Already there"
        case .arrived: "Arrived"
        case .left: "Left"
        case .changed, .identified: "Changed"
        case .silent: "Silent"
        case .answers: "Answers"
        }
    }

    /// The title, and what happened, in sentences.
    package var sentences: String {
        switch event {
        case .there, .arrived: item.sentences(encounter)
        case .left: "\(item.title). \(sentence(reason?.phrase(item) ?? "left"))"
        case .changed: change?.sentences ?? "\(item.title)."
        case .identified: "\(item.title). It is now \(identification)."
        case .silent: "\(item.title). It \(item.peer.silencePhrase)."
        case .answers:
            "\(item.title). It answers again\(silence.map { " after \($0)" } ?? "")."
        }
    }

    /// The value by which an item is known, as a participle phrase.
    package var identification: String {
        let value = item.peer.identity.value
        // Of several devices of one host name, a fleet tells each by an observer.
        let isSame = was?.peer.identity.value == value && was?.id != item.id
        return "known by \(value)" + (isSame ? " under another identifier" : "")
    }

    /// The change of an item that has changed.
    package var change: ItemChanges.Change? { was.map { ItemChanges.Change(was: $0, now: item) } }

    /// The length of the silence of a device that answers again.
    package var silence: String? { since.flatMap { spokenTime(from: $0, to: time) } }
}

extension ItemHappening.Reason {
    /// Returns how an item has left, given the item as last known.
    package func phrase(_ item: ListItem) -> String {
        switch self {
        // Its observers, which were away, have been forgotten.
        case .goodbye where item.isUnseen, .expired where item.isUnseen:
            "is seen by no observer any more"
        case .goodbye: "said goodbye"
        case .expired where item.peer.presence.isSilent: "did not answer any more, and expired"
        case .expired: "was not heard any more, and expired"
        case .revoked: "withdrawn by another machine"
        case .link: "not found again since the link was down"
        case .backend: "not found again after discovery restarted"
        }
    }
}

extension SourceHappening {
    /// The event of an observer in a sentence; `nil` for other sources, which notices report.
    package var sentence: String? {
        let devices = counted(count, "device")
        return switch event {
        case .observerJoined: "observer \(name) joined: \(devices)"
        case .observerAway: "observer \(name) is away: \(devices) unknown"
        case .observerBack: "observer \(name) is back: \(devices)"
        case .observerForgotten: "observer \(name) was forgotten"
        default: nil
        }
    }
}

// MARK: Devices

extension Peer {
    /// The kind, maker and model: `printer, Brother HL-L2350DW`; empty if nothing is known.
    ///
    /// Maker and model are left out if the name of a device of a known kind contains them.
    package var deviceText: String {
        [kind?.title, product].compactMap(\.self).joined(separator: ", ")
    }

    /// The text for a narrow column beside the sign of the kind: maker and model, of wide ones the
    /// model alone, or else the kind.
    package var shortDeviceText: String {
        guard let model, let product else { return kind?.title ?? self.product ?? "" }
        return product.count > 20 ? model : product
    }

    /// The texts for narrower columns, from long to short: kind and model, and ``shortDeviceText``.
    package var shortDeviceTexts: [String] {
        guard let kind, let model, product != nil else { return [shortDeviceText] }
        return ["\(kind.title), \(model)", shortDeviceText]
    }

    /// The maker and the model, without saying the maker twice.
    private var product: String? {
        let maker = maker.map(Self.withoutLegalForm)
        let isNamed = maker.map { Self.isNamed($0, in: model ?? "") } ?? true
        let text = [isNamed ? nil : maker, model].compactMap(\.self).joined(separator: " ")
        let isInName = displayName.lowercased().contains(text.lowercased())
        return text.isEmpty || kind != nil && isInName ? nil : text
    }

    /// Whether a model begins a word with the first word of its maker, or has the maker's initials.
    private static func isNamed(_ maker: String, in model: String) -> Bool {
        let (maker, model) = (words(maker), words(model))
        let initials = String(maker.compactMap(\.first))
        return model.contains { word in
            maker.first.map(word.hasPrefix) ?? true || initials.count > 1 && word == initials
        }
    }

    private static func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// Returns the name of a company without what follows it: `QNAP Systems` of "QNAP Systems, Inc.".
    private static func withoutLegalForm(_ maker: String) -> String {
        var words = maker.split { $0 == " " || $0 == "," }
        while words.count > 1, let last = words.last,
            legalForms.contains(last.lowercased().filter(\.isLetter))
        {
            words.removeLast()
        }
        return words.joined(separator: " ")
    }

    private static let legalForms: Set = [
        "ab", "ag", "as", "bv", "co", "company", "corp", "corporation", "gmbh", "inc",
        "incorporated", "limited", "llc", "ltd", "nv", "oy", "plc", "sa", "srl",
    ]
}

// MARK: Services

extension Service {
    /// The type without its underscore, and the name: `ipp "Office"`.
    package var shortTitle: String { "\(shortType) \"\(name)\"" }

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
    package func typeSummary(_ charset: Charset) -> String {
        typeTexts(charset).joined(separator: " ")
    }

    /// Returns shorter forms of the types, from long to short: `http ipp +2`, `http +3`. What describes the device
    /// comes last.
    package func shortTypeSummaries(_ charset: Charset) -> [String] {
        let all = typeTexts(charset)
        let texts = all.filter { $0 != "device-info" } + all.filter { $0 == "device-info" }
        // A column wide enough for more is rare.
        return (1..<Swift.max(1, Swift.min(texts.count, 6))).reversed().map { count in
            texts.prefix(count).joined(separator: " ") + " +\(texts.count - count)"
        }
    }

    private func typeTexts(_ charset: Charset) -> [String] {
        let times = charset != .ascii ? "×" : "x"
        return typeCounts.map { $0.count == 1 ? String($0.name) : "\($0.name) \(times)\($0.count)" }
    }

    /// The first twelve types as part of a sentence: `http, ipp (2 of them) and ssh`.
    fileprivate var spokenTypes: String {
        let counts = typeCounts
        let shown = counts.prefix(12).map { name, count in
            count == 1 ? String(name) : "\(name) (\(count) of them)"
        }
        let rest = counts.count - shown.count
        return listed(shown + (rest > 0 ? ["\(rest) more types"] : []))
    }
}

extension TXTRecord {
    /// The first attributes, about 200 bytes of them: `txtvers=1 note=2nd floor`.
    package var summary: String {
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

extension Peer {
    /// The words that follow the name of a device that does not answer.
    fileprivate var silencePhrase: String {
        guard presence == .proxied else { return "does not answer" }
        return "does not answer itself; \(vouchedBy?.other ?? "another host") answers for it"
    }
}

extension Presence {
    /// The presence as a phrase that follows a name.
    fileprivate var phrase: String {
        switch self {
        case .resolving: "not resolved yet"
        case .present: "answers"
        case .proxied: "does not answer itself"
        case .unanswered: "does not answer"
        case .unknown: "not seen since discovery was interrupted"
        }
    }
}

// MARK: Changes

extension ItemChanges.Change {
    /// The maximum number of texts for the services, and for the TXT attributes, of an item.
    private static let limit = 8

    /// The title and the differences in sentences; `nil` without differences.
    package var sentences: String? {
        let phrases = phrases
        return phrases.isEmpty
            ? nil : (["\(was.title)."] + phrases.map(sentence)).joined(separator: " ")
    }

    /// The differences between the two states; none if only `lastSeen` differs.
    package var phrases: [String] {
        let (was, now) = (was.peer, now.peer)
        let host = Self.difference("host", was.host, now.host)
        let state =
            (was.presence == now.presence ? [] : [now.presence.phrase])
            + Self.difference("address", was.addresses, now.addresses)
        switch (self.was.service, self.now.service) {
        case (nil, nil):
            return Self.difference("name", was.name, now.name)
                + Self.difference("label", was.label, now.label)
                + Self.difference("kind", was.kind?.title, now.kind?.title)
                + Self.difference("model", was.model, now.model)
                + Self.difference("maker", was.maker, now.maker) + host
                + state + Self.difference("interface", was.interfaces, now.interfaces)
                + Self.vouching(was.vouchedBy, now.vouchedBy)
                + (was.hasSameServices(as: now) ? [] : Self.services(was.services, now.services))
                + (was.views == now.views ? [] : Self.views(was.views, now.views))
        case (let former?, let current?):
            let names = (was.isResolved ? was.name : nil, now.isResolved ? now.name : nil)
            return host + Self.difference("peer", names.0, names.1) + state
                + Self.service(former, current)
        default: return []
        }
    }

    /// Returns that another machine answers for a device from now on, or none any more.
    private static func vouching(_ was: Vouching?, _ now: Vouching?) -> [String] {
        guard was?.other != now?.other else { return [] }
        if let other = now?.other { return ["\(other) answers for it"] }
        return now?.rule == .own ? ["answers itself again"] : []
    }

    /// Returns which observers of a fleet lost, found or see a device otherwise than before.
    private static func views(_ was: [PeerView], _ now: [PeerView]) -> [String] {
        let old = Dictionary(was.map { ($0.name, $0.presence) }) { first, _ in first }
        let seeing = now.filter { $0.presence == .present }
        let isAlone =
            seeing.count == 1 && old[seeing[0].name] == .present
            && was.count { $0.presence == .present } > 1
        let names = Set(now.map(\.name))
        let lost = was.filter { !names.contains($0.name) }.map {
            "not seen any more by observer \($0.name.title)"
        }
        return shortened(
            lost
                + now.compactMap { view in
                    guard let presence = old[view.name] else {
                        return "seen by observer \(view.name.title)"
                    }
                    let state = view.presence.rawValue
                    return presence == view.presence
                        ? nil : "\(state) for observer \(view.name.title)"
                }
                + (isAlone ? seeing.map { "seen by observer \($0.name.title) alone" } : []))
    }

    private static func services(_ was: [Service], _ now: [Service]) -> [String] {
        // Usually one service of thousands changes, so the common start and end are left out.
        let head = commonCount(was, now)
        let tail = commonCount(was[head...].reversed(), now[head...].reversed())
        let (was, now) = (was[head...].dropLast(tail), now[head...].dropLast(tail))
        let old = Dictionary(was.map { ($0.id, $0) }) { first, _ in first }
        let new = Set(now.map(\.id))
        let lost = was.filter { !new.contains($0.id) }.map { "lost service \($0.shortTitle)" }
        let gained = now.filter { old[$0.id] == nil }.map { service in
            "gained service \(service.shortTitle)"
                + (service.port.map { ", port \($0)" } ?? "")
        }
        let changed = now.compactMap { service -> String? in
            guard let before = old[service.id], before != service else { return nil }
            let differences = Self.service(before, service).joined(separator: ", ")
            return differences.isEmpty ? nil : "service \(service.shortTitle): \(differences)"
        }
        return shortened(lost + gained + changed)
    }

    private static func commonCount(
        _ was: some Collection<Service>, _ now: some Collection<Service>
    ) -> Int {
        zip(was, now).enumerated().first { $1.0 != $1.1 }?.offset ?? min(was.count, now.count)
    }

    private static func service(_ was: Service, _ now: Service) -> [String] {
        var keys: [String] = []
        // Attributes that are the same in both records are the most.
        let common = Set(was.txt.pairs).intersection(now.txt.pairs)
        for pair in was.txt.pairs + now.txt.pairs
        where !common.contains(pair) && !keys.contains(pair.key) {
            keys.append(pair.key)
        }
        let attributes = keys.flatMap { key in
            difference("txt \(key)", was.txt[key].map(text), now.txt[key].map(text))
        }
        return difference("port", was.port.map { "\($0)" }, now.port.map { "\($0)" })
            + difference("subtype", was.subtypes, now.subtypes) + shortened(attributes)
    }

    /// Returns the value of an attribute, cut after 60 columns.
    private static func text(_ value: TXTRecord.Value) -> String {
        switch value {
        case .none: "without value"
        case .text(let text): "\"\(SafeText(text, upTo: 60).cut(to: 60).text)\""
        case .bytes(let bytes): "\(bytes.count) bytes"
        }
    }

    private static func difference(_ name: String, _ was: String?, _ now: String?) -> [String] {
        guard let was, let now, was != now else {
            return difference(name, was.map { [$0] } ?? [], now.map { [$0] } ?? [])
        }
        return ["\(name) changed from \(was) to \(now)"]
    }

    /// Returns the elements that a list lost and gained.
    private static func difference(_ name: String, _ was: [String], _ now: [String]) -> [String] {
        was.filter { !now.contains($0) }.map { "lost \(name) \($0)" }
            + now.filter { !was.contains($0) }.map { "gained \(name) \($0)" }
    }

    /// Returns the first texts, and the number of the others.
    private static func shortened(_ texts: [String]) -> [String] {
        guard texts.count > limit else { return texts }
        return texts.prefix(limit) + ["and \(texts.count - limit) more changes"]
    }
}
