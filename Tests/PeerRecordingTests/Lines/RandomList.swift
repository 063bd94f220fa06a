// Lists of peers or services that change at random from a seed.
import DiffCore
import Foundation
import PeerModel
import PeerRecording
import TestSupport

/// A list that changes at random.
struct RandomList {
    private(set) var sections: [ListSection] = []
    private var snapshot = PeerListSnapshot()
    private var generator: SeededGenerator
    /// A generator for the claims of observers, so that these do not change which devices come and go.
    private var claimGenerator: SeededGenerator
    private var clock: Int64 = 1_700_000_000_000_000
    private let grouping: Grouping

    init(seed: UInt64, grouping: Grouping) {
        generator = SeededGenerator(seed: seed)
        claimGenerator = SeededGenerator(seed: ~seed)
        self.grouping = grouping
    }

    /// Changes the list, and gives the update that does it.
    mutating func change() -> PeerListUpdate {
        let before = sections
        let beforeSnapshot = snapshot
        clock += Int64.random(in: 1...5_000_000, using: &generator)
        mutate()
        keepWhatLooksTheSame(as: before)
        var after = PeerListSnapshot()
        after.appendSections(sections.map(\.id))
        for section in sections {
            after.appendItems(section.items.map(\.id), toSection: section.id)
        }

        let old = Dictionary(uniqueKeysWithValues: before.flatMap(\.items).map { ($0.id, $0) })
        let new = Dictionary(uniqueKeysWithValues: sections.flatMap(\.items).map { ($0.id, $0) })
        snapshot = after
        let cause = pick(PeerListUpdate.Cause.allCases)
        let items = ItemChanges(
            at: Timestamp(microseconds: clock), arrivals: new.filter { old[$0.key] == nil },
            departures: old.filter { new[$0.key] == nil }
                .mapValues { (item: $0, reason: pick(Departure.allCases)) },
            changes: new.compactMapValues { now in
                old[now.id].flatMap { $0 == now ? nil : .init(was: $0, now: now) }
            })
        return PeerListUpdate(items, cause: cause, from: beforeSnapshot, to: after)
    }

    /// As the store does: what is equal to what was there has not changed.
    private mutating func keepWhatLooksTheSame(as before: [ListSection]) {
        let old = Dictionary(uniqueKeysWithValues: before.flatMap(\.items).map { ($0.id, $0) })
        for section in sections.indices {
            sections[section].items = sections[section].items.map { item in
                old[item.id].flatMap { $0 == item ? $0 : nil } ?? item
            }
        }
    }

