// Describes a row in lines: name, kind, state, addresses, services with their TXT records, evidence and history.
import FoundationEssentials
import PeerHappenings
import PeerModel
import PeerRecording
import PeerSession
import PeerText
import TerminalList

/// The answers of a device at its addresses, and when it was asked.
struct AddressAnswers {
    let time: Timestamp
    let addresses: [AddressAnswer]
}

struct DetailText {
    /// The maximum number of services that are described; of the others the number is shown.
    private static let serviceLimit = 100
    /// The maximum number of services that are listed, a line for each, before they are described.
    private static let offerLimit = 12

    /// The maximum number of devices in which others with an address are looked for.
    private static let searchLimit = 5_000
    /// The maximum number of devices with an address that are named.
    private static let sharerLimit = 3

    let seen: DeviceIndex
    let history: ListHistory
    /// The characters of the strip of the last hour.
    let charset: Charset
    /// The paths of the row and the time it was last heard; `nil` if unknown, as in a recording: then
    /// the paths are derived from the addresses.
    var sightings: ItemSightings?
    /// The latest answers of the device at its addresses; `nil` if it was not asked.
    var answers: AddressAnswers?
    var localTime: (Timestamp) -> LocalTime = { LocalTime($0) }

    /// Returns the title of a row's details; `nil` for an unknown row.
    func title(of row: RowID) -> String? {
        if case .departed(let id) = row { return history.departed(id)?.item.title }
        guard let peer = seen.device(of: row)?.peer, let item = seen.item(of: row) else {
            return nil
        }
        return item.service.map { "\($0.shortTitle) on \(peer.displayName)" }
            ?? item.title + (peer.isSelf ? ", this machine" : "")
    }

    /// Returns the details of a row, none for an unknown one, with the strip of the hour up to a time or
    /// the latest update.
    func lines(of row: RowID, until end: Timestamp? = nil) -> [TextPane.Line] {
        let ids = seen.itemIDs(of: row)
        let past = historyLines(ids, end ?? history.latestTime)
        if case .departed(let id) = row {
            guard let departed = history.departed(id) else { return [] }
            let state = TextPane.Line.entry(
                "presence", "State", "left \(moment(departed.time)): \(departed.reasonText)",
                tone: .bad)
            return lines(departed.item, of: departed.item.peer, [state], until: departed.time)
                + past
        }
        guard let peer = seen.device(of: row)?.peer, let item = seen.item(of: row) else {
            return []
        }
        let state = [presence(item.peer.presence, ids)] + vouchingLines(peer.vouchedBy)
        return lines(item, of: peer, state) + past
    }

    /// Returns the lines of an item without its history; `end` is the time at which a departed item left. The lines
    /// of a service begin with the service.
    private func lines(
        _ item: ListItem, of peer: Peer, _ state: [TextPane.Line], until end: Timestamp? = nil
    ) -> [TextPane.Line] {
        let evidence = DeviceEvidence(peer)
        let services = serviceLines(item.peer.services, of: peer, isDeparted: end != nil)
        let (facts, times) = (factLines(peer, evidence, state), timeLines(peer, until: end))
        guard item.isService else {
            let name = TextPane.Line.entry("announced-name", "Name", peer.name)
            return labelLines(peer) + [name] + facts + offerLines(peer) + times + services
                + deviceInfoLines(peer) + evidence.lines
        }
        return services + [.space("peer/space"), .heading("name", peer.displayName)]
            + labelLines(peer) + facts + times + evidence.lines
    }

    private func labelLines(_ peer: Peer) -> [TextPane.Line] {
        peer.label.map { [.entry("label", "Label", $0)] } ?? []
    }

