// The ledger: the devices that this user's lists have ever seen, and the labels of the user.
import FoundationEssentials
import PeerList
import PeerRecording

/// The devices that this user's lists have ever seen, by their UUIDs.
///
/// Devices and their names are chosen by strangers, so both are bounded.
struct DeviceLedger: Equatable, Sendable {
    /// The maximum number of devices. Beyond it, the one unseen longest is dropped, one without a label if
    /// there is any.
    static let deviceLimit = 10_000

    /// Whether a device was ever seen before.
    enum Encounter: Equatable, Sendable { case new, back }

    /// The devices that a word may stand for.
    enum Match: Equatable, Sendable {
        case none
        case one(UUID)
        case several([UUID])
    }

    private(set) var devices: [UUID: LedgerDevice] = [:]

    /// Adds a sighting of a device.
    @discardableResult
    mutating func note(_ id: UUID, _ sighting: LedgerDevice) -> Encounter {
        if devices[id]?.add(sighting) != nil { return .back }
        devices[id] = sighting
        if devices.count > Self.deviceLimit {
            let oldest = devices.min { Self.rank($0) < Self.rank($1) }
            if let oldest { devices[oldest.key] = nil }
        }
        return .new
    }

    private static func rank(_ entry: (key: UUID, value: LedgerDevice)) -> (Int, Timestamp, UUID) {
        (entry.value.label == nil ? 0 : 1, entry.value.lastSeen, entry.key)
    }

    /// Labels a device, or removes its label; returns whether the device is known.
    @discardableResult
    mutating func setLabel(_ label: String?, of id: UUID) -> Bool {
        devices[id]?.label = label
        return devices[id] != nil
    }

    mutating func forget(_ id: UUID) { devices[id] = nil }

    /// Returns the devices that a word stands for: a UUID, a label, or the beginning of a UUID.
    func match(_ word: String) -> Match {
        if let id = UUID(uuidString: word), devices[id] != nil { return .one(id) }
        guard !word.isEmpty else { return .none }
        var ids = devices.filter { $0.value.label == word }.map(\.key)
        if ids.isEmpty {
            let start = word.lowercased()
            ids = devices.keys.filter { $0.uuidString.lowercased().hasPrefix(start) }
        }
        guard let id = ids.first else { return .none }
        return ids.count == 1 ? .one(id) : .several(ids.sorted())
    }
}

/// A device in the ledger.
struct LedgerDevice: Equatable, Sendable {
    static let nameLimit = 8
    static let evidenceLimit = 16
    /// The maximum size of each text, in bytes.
    static let textLimit = 255

    /// The names that it had, the latest one first.
    private(set) var names: [String]
    /// The texts by which it can be recognised, such as `host-name:tv.local`, the latest one first.
    private(set) var evidence: [String]
    /// The kind of device, if known.
    private(set) var kind: String?
    fileprivate(set) var label: String?
    private(set) var firstSeen: Timestamp
    private(set) var lastSeen: Timestamp

    /// A sighting of a device; texts beyond the limits are cut or left out.
    init(
        names: [String], evidence: [String], kind: String? = nil, firstSeen: Timestamp,
        lastSeen: Timestamp
    ) {
        self.names = bounded(names, count: Self.nameLimit)
        self.evidence = bounded(evidence, count: Self.evidenceLimit)
        self.kind = kind.map(cut)
        (self.firstSeen, self.lastSeen) = (firstSeen, lastSeen)
    }

    /// The sighting of a peer that is there until a time.
    init(_ peer: Peer, until time: Timestamp) {
        self.init(
            names: [peer.name],
            evidence: ["\(peer.identity.source.rawValue):\(peer.identity.value)"],
            firstSeen: min(peer.firstSeen, time), lastSeen: time)
    }

    /// The label, or else the latest name.
    var title: String { label ?? names.first ?? "" }

    /// Adds a sighting of the device, which has no label.
    fileprivate mutating func add(_ sighting: LedgerDevice) {
        if sighting.lastSeen >= lastSeen {
            names = bounded(sighting.names + names, count: Self.nameLimit)
            evidence = bounded(sighting.evidence + evidence, count: Self.evidenceLimit)
            kind = sighting.kind ?? kind
        }
        firstSeen = min(firstSeen, sighting.firstSeen)
        lastSeen = max(lastSeen, sighting.lastSeen)
    }

    /// Returns why a text cannot be a label; `nil` if it can.
    static func fault(ofLabel text: String) -> String? {
        if text.utf8.count > textLimit {
            return "the label has \(text.utf8.count) bytes; shorten it to at most \(textLimit)"
        }
        let isShown = text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        return isShown ? nil : "the label contains a control character; leave it out"
    }
}

