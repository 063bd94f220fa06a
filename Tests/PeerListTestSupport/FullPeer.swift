// A peer that has a value of its own for each property, and the properties of a peer by name, for tests that no
// property is forgotten.
import FoundationEssentials
public import PeerModel

extension Peer {
    /// A peer of which nothing is known.
    public static let blank = Peer(
        id: UUID(), name: "", host: nil, presence: .resolving,
        identity: Identity(source: .service, value: "blank"),
        firstSeen: Timestamp(microseconds: 200), lastSeen: Timestamp(microseconds: 200))

    /// A peer that differs from ``blank`` in each property.
    public static let full = {
        let service = Service(
            id: UUID(), name: "Web", type: "_http._tcp", subtypes: ["_a"], domain: "local",
            port: 80, txt: TXTRecord([.init(key: "sn", value: .text("1"))]))
        var peer = Peer(
            id: UUID(), name: "Printer", host: "h1.local", isSelf: true, presence: .present,
            identity: Identity(source: .txt, value: "1", type: "_http._tcp", key: "sn"),
            addresses: ["10.0.0.1"], interfaces: ["eth0"], services: [service],
            firstSeen: Timestamp(microseconds: 100), lastSeen: Timestamp(microseconds: 300))
        peer.evidence = Identity.all(of: [service], host: "h1.local")
        (peer.kind, peer.model, peer.maker) = (.printer, "ABC-1", "Example")
        peer.deviceInfo = TXTRecord([.init(key: "model", value: .text("ABC1,1"))])
        peer.macs = ["00:00:5e:00:53:01"]
        for address in peer.addresses { peer.reach[address] = .here }
        peer.vouchedBy = Vouching(
            .sleepProxy, sender: "10.0.0.2", name: "TV", mac: "00:00:5e:00:53:02",
            since: Timestamp(microseconds: 150))
        peer.protocols = [.mdns, .ssdp]
        peer.isHeard = true
        (peer.label, peer.isNew) = ("by the door", true)
        peer.firstEverSeen = Timestamp(microseconds: 10)
        peer.lastSeenBefore = Timestamp(microseconds: 20)
        peer.views = [
            PeerView(
                name: ObserverName(site: "office", observer: "h2"), host: "h2.local",
                presence: .present, since: Timestamp(microseconds: 100), interfaces: ["eth1"],
                vouchedBy: Vouching(.own, sender: "10.0.0.1"))
        ]
        return peer
    }()

    /// The stored properties by name.
    public var properties: [String: Any] {
        var values: [String: Any] = [:]
        func add(_ mirror: Mirror) {
            for case (let name?, let value) in mirror.children {
                if name == "storage" {
                    add(Mirror(reflecting: value))
                } else {
                    values[name] = value
                }
            }
        }
        add(Mirror(reflecting: self))
        return values
    }

    /// The names of the properties in which it differs from another peer.
    public func differences(from other: Peer) -> Set<String> {
        let (left, right) = (properties, other.properties)
        return Set(
            left.keys.filter { name in
                String(reflecting: left[name] as Any) != String(reflecting: right[name] as Any)
            })
    }

    /// The names of the properties that are texts, or lists of texts, none of which is in a text.
    public func texts(missingIn text: String) -> Set<String> {
        let missing = properties.filter { _, value in
            let texts = value as? [String] ?? (value as? String).map { [$0] } ?? []
            return !texts.isEmpty && !texts.contains { text.contains($0) }
        }
        return Set(missing.keys)
    }
}
