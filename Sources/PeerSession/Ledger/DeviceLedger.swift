// The ledger: the devices that this user's lists have ever seen, and the labels of the user.
package import FoundationEssentials
package import PeerList
package import PeerRecording

/// The devices that this user's lists have ever seen, by their UUIDs.
///
/// A device whose identifier changes goes on under the new one: the entry of the old identifier stays, so
/// that nothing is lost if the change was a mistake or a pretence, but has a ``LedgerDevice/successor``.
/// Devices and their names are chosen by strangers, so both are bounded.
package struct DeviceLedger: Equatable, Sendable {
    /// The maximum number of devices. Beyond it, the one unseen longest is dropped, one without a label if
    /// there is any.
    static let deviceLimit = 10_000

    /// Whether a device was ever seen before.
    enum Encounter: Equatable, Sendable { case new, back }

    /// The devices that a word may stand for.
    package enum Match: Equatable, Sendable {
        case none
        case one(UUID)
        case several([UUID])
    }

    private typealias DropRank = (isKept: Int, lastSeen: Timestamp, id: UUID)

    package private(set) var devices: [UUID: LedgerDevice] = [:]
    /// The devices without successors, by each text of their evidence; `nil` before the first search.
    private var owners: [String: Set<UUID>]?
    /// The devices to be dropped next, the first one at the end, so that not each drop sorts all devices.
    private var dropCandidates: [DropRank] = []

    package static func == (left: DeviceLedger, right: DeviceLedger) -> Bool {
        left.devices == right.devices
    }

    /// The devices but for those that go on under other identifiers.
    package var current: some Sequence<(key: UUID, value: LedgerDevice)> {
        devices.lazy.filter { $0.value.successor == nil }
    }

    /// Adds a sighting of a device.
    @discardableResult
    mutating func note(_ id: UUID, _ sighting: LedgerDevice) -> Encounter {
        if var device = devices[id] {
            device.add(sighting)
            set(id, to: device)
            return .back
        }
        set(id, to: sighting)
        if devices.count > Self.deviceLimit { dropOldest() }
        return .new
    }

    private mutating func set(_ id: UUID, to device: LedgerDevice?) {
        let (was, now) = (devices[id]?.claims ?? [], device?.claims ?? [])
        devices[id] = device
        guard owners != nil, was != now else { return }
        for text in was {
            owners?[text]?.remove(id)
            if owners?[text]?.isEmpty == true { owners?[text] = nil }
        }
        for text in now { owners?[text, default: []].insert(id) }
    }

    /// Returns the devices without successors that have a text of evidence.
    ///
    /// - Complexity: O(1), the first time O(*n*) for *n* devices.
    private mutating func owners(of text: String) -> Set<UUID>? {
        if let owners { return owners[text] }
        var all: [String: Set<UUID>] = [:]
        for (id, device) in devices {
            for text in device.claims { all[text, default: []].insert(id) }
        }
        owners = all
        return all[text]
    }

    private mutating func dropOldest() {
        while true {
            while let candidate = dropCandidates.popLast() {
                guard let device = devices[candidate.id],
                    Self.dropRank(candidate.id, device) == candidate
                else { continue }
                return set(candidate.id, to: nil)
            }
            let ranks = devices.map { Self.dropRank($0.key, $0.value) }
            dropCandidates = ranks.sorted { $1 < $0 }.suffix(256)
        }
    }

    /// The maximum number of devices among which the latest one of a host name is looked for.
    private static let ownerLimit = 64

    private static func dropRank(_ id: UUID, _ device: LedgerDevice) -> DropRank {
        (device.label == nil || device.successor != nil ? 0 : 1, device.lastSeen, id)
    }

    /// Labels a device, also under its former identifiers, or removes its label; returns whether the device
    /// is known.
    @discardableResult
    package mutating func setLabel(_ label: String?, of id: UUID) -> Bool {
        for member in identifiers(of: id) { devices[member]?.label = label }
        return devices[id] != nil
    }

    /// Removes a device, also under its former identifiers.
    package mutating func forget(_ id: UUID) {
        for member in identifiers(of: id) { set(member, to: nil) }
    }

    private func identifiers(of id: UUID) -> [UUID] {
        [id] + devices.filter { $0.value.successor == id }.keys
    }

    /// Returns the devices that a word stands for: a UUID, a label, or the beginning of a UUID.
    package func match(_ word: String) -> Match {
        if let id = UUID(uuidString: word), devices[id] != nil { return .one(id) }
        guard !word.isEmpty else { return .none }
        var ids = current.filter { $0.value.label == word }.map(\.key)
        if ids.isEmpty {
            let start = word.lowercased()
            ids = current.map(\.key).filter { $0.uuidString.lowercased().hasPrefix(start) }
        }
        guard let id = ids.first else { return .none }
        return ids.count == 1 ? .one(id) : .several(ids.sorted())
    }
}