/// Returns the first texts of a list, each once and cut to the limit.
private func bounded(_ texts: [String], count: Int) -> [String] {
    var unique: [String] = []
    for text in texts.lazy.map(cut) where unique.count < count && !unique.contains(text) {
        unique.append(text)
    }
    return unique
}

/// Cuts a text to at most ``LedgerDevice/textLimit`` bytes, between two characters.
private func cut(_ text: String) -> String {
    var text = text
    while text.utf8.count > LedgerDevice.textLimit { text.removeLast() }
    return text
}

// MARK: JSON

/// The reason why a text is not a ledger.
enum LedgerTextError: Error, Equatable {
    /// The text is damaged, at an offset in bytes.
    case damaged(LineError)
    /// A later version of the program wrote it.
    case version(Int)
}

extension DeviceLedger {
    /// The version of the file's format, which changes when this version could not keep what it reads.
    static let version = 1

    /// The ledger as JSON text, with the devices in the order of their UUIDs.
    var json: [UInt8] {
        var text = JSONWriter()
        text.object { members in
            members.member("version", Self.version)
            members.array("devices") { array in
                for (id, device) in devices.sorted(by: { $0.key < $1.key }) {
                    array.object { device.write(id, to: &$0) }
                }
            }
        }
        return text.bytes + [UInt8(ascii: "\n")]
    }

    /// Reads a ledger from JSON text; members that are not known are skipped.
    init(json: [UInt8]) throws(LedgerTextError) {
        let version: Int
        do throws(LineError) {
            version = try Self.version(of: json)
            if version == Self.version { try readDevices(from: json) }
        } catch {
            throw .damaged(error)
        }
        guard version == Self.version else { throw .version(version) }
    }

    /// Returns the version of a text, whose other members may be of any form.
    private static func version(of json: [UInt8]) throws(LineError) -> Int {
        var (reader, version) = (JSONReader(json), Int?.none)
        try reader.object { (reader, key) throws(LineError) in
            guard key == "version" else { return try reader.skip() }
            version = try reader.integer()
        }
        try reader.end()
        guard let version, version > 0 else { throw reader.error("a version was expected") }
        return version
    }

    private mutating func readDevices(from json: [UInt8]) throws(LineError) {
        var reader = JSONReader(json)
        try reader.object { (reader, key) throws(LineError) in
            guard key == "devices" else { return try reader.skip() }
            try reader.array { reader throws(LineError) in
                let (id, device) = try LedgerDevice.read(from: &reader)
                try reader.require(
                    devices.updateValue(device, forKey: id) == nil, "a device is given twice")
                try reader.require(devices.count <= Self.deviceLimit, "there are too many devices")
            }
        }
    }
}

extension LedgerDevice {
    /// Writes the members of the device.
    func write(_ id: UUID, to object: inout JSONWriter) {
        object.member("id", id.uuidString.lowercased())
        object.member("label", label)
        object.member("names", names)
        object.member("kind", kind)
        object.member("evidence", evidence)
        object.member("firstSeen", firstSeen.description)
        object.member("lastSeen", lastSeen.description)
    }

    fileprivate static func read(
        from reader: inout JSONReader
    ) throws(LineError) -> (UUID, LedgerDevice) {
        var id: UUID?
        var (names, evidence): ([String], [String]) = ([], [])
        var (kind, label): (String?, String?)
        var (first, last): (Timestamp?, Timestamp?)
        var keys: Set<String> = []
        try reader.object { (reader, key) throws(LineError) in
            try reader.require(keys.insert(key).inserted, "a member is given twice")
            switch key {
            case "id": id = UUID(uuidString: try reader.string())
            case "label": label = try reader.null() ? nil : try text(from: &reader)
            case "names": names = try texts(from: &reader, limit: nameLimit)
            case "kind": kind = try reader.null() ? nil : try text(from: &reader)
            case "evidence": evidence = try texts(from: &reader, limit: evidenceLimit)
            case "firstSeen": first = Timestamp(try reader.string())
            case "lastSeen": last = Timestamp(try reader.string())
            default: try reader.skip()
            }
        }
        guard let id, let first, let last else {
            throw reader.error("a device has an id, firstSeen and lastSeen")
        }
        var device = LedgerDevice(
            names: names, evidence: evidence, kind: kind, firstSeen: first, lastSeen: last)
        device.label = label
        return (id, device)
    }

    private static func text(from reader: inout JSONReader) throws(LineError) -> String {
        let text = try reader.string()
        try reader.require(
            text.utf8.count <= textLimit, "a text has more than \(textLimit) bytes")
        return text
    }

    private static func texts(
        from reader: inout JSONReader, limit: Int
    ) throws(LineError) -> [String] {
        var texts: [String] = []
        try reader.array { reader throws(LineError) in
            texts.append(try text(from: &reader))
            try reader.require(texts.count <= limit, "a device has more than \(limit) texts")
        }
        return texts
    }
}
