// A small network in which everything happens once, for golden texts.
import FoundationEssentials
public import PeerModel
public import PeerRecording

/// A house with a few devices, seen from Anna's laptop.
public enum House {
    /// An event in the house.
    public enum Step: Sendable {
        /// The list changes.
        case update(PeerListUpdate, list: [ListSection])
        /// The user is notified.
        case notice(Notice)
    }

    /// Returns the header of the lines.
    public static func header(_ grouping: Grouping) -> LineHeader {
        LineHeader(
            run: id("0b3f2a56-6c1f-4d0e-9a53-2f7c5f7f4a10"), observerHost: "anna.local",
            observerID: anna.id, backend: "daemon", grouping: grouping)
    }

    /// Returns the time a number of seconds after 08:30 UTC on 21 November 2026.
    public static func time(_ seconds: Double) -> Timestamp {
        Timestamp(microseconds: 1_795_249_800_000_000 + Int64(seconds * 1_000_000))
    }

    /// Returns all events, in order.
    public static func steps(_ grouping: Grouping) -> [Step] {
        var script = ListScript()
        return events.map { event in
            switch event {
            case .notice(let notice): return .notice(notice)
            case .change(let cause, let reason, let time, let peers):
                let update = script.change(
                    cause, reason: reason, at: time, to: peers.sections(grouping))
                return .update(update, list: script.sections)
            }
        }
    }

    private enum Event {
        case change(PeerListUpdate.Cause, Departure, Timestamp, [Peer])
        case notice(Notice)
    }

    private static let events: [Event] = [
        .change(.arrived, .removed, time(0.1), [anna]),
        .change(.arrived, .removed, time(0.6), [anna, pending]),
        .change(.identity, .identity, time(0.7), [anna, printer]),
        .change(.arrived, .removed, time(2), [anna, printer, tv]),
        .change(.changed, .removed, time(8), [anna, printer.reconfigured, tv]),
        .change(.changed, .removed, time(9), [anna.renamed, printer.reconfigured, tv]),
        .change(
            .presence, .removed, time(132),
            [anna.renamed, printer.reconfigured, tv.with(.unanswered)]),
        .change(
            .backend, .removed, time(200),
            [anna.renamed, printer.reconfigured, tv].map { $0.with(.unknown) }),
        .notice(
            Notice(
                .backendLost, "avahi-daemon went away; what it told is unknown until it is back",
                time: time(200))),
        .change(
            .backend, .removed, time(204),
            [anna.renamed, printer.reconfigured].map { $0.with(.present, time(204)) } + [
                tv.with(.unknown)
            ]),
        .change(
            .backend, .backend, time(214),
            [anna.renamed, printer.reconfigured].map { $0.with(.present, time(204)) }),
        .change(.departed, .removed, time(300), [anna.renamed.with(.present, time(204))]),
    ]

    /// Returns the UUID of a text; an invalid text stops the test.
    static func id(_ text: String) -> UUID {
        guard let id = UUID(uuidString: text) else { fatalError("\(text) is not a UUID") }
        return id
    }
}

extension House {
    /// Three devices: the laptop, a printer that does not answer, a television.
    public static func devices() -> [ListSection] { someDevices.sections(.device) }

    /// The same devices, grouped by type.
    public static func services() -> [ListSection] { someDevices.sections(.type) }

    private static let someDevices = [
        anna, printer.reconfigured.with(.unanswered), tv,
    ]
}

extension House {
    /// Returns the lines of all events without line feeds and without an `end` line.
    public static func lines(_ grouping: Grouping = .device) -> [String] {
        var encoder = LineEncoder()
        let begin = encoder.begin(header(grouping), at: time(0))
        let updates = steps(grouping).compactMap { step in
            switch step {
            case .update(let update, _): encoder.update(update)
            case .notice(let notice): encoder.notice(notice)
            }
        }
        return ([begin] + updates).map { String(decoding: $0.dropLast(), as: UTF8.self) }
    }
}

// MARK: Devices. Their UUIDs are those that `uuidgen` gives.

