// The devices of the house, and what becomes of them. Their UUIDs are those that `uuidgen` gives.
import FoundationEssentials
import PeerList

extension House {
    /// The laptop that looks.
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

    /// The printer before it answers: all that is known is its service.
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

    /// A television whose owner tries to steer terminals.
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

    /// The laptop under the name that it announces, which is another place in the list.
    var renamed: Peer {
        var peer = self
        peer.name = "Zoë's laptop"
        peer.lastSeen = House.time(9)
        return peer
    }

    /// The peer with another presence, and seen again if it says when.
    func with(_ presence: Presence, _ lastSeen: Timestamp? = nil) -> Peer {
        var peer = self
        peer.presence = presence
        peer.lastSeen = lastSeen ?? peer.lastSeen
        return peer
    }
}
