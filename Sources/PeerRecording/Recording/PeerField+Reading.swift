// The fields of a peer, read from a line.
import FoundationEssentials
import PeerList

extension PeerField: RecordedField {
    static var blank: Peer {
        Peer(
            id: .blank, name: "", host: nil, presence: .resolving,
            identity: Identity(source: .hostName, value: ""),
            firstSeen: Timestamp(microseconds: 0), lastSeen: Timestamp(microseconds: 0))
    }

    func read(_ reader: inout JSONReader, into peer: inout Peer) throws(JSONError) {
        switch self {
        case .id: peer.id = try reader.uuid()
        case .name: peer.name = try reader.string()
        case .host: peer.host = try reader.stringOrNull()
        case .self: peer.isSelf = try reader.boolean()
        case .presence: peer.presence = try reader.word(of: Presence.self, "presence")
        case .identity: peer.identity = try reader.identity()
        case .addresses: peer.addresses = try reader.strings()
        case .interfaces: peer.interfaces = try reader.strings()
        case .services: peer.services = try reader.services()
        case .firstSeen: peer.firstSeen = try reader.timestamp()
        case .lastSeen: peer.lastSeen = try reader.timestamp()
        }
    }

    func copy(from source: Peer, to peer: inout Peer) {
        switch self {
        case .id: peer.id = source.id
        case .name: peer.name = source.name
        case .host: peer.host = source.host
        case .self: peer.isSelf = source.isSelf
        case .presence: peer.presence = source.presence
        case .identity: peer.identity = source.identity
        case .addresses: peer.addresses = source.addresses
        case .interfaces: peer.interfaces = source.interfaces
        case .services: peer.services = source.services
        case .firstSeen: peer.firstSeen = source.firstSeen
        case .lastSeen: peer.lastSeen = source.lastSeen
        }
    }

    func differs(_ was: Peer, _ now: Peer) -> Bool {
        differs(was, now, services: ServiceChanges(from: was.services, to: now.services))
    }
}

extension JSONReader {
    fileprivate mutating func identity() throws(JSONError) -> Identity {
        var source: Identity.Source?
        var value: String?
        try object { (reader, key) throws(JSONError) in
            switch key {
            case "source": source = try reader.word(of: Identity.Source.self, "identity source")
            case "value": value = try reader.string()
            default: try reader.skip()
            }
        }
        guard let source, let value else { throw error("an identity has a source and a value") }
        return Identity(source: source, value: value)
    }

    fileprivate mutating func services() throws(JSONError) -> [Service] {
        var services: [Service] = []
        try array { reader throws(JSONError) in
            let fields = try reader.fields(ServiceField.self)
            services.append(try fields.whole(reader))
        }
        return services
    }
}