    /// Returns what the device is, the state, the addresses and the host of a device.
    private func factLines(
        _ peer: Peer, _ evidence: DeviceEvidence, _ state: [TextPane.Line]
    ) -> [TextPane.Line] {
        DeviceFact.all(in: .details).compactMap { fact in
            guard let title = fact.title, let text = fact.detail(of: evidence.peer) else {
                return nil
            }
            return .entry(fact.key, title, text)
        } + state
            + (peer.isHeard
                ? [.entry("heard", "", "as heard on the network, not confirmed yet", tone: .muted)]
                : [])
            + TextPane.Line.list(
                "address", "Addresses",
                peer.announcedAddresses.map { address in
                    let notes = [
                        ParsedAddress(address)?.description, peer.obstacle(at: address),
                        sharers(of: address, besides: peer),
                    ].compactMap(\.self)
                    return (address, notes.isEmpty ? nil : notes.joined(separator: ", "))
                })
            + answerLines
            + TextPane.Line.list(
                "mac", "MAC address",
                peer.macs.map { mac in
                    let isLocal = MACAddress(mac)?.isUniversal == false
                    return (mac, isLocal ? "locally administered" : nil)
                })
            + (peer.host.map { host in
                let note =
                    seen.domain.contains(host: host)
                    ? nil : "outside of the domain that was browsed"
                return [.entry("host", "Host", host, note: note)]
            } ?? [])
    }

    /// The answers at the addresses, and when the device was asked.
    private var answerLines: [TextPane.Line] {
        guard let answers, !answers.addresses.isEmpty else { return [] }
        let time = "at " + moment(answers.time)
        return TextPane.Line.list(
            "asked", "Asked",
            answers.addresses.enumerated().map {
                ("\($1.address) \($1.text)", $0 == 0 ? time : nil)
            })
    }

    /// Returns the names of the other devices with an address, such as several bridges on one machine; `nil` if there are
    /// none, or too many devices to look through at each frame.
    private func sharers(of address: String, besides peer: Peer) -> String? {
        guard seen.devices.count <= Self.searchLimit else { return nil }
        let names = seen.devices.values.lazy.map(\.peer)
            .filter { $0.id != peer.id && $0.addresses.contains(address) }
            .map(\.displayName).sorted()
        guard !names.isEmpty else { return nil }
        let rest = names.count - Self.sharerLimit
        return "also of " + names.prefix(Self.sharerLimit).joined(separator: ", ")
            + (rest > 0 ? " and \(rest) more" : "")
    }

    /// Returns a line for each service of a device with several: its title, its name unless it is the device's, and its
    /// port.
    private func offerLines(_ peer: Peer) -> [TextPane.Line] {
        guard peer.services.count > 1 else { return [] }
        // RFC 6763, section 8: port 0 reserves a name without offering the service.
        let services = peer.services.filter { $0.port != 0 }
        let lines = services.prefix(Self.offerLimit).enumerated().map { index, service in
            let name = service.name == peer.name || !service.hasOwnName ? nil : service.name
            let port = service.port.map { "port \($0)" }
            let note = [name, port].compactMap(\.self).joined(separator: ", ")
            return TextPane.Line.entry(
                "offer/\(service.id.uuidString.lowercased())", index == 0 ? "Offers" : "",
                KnownServiceType.of(service.type)?.title ?? service.type,
                note: note.isEmpty ? nil : note)
        }
        let rest = services.count - lines.count
        return lines
            + (rest > 0 ? [.entry("offers-rest", "", "and \(rest) more", tone: .muted)] : [])
    }

    /// Returns the times and paths of a device; a departed one was seen until `end`.
    private func timeLines(_ peer: Peer, until end: Timestamp?) -> [TextPane.Line] {
        let lastSeen = [end, sightings?.lastSeen].compactMap { $0 }.reduce(peer.lastSeen, max)
        let label = end == nil ? "Last heard" : "Last seen"
        return arrivalLines(peer, until: end)
            + [.entry("last-seen", label, moment(lastSeen))]
            + TextPane.Line.list("interface", "Seen on", paths(to: peer))
            + TextPane.Line.list("view", "Seen by", peer.views.map(seenBy))
    }