extension House {
    /// The laptop that runs the list.
    static let anna = Peer(
        id: id("f70742d2-12cd-5f3b-b1bd-f4c1c5d29cae"), name: "anna", host: "anna.local",
        isSelf: true,
        presence: .present, identity: Identity(source: .hostName, value: "anna.local"),
        addresses: ["10.0.0.2", "fe80::1%eth0"], interfaces: ["eth0"],
        services: [
            Service(
                id: id("2c78f1ff-4f08-5e4f-b71e-92b75cd8e80b"), name: "anna", type: "_ssh._tcp",
                domain: "local", port: 22)
        ], firstSeen: time(0.1), lastSeen: time(0.1))

    /// The printer before its service is resolved.
    static let pending = Peer(
        id: office.id, name: office.name, host: nil, presence: .resolving,
        identity: Identity(source: .service, value: "office printer._ipp._tcp.local"),
        interfaces: ["eth0"],
        services: [Service(id: office.id, name: office.name, type: office.type, domain: "local")],
        firstSeen: time(0.1), lastSeen: time(0.1))

    /// The printer.
    static let printer = Peer(
        id: id("ffeed2f7-c139-551d-a00c-e8aa39435dc8"), name: "brn30055c", host: "brn30055c.local",
        presence: .present,
        identity: Identity(source: .hostName, value: "brn30055c.local"),
        addresses: ["10.0.0.9"], interfaces: ["eth0"], services: [office],
        firstSeen: time(0.1), lastSeen: time(0.7))

    private static let office = Service(
        id: id("113a3cfc-8d02-5c9d-9e6e-d5cb7a57c224"), name: "Office Printer", type: "_ipp._tcp",
        domain: "local", port: 631,
        txt: TXTRecord([
            .init(key: "ty", value: .text("Brother \"HL-L2350DW\"")),
            .init(key: "Color", value: .text("F")),
            .init(key: "mac", value: .bytes([0x30, 0x05, 0x5C, 0xFF])),
            .init(key: "duplex", value: .none),
        ]))

    private static let web = Service(
        id: id("3d6625cd-af34-50ce-a468-3dffc33d4e7a"), name: "Office Printer", type: "_http._tcp",
        domain: "local", port: 80)

    /// A television whose name contains terminal controls.
    static let tv = Peer(
        id: id("7245b828-31b2-5091-93d7-819bebb1c864"), name: "tv", host: "tv.local",
        presence: .present,
        identity: Identity(source: .hostName, value: "tv.local"), addresses: ["10.0.0.30"],
        interfaces: ["eth0", "wlan0"],
        services: [
            Service(
                id: id("57c66a50-af00-5029-83a7-89022f88f180"), name: "客厅 TV\u{1b}[2J\n\u{202e}gnp",
                type: "_googlecast._tcp", domain: "local", port: 8009)
        ], firstSeen: time(2), lastSeen: time(2))

    fileprivate static func reconfigured(_ printer: Peer) -> Peer {
        var printer = printer
        printer.addresses = ["10.0.0.10", "fe80::9%eth0"]
        printer.services[0].port = 6631
        printer.services[0].txt = TXTRecord([
            .init(key: "ty", value: .text("Brother \"HL-L2350DW\"")),
            .init(key: "Color", value: .text("T")),
            .init(key: "note", value: .text("2nd floor")),
        ])
        printer.services.insert(web, at: 0)
        printer.lastSeen = time(8)
        return printer
    }
}

extension Peer {
    /// The printer with another address, another port, another TXT record and a web site.
    var reconfigured: Peer { House.reconfigured(self) }

    /// The laptop under its announced name, which is at another position in the list.
    var renamed: Peer {
        var peer = self
        peer.name = "Zoë's laptop"
        peer.lastSeen = House.time(9)
        return peer
    }

    /// Returns the peer with another presence, and with another time of its last sign of life if given.
    func with(_ presence: Presence, _ lastSeen: Timestamp? = nil) -> Peer {
        var peer = self
        peer.presence = presence
        peer.lastSeen = lastSeen ?? peer.lastSeen
        return peer
    }
}
