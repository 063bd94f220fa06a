// All that is known of a row, line by line.
import FoundationEssentials
import PeerList
import TerminalList

/// All that is known of a row, line by line: what it is, where it is, what it offers, what happened to it.
struct DetailText {
    /// Of so many services all is said; of the others how many there are.
    static let serviceLimit = 100
    /// So many attributes of a service are shown.
    static let attributeLimit = 200
    /// A value is cut to so many characters, or bytes.
    static let valueLimit = 2_000

    private let seen: DeviceIndex
    private let history: ListHistory
    private let charset: Charset
    private let sightings: ItemSightings?
    private let localTime: (Timestamp) -> LocalTime

    /// The details of rows.
    ///
    /// - Parameters:
    ///   - seen: What is there.
    ///   - history: What happened.
    ///   - charset: In which characters the strip of the last hour is drawn.
    ///   - sightings: On which paths the row is announced and when something was last heard of it; `nil`
    ///     where that is not known, as in a recording: then the addresses tell as far as they do.
    ///   - localTime: The clock of this machine, unless another is given.
    init(
        _ seen: DeviceIndex, _ history: ListHistory, charset: Charset = .unicode,
        sightings: ItemSightings? = nil,
        localTime: @escaping (Timestamp) -> LocalTime = { LocalTime($0) }
    ) {
        self.seen = seen
        self.history = history
        self.charset = charset
        self.sightings = sightings
        self.localTime = localTime
    }

    /// What the details are of, for a title; `nil` for a row that is not there.
    func title(of row: RowID) -> String? {
        if case .departed(let id) = row { return history.departed(id)?.item.title }
        guard let device = seen.device(of: row) else { return nil }
        guard row.service != nil else {
            return ListItem.peer(device.peer).title + (device.peer.isSelf ? ", this machine" : "")
        }
        return seen.service(of: row)?.service.map { "\($0.inWords) on \(device.peer.name)" }
    }

    /// The details of a row.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - end: The moment up to which the last hour is shown; `nil` for the latest difference's.
    /// - Returns: The lines; none for a row that is not there.
    /// - Complexity: O(*n*), where *n* is the number of services that are described.
    func lines(of row: RowID, until end: Timestamp? = nil) -> [DetailLine] {
        let ids = seen.itemIDs(of: row)
        let past = pastLines(ids, end ?? history.latestTime)
        if case .departed(let id) = row {
            guard let departed = history.departed(id) else { return [] }
            return departedLines(departed) + past
        }
        guard let device = seen.device(of: row) else { return [] }
        guard row.service != nil else {
            return peerLines(device.peer, presence(device.peer.presence, ids))
                + serviceLines(device.peer.services, of: device.peer)
                + identityLines(device.peer) + past
        }
        guard let item = seen.service(of: row) else { return [] }
        return serviceLines(item.peer.services, of: device.peer)
            + [.space("peer/space"), .heading("name", device.peer.name)]
            + peerLines(device.peer, presence(item.peer.presence, ids))
            + identityLines(device.peer) + past
    }
}

// MARK: Who it is

extension DetailText {
    private func departedLines(_ departed: DepartedItem) -> [DetailLine] {
        let words = "left \(moment(departed.time)): \(departed.reasonText)"
        let state = DetailLine.entry("presence", "State", words, tone: .bad)
        let peer = departed.item.peer
        let services = serviceLines(peer.services, of: peer)
        let identity = identityLines(peer, until: departed.time)
        guard departed.item.isService else { return peerLines(peer, state) + services + identity }
        return services + [.space("peer/space"), .heading("name", peer.name)]
            + peerLines(peer, state) + identity
    }

    /// Whether it is there, and where.
    private func peerLines(_ peer: Peer, _ state: DetailLine) -> [DetailLine] {
        var lines = [state]
        if let host = peer.host { lines.append(.entry("host", "Host", host)) }
        for (place, address) in peer.addresses.enumerated() {
            lines.append(
                .entry(
                    "address/\(address)", place == 0 ? "Addresses" : "", address,
                    note: AddressInWords(address)?.text))
        }
        return lines
    }

    /// The identifier, the times and the paths of a device.
    ///
    /// - Parameters:
    ///   - peer: The device.
    ///   - end: When it left, where it has left: it was seen until then.
    /// - Returns: The lines, an empty one first.
    private func identityLines(
        _ peer: Peer, until end: Timestamp? = nil
    ) -> [DetailLine] {
        let lastSeen = [end, sightings?.lastSeen].compactMap { $0 }.reduce(peer.lastSeen, max)
        var lines: [DetailLine] = [
            .space("identity/space"),
            .entry("id", "Identifier", peer.id.uuidString.lowercased()),
            .entry("identity", "", peer.identity.inWords, tone: .muted),
            .entry("first-seen", "First seen", moment(peer.firstSeen)),
            .entry("last-seen", end == nil ? "Last heard" : "Last seen", moment(lastSeen)),
        ]
        for (place, (interface, families)) in paths(to: peer).enumerated() {
            lines.append(
                .entry(
                    "interface/\(interface)", place == 0 ? "Seen on" : "", interface,
                    note: families.isEmpty ? nil : families.joined(separator: ", ")))
        }
        return lines
    }

