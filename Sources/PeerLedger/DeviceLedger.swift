// The ledger: the devices that this user's lists have ever seen, and the labels of the user.
package import FoundationEssentials
package import PeerModel
package import PeerRecording

/// The devices that this user's lists have ever seen, by their UUIDs.
///
/// A device whose identifier changes goes on under the new one: the entry of the old identifier stays, so
/// that nothing is lost if the change was a mistake or a pretence, but has a ``LedgerDevice/successor``.
/// Devices and their names are chosen by strangers, so both are bounded.
package struct DeviceLedger: Equatable, Sendable {
    /// The maximum number of devices in the file.
    static let deviceLimit = 10_000

    package private(set) var devices: [UUID: LedgerDevice] = [:]
    /// The devices without a successor under another identifier.
    package var current: some Sequence<(key: UUID, value: LedgerDevice)> {
        devices.lazy.filter { $0.value.successor == nil }
    }

    /// Adds what is known of a device that is seen.
    mutating func note(_ id: UUID, _ device: LedgerDevice) {
        devices[id]?.add(device)
        if devices[id] == nil { devices[id] = device }
    }

    /// Drops the devices beyond the limit: those unseen longest, and those with labels last.
    mutating func trim() {
        guard devices.count > Self.deviceLimit else { return }
        let ranked = devices.map { id, device in
            (isKept: device.label != nil && device.successor == nil ? 1 : 0, device.lastSeen, id)
        }.sorted { $0 < $1 }
        for (_, _, id) in ranked.prefix(devices.count - Self.deviceLimit) { devices[id] = nil }
        dropLost()
    }

    /// Drops the former identifiers of devices that are not in the ledger any more.
    private mutating func dropLost() {
        let members = identifiers(of: current.map(\.key))
        devices = devices.filter { members.contains($0.key) }
    }

    mutating func drop(_ id: UUID) { devices[id] = nil }

    /// Returns the texts of evidence and of services of a device; none if it goes on under another identifier.
    func claims(of id: UUID) -> [String] {
        guard let device = devices[id], device.successor == nil else { return [] }
        return device.evidence + device.services
    }

    /// Labels a device, also under all its former identifiers, or removes its label; returns whether the device
    /// is known.
    @discardableResult
    package mutating func setLabel(_ label: String?, of id: UUID) -> Bool {
        for member in identifiers(of: [id]) { devices[member]?.label = label }
        return devices[id] != nil
    }

    /// Removes a device, also under all its former identifiers.
    package mutating func forget(_ id: UUID) {
        for member in identifiers(of: [id]) { devices[member] = nil }
    }

    /// Returns the identifiers of devices and all their former identifiers, however often they changed.
    private func identifiers(of ids: [UUID]) -> Set<UUID> {
        var former: [UUID: [UUID]] = [:]
        for (id, device) in devices {
            if let successor = device.successor { former[successor, default: []].append(id) }
        }
        var (members, rest) = (Set(ids), ids)
        while let id = rest.popLast() {
            rest += (former[id] ?? []).filter { members.insert($0).inserted }
        }
        return members
    }

    /// Notes that a device goes on under another identifier, which inherits its names, evidence, first time
    /// and, if it has none, its label.
    mutating func link(_ old: UUID, to new: UUID) {
        guard old != new, let former = devices[old], devices[new] != nil else { return }
        devices[new]?.inherit(former)
        devices[old]?.successor = new
        devices[new]?.successor = nil
    }
}

