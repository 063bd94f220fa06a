// A service that this machine announces.

/// A service of our own that is announced while we look.
public struct Announcement: Sendable, Hashable {
    /// The instance name to begin with; a name that is taken is followed by the next one, `name #2`.
    public var name: String
    /// The service type.
    public var type: String
    /// The port; 0 says that nothing listens there.
    public var port: UInt16
    /// The TXT record.
    public var txt: [String]
    /// The subtypes under which it can be found as well, such as `_printer` (RFC 6763, section 7.1).
    public var subtypes: [String]

    /// A service of our own.
    public init(name: String, type: String, port: UInt16, txt: [String], subtypes: [String] = []) {
        self.name = name
        self.type = type
        self.port = port
        self.txt = txt
        self.subtypes = subtypes
    }
}