    /// Returns the state of a device as an observer of a fleet sees it, on which interfaces, and what it claims in
    /// contradiction to the row.
    private func seenBy(_ view: PeerView) -> (text: String, note: String?) {
        let state =
            view.presence == .unknown
            ? "not known, as the observer is away"
            : "\(view.presence.rawValue), first seen \(moment(view.since))"
        let interfaces = view.interfaces.joined(separator: ", ")
        let host = view.host.isEmpty ? nil : "on \(view.host)"
        let claim = view.claim.map { claim in
            "claims "
                + [claim.name, claim.host, claim.kind?.title].compactMap(\.self)
                .joined(separator: ", ")
        }
        let note = [host, interfaces.isEmpty ? nil : interfaces, view.vouchedBy?.mark, claim]
            .compactMap(\.self)
        return ("\(view.name.title)  \(state)", note.isEmpty ? nil : note.joined(separator: ", "))
    }

    /// Returns the device-info record of a device, if it is not one of the services.
    private func deviceInfoLines(_ peer: Peer) -> [TextPane.Line] {
        let type = "_device-info._tcp"
        guard let txt = peer.deviceInfo, !peer.services.contains(where: { $0.type == type }) else {
            return []
        }
        let record = Service(id: .blank, name: "", type: type, domain: "local", txt: txt)
        return [.space("device-info/space"), .heading("device-info", "Device info")]
            + ServiceDetails(record, of: peer, in: seen.domain).attributeLines
    }

    /// Returns when a device was first seen, and when it arrived if that differs.
    private func arrivalLines(_ peer: Peer, until end: Timestamp?) -> [TextPane.Line] {
        let now = [end, history.latestTime].compactMap { $0 }.first ?? peer.lastSeen
        let first = peer.firstEverSeen ?? peer.firstSeen
        var notes = [peer.isNew ? "never before" : nil]
        if peer.lastSeenBefore != nil, let age = spokenTime(from: first, to: now) {
            notes = ["\(age) ago"]
        }
        let firstSeen = ([moment(first)] + notes.compactMap { $0 }).joined(separator: ", ")
        let lines = [TextPane.Line.entry("first-seen", "First seen", firstSeen)]
        let isThere = history.fill.covers(peer)
        guard isThere || peer.lastSeenBefore != nil else { return lines }
        let arrival = [
            isThere ? "before \(moment(peer.firstSeen))" : moment(peer.firstSeen),
            peer.isNew ? nil : peer.encounter(during: history.fill)?.words,
        ].compactMap { $0 }.joined(separator: ", ")
        return lines + [.entry("arrived", "Arrived", arrival)]
    }

    private func presence(_ presence: Presence, _ ids: [UUID]) -> TextPane.Line {
        let time = ids.compactMap { history.histories[$0]?.latest }
            .filter { $0.presence == presence }.map(\.time).max()
        let since = time.map { " since \(moment($0))" } ?? ""
        let (text, tone): (String, Style.Tone) =
            switch presence {
            case .present: ("present", .good)
            case .resolving: ("resolving\(since): its host is not known yet", .muted)
            case .proxied:
                ("proxied\(since): it did not reply itself when asked, another host did", .caution)
            case .unanswered: ("unanswered\(since): it did not reply when asked", .caution)
            case .unknown:
                ("unknown\(since): discovery was interrupted, and it was not seen since", .caution)
            }
        return .entry("presence", "State", text, tone: tone)
    }

    /// Returns who sends the records of a device, since when, and as what; none if no packets are heard.
    private func vouchingLines(_ vouching: Vouching?) -> [TextPane.Line] {
        guard let vouching else { return [] }
        let since = vouching.since.map { ", since \(moment($0))" } ?? ""
        let tone: Style.Tone = vouching.isByOther ? .caution : .plain
        return [
            .entry(
                "vouched-by", "Answers", vouching.senderText + since, tone: tone,
                note: vouching.explanation)
        ]
    }

