// The payloads that observers of a fleet publish: a numbered peer, the status of the observer, and a census.
package import FoundationEssentials
package import PeerModel

/// A peer as an observer publishes it: as in the lines, with a number.
package struct NumberedPeer: Sendable {
    /// The number of the message among the observer's messages about peers; it grows with each.
    package var sequence: Int
    package var peer: Peer {
        get { item.peer }
        set { item.peer = newValue }
    }
    private var item: ListItem

    package init(sequence: Int, peer: Peer) {
        (self.sequence, item) = (sequence, .peer(peer))
    }

    /// Parses a payload.
    ///
    /// - Throws: `LineError` if it is not a JSON object or lacks a member, or if a member is not as
    ///   `docs/json-lines.md` describes it.
    package init(_ payload: [UInt8]) throws(LineError) {
        var reader = JSONReader(payload)
        self = try Self.read(&reader)
        try reader.end()
    }

    /// The payload.
    package var payload: [UInt8] { jsonBytes }
}

extension NumberedPeer: JSONObject {
    static let fields: [Field<NumberedPeer>] =
        [Field("seq", { $0.sequence }, { $0.sequence = $1 })]
        + ListItem.peerFields.filter { $0.key != "views" }.map { part in
            var field = part.of(
                { $0.item }, { (message: inout NumberedPeer, item) in message.item = item })
            // In place, as a row whose memory is shared would be copied for each field.
            field.read = { (reader, message) throws(LineError) in
                try part.read(&reader, &message.item)
            }
            return field
        }
    static let blank = NumberedPeer(sequence: 0, peer: ListItem.blankPeer.peer)
}

