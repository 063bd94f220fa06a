// The header in a `begin` line, and how it is written and read.
public import FoundationEssentials
public import PeerList

/// The run, the observer and the filter of the lines that follow a `begin` line.
public struct LineHeader: Sendable, Hashable {
    /// The version of the format, which changes when old readers could misread it.
    public static let version = 1

    /// The options that limit what the list shows.
    public struct Filter: Sendable, Hashable {
        /// The service types, in full (`_ssh._tcp`); empty for all.
        public var types: [String]
        /// The only interface to browse on; `nil` for all.
        public var interface: String?
        /// The only address family to browse over; `nil` for both.
        public var family: AddressFamily?
        /// The domain to browse; `nil` for the daemon's default.
        public var domain: String?

        /// A filter; without arguments, it allows everything.
        public init(
            types: [String] = [], interface: String? = nil, family: AddressFamily? = nil,
            domain: String? = nil
        ) {
            self.types = types
            self.interface = interface
            self.family = family
            self.domain = domain
        }
    }

    /// The random UUID of the process.
    public var run: UUID
    /// The host name of the observer.
    public var observerHost: String
    /// The UUID that other machines compute for the observer.
    public var observerID: UUID
    /// The backend: `daemon` or `embedded`.
    public var backend: String
    /// The grouping of the list.
    public var grouping: Grouping
    /// The filter of the list.
    public var filter: Filter

    /// A header with all of its parts.
    public init(
        run: UUID, observerHost: String, observerID: UUID, backend: String, grouping: Grouping,
        filter: Filter = Filter()
    ) {
        self.run = run
        self.observerHost = observerHost
        self.observerID = observerID
        self.backend = backend
        self.grouping = grouping
        self.filter = filter
    }
}

extension LineHeader {
    /// Writes every field; of the filter, `types` and the fields that are set.
    func write(to members: inout JSONObjectWriter) {
        members.member("run", run)
        members.object("observer") { observer in
            observer.member("host", observerHost)
            observer.member("id", observerID)
        }
        members.member("backend", backend)
        members.member("groupBy", grouping.rawValue)
        members.object("filter") { members in
            members.member("types", filter.types)
            if let interface = filter.interface { members.member("interface", interface) }
            if let family = filter.family { members.member("family", family.rawValue) }
            if let domain = filter.domain { members.member("domain", domain) }
        }
    }
}

extension LineHeader {
    /// The members of a header, read in any order.
    struct Members {
        private var version: Int?
        private var run: UUID?
        private var observerHost: String?
        private var observerID: UUID?
        /// The backend, which a notice may have too.
        private(set) var backend: String?
        private var grouping: Grouping?
        private var filter = LineHeader.Filter()

        /// Reads a member, or skips an unknown one.
        mutating func read(_ key: String, _ reader: inout JSONReader) throws(JSONError) {
            switch key {
            case "version": version = try reader.integer()
            case "run": run = try reader.uuid()
            case "observer": try readObserver(&reader)
            case "backend": backend = try reader.string()
            case "groupBy": grouping = try reader.word(of: Grouping.self, "groupBy")
            case "filter": try readFilter(&reader)
            default: try reader.skip()
            }
        }

        /// Returns the header if it is complete and its version is known.
        func header(_ reader: JSONReader) throws(JSONError) -> LineHeader {
            guard let version else { throw reader.error("the version is missing") }
            guard version == LineHeader.version else {
                throw reader.error(
                    "this is version \(version) of the format, and only \(LineHeader.version) is known"
                )
            }
            guard let run, let observerHost, let observerID, let backend, let grouping else {
                throw reader.error("a begin has a run, an observer, a backend and a groupBy")
            }
            return LineHeader(
                run: run, observerHost: observerHost, observerID: observerID, backend: backend,
                grouping: grouping, filter: filter)
        }

        private mutating func readObserver(_ reader: inout JSONReader) throws(JSONError) {
            try reader.object { (reader, key) throws(JSONError) in
                switch key {
                case "host": observerHost = try reader.string()
                case "id": observerID = try reader.uuid()
                default: try reader.skip()
                }
            }
        }

        private mutating func readFilter(_ reader: inout JSONReader) throws(JSONError) {
            filter = LineHeader.Filter()
            try reader.object { (reader, key) throws(JSONError) in
                switch key {
                case "types": filter.types = try reader.strings()
                case "interface": filter.interface = try reader.string()
                case "family": filter.family = try reader.word(of: AddressFamily.self, "family")
                case "domain": filter.domain = try reader.string()
                default: try reader.skip()
                }
            }
        }
    }
}
