// The full name of a service, which tells it from every other one.
public import FoundationEssentials

/// The full name of a service instance, the same on every interface and family.
///
/// Two keys are equal when their names are, compared as DNS compares them.
public struct ServiceKey: Sendable, Identifiable {
    /// Version 5 UUID over the full name; every observer computes the same.
    public let id: UUID

    /// The instance name, not escaped: up to 63 bytes of anything but NUL.
    public let name: String

    /// The service type, such as `_ipp._tcp`.
    public let type: String

    /// The domain, usually `local`.
    public let domain: String

    /// The key of an instance.
    public init(name: String, type: String, domain: String) {
        self.name = name
        self.type = type
        self.domain = domain
        id = Identity.uuid(forName: Identity.canonical(Self.fullName(name, type, domain)))
    }

    /// `instance name.type.domain`, not escaped.
    public var fullName: String { Self.fullName(name, type, domain) }

    private static func fullName(_ name: String, _ type: String, _ domain: String) -> String {
        "\(name).\(type).\(domain)"
    }
}

extension ServiceKey: Hashable {
    /// Whether both name the same service, as DNS compares names.
    public static func == (left: ServiceKey, right: ServiceKey) -> Bool { left.id == right.id }
    /// Hashes the name's UUID.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