/// The peers that an observer has published, all of them.
///
/// A message that clears a topic is lost if it does not pass from one broker to the next, and is not repeated. By
/// the census, which the broker keeps, a reader knows that the peer is gone.
package struct ObserverCensus: Sendable, Hashable {
    /// The maximum number of peers in a published census.
    package static let limit = 32_000

    /// The UUID of the observer's process.
    package let run: UUID
    /// The number of the latest message about a peer that the census takes into account.
    package let sequence: Int
    /// The first eight digits of the peers' identifiers, in order.
    private let keys: [UInt32]

    package init(run: UUID, sequence: Int, of ids: some Sequence<UUID>) {
        (self.run, self.sequence) = (run, sequence)
        keys = ids.map(Self.key).sorted()
    }

    /// Parses a payload.
    ///
    /// - Throws: `LineError` if it is not a JSON object or lacks a member, or if a member is not as described.
    package init(_ payload: [UInt8]) throws(LineError) {
        var reader = JSONReader(payload)
        let text = try CensusText.read(&reader)
        try reader.end()
        var keys: [UInt32] = []
        keys.reserveCapacity(text.peers.utf8.count / 8)
        var (key, count) = (UInt32(0), 0)
        for byte in text.peers.utf8 {
            guard let digit = hexValue(byte) else { throw LineError("a digit was expected") }
            (key, count) = (key << 4 | UInt32(digit), count + 1)
            if count.isMultiple(of: 8) { keys.append(key) }
        }
        guard count.isMultiple(of: 8), zip(keys, keys.dropFirst()).allSatisfy({ $0 <= $1 }) else {
            throw LineError("the peers are not in order")
        }
        (run, sequence, self.keys) = (text.run, text.sequence, keys)
    }

    /// The payload.
    package var payload: [UInt8] {
        let peers = keys.map { key in
            let digits = String(key, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }
        return CensusText(run: run, sequence: sequence, peers: peers.joined()).jsonBytes
    }

    /// The size in bytes.
    package var size: Int { keys.count * MemoryLayout<UInt32>.size }

    /// Whether the observer does not have a peer any more about which it had published a message.
    package func lacks(_ id: UUID, publishedAs number: Int) -> Bool {
        guard number <= sequence else { return false }
        let key = Self.key(id)
        var range = 0..<keys.count
        while let middle = range.isEmpty ? nil : range.lowerBound + range.count / 2 {
            if keys[middle] == key { return false }
            range = keys[middle] < key ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return true
    }

    private static func key(_ id: UUID) -> UInt32 {
        let octets = id.uuid
        return UInt32(octets.0) << 24 | UInt32(octets.1) << 16 | UInt32(octets.2) << 8
            | UInt32(octets.3)
    }
}

/// The text of a census.
private struct CensusText: JSONObject {
    var run: UUID
    var sequence: Int
    var peers: String

    static let fields: [Field<CensusText>] = [
        Field("run", { $0.run }, { $0.run = $1 }),
        Field("seq", { $0.sequence }, { $0.sequence = $1 }),
        Field("peers", { $0.peers }, { $0.peers = $1 }),
    ]
    static let blank = CensusText(run: .blank, sequence: 0, peers: "")
}

/// The status that an observer publishes of itself.
package struct ObserverStatus: Sendable, Hashable {
    /// The states of an observer.
    package enum State: String, Sendable, Hashable {
        /// The observer publishes its peers; the broker may still have peers of an earlier run.
        case syncing
        /// The observer has published all of its peers, and removed all others.
        case online
        /// The observer ended, or its connection was lost.
        case offline
    }

    package var state: State
    /// The host name of the observer; empty if not stated.
    package var host = ""
    /// The interfaces on which it listens.
    package var interfaces: [String] = []
    /// The backend: `daemon` or `embedded`; empty if not stated.
    package var backend = ""
    /// The random UUID of its process.
    package var run: UUID?
    /// The start of its process, by its clock.
    package var since: Timestamp?
    /// The number of peers that it has published.
    package var peers: Int?
    /// The number of its latest message about a peer.
    package var sequence: Int?
    /// The time of the status, by its clock.
    package var time: Timestamp?
    /// The number of seconds after which it states its status again, at the latest; `nil` if it does not.
    package var interval: Int?
    /// The version of its program.
    package var version = ""

    package init(_ state: State) { self.state = state }

    /// Parses a payload.
    ///
    /// - Throws: `LineError` if it is not a JSON object with a known state, or if a member has another type.
    package init(_ payload: [UInt8]) throws(LineError) {
        var reader = JSONReader(payload)
        self = try Self.read(&reader)
        try reader.end()
    }

    /// The payload.
    package var payload: [UInt8] { jsonBytes }
}

extension ObserverStatus: JSONObject {
    static let fields: [Field<ObserverStatus>] = [
        Field("state", { $0.state }, { $0.state = $1 }),
        text("host", { $0.host }, { $0.host = $1 }),
        Field(
            ifSet: "interfaces", { $0.interfaces.isEmpty ? nil : $0.interfaces },
            { $0.interfaces = $1 ?? [] }),
        text("backend", { $0.backend }, { $0.backend = $1 }),
        Field(ifSet: "run", { $0.run }, { $0.run = $1 }),
        Field(ifSet: "since", { $0.since }, { $0.since = $1 }),
        Field(ifSet: "peers", { $0.peers }, { $0.peers = $1 }),
        Field(ifSet: "seq", { $0.sequence }, { $0.sequence = $1 }),
        Field(ifSet: "time", { $0.time }, { $0.time = $1 }),
        Field(ifSet: "interval", { $0.interval }, { $0.interval = $1 }),
        text("version", { $0.version }, { $0.version = $1 }),
    ]
    static let blank = ObserverStatus(.offline)

    /// Returns the field of a text that is absent if it is empty.
    private static func text(
        _ key: String, _ get: @escaping @Sendable (ObserverStatus) -> String,
        _ set: @escaping @Sendable (inout ObserverStatus, String) -> Void
    ) -> Field<ObserverStatus> {
        Field(ifSet: key, { get($0).isEmpty ? nil : get($0) }, { set(&$0, $1 ?? "") })
    }
}

extension ObserverStatus.State: JSONWord { static let noun = "state" }

extension JSONCodable {
    fileprivate var jsonBytes: [UInt8] {
        var writer = JSONWriter(capacity: 1024)
        write(to: &writer)
        return writer.bytes
    }
}