// MARK: Other identifiers

extension DeviceLedger {
    /// Returns the identifier under which a device is in the ledger, or is to be added.
    ///
    /// A device that shows no lasting evidence, as before all its services are resolved or in a list of few
    /// service types, is the one that had its host name last.
    mutating func key(of id: UUID, _ sighting: LedgerDevice, isListed: (UUID) -> Bool) -> UUID {
        guard let name = sighting.hostName, !sighting.hasLastingEvidence,
            devices[id].map({ $0.successor != nil }) ?? true
        else { return id }
        let owners = owners(of: name) ?? []
        // Strangers can give one name to thousands of devices.
        guard owners.count <= Self.ownerLimit else { return id }
        let owner = owners.max { left, right in
            guard let former = devices[left], let later = devices[right] else { return false }
            return (former.lastSeen, left) < (later.lastSeen, right)
        }
        return owner.flatMap { isListed($0) ? nil : $0 } ?? id
    }

    /// Returns the device as which one with an unknown identifier was known.
    ///
    /// The strongest lasting evidence that any device has decides, if only one has it. Without any, it is the
    /// device of the same host name, if that never had lasting evidence. A listed device is another one.
    mutating func predecessor(of sighting: LedgerDevice, isListed: (UUID) -> Bool) -> UUID? {
        var claimed: Set<UUID>?
        for text in sighting.evidence where claimed == nil && isLasting(text) {
            claimed = owners(of: text)
        }
        if let claimed {
            return claimed.count == 1 ? claimed.first { !isListed($0) } : nil
        }
        return sighting.hostNameID.flatMap { id in
            guard let device = devices[id], device.successor == nil, !isListed(id) else {
                return nil
            }
            return device.hasLastingEvidence ? nil : id
        }
    }

    /// Notes that a device goes on under another identifier, which inherits its names, evidence, first time
    /// and, if it has none, its label.
    mutating func link(_ old: UUID, to new: UUID) {
        guard old != new, var former = devices[old], var device = devices[new] else { return }
        device.inherit(former)
        (former.successor, device.successor) = (new, nil)
        set(old, to: former)
        set(new, to: device)
    }

    /// Drops a device that goes on under another identifier and only had a host name; returns whether it did.
    mutating func discardIfSuperfluous(_ id: UUID) -> Bool {
        guard let device = devices[id], device.successor != nil, !device.hasLastingEvidence else {
            return false
        }
        set(id, to: nil)
        return true
    }
}

