// Browses for service types and for the services of each type: within a limit, through IPv4 first, with
// retries.
import HeardRecords

/// The open browses for service types and for the services of each type.
struct TypeBrowsing {
    /// The maximum number of browsed types that are neither well known nor wanted by the options.
    static let typeLimit = TypeProbe.typeLimit
    /// The time from the failure of a browse to the next attempt.
    static let retryInterval = Duration.seconds(10)
    /// The time for the stack to report its known types before other types are queried on the link, shorter than the
    /// wait of a list that is printed once.
    static let typeProbeDelay = Duration.milliseconds(500)
    /// The time for which a type is browsed through IPv4 alone: until no new service has appeared for `quiet`, at most
    /// `longest`.
    ///
    /// Most services are announced through both families, so browsing through IPv6 finds few others. But a daemon that
    /// handles thousands of answers resolves nothing meanwhile.
    static let familyWait = (quiet: Duration.milliseconds(300), longest: Duration.seconds(10))

    private let options: BrowseOptions
    let domain: BrowsedDomain
    /// The browsed types as libavahi writes them, and the families through which they are browsed.
    private var types: [String: Set<AddressFamily>] = [:]
    /// The commonest types, browsed from the start, that no responder has listed.
    private var guessed: Set<String> = []
    private var isBrowsingTypes = false
    /// The number of browsed types that are neither well known nor wanted by the options.
    private var unknownTypeCount = 0
    private var hasReportedTypeLimit = false
    /// Whether types are omitted because there are too many.
    private(set) var isOverLimit = false
    /// The types that wait to be browsed through IPv6, and the time since which the first of them
    /// waits.
    private var waitingForIPv6: [String] = []
    private var waitingSince = Duration.zero
    private var typeProbeDue: Duration?
    private var failed: Set<LookupKey> = []
    private var retryDue: Duration?
    /// The last time at which a type was browsed or a service appeared.
    private(set) var lastActivity = Duration.zero
    /// The types that were heard on the link.
    private(set) var heard: HeardTypes

    /// Creates a value that browses for nothing yet.
    ///
    /// - Parameters:
    ///   - options: The types, the domain and the path to browse.
    ///   - hostName: The stack's name of this machine; its domain is browsed unless the options name a
    ///     domain.
    ///   - heard: The types that were heard on the link.
    init(_ options: BrowseOptions, hostName: String, heard: HeardTypes = HeardTypes()) {
        (self.options, self.heard) = (options, heard)
        domain = BrowsedDomain(options.domain, ofHost: hostName)
    }

    /// Opens the browses for the options.
    mutating func begin(_ step: inout DiscoveryStep) {
        browse(Identity.serviceType, &step)
        for type in options.types { browse(type, &step) }
        // Types with evidence are browsed even if the options do not name them, so that a device has the same
        // identifier in every list.
        browseTypes(&step)
        if domain == BrowsedDomain(), options.types.isEmpty {
            // Before a responder lists them, so that the first services are found without waiting for a list of types.
            guessed = Set(KnownServiceType.commonest)
            for type in KnownServiceType.commonest { browse(type, &step) }
            typeProbeDue = step.now + Self.typeProbeDelay
        }
        heard.browsingBegan(at: step.now)
    }

    mutating func end(_ step: inout DiscoveryStep) {
        if isBrowsingTypes { step.close(.types) }
        for (type, families) in types { close(type, families, &step) }
        (types, isBrowsingTypes) = ([:], false)
    }

    /// Browses for the services of a type, unless the type is browsed already or there is no room.
    ///
    /// - Returns: `false` if there is no room.
    @discardableResult
    mutating func browse(_ type: String, _ step: inout DiscoveryStep) -> Bool {
        guard types[type] == nil else { return true }
        if isUnknown(type) {
            // The limit does not apply to well-known and wanted types, so that invented types
            // cannot displace them.
            guard unknownTypeCount < Self.typeLimit else {
                if !hasReportedTypeLimit { step.report(Self.typeLimitNotice) }
                (hasReportedTypeLimit, isOverLimit) = (true, true)
                return false
            }
            unknownTypeCount += 1
        }
        types[type] = []
        browse(type, options.family ?? .ipv4, &step)
        guard options.family == nil else { return true }
        if waitingForIPv6.isEmpty { waitingSince = step.now }
        waitingForIPv6.append(type)
        return true
    }

