// A device as tests write it.
import FoundationEssentials
package import PeerModel

/// Returns a device with services given as `type` or `type:instance name`.
package func device(
    _ name: String, _ services: String..., address: String? = nil, arrived: Double = 0,
    txt: [String] = []
) -> Peer {
    let host = "\(name).local"
    let record = TXTRecord(strings: txt.map { Array($0.utf8) })
    let offered = services.map { text in
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        let key = ServiceKey(
            name: parts.count > 1 ? parts[1] : name, type: "_\(parts[0])._tcp", domain: "local")
        return Service(
            id: key.id, name: key.name, type: key.type, domain: "local", port: 80, txt: record)
    }
    let value = Identity.canonical(host)
    return Peer(
        id: Identity.uuid(forName: value), name: name, host: host, presence: .present,
        identity: Identity(source: .hostName, value: value), addresses: address.map { [$0] } ?? [],
        interfaces: ["eth0"], services: offered, firstSeen: House.time(arrived),
        lastSeen: House.time(arrived))
}