/// A device in the ledger.
package struct LedgerDevice: Equatable, Sendable {
    static let nameLimit = 8
    static let evidenceLimit = 16
    /// The maximum size of each text, in bytes.
    static let textLimit = 255

    /// The names that it had, the latest one first.
    package private(set) var names: [String]
    /// The texts by which it can be recognised, such as `mac:00005e005301` or `host-name:tv.local`, the
    /// strongest of the latest sighting first.
    private(set) var evidence: [String]
    /// The kind of device, if known.
    package private(set) var kind: String?
    fileprivate(set) var label: String?
    package private(set) var firstSeen: Timestamp
    package private(set) var lastSeen: Timestamp
    /// The identifier under which it goes on; `nil` for that itself.
    fileprivate(set) var successor: UUID?

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
    ///
    /// The peer of a row of a service (grouping by type) has a part of its evidence at most.
    init(_ peer: Peer, until time: Timestamp, grouping: Grouping = .device) {
        let evidence =
            switch (grouping, peer.host) {
            case (.device, let host?): peer.evidence ?? Evidence.of(peer.services, host: host)
            case (.type, let host?): [Evidence(host: host)]
            case (_, nil): [Evidence]()
            }
        self.init(
            names: [peer.name], evidence: evidence.compactMap(\.ledgerText),
            kind: peer.kind?.rawValue, firstSeen: min(peer.firstSeen, time), lastSeen: time)
    }

    /// The label, or else the latest name.
    package var title: String { label ?? names.first ?? "" }

    /// The texts of evidence that are its own.
    fileprivate var claims: [String] { successor == nil ? evidence : [] }

    fileprivate var hasLastingEvidence: Bool { evidence.contains(where: isLasting) }

    /// The text of its latest host name.
    fileprivate var hostName: String? { evidence.first { $0.hasPrefix(hostNamePrefix) } }

    /// The identifier that its host name gives.
    fileprivate var hostNameID: UUID? {
        hostName.map { Identity.uuid(forName: String($0.dropFirst(hostNamePrefix.count))) }
    }

    /// Adds a sighting of the device, which has no label.
    fileprivate mutating func add(_ sighting: LedgerDevice) {
        if sighting.lastSeen >= lastSeen {
            if !names.starts(with: sighting.names) {
                names = bounded(sighting.names + names, count: Self.nameLimit)
            }
            if !evidence.starts(with: sighting.evidence) {
                evidence = bounded(sighting.evidence + evidence, count: Self.evidenceLimit)
            }
            kind = sighting.kind ?? kind
            successor = nil
        }
        firstSeen = min(firstSeen, sighting.firstSeen)
        lastSeen = max(lastSeen, sighting.lastSeen)
    }

    /// Adds what was known of the device under its former identifier.
    fileprivate mutating func inherit(_ former: LedgerDevice) {
        names = bounded(names + former.names, count: Self.nameLimit)
        evidence = bounded(evidence + former.evidence, count: Self.evidenceLimit)
        kind = kind ?? former.kind
        label = label ?? former.label
        firstSeen = min(firstSeen, former.firstSeen)
    }

    /// Returns why a text cannot be a label; `nil` if it can.
    package static func fault(ofLabel text: String) -> String? {
        if text.utf8.count > textLimit {
            return "the label has \(text.utf8.count) bytes; shorten it to at most \(textLimit)"
        }
        let isShown = text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        return isShown ? nil : "the label contains a control character; leave it out"
    }
}

private let hostNamePrefix = "host-name:"

extension Evidence {
    /// The text of the evidence in the ledger; `nil` for a host name that does not last.
    fileprivate var ledgerText: String? {
        switch rank {
        case .service: nil
        case .hostName: hostNamePrefix + value
        case .announced: "announced:" + value
        case .pairing, .hardwareAddress, .serialNumber: value
        }
    }
}

/// Whether a text of evidence is of one device alone, also after that was renamed. Locally administered MAC
/// addresses are of several, such as the containers of all machines.
private func isLasting(_ evidence: String) -> Bool {
    guard evidence.hasPrefix("mac:") else {
        return ["uuid:", "serial:", "pairing:", "announced:"].contains { evidence.hasPrefix($0) }
    }
    return evidence.dropFirst(5).first?.hexDigitValue.map { $0 & 2 == 0 } ?? false
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
    /// The usual size of a device in the file, in bytes.
    private static let usualSize = 512

    /// The ledger as JSON text, with the devices in the order of their UUIDs.
    var json: [UInt8] {
        var text = JSONWriter(capacity: 64 + devices.count * Self.usualSize)
        text.object { members in
            members.member("version", Self.version)
            members.array("devices") { array in
                for id in devices.keys.sorted() {
                    array.object { object in
                        devices[id]?.write(id, to: &object)
                        guard let successor = devices[id]?.successor else { return }
                        object.member("successor", successor.uuidString.lowercased())
                    }
                }
            }
        }
        text.endLine()
        return text.bytes
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
                try reader.require(devices[id] == nil, "a device is given twice")
                set(id, to: device)
                try reader.require(devices.count <= Self.deviceLimit, "there are too many devices")
            }
        }
    }
}

extension LedgerDevice {
    /// Writes the members of the device.
    package func write(_ id: UUID, to object: inout JSONWriter) {
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
        var successor: UUID?
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
            case "successor": successor = UUID(uuidString: try reader.string())
            default: try reader.skip()
            }
        }
        guard let id, let first, let last else {
            throw reader.error("a device has an id, firstSeen and lastSeen")
        }
        try reader.require(first <= last, "a device was last seen before it was first seen")
        var device = LedgerDevice(
            names: names, evidence: evidence, kind: kind, firstSeen: first, lastSeen: last)
        (device.label, device.successor) = (label, successor)
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
