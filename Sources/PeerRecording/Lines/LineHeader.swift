// The header in a `begin` line, and how it is written and read.
public import FoundationEssentials
public import PeerModel

/// The run, the observer and the filter of the lines that follow a `begin` line.
public struct LineHeader: Sendable, Hashable {
    /// The version of the format, which changes when old readers could misread it.
    public static let version = 1

    /// The options that limit what the list shows.
    public struct Filter: Sendable, Hashable {
        /// The service types, in full (`_ssh._tcp`); empty for all.
        public var types: [String]
        /// The kinds of devices; empty for all.
        public var kinds: [DeviceKind]
        /// The rules of `Peer.vouchedBy` by which devices are listed; empty for all.
        public var vouched: [VouchingRule]
        /// The only interface to browse on; `nil` for all.
        public var interface: String?
        /// The only address family to browse over; `nil` for both.
        public var family: AddressFamily?
        /// The domain to browse; `nil` for the daemon's default.
        public var domain: String?

        /// A filter; without arguments, it allows everything.
        public init(
            types: [String] = [], kinds: [DeviceKind] = [], vouched: [VouchingRule] = [],
            interface: String? = nil, family: AddressFamily? = nil, domain: String? = nil
        ) {
            self.types = types
            self.kinds = kinds
            self.vouched = vouched
            self.interface = interface
            self.family = family
            self.domain = domain
        }
    }

    /// The state of the initial fill, in which what is found was there before.
    public enum Fill: String, Sendable, Hashable, CaseIterable {
        /// The event `filled` will tell its end.
        case running
        case over
    }

    /// The random UUID of the process.
    public var run: UUID
    /// The host name of the observer.
    public var observerHost: String
    /// The UUID that other machines compute for the observer.
    public var observerID: UUID
    /// The backend: `daemon` or `embedded`, `fleet` for the list of a fleet, or `capture`.
    public var backend: String
    /// The grouping of the list.
    public var grouping: Grouping
    /// The filter of the list.
    public var filter: Filter
    /// The state of the initial fill; `nil` in lines of earlier versions and of a capture, which need not tell its end.
    public var fill: Fill?

    /// The value of ``backend`` for the list of a fleet, which a broker holds.
    package static let fleetBackend = "fleet"

    /// The value of ``backend`` for the list of a capture; the observer has the capture's name.
    package static let captureBackend = "capture"

    /// The header of the list of a capture, which begins at a time.
    init(capture name: String, at start: Timestamp) {
        self.init(
            run: Identity.uuid(forName: "\(name) \(start)"), observerHost: name,
            observerID: Identity.uuid(forName: name), backend: Self.captureBackend,
            grouping: .device)
    }

    /// Whether the list is the list of a fleet.
    package var isFleet: Bool { backend == Self.fleetBackend }

    /// Whether the list is the list of a capture, which has only what others asked for.
    package var isCapture: Bool { backend == Self.captureBackend }

    /// A header with all of its parts.
    public init(
        run: UUID, observerHost: String, observerID: UUID, backend: String, grouping: Grouping,
        filter: Filter = Filter(), fill: Fill? = nil
    ) {
        self.run = run
        self.observerHost = observerHost
        self.observerID = observerID
        self.backend = backend
        self.grouping = grouping
        self.filter = filter
        self.fill = fill
    }
}

extension LineHeader {
    /// The domain that is browsed: the domain of the filter, or else the domain of the observer's
    /// host name.
    package var browsedDomain: BrowsedDomain {
        BrowsedDomain(filter.domain, ofHost: isCapture ? "" : observerHost)
    }

    /// The header for outputs of devices.
    package var ofDevices: LineHeader {
        var header = self
        header.grouping = .device
        return header
    }

    /// Changes the name of the observer and, unless that is announced, its identifier, and the backend if there is
    /// another.
    package mutating func handOver(to host: String, _ backend: Backend?) {
        if let backend { self.backend = backend.rawValue }
        if observerID == Identity.uuid(forName: Identity.canonical(observerHost)) {
            observerID = Identity.uuid(forName: Identity.canonical(host))
        }
        observerHost = host
    }
}

extension LineHeader: JSONObject {
    static let fields: [Field<LineHeader>] = [
        Field("run", { $0.run }, { $0.run = $1 }),
        Field("observer", { $0.observer }, { $0.observer = $1 }),
        Field("backend", { $0.backend }, { $0.backend = $1 }),
        Field("groupBy", { $0.grouping }, { $0.grouping = $1 }),
        Field("filter", isRequired: false, { $0.filter }, { $0.filter = $1 }),
        Field(ifSet: "fill", { $0.fill }, { $0.fill = $1 }),
    ]
    static let blank = LineHeader(
        run: .blank, observerHost: "", observerID: .blank, backend: "", grouping: .device)
    static let incompleteness: String? =
        "a begin has a run, an observer, a backend and a groupBy"

    private var observer: Observer {
        get { Observer(host: observerHost, id: observerID) }
        set { (observerHost, observerID) = (newValue.host, newValue.id) }
    }
}

extension LineHeader.Fill: JSONWord { static let noun = "fill" }

private struct Observer: JSONObject {
    var host: String
    var id: UUID

    static let fields: [Field<Observer>] = [
        Field("host", { $0.host }, { $0.host = $1 }), Field("id", { $0.id }, { $0.id = $1 }),
    ]
    static let blank = Observer(host: "", id: .blank)
    static let incompleteness = LineHeader.incompleteness
}

extension LineHeader.Filter: JSONObject {
    static let fields: [Field<LineHeader.Filter>] = [
        Field("types", isRequired: false, { $0.types }, { $0.types = $1 }),
        Field(
            ifSet: "kinds", { $0.kinds.isEmpty ? nil : $0.kinds }, { $0.kinds = $1 ?? [] }),
        Field(
            ifSet: "vouched", { $0.vouched.isEmpty ? nil : $0.vouched }, { $0.vouched = $1 ?? [] }),
        Field(ifSet: "interface", { $0.interface }, { $0.interface = $1 }),
        Field(ifSet: "family", { $0.family }, { $0.family = $1 }),
        Field(ifSet: "domain", { $0.domain }, { $0.domain = $1 }),
    ]
    static let blank = LineHeader.Filter()
}
