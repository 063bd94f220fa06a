// The payloads that observers of a fleet publish: a numbered peer, and the status of the observer.
package import FoundationEssentials
package import PeerList

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
