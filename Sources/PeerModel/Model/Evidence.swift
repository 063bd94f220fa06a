// The evidence of a device's identity in the records of its host.
public import FoundationEssentials

/// A value in the records of a host that identifies its device.
///
/// Services that announce the same value in different forms, such as a MAC address with and without
/// colons, have evidence with the same ``value`` and so with the same ``id``, whatever their types.
public struct Evidence: Sendable, Hashable, Identifiable {
    /// The kinds of evidence, from the weakest to the strongest.
    public enum Rank: Int, Sendable, Hashable, Comparable, CaseIterable {
        /// A service whose host is not known yet, or a transient host name.
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

    /// Creates the evidence of a service whose host is not known yet: its full name.
    public init(unresolved service: Service) {
        rank = .service
        source = RecordSource(type: service.type)
        value = Identity.canonical(service.fullName)
        id = service.id
    }

    /// Creates the evidence of a host name.
    public init(host: String) {
        value = Identity.canonical(host)
        let label = value.prefix { $0 != "." }
        rank = Self.isTransient(label: label) ? .service : .hostName
        source = RecordSource()
        id = Identity.uuid(forName: value)
    }

    /// Returns the identifier of a device with a normalized ``value`` in a record or a name.
    package static func id(of value: String) -> UUID {
        UUID(name: value, inNamespace: namespace)
    }

    /// Whether the evidence is of one device alone, also after that was renamed.
    package var isLasting: Bool { rank == .announced || Self.isLasting(value) }

    /// Whether a normalized ``value`` of a record or a name is of one device alone. Locally administered MAC
    /// addresses are of several, such as the containers of all machines.
    package static func isLasting(_ value: String) -> Bool {
        guard value.hasPrefix("mac:") else {
            return ["uuid:", "serial:", "pairing:"].contains { value.hasPrefix($0) }
        }
        return value.dropFirst(5).first?.hexDigitValue.map { $0 & 2 == 0 } ?? false
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
    /// Creates the identity that is based on evidence.
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

/// The place of a value in the records of a device.
public struct RecordSource: Sendable, Hashable {
    /// The service type, or `nil` for the host name.
    public let type: String?

    /// The key of the TXT record; `nil` if the value is from a name or follows from the type.
    public let key: String?

    /// Creates a source.
    public init(type: String? = nil, key: String? = nil) {
        self.type = type
        self.key = key
    }
}

/// Whether a text is at least one hexadecimal digit and nothing else.
func isHexadecimal(_ text: some Collection<UInt8>) -> Bool {
    !text.isEmpty && text.allSatisfy(isHexadecimal)
}

func isHexadecimal(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || 0x61...0x66 ~= byte | 0x20
}