/// A device in the ledger.
package struct LedgerDevice: Equatable, Sendable {
    static let nameLimit = 8
    static let evidenceLimit = 16
    static let serviceLimit = 16
    /// The maximum size of each text, in bytes.
    static let textLimit = 255

    /// The names that it had, the latest one first.
    package private(set) var names: [String]
    /// The texts by which it can be recognised, such as `mac:00005e005301` or `host-name:tv.local`, the
    /// strongest of the latest time first.
    private(set) var evidence: [String]
    /// The names and types of its services, such as `tv._airplay._tcp`, those of the latest time first.
    private(set) var services: [String] = []
    /// The kind of device, if known.
    package private(set) var kind: String?
    package fileprivate(set) var label: String?
    package private(set) var firstSeen: Timestamp
    package private(set) var lastSeen: Timestamp
    /// The identifier under which it goes on; `nil` for that itself.
    fileprivate(set) var successor: UUID?

    /// Creates a device that is seen; texts beyond the limits are cut or left out.
    init(
        names: [String], evidence: [String], kind: String? = nil, firstSeen: Timestamp,
        lastSeen: Timestamp
    ) {
        self.names = bounded(names, count: Self.nameLimit)
        self.evidence = bounded(evidence, count: Self.evidenceLimit)
        self.kind = kind.map(cut)
        (self.firstSeen, self.lastSeen) = (firstSeen, lastSeen)
    }

    /// Creates the device of a peer that is there until a time.
    init(_ peer: Peer, until time: Timestamp) {
        let evidence =
            peer.host.map { peer.evidence ?? Identity.all(of: peer.services, host: $0) } ?? []
        self.init(
            names: [peer.name], evidence: evidence.compactMap(\.ledgerText),
            kind: peer.kind?.rawValue, firstSeen: min(peer.firstSeen, time), lastSeen: time)
        services = bounded(
            peer.services.lazy.map { Self.text(ofService: $0.name, $0.type) },
            count: Self.serviceLimit)
    }

    /// Returns the text by which a service is found in the ledger.
    static func text(ofService name: String, _ type: String) -> String {
        Identity.canonical("\(name).\(type)")
    }

    /// The label, or else the latest name.
    package var title: String { label ?? names.first ?? "" }

    var hasLastingEvidence: Bool { evidence.contains(where: \.isLasting) }

    /// The text of its latest host name.
    var hostName: String? { evidence.first { $0.hasPrefix(hostNamePrefix) } }

    /// Its latest host name.
    var host: String? { hostName.map { String($0.dropFirst(hostNamePrefix.count)) } }

    /// The identifier that its host name gives.
    var hostNameID: UUID? { host.map { Identity.uuid(forName: $0) } }

    /// Adds what is known of the device at another time, without a label.
    fileprivate mutating func add(_ other: LedgerDevice) {
        if other.lastSeen >= lastSeen {
            if !names.starts(with: other.names) {
                names = bounded(other.names + names, count: Self.nameLimit)
            }
            if !evidence.starts(with: other.evidence) {
                evidence = bounded(other.evidence + evidence, count: Self.evidenceLimit)
            }
            if !services.starts(with: other.services) {
                services = bounded(other.services + services, count: Self.serviceLimit)
            }
            kind = other.kind ?? kind
            successor = nil
        }
        firstSeen = min(firstSeen, other.firstSeen)
        lastSeen = max(lastSeen, other.lastSeen)
    }

    /// Adds what was known of the device under its former identifier.
    fileprivate mutating func inherit(_ former: LedgerDevice) {
        names = bounded(names + former.names, count: Self.nameLimit)
        evidence = bounded(evidence + former.evidence, count: Self.evidenceLimit)
        services = bounded(services + former.services, count: Self.serviceLimit)
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

extension Identity {
    /// The text of the evidence in the ledger; `nil` for a host name that does not last.
    fileprivate var ledgerText: String? {
        switch rank {
        case .service: nil
        case .hostName: hostNamePrefix + value
        case .announced: "announced:" + value
        case .installation, .pairing, .hardwareAddress, .serialNumber: value
        }
    }
}

extension String {
    /// Whether a text of evidence is of one device alone, also after that was renamed.
    var isLasting: Bool { hasPrefix("announced:") || Identity.isLasting(self) }
}

/// Returns the first texts of a list, each once and cut to the limit; the texts after them are not made.
private func bounded(_ texts: some Sequence<String>, count: Int) -> [String] {
    var unique: [String] = []
    for text in texts {
        let text = cut(text)
        if !unique.contains(text) { unique.append(text) }
        if unique.count == count { break }
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
        var (reader, hasDevices) = (JSONReader(json), false)
        try reader.object { (reader, key) throws(LineError) in
            guard key == "devices" else { return try reader.skip() }
            hasDevices = true
            try reader.array { reader throws(LineError) in
                let (id, device) = try LedgerDevice.read(from: &reader)
                try reader.require(devices[id] == nil, "a device is given twice")
                devices[id] = device
                try reader.require(devices.count <= Self.deviceLimit, "there are too many devices")
            }
        }
        try reader.require(hasDevices, "the devices were expected")
        dropLost()
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
        object.member("services", services)
        object.member("firstSeen", firstSeen.description)
        object.member("lastSeen", lastSeen.description)
    }

    fileprivate static func read(
        from reader: inout JSONReader
    ) throws(LineError) -> (UUID, LedgerDevice) {
        var id: UUID?
        var (names, evidence, services): ([String], [String], [String]) = ([], [], [])
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
            case "services": services = try texts(from: &reader, limit: serviceLimit)
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
        (device.label, device.successor, device.services) = (label, successor, services)
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
