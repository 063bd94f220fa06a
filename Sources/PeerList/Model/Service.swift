// A service that a device offers.
public import FoundationEssentials

/// A service instance (RFC 6763, section 4.1), folded over the interfaces and families it is seen on.
public struct Service: Sendable, Hashable, Identifiable {
    /// Version 5 UUID over `instance name.type.domain`; every observer computes the same.
    public var id: UUID

    /// The instance name: up to 63 bytes of UTF-8 of a stranger's choosing, not escaped.
    public var name: String

    /// The service type, such as `_ipp._tcp`.
    public var type: String

    /// The subtypes under which it was found, such as `_printer`; only those that were asked for.
    public var subtypes: [String]

    /// The domain, usually `local`.
    public var domain: String

    /// The port, or `nil` until the service is resolved.
    public var port: UInt16?

    /// The TXT record; empty until the service is resolved.
    public var txt: TXTRecord

    /// A service with all of its fields.
    public init(
        id: UUID, name: String, type: String, subtypes: [String] = [], domain: String,
        port: UInt16? = nil, txt: TXTRecord = TXTRecord()
    ) {
        self.id = id
        self.name = name
        self.type = type
        self.subtypes = subtypes
        self.domain = domain
        self.port = port
        self.txt = txt
    }
}
