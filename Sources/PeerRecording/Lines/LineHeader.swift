// What a `begin` line says of the run whose differences follow.
public import FoundationEssentials
public import PeerList

/// Who looks, through what, and what the list is limited to.
public struct LineHeader: Sendable, Hashable {
    /// The options that limit what the list shows.
    public struct Filter: Sendable, Hashable {
        /// The service types asked for, in full (`_ssh._tcp`); none means all.
        public var types: [String]
        /// The one interface that is looked at; `nil` means all.
        public var interface: String?
        /// The one address family that is looked at; `nil` means both.
        public var family: AddressFamily?
        /// The one domain that is browsed; `nil` means the daemon's own.
        public var domain: String?

        /// A filter; without arguments, none.
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

    /// The process's own UUID, a random one.
    public var run: UUID
    /// The host name of the machine that looks.
    public var observerHost: String
    /// The UUID that others compute for the machine that looks.
    public var observerID: UUID
    /// Who is asked: `daemon` or `embedded`.
    public var backend: String
    /// What the rows of the list are.
    public var grouping: Grouping
    /// What the list is limited to.
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
    /// Writes every field; of the filter's only those that are given, and always `types`.
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