    /// Handles a type that the stack reports.
    ///
    /// - Returns: `false` if there is no room for it.
    mutating func typeAppeared(
        _ type: String, domain: String, _ step: inout DiscoveryStep
    ) -> Bool {
        heard.listed(Identity.canonical(type))
        guessed.remove(Identity.canonical(type))
        return wants(type, domain: domain) ? browse(type, &step) : true
    }

    /// Whether a type that is offered in a domain is browsed for, if there is room.
    private func wants(_ type: String, domain: String) -> Bool {
        // A record may name any domain.
        self.domain.isSame(as: domain)
            && (options.types.isEmpty || DeviceClues.identify(Identity.canonical(type)))
    }

    /// Handles a type, in canonical form, that a host on the link names; it is browsed for while a backend runs.
    ///
    /// - Returns: `false` if there is no room for it.
    mutating func typeListed(
        _ type: String, isRunning: Bool, _ step: inout DiscoveryStep
    ) -> Bool {
        heard.listed(type)
        return !isRunning || Self.isBrowsed(type, in: types) || browse(type, &step)
    }

    /// Handles a record that was heard, which may offer a type.
    ///
    /// - Returns: `false` if there is no room for the type.
    mutating func hear(
        _ record: HeardRecord, isRunning: Bool, _ step: inout DiscoveryStep
    ) -> Bool {
        guard let ttl = record.ttl, let (type, domain, isListed) = record.offeredType,
            wants(type, domain: domain)
        else { return true }
        if isListed { return typeListed(type, isRunning: isRunning, &step) }
        heard.hear(
            type, until: step.now + .seconds(Int(ttl)), from: record.sender,
            isLimited: isUnknown(type), isBrowsed: Self.isBrowsed(type, in: types), at: step.now)
        return true
    }

    /// Whether the services of a type, in canonical form, are browsed for.
    private static func isBrowsed(
        _ type: String, in types: [String: Set<AddressFamily>]
    ) -> Bool {
        types[type] != nil || types.keys.contains { Identity.canonical($0) == type }
    }

    /// Whether the services of a type are browsed for through a family.
    func isBrowsed(_ type: String, through family: AddressFamily) -> Bool {
        types[type]?.contains(family) == true
    }

    mutating func serviceAppeared(at now: Duration) { lastActivity = now }

    /// Handles a browse that could not be opened or has ended.
    ///
    /// - Returns: A phrase that names the browsed types or services.
    mutating func browseFailed(_ browse: LookupKey, _ step: inout DiscoveryStep) -> String {
        step.close(browse)
        failed.insert(browse)
        if retryDue == nil { retryDue = step.now + Self.retryInterval }
        guard case .services(let type, let family) = browse else {
            isBrowsingTypes = false
            return "the service types"
        }
        types[type]?.remove(family)
        return "services of type \(type)"
    }

    var failedCount: Int { failed.count }

    /// Closes the browses for unknown types that are not offered, and browses for the service types again. The offered
    /// types are given in canonical form.
    mutating func closeUnoffered(_ offered: Set<String>, _ step: inout DiscoveryStep) {
        let closed = closeUnknown(&step) { type in
            // Service names contain the whole type, not the subtype.
            !type.contains("._sub.") && !offered.contains(Identity.canonical(type))
        }
        isOverLimit = false
        if isBrowsingTypes { step.close(.types) }
        browseTypes(&step)
        heard.closed(closed)
    }

    /// Closes the browses for unknown types, given in canonical form.
    private mutating func close(_ dropped: [String], _ step: inout DiscoveryStep) {
        guard !dropped.isEmpty else { return }
        let dropped = Set(dropped)
        _ = closeUnknown(&step) { dropped.contains(Identity.canonical($0)) }
    }

    /// Opens the browses for a type again, so that the backend queries the link.
    mutating func browseAgain(_ type: String, _ step: inout DiscoveryStep) {
        guard
            let (type, families) = types.first(where: {
                Identity.canonical($0.key) == Identity.canonical(type)
            })
        else { return }
        close(type, families, &step)
        types[type] = []
        for family in families { browse(type, family, &step) }
    }