    private func historyLines(_ ids: [UUID], _ end: Timestamp?) -> [TextPane.Line] {
        var lines: [TextPane.Line] = []
        if let end, let strip = history.strip(of: ids, until: end, buckets: 30) {
            lines = [
                .space("strip/space"),
                .entry(
                    "strip", "Last hour", strip.text(charset: charset),
                    note: PresenceStrip.legend(charset: charset)),
            ]
        }
        let entries = history.entries(of: ids)
        guard !entries.isEmpty else { return lines }
        lines += [.space("changes/space"), .heading("changes", "Changes, latest first")]
        // Entries with the same time are numbered from the earliest, so that identifiers stay.
        for (index, entry) in entries.enumerated() {
            let number = entries[index...].count { $0.time == entry.time }
            lines.append(
                .line(
                    "change/\(entry.time.microseconds)/\(number)",
                    .init("  \(moment(entry.time))  ", style: .muted), .init(entry.text)))
        }
        if let omission = history.omission { lines.append(.entry("omission", "", omission)) }
        return lines
    }

    private func serviceLines(
        _ services: [Service], of peer: Peer, isDeparted: Bool
    ) -> [TextPane.Line] {
        let rest = services.count - Self.serviceLimit
        return services.prefix(Self.serviceLimit).flatMap {
            ServiceDetails($0, of: peer, in: seen.domain, isDeparted: isDeparted).lines
        }
            + (rest > 0
                ? [
                    .space("services/space"),
                    .heading("services/rest", "and \(rest) more services"),
                ]
                : [])
    }

    /// Returns the interfaces on which a peer is announced, and its known families on each.
    private func paths(to peer: Peer) -> [(text: String, note: String?)] {
        let interfaces = sightings?.paths.map(\.interface.name) ?? peer.interfaces
        return interfaces.enumerated().filter { !interfaces[..<$0].contains($1) }.map { _, name in
            let paths = sightings?.paths.filter { $0.interface.name == name }
            // With several interfaces, only the scope of an address names one.
            let families =
                paths?.map { $0.family == .ipv4 ? "IPv4" : "IPv6" }
                ?? peer.addresses.compactMap(ParsedAddress.init)
                .filter { interfaces.count == 1 || $0.scope == name }.map(\.family)
            let text = Set(families).sorted().joined(separator: ", ")
            return (name, text.isEmpty ? nil : text)
        }
    }

    /// Returns the time of day, with the date unless it is the latest update's.
    private func moment(_ time: Timestamp) -> String {
        let local = localTime(time)
        let today = history.latestTime.map { localTime($0).day }
        return local.day == today ? local.clock : "\(local.day) \(local.clock)"
    }
}

extension TextPane.Line {
    /// Creates a line whose identifier stays the same when the text changes.
    static func line(_ id: String, _ fields: ListCell.Field...) -> Self {
        Self(fields, id: id, indent: 14)
    }

    static func space(_ id: String) -> Self { line(id) }

    static func heading(_ id: String, _ text: String) -> Self {
        line(id, .init(text, style: Style(.bold, tone: .accent)))
    }

    /// Creates a line with a name, a text and optionally a note.
    static func entry(
        _ id: String, _ name: String, _ text: String, tone: Style.Tone = .plain, note: String? = nil
    ) -> Self {
        let padding = String(repeating: " ", count: max(1, 12 - name.count))
        var line = line(
            id, .init("  \(name)\(padding)", style: .muted), .init(text, style: Style(tone: tone)))
        if let note { line.fields.append(.init("  \(note)", style: .muted)) }
        return line
    }

    /// Creates a line for each text, the first line with the name. From a recording, there can be more than a
    /// hundred texts; a last line counts the others.
    static func list(_ id: String, _ name: String, _ texts: [(text: String, note: String?)])
        -> [Self]
    {
        let limit = 100
        let lines = texts.prefix(limit).enumerated().map { index, line in
            entry("\(id)/\(line.text)", index == 0 ? name : "", line.text, note: line.note)
        }
        let rest = texts.count - limit
        return lines
            + (rest > 0 ? [entry("\(id)-rest", "", "and \(rest) more", tone: .muted)] : [])
    }
}

extension Style {
    static let muted = Style(tone: .muted)
}

struct ServiceDetails {
    static let attributeLimit = 200
    static let valueLimit = 2_000

    private let service: Service
    private let peer: Peer
    private let domain: BrowsedDomain
    private let isDeparted: Bool
    private let id: String