    /// What is known about its being there, since when, and why.
    private func presence(_ presence: Presence, _ ids: [UUID]) -> DetailLine {
        let since = ids.compactMap { history.state(of: $0) }
            .filter { $0.state == .listed(presence) }.map(\.time).max()
        let words = since.map { " since \(moment($0))" } ?? ""
        return switch presence {
        // Since when it is in the list, doubts or not, is what the list and "First seen" say.
        case .present: .entry("presence", "State", "present", tone: .good)
        case .resolving:
            .entry(
                "presence", "State", "resolving\(words): its host is not known yet", tone: .muted)
        case .unanswered:
            .entry(
                "presence", "State", "unanswered\(words): it did not reply when asked",
                tone: .caution)
        case .unknown:
            .entry(
                "presence", "State",
                "unknown\(words): discovery was interrupted, and it was not seen since",
                tone: .caution)
        }
    }
}

// MARK: What happened

extension DetailText {
    private func pastLines(_ ids: [UUID], _ end: Timestamp?) -> [DetailLine] {
        var lines: [DetailLine] = []
        if let end, let strip = history.strip(of: ids, until: end, buckets: 30) {
            lines.append(.space("strip/space"))
            lines.append(
                .entry(
                    "strip", "Last hour", strip.text(charset: charset),
                    note: PresenceStrip.legend(charset: charset)))
        }
        let entries = history.entries(of: ids)
        guard !entries.isEmpty else { return lines }
        lines += [.space("changes/space"), .heading("changes", "Changes, latest first")]
        var counts: [Timestamp: Int] = [:]
        // Numbered from the earliest of a moment, so that a line's identifier stays when others come.
        let numbered = entries.reversed().map { entry in
            counts[entry.time, default: 0] += 1
            let id = "change/\(entry.time.microseconds)/\(counts[entry.time] ?? 0)"
            return DetailLine(
                id,
                [
                    .init("  \(moment(entry.time))  ", style: Style(tone: .muted)),
                    .init(entry.text),
                ])
        }
        lines += numbered.reversed()
        if let omission = history.omission { lines.append(.entry("omission", "", omission)) }
        return lines
    }

    /// The interfaces on which it is announced, each with the families over which that is, as far as
    /// they are known.
    private func paths(to peer: Peer) -> [(interface: String, families: [String])] {
        guard let paths = sightings?.paths else {
            return peer.interfaces.map { ($0, peer.families(on: $0)) }
        }
        var interfaces: [(interface: String, families: [String])] = []
        for path in paths {
            let family = path.family == .ipv4 ? "IPv4" : "IPv6"
            if interfaces.last?.interface == path.interface {
                interfaces[interfaces.count - 1].families.append(family)
            } else {
                interfaces.append((path.interface, [family]))
            }
        }
        return interfaces
    }

    /// The time of day, and in front of it the day unless that is the latest difference's.
    private func moment(_ time: Timestamp) -> String {
        let local = localTime(time)
        let today = history.latestTime.map { localTime($0).day }
        return local.day == today ? local.clock : "\(local.day) \(local.clock)"
    }

    private func serviceLines(_ services: [Service], of peer: Peer) -> [DetailLine] {
        let shown = services.prefix(Self.serviceLimit)
        let lines = shown.flatMap { ServiceDetails($0, of: peer).lines }
        guard shown.count < services.count else { return lines }
        let rest = "and \(services.count - shown.count) more services"
        return lines + [.space("services/space"), .heading("services/rest", rest)]
    }
}

extension Identity {
    /// What the identifier was computed from, in words.
    var inWords: String {
        switch source {
        case .hostName: "from the host name \(value)"
        case .announced: "announced by itself: \(value)"
        case .service: "from the service \(value), whose host is not known yet"
        }
    }
}

extension Peer {
    /// The families of the addresses that it has on an interface, as far as that is told: one interface
    /// has all of them, of several those have some that link-local addresses name.
    fileprivate func families(on interface: String) -> [String] {
        let known = addresses.compactMap(AddressInWords.init).filter {
            interfaces.count == 1 || $0.scope == interface
        }
        return [("IPv4", false), ("IPv6", true)].filter { _, isIPv6 in
            known.contains { $0.isIPv6 == isIPv6 }
        }.map(\.0)
    }
}
