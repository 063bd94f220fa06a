// What libavahi says when a call fails.
import CAvahi

/// A failed call of libavahi.
struct AvahiError: Error, Hashable, Sendable, CustomStringConvertible {
    /// libavahi's number for it, `AVAHI_ERR_…`.
    let code: Int32

    /// What libavahi says of it, such as "Daemon not running".
    var description: String {
        guard let text = unsafe avahi_strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }

    /// What the daemon says when it allows no more, also said by us when we do.
    static let tooManyObjects = AvahiError(code: Int32(AVAHI_ERR_TOO_MANY_OBJECTS))

    /// What is said of a daemon that went away.
    static let disconnected = AvahiError(code: Int32(AVAHI_ERR_DISCONNECTED))

    /// What is said of a name that DNS cannot carry.
    static let invalidName = AvahiError(code: Int32(AVAHI_ERR_INVALID_SERVICE_NAME))

    /// What is said of a TXT record that DNS cannot carry.
    static let invalidRecord = AvahiError(code: Int32(AVAHI_ERR_INVALID_RECORD))

    /// The daemon, or the bus, allows no more objects at once.
    var isTooManyObjects: Bool { self == .tooManyObjects }

    /// A name is taken by somebody else.
    var isCollision: Bool { code == Int32(AVAHI_ERR_COLLISION) }
}
