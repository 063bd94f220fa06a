// The evidence of a device's identity in the records of its host.
public import FoundationEssentials

/// A value in the records of a host that tells its device from all others.
///
/// Services that announce the same value in different forms, such as a MAC address with and without
/// colons, give evidence with the same ``value`` and so with the same ``id``, whatever their types.
public struct Evidence: Sendable, Hashable, Identifiable {
    /// The kinds of evidence, from the weakest to the strongest.
    public enum Rank: Int, Sendable, Hashable, Comparable, CaseIterable {
        /// A service whose host is not known yet, or a host name that does not last.
        case service
        /// The host name, which the owner can change.
        case hostName
        /// An identifier that lasts until the device is reset, or a locally administered MAC address.
        case pairing
        /// A universally administered MAC address.
        case hardwareAddress
        /// A UUID or a serial number.
        case serialNumber
        /// The identifier that peerlist announces.
        case announced

        /// Whether the first kind is weaker than the second.
        public static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }

    /// The kind of evidence.
    public let rank: Rank

    /// The place in the records; the type is `nil` for the host name.
    public let source: RecordSource

    /// The normalized value: `uuid:…`, `mac:…`, `serial:<vendor>:…` or `pairing:<type>:…`; the announced
    /// UUID and names have no prefix.
    public let value: String

    /// The device's identifier according to this evidence, the same on every observer.
    ///
    /// It is the announced UUID itself; the version-5 UUID of a name in the DNS namespace
    /// (``Identity/uuid(forName:)``); or the version-5 UUID of any other ``value`` in the namespace
    /// `2e72ca69-8f12-4a07-98aa-28051b90491c`.
    public let id: UUID

    /// The random UUID that is the namespace of values.
    private static let namespace = UUID(
        uuid: (
            0x2e, 0x72, 0xca, 0x69, 0x8f, 0x12, 0x4a, 0x07,
            0x98, 0xaa, 0x28, 0x05, 0x1b, 0x90, 0x49, 0x1c
        ))

    /// Creates the evidence that a service gives before its host is known: its full name.
    public init(unresolved service: Service) {
        rank = .service
        source = RecordSource(type: service.type)
        value = Identity.canonical(service.fullName)
        id = service.id
    }

    /// Creates the evidence that the name of a host gives.
    public init(host: String) {
        value = Identity.canonical(host)
        let label = value.prefix { $0 != "." }
        rank = Self.isTransient(label: label) ? .service : .hostName
        source = RecordSource()
        id = Identity.uuid(forName: value)
    }

    /// Creates the evidence of a row of the table in a service; `nil` if it is absent or malformed.
    init?(_ identifier: DeviceClues.Identifier, in records: ServiceRecords) {
        guard let (rank, value) = identifier.value(in: records) else { return nil }
        self.rank = rank
        self.value = value
        source = records.source(identifier.place)
        let announced = rank == .announced ? UUID(uuidString: value) : nil
        id = announced ?? Self.id(of: value)
    }

    /// Returns the identifier of a device with a normalized ``value`` in a record or a name.
    package static func id(of value: String) -> UUID {
        UUID(name: value, inNamespace: namespace)
    }

    /// Whether the first label of a host name changes each time the device connects: `Android_` and
    /// random digits, or an address such as `10-0-1-108`.
    private static func isTransient(label: Substring) -> Bool {
        let numbers = label.split(separator: "-", omittingEmptySubsequences: false)
        if numbers.count == 4, numbers.allSatisfy({ UInt8($0) != nil }) { return true }
        return label.hasPrefix("android_") && isHexadecimal(label.dropFirst(8).utf8)
    }
}

extension Identity {
    /// Creates the identity that evidence founds.
    public init(_ evidence: Evidence) {
        let source: Source =
            switch evidence.rank {
            case .announced: .announced
            case _ where evidence.source.key != nil: .txt
            case _ where evidence.source.type == nil: .hostName
            default: .name
            }
        let isOfRecord = [.txt, .name].contains(source)
        self.init(
            source: source, value: evidence.value, type: isOfRecord ? evidence.source.type : nil,
            key: isOfRecord ? evidence.source.key : nil)
    }
}

// MARK: Normalized values

extension DeviceClues.Identifier {
    /// The maximum length of an identifier in bytes; a part of a longer one would identify nothing.
    private static let lengthLimit = 128

    fileprivate var place: DeviceClues.Place {
        switch self {
        case .announced(let place), .uuid(let place), .mac(let place), .binaryMAC(let place),
            .serial(let place, _), .pairing(let place):
            place
        }
    }

    /// Returns the rank and the normalized value of the evidence in a service, or `nil`.
    fileprivate func value(in records: ServiceRecords) -> (Evidence.Rank, String)? {
        guard let text = text(in: records), 4...Self.lengthLimit ~= text.utf8.count,
            text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }),
            text.utf8.contains(where: { !"0:-. ".utf8.contains($0) })
        else { return nil }
        switch self {
        case .announced:
            guard let id = UUID(uuidString: text), id.uuid.6 >> 4 == 5 else { return nil }
            return (.announced, id.uuidString.lowercased())
        case .uuid: return uuid(text).map { (.serialNumber, $0) }
        case .mac, .binaryMAC: return hardwareAddress(text)
        case .serial(_, let vendor):
            if text.utf8.contains(where: ":-".utf8.contains), let address = hardwareAddress(text) {
                return address
            }
            let vendor = records.text(vendor)?.lowercased() ?? records.type
            return (.serialNumber, uuid(text) ?? "serial:\(vendor):\(text)")
        case .pairing:
            // The first type of the row stands for all of them.
            let type = records.clues?.types.first ?? records.type
            return (.pairing, uuid(text) ?? "pairing:\(type):\(text)")
        }
    }

    private func text(in records: ServiceRecords) -> String? {
        if case .binaryMAC = self, let bytes = records.bytes(place), bytes.count == 8 {
            return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        return records.text(place)?.lowercased()
    }

    /// Normalizes a UUID; `nil` for other texts and for the UUIDs of zeros and of ones.
    private func uuid(_ text: String) -> String? {
        let bytes = text.hasPrefix("urn:uuid:") ? text.utf8.dropFirst(9) : text.utf8[...]
        let digits = bytes.filter { !"-_{}".utf8.contains($0) }
        guard digits.count == 32, isHexadecimal(digits), digits.contains(where: { $0 != digits[0] })
        else { return nil }
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map {
            String(decoding: digits[$0], as: UTF8.self)
        }
        return "uuid:" + parts.joined(separator: "-")
    }

    /// Normalizes a MAC address (12 hexadecimal digits) or an extended address (16).
    ///
    /// An extended address that was made of a MAC address by inserting FFFE is that MAC address.
    /// Multicast addresses are no addresses of devices.
    private func hardwareAddress(_ text: String) -> (Evidence.Rank, String)? {
        var digits = String(decoding: text.utf8.filter { !":-. ".utf8.contains($0) }, as: UTF8.self)
        guard [12, 16].contains(digits.utf8.count), isHexadecimal(digits.utf8),
            let first = UInt8(digits.prefix(2), radix: 16), first & 1 == 0
        else { return nil }
        let isUniversal = first & 2 == 0
        if isUniversal, digits.utf8.count == 16, digits.dropFirst(6).hasPrefix("fffe") {
            digits = String(digits.prefix(6) + digits.suffix(6))
        }
        return (isUniversal ? .hardwareAddress : .pairing, "mac:\(digits)")
    }
}