    private mutating func closeUnknown(
        _ step: inout DiscoveryStep, where isDropped: (String) -> Bool
    ) -> [String] {
        let dropped = types.filter { isUnknown($0.key) && isDropped($0.key) }
        for (type, families) in dropped {
            close(type, families, &step)
            types[type] = nil
            unknownTypeCount -= 1
            waitingForIPv6.removeAll { $0 == type }
            failed = failed.filter {
                if case .services(type, _) = $0 { false } else { true }
            }
        }
        return dropped.keys.map(Identity.canonical)
    }

    /// Returns the time at which ``advance(isResolving:offered:_:)`` is due; later while services wait to be
    /// resolved.
    func deadline(isResolving: Bool) -> Duration? {
        [retryDue, typeProbeDue, ipv6Due(isResolving), heard.deadline].compactMap { $0 }.min()
    }

    /// Opens the browses that are due; the offered types are the types of all found services, in canonical form.
    ///
    /// - Returns: `false` if there is no room for a type.
    mutating func advance(
        isResolving: Bool, offered: () -> Set<String>, _ step: inout DiscoveryStep
    ) -> Bool {
        let hasRoom = browseHeard(offered, &step)
        if let due = typeProbeDue, due <= step.now {
            typeProbeDue = nil
            let known = Set(types.keys.map(Identity.canonical)).subtracting(guessed)
            step.add(.askForTypes(known: known))
        }
        if let due = retryDue, due <= step.now {
            let browses = failed
            (failed, retryDue) = ([], nil)
            for next in browses {
                if case .services(let type, let family) = next {
                    browse(type, family, &step)
                } else if !isBrowsingTypes {
                    browseTypes(&step)
                }
            }
        }
        if let due = ipv6Due(isResolving), due <= step.now {
            let waiting = waitingForIPv6
            waitingForIPv6 = []
            for type in waiting { browse(type, .ipv6, &step) }
        }
        return hasRoom
    }

    private mutating func browseHeard(
        _ offered: () -> Set<String>, _ step: inout DiscoveryStep
    ) -> Bool {
        let ready = heard.popReady(at: step.now, &step)
        let refused = ready.filter { !Self.isBrowsed($0, in: types) && !browse($0, &step) }
        heard.closed(refused)
        close(heard.popUnoffered(at: step.now, offered: offered), &step)
        return refused.isEmpty
    }

    private func ipv6Due(_ isResolving: Bool) -> Duration? {
        guard !waitingForIPv6.isEmpty else { return nil }
        let latest = waitingSince + Self.familyWait.longest
        return isResolving ? latest : min(lastActivity + Self.familyWait.quiet, latest)
    }

    /// Whether a type is neither well known nor named by the options.
    private func isUnknown(_ type: String) -> Bool {
        KnownServiceType.of(type) == nil && type != Identity.serviceType
            && !options.types.contains(type)
    }

    private mutating func browseTypes(_ step: inout DiscoveryStep) {
        isBrowsingTypes = true
        step.open(.types, .types(domain: options.domain, options.path))
    }

    private mutating func browse(
        _ type: String, _ family: AddressFamily, _ step: inout DiscoveryStep
    ) {
        guard types[type]?.insert(family).inserted == true else { return }
        lastActivity = step.now
        let path = LookupPath(interface: options.interface, family: family)
        step.open(
            .services(type: type, family),
            .services(type: type, domain: options.domain, path))
    }

    private func close(
        _ type: String, _ families: Set<AddressFamily>, _ step: inout DiscoveryStep
    ) {
        for family in families { step.close(.services(type: type, family)) }
    }

    private static let typeLimitNotice = DiscoveryEvent.Kind.notice(
        .serviceLimit,
        """
        more than \(typeLimit) service types are announced, the rest are not shown; \
        name the ones you want with --type
        """)
}

extension BrowseOptions {
    /// The path to which all lookups are limited.
    var path: LookupPath { LookupPath(interface: interface, family: family) }
}

/// Returns the whole type, `_http._tcp` of `_printer._sub._http._tcp` or of itself.
func wholeType(of type: String) -> String {
    subtype(of: type).map { String(type.dropFirst($0.count + "._sub.".count)) } ?? type
}

/// Returns the subtype, `_printer` of `_printer._sub._http._tcp`, or `nil` for a whole type.
func subtype(of type: String) -> String? {
    let labels = type.split(separator: ".", maxSplits: 1)
    return labels.count == 2 && labels[1].hasPrefix("_sub.") ? String(labels[0]) : nil
}