    init(
        _ service: Service, of peer: Peer, in domain: BrowsedDomain, isDeparted: Bool = false
    ) {
        self.service = service
        self.peer = peer
        self.domain = domain
        self.isDeparted = isDeparted
        id = "service/\(service.id.uuidString.lowercased())"
    }

    var lines: [TextPane.Line] {
        let title = KnownServiceType.of(service.type)?.title
        let subtypes = service.subtypes.joined(separator: " ")
        let lines: [TextPane.Line?] = [
            .space("\(id)/space"), .heading(id, title ?? service.type),
            service.name == peer.name ? nil : .entry("\(id)/name", "Name", service.name),
            .entry("\(id)/type", "Type", service.type),
            subtypes.isEmpty ? nil : .entry("\(id)/subtypes", "Subtypes", subtypes),
            service.domain == "local" ? nil : .entry("\(id)/domain", "Domain", service.domain),
        ]
        return lines.compactMap { $0 } + endpointLines + commandLines + attributeLines
    }

    /// The port; the device has the host and the addresses.
    private var endpointLines: [TextPane.Line] {
        guard let port = service.port else {
            return [.entry("\(id)/port", "Port", "not known yet", tone: .muted)]
        }
        // RFC 6763, section 8: port 0 reserves a name without offering the service.
        guard port != 0 else {
            return [.entry("\(id)/port", "Port", "0", note: "the name is only reserved")]
        }
        return [.entry("\(id)/port", "Port", "\(port)")]
    }

    /// The pages that can be opened and the command to log in, unless the service has departed.
    private var commandLines: [TextPane.Line] {
        guard !isDeparted else { return [] }
        let host = SafeHost.all(of: peer, in: domain).first
        let pages = service.links(at: host).map { ($0.label, String?.none) }
        let login = host.flatMap(service.login).map { [($0.label, String?.none)] } ?? []
        return TextPane.Line.list("\(id)/open", "Open", pages)
            + TextPane.Line.list("\(id)/login", "Log in", login)
    }

    /// The attributes of the TXT record, the first ``attributeLimit`` of them.
    var attributeLines: [TextPane.Line] {
        let pairs = service.txt.pairs
        guard !pairs.isEmpty else { return [] }
        let shown = pairs.prefix(Self.attributeLimit)
        let lines = shown.enumerated().map { line(of: $1, isFirst: $0 == 0) }
        guard shown.count < pairs.count else { return lines }
        let rest = "and \(pairs.count - shown.count) more attributes"
        return lines + [.entry("\(id)/txt-rest", "", rest, tone: .muted)]
    }

    /// Returns the line of an attribute: `key = value  (meaning)`.
    private func line(of pair: TXTRecord.Pair, isFirst: Bool) -> TextPane.Line {
        var line = TextPane.Line.entry(
            "\(id)/txt/\(pair.key)", isFirst ? "TXT" : "", pair.key)
        var notes: [String?] = []
        switch pair.value {
        case .none: notes = ["no value"]
        case .text(""):
            line.fields.append(" =")
            notes = ["(empty)"]
        case .text(let text):
            let shown = text.prefix(Self.valueLimit)
            let more = shown.endIndex < text.endIndex ? "…" : ""
            line.fields.append(.init(" = \(shown)\(more)"))
        case .bytes(let bytes):
            let more = bytes.count > Self.valueLimit ? " …" : ""
            line.fields.append(.init(" = \(hexText(bytes.prefix(Self.valueLimit)))\(more)"))
            notes = ["(\(bytes.count) bytes in hexadecimal)"]
        }
        notes.append(meaning(of: pair).map { "(\($0))" })
        line.fields += notes.compactMap { $0 }.map { .init("  \($0)", style: .muted) }
        return line
    }

    private func meaning(of pair: TXTRecord.Pair) -> String? {
        let key = KnownTXTKeys.meaning(of: pair.key, type: service.type)
        guard case .text(let text) = pair.value,
            let value = KnownTXTKeys.meaning(of: text, key: pair.key, type: service.type)
        else { return key }
        return key.map { "\($0): \(value)" } ?? value
    }
}
