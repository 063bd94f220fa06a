// Messages to the user that are not changes of the list.

/// A message to the user, such as a limit reached or a backend gone.
public struct Notice: Sendable, Hashable {
    /// The kinds of notices; the raw value is the `code` in the JSON lines.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The backend went away; the presence of its peers is unknown.
        case backendLost = "backend-lost"
        /// The backend is back, or another one has taken over.
        case backendBack = "backend-back"
        /// An interface of this machine is down; the presence of peers that were seen only through it is unknown.
        case linkLost = "link-lost"
        /// The interface is back.
        case linkBack = "link-back"
        /// The interface was down for five minutes, or is on another network; peers that were seen only through it
        /// have left.
        case linkExpired = "link-expired"
        /// The embedded stack could not drop all privileges that it does not need.
        case notConfined = "not-confined"
        /// The backend allows no more lookups at once.
        case objectLimit = "object-limit"
        /// The backend allows more lookups again.
        case objectRoom = "object-room"
        /// The backend's cache is full, so it does not report all services.
        case cacheLimit = "cache-limit"
        /// The backend's cache has room again.
        case cacheRoom = "cache-room"
        /// More services are announced than can be kept.
        case serviceLimit = "service-limit"
        /// There is room for all announced services again.
        case serviceRoom = "service-room"
        /// Services outside of the browsed domain are announced, and are left out.
        case otherDomain = "other-domain"
        /// Two present hosts claim one identifier.
        case identityConflict = "identity-conflict"
        /// The announced name was taken; the service has another one.
        case nameConflict = "name-conflict"
        /// The machine is announced under another host name, because its own was taken.
        case hostNameConflict = "host-name-conflict"
        /// This machine could not be announced.
        case announceFailed = "announce-failed"
        /// The packets on the link cannot be received.
        case witnessFailed = "witness-failed"
        /// There are more names, senders or records on the link than the witness reports.
        case witnessLimit = "witness-limit"
        /// Nothing more is appended to the capture of the packets on the link.
        case captureEnded = "capture-ended"
        /// A lookup could not be made.
        case lookupFailed = "lookup-failed"
        /// Discovery was not yet quiet when `--timeout` was over.
        case deadline
        /// The output file's disk is full.
        case diskFull = "disk-full"
        /// The output file cannot be written any more.
        case outputFailed = "output-failed"
        /// The output file is written again, starting with a `begin` line.
        case outputBack = "output-back"
        /// The ledger, the file of all devices ever seen, was damaged, and was renamed.
        case ledgerDamaged = "ledger-damaged"
        /// The ledger, the file of all devices ever seen, cannot be read or written.
        case ledgerFailed = "ledger-failed"
        /// The program of a hook failed, or was ended because it took too long.
        case hookFailed = "hook-failed"
        /// The program of a hook was not run for some changes, because it is too slow.
        case hookLimit = "hook-limit"
        /// The broker went away, or cannot be reached.
        case brokerLost = "broker-lost"
        /// The broker refused the login, a subscription or a message, or gave the name to another client.
        case brokerRefused = "broker-refused"
        /// The broker is back, and has the current state again.
        case brokerBack = "broker-back"
        /// A message from an observer was malformed, and was dropped.
        case messageRefused = "message-refused"
        /// A fleet has more observers, devices or bytes than can be kept.
        case fleetLimit = "fleet-limit"
        /// An observer contradicts others about a device, publishes a device twice, or has the name of another machine.
        case observerConflict = "observer-conflict"
        /// The lines continue in another file; written only as the last line of a file, and not shown.
        case nextFile = "next-file"
    }

    /// The kind of the notice.
    public var code: Code

    /// The event and advice, in a sentence without a final full stop.
    public var message: String

    /// The time of the event.
    public var time: Timestamp

    /// The backend in use from then on, if the notice announces a change of it.
    public var backend: Backend?

    /// The name of the interface that a notice about a link concerns.
    public var interface: String?

    /// The name of the broker that a notice concerns, if a list is read from several.
    public var broker: String?

    /// Creates a notice.
    public init(
        _ code: Code, _ message: String, backend: Backend? = nil, interface: String? = nil,
        broker: String? = nil, time: Timestamp
    ) {
        self.code = code
        self.message = message
        self.time = time
        self.backend = backend
        self.interface = interface
        self.broker = broker
    }

    /// Whether a later notice takes the place of this one: it has the same code, and concerns the same source.
    package func isSuperseded(by other: Notice) -> Bool {
        code == other.code && isOfSameSource(as: other)
    }

    /// Whether two notices concern the same interface and the same broker, if any.
    package func isOfSameSource(as other: Notice) -> Bool {
        interface == other.interface && broker == other.broker
    }

    /// The event, without its consequences.
    package var event: Substring { message.prefix { $0 != ":" } }
}
