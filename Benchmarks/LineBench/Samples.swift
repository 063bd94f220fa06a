// A typical line, as a value and in the form that Foundation's encoder takes.
import DiffCore
import FoundationEssentials
import PeerModel
import PeerRecording

/// A device with two services and a few attributes.
func samplePeer() -> Peer {
    let time = Timestamp(microseconds: 1_795_249_800_123_456)
    let txt = TXTRecord(
        ["txtvers": "1", "ty": "Brother HL-L2350DW", "note": "2nd floor", "rp": "ipp/print"]
            .map { TXTRecord.Pair(key: $0.key, value: .text($0.value)) })
    let services = ["_http._tcp", "_ipp._tcp"].map {
        Service(id: UUID(), name: "Office Printer", type: $0, domain: "local", port: 631, txt: txt)
    }
    return Peer(
        id: UUID(), name: "brn30055c", host: "brn30055c.local", presence: .present,
        identity: Identity(source: .hostName, value: "brn30055c.local"),
        addresses: ["10.0.0.9", "fe80::9%eth0"], interfaces: ["eth0"], services: services,
        firstSeen: time, lastSeen: time)
}

/// The update that inserts a peer into an empty list.
func arrival(of peer: Peer) -> PeerListUpdate {
    var snapshot = PeerListSnapshot()
    snapshot.appendSections(["local"])
    snapshot.appendItems([peer.id])
    let items = ItemChanges(at: peer.lastSeen, arrivals: [peer.id: .peer(peer)])
    return PeerListUpdate(items, from: PeerListSnapshot(), to: snapshot)
}

/// The update that deletes it.
func departure(of peer: Peer) -> PeerListUpdate {
    let before = arrival(of: peer).snapshot
    let items = ItemChanges(at: peer.lastSeen, departures: [peer.id: (.peer(peer), .removed)])
    return PeerListUpdate(items, from: before, to: PeerListSnapshot())
}

/// The header of a sample run.
let header = LineHeader(
    run: UUID(), observerHost: "h1.local", observerID: UUID(), backend: "daemon", grouping: .device)

/// The same line for `JSONEncoder` and `JSONDecoder`; its texts are created outside of the measurement.
struct LineModel: Codable {
    struct Change: Codable {
        let op: String
        let section: String
        let at: Int
        let id: String?
        let peer: PeerModel?
    }

    struct PeerModel: Codable {
        let id, name, host: String
        let `self`: Bool
        let presence: String
        let identity: [String: String]
        let addresses, interfaces: [String]
        let services: [ServiceModel]
        let firstSeen, lastSeen: String
    }

    struct ServiceModel: Codable {
        let id, name, type: String
        let subtypes: [String]
        let domain: String
        let port: Int
        let txt: [String: String]
    }

    let type: String
    let seq: Int
    let time: String
    let cause: String
    let changes: [Change]

    init(_ time: Timestamp, _ peer: Peer) {
        (type, seq, cause) = ("diff", 1, "arrived")
        self.time = time.description
        let model = PeerModel(
            id: peer.id.uuidString, name: peer.name, host: peer.host ?? "", self: peer.isSelf,
            presence: peer.presence.rawValue,
            identity: ["source": peer.identity.source.rawValue, "value": peer.identity.value],
            addresses: peer.addresses, interfaces: peer.interfaces,
            services: peer.services.map(ServiceModel.init), firstSeen: time.description,
            lastSeen: time.description)
        changes = [
            Change(op: "insert-section", section: "local", at: 0, id: nil, peer: nil),
            Change(op: "insert", section: "local", at: 0, id: peer.id.uuidString, peer: model),
        ]
    }
}

extension LineModel.ServiceModel {
    fileprivate init(_ service: Service) {
        id = service.id.uuidString
        name = service.name
        type = service.type
        subtypes = service.subtypes
        domain = service.domain
        port = Int(service.port ?? 0)
        txt = Dictionary(
            uniqueKeysWithValues: service.txt.pairs.map { pair in
                if case .text(let text) = pair.value { (pair.key, text) } else { (pair.key, "") }
            })
    }
}
