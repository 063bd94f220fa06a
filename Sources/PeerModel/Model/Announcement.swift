// A service that this machine announces.

/// A service that this machine announces while it browses.
public struct Announcement: Sendable, Hashable {
    /// The instance name to try first; if it is taken, `name #2` is tried, and so on.
    public var name: String
    /// The service type.
    public var type: String
    /// The port; 0 if nothing listens.
    public var port: UInt16
    /// The TXT record.
    public var txt: [String]
    /// The subtypes under which the service can also be found, such as `_printer` (RFC 6763, section
    /// 7.1).
    public var subtypes: [String]

    /// Creates a service to announce.
    public init(name: String, type: String, port: UInt16, txt: [String], subtypes: [String] = []) {
        self.name = name
        self.type = type
        self.port = port
        self.txt = txt
        self.subtypes = subtypes
    }
}
