// The place of a value in the records of a device.

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
