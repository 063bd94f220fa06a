// Something that the user should be told and that is no change of the list.

/// Something that the user should be told: a limit reached, a backend gone.
public struct Notice: Sendable, Hashable {
    /// The kinds of notices; the raw value is the `code` in the lines.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// Who was asked went away; what it told is unknown now.
        case backendLost = "backend-lost"
        /// It is back, or another one is asked.
        case backendBack = "backend-back"
        /// The embedded stack could not give up all that it has no use for.
        case notConfined = "not-confined"
        /// The backend allows no more lookups at once.
        case objectLimit = "object-limit"
        /// It allows lookups again.
        case objectRoom = "object-room"
        /// The backend's cache is full, so that it does not tell of all services.
        case cacheLimit = "cache-limit"
        /// Its cache has room again.
        case cacheRoom = "cache-room"
        /// More services are announced than are kept.
        case serviceLimit = "service-limit"
        /// Fewer services are announced again than are kept.
        case serviceRoom = "service-room"
        /// Two hosts that are there claim one identifier.
        case identityConflict = "identity-conflict"
        /// The announced name was taken; another one is used.
        case nameConflict = "name-conflict"
        /// The machine is announced under another host name, because its own was taken.
        case hostNameConflict = "host-name-conflict"
        /// This machine could not be announced.
        case announceFailed = "announce-failed"
        /// A lookup could not be made.
        case lookupFailed = "lookup-failed"
        /// Discovery was not yet quiet when `--timeout` was over.
        case deadline
        /// The output file's disk is full.
        case diskFull = "disk-full"
        /// The output file cannot be written any more.
        case outputFailed = "output-failed"
        /// The output file is written again, from a fresh beginning.
        case outputBack = "output-back"
        /// The lines go on in another file; said in the lines alone, where a file ends.
        case nextFile = "next-file"
        /// An old output file could not be put away, compressed or deleted.
        case keepingFailed = "keeping-failed"
    }

    /// What kind it is.
    public var code: Code

    /// What happened and what to do, in a sentence without a final full stop.
    public var message: String

    /// When it was noticed.
    public var time: Timestamp

    /// Who is asked from then on, where it says that.
    public var backend: Backend?

    /// A notice with all of its parts.
    public init(_ code: Code, _ message: String, backend: Backend? = nil, time: Timestamp) {
        self.code = code
        self.message = message
        self.time = time
        self.backend = backend
    }
}