    private mutating func mutate() {
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            switch Int.random(in: 0...9, using: &generator) {
            case 0...2: insert(randomItem())
            case 3: _ = removeItem()
            case 4: if let item = removeItem() { insert(item) }
            case 5...7: changeItem()
            case 8: sections.shuffle(using: &generator)
            default: sections.removeAll { _ in Int.random(in: 0...3, using: &generator) == 0 }
            }
        }
        if Bool.random(using: &generator) { sections.removeAll(where: \.items.isEmpty) }
    }

    private mutating func insert(_ item: ListItem) {
        let id = pick(["local", "example.org", "_ipp._tcp", "_ssh._tcp"])
        if !sections.contains(where: { $0.id == id }) {
            sections.insert(
                ListSection(id: id, items: []),
                at: Int.random(in: 0...sections.count, using: &generator))
        }
        guard let section = sections.firstIndex(where: { $0.id == id }) else { return }
        let place = Int.random(in: 0...sections[section].items.count, using: &generator)
        sections[section].items.insert(item, at: place)
    }

    private mutating func removeItem() -> ListItem? {
        guard
            let section = sections.indices.filter({ !sections[$0].items.isEmpty }).randomElement(
                using: &generator)
        else { return nil }
        let place = sections[section].items.indices.randomElement(using: &generator) ?? 0
        return sections[section].items.remove(at: place)
    }

    private mutating func changeItem() {
        guard
            let section = sections.indices.filter({ !sections[$0].items.isEmpty }).randomElement(
                using: &generator),
            let place = sections[section].items.indices.randomElement(using: &generator)
        else { return }
        let item = sections[section].items[place]
        sections[section].items[place] =
            item.isService ? changedService(item) : .peer(changed(item.peer))
    }

    private mutating func changed(_ peer: Peer) -> Peer {
        var peer = peer
        peer.lastSeen = Timestamp(microseconds: clock)
        switch Int.random(in: 0...14, using: &generator) {
        case 0: peer.name = text()
        case 1: peer.host = pick([nil, text()])
        case 2: peer.presence = pick(Presence.allCases)
        case 3: peer.addresses = texts()
        case 4:
            peer.identity = Identity(
                source: pick(Identity.Source.allCases), value: text(), type: pick([nil, text()]),
                key: pick([nil, text()]))
        case 5: peer.label = pick([nil, text()])
        case 6: peer.kind = pick([nil] + DeviceKind.allCases)
        case 7: peer.model = pick([nil, text()])
        case 8: peer.maker = pick([nil, text()])
        case 9:
            peer.macs = pick([
                [], ["00:00:5e:00:53:01"], ["00:00:5e:00:53:01", "00:00:5e:00:53:02"],
            ])
        case 10:
            peer.deviceInfo = pick([nil, TXTRecord([.init(key: "model", value: .text(text()))])])
        case 11: peer.views = views()
        case 12: peer.vouchedBy = vouching()
        case 13: peer.isHeard.toggle()
        default: changeServices(&peer.services)
        }
        return peer
    }

    private mutating func changeServices(_ services: inout [Service]) {
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            switch (
                services.indices.randomElement(using: &generator),
                Int.random(in: 0...3, using: &generator)
            ) {
            case (let place?, 0): services.remove(at: place)
            case (let place?, 1): services[place].txt = txt()
            case (let place?, 2): services[place].name = text()
            default: services.append(service())
            }
        }
        services = sorted(services)
    }

    private mutating func changedService(_ item: ListItem) -> ListItem {
        var (peer, service) = (item.peer, item.peer.services[0])
        switch Int.random(in: 0...8, using: &generator) {
        case 0: service.port = pick([nil, 631])
        case 1: service.txt = txt()
        case 2: peer.presence = pick(Presence.allCases)
        case 3:
            (peer.id, peer.name, peer.host) = (uuid(), text(), text())
            peer.addresses = texts()
            peer.identity = Identity(source: .announced, value: peer.id.uuidString.lowercased())
        case 4: peer.isSelf.toggle()
        case 5: service.subtypes = texts()
        case 6 where peer.isResolved: service.name = text()
        case 7: peer.isHeard.toggle()
        default: peer.lastSeen = Timestamp(microseconds: clock)
        }
        return .service(service, of: peer)
    }

    private mutating func randomItem() -> ListItem {
        let now = Timestamp(microseconds: clock)
        if grouping == .type {
            let service = service()
            return .service(
                service,
                of: Peer(
                    unresolved: service, presence: .resolving, firstSeen: now, lastSeen: now))
        }
        let services = (0..<Int.random(in: 0...5, using: &generator)).map { _ in service() }
        var peer = Peer(
            id: uuid(), name: text(), host: text(), isSelf: Bool.random(using: &generator),
            presence: pick(Presence.allCases),
            identity: Identity(source: .hostName, value: text()), addresses: texts(),
            interfaces: texts(), services: sorted(services), firstSeen: now, lastSeen: now)
        peer.label = pick([nil, text()])
        peer.isNew = Bool.random(using: &generator)
        peer.isHeard = Bool.random(using: &generator)
        peer.kind = pick([nil] + DeviceKind.allCases)
        peer.model = pick([nil, text()])
        peer.maker = pick([nil, text()])
        peer.macs = pick([[], ["00:00:5e:00:53:01"], ["00:00:5e:00:53:01", "00:00:5e:00:53:02"]])
        peer.views = views()
        peer.vouchedBy = vouching()
        return .peer(peer)
    }

    private mutating func vouching() -> Vouching? {
        let time = Timestamp(microseconds: clock)
        return pick([
            nil, Vouching(.unheard), Vouching(.own, sender: "10.0.0.1", since: time),
            Vouching(.proxy, sender: "10.0.0.2", name: text(), since: time),
            Vouching(.sleepProxy, sender: "10.0.0.3", mac: "00:00:5e:00:53:01", since: time),
        ])
    }

    private mutating func views() -> [PeerView] {
        let names = [("a", "1"), ("a", "2"), ("b", "1")].map {
            ObserverName(site: $0.0, observer: $0.1)
        }
        return names.filter { _ in Bool.random(using: &generator) }.map {
            var view = PeerView(
                name: $0, host: text(), presence: pick(Presence.allCases),
                since: Timestamp(microseconds: clock), interfaces: texts(), vouchedBy: vouching())
            swap(&generator, &claimGenerator)
            defer { swap(&generator, &claimGenerator) }
            view.claim = pick([
                nil, DeviceClaim(name: text()),
                DeviceClaim(name: text(), host: text(), kind: .printer),
            ])
            return view
        }
    }

    private mutating func service() -> Service {
        Service(
            id: uuid(), name: text(), type: pick(["_ipp._tcp", "_ssh._tcp"]), subtypes: texts(),
            domain: "local", port: UInt16.random(in: 0...UInt16.max, using: &generator), txt: txt())
    }

    private mutating func txt() -> TXTRecord {
        TXTRecord(
            (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                let values: [TXTRecord.Value] = [
                    .none, .text(""), .text(text()), .bytes([0xFF, 0, 10]),
                ]
                return TXTRecord.Pair(key: pick(["a", "A", "note", text()]), value: pick(values))
            })
    }

    private func sorted(_ services: [Service]) -> [Service] {
        services.sorted {
            ($0.type, UTF8Order($0.name), $0.id) < ($1.type, UTF8Order($1.name), $1.id)
        }
    }

    private mutating func texts() -> [String] {
        (0..<Int.random(in: 0...2, using: &generator)).map { _ in text() }
    }

    private mutating func text() -> String { pick(hostileTexts) }

    private mutating func uuid() -> UUID {
        var bytes = uuid_t(0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0)
        let low = generator.next()
        bytes.0 = UInt8(truncatingIfNeeded: low)
        bytes.1 = UInt8(truncatingIfNeeded: low >> 8)
        bytes.14 = UInt8(truncatingIfNeeded: low >> 16)
        bytes.15 = UInt8(truncatingIfNeeded: low >> 24)
        return UUID(uuid: bytes)
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &generator)]
    }
}

/// A text that is ordered by its bytes, where `String` goes by what looks the same.
private struct UTF8Order: Comparable {
    let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }

    static func < (left: UTF8Order, right: UTF8Order) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

/// Names such as a stranger may choose.
let hostileTexts = [
    "printer", "", " ", "Büro", "a\"b\\c/d", "line\nfeed\r\t\u{0}\u{1f}", "\u{1b}[2J",
    "\u{7f}\u{80}\u{9b}",
    "\u{202e}txt.exe", "\u{2028}\u{2029}\u{feff}", "👩‍👩‍👧‍👦", "日本語のプリンター", "e\u{301}", "é",
    "\u{10ffff}\u{fffd}",
    String(repeating: "x", count: 63), "null", "{}", "~",
]
