// Which types are announced, and which of them are browsed: IPv4 first.

extension LinkBrowser {
    /// How many types are browsed at the most; strangers can announce any number.
    static let typeLimit = 512

    /// How long a type is browsed through IPv4 alone.
    ///
    /// Most services are announced through both families, and all that comes
    /// through the second one is news to nobody. A daemon that works through
    /// thousands of answers, though, resolves nothing meanwhile. So the second
    /// family waits until nothing has been found for the shorter time and all
    /// that was found has been asked for, and never longer than the longer one.
    static let familyWait = (quiet: Duration.milliseconds(300), most: Duration.seconds(10))

    func browseTypes() {
        do throws(AvahiError) {
            browsing.types = try stack?.browseTypes(in: options.domain, path: path) { event in
                self.assumeIsolated { $0.typesBrowsed(event) }
            }
        } catch {
            browseFailed(FailedBrowse(), error)
        }
    }

    private func typesBrowsed(_ event: TypeEvent) {
        switch event {
        case .appeared(let type, let domain):
            // A record may name any domain, and only a stranger's names another than was asked for.
            guard Identity.canonical(unescaped(domain)) == browsing.domain else { return }
            browse(type)
        case .settled: report(.settled)
        case .failed:
            browsing.types?.close()
            browsing.types = nil
            browseFailed(FailedBrowse(), nil)
        }
    }

    /// The time that the stack has to report the types that it knows, before the link is asked for others; shorter
    /// than a list that is printed once waits for news.
    static let typeProbeDelay = Duration.milliseconds(500)

    /// Asks the link once for types that the stack does not report, and browses for those.
    func probeTypes() {
        guard let due = browsing.typeProbeDue, due <= now else { return }
        browsing.typeProbeDue = nil
        let types = verifying.askForTypes(
            Set(browsing.services.keys.map(Identity.canonical)), linkPaths())
        Task {
            for await type in types where isRunning {
                guard !browsing.services.keys.contains(where: { Identity.canonical($0) == type })
                else { continue }
                browse(type)
                proceed()
            }
        }
    }

    /// The paths on which multicast DNS is spoken, within the options.
    private func linkPaths() -> [LinkPath] {
        LocalInterface.all().filter { local in
            local.isActive(allowingPointToPoint: false)
                && (options.interface == nil || options.interface == local.interface)
        }.flatMap { local in
            local.families.filter { options.family == nil || options.family == $0 }
                .map { LinkPath(interface: local.interface.index, family: $0) }
        }
    }

    /// Browses for the services of a type, if there is room for one more.
    func browse(_ type: String) {
        guard browsing.services[type] == nil else { return }
        if isStrange(type) {
            // What a stranger makes up does not keep out what is known, or was asked for.
            guard browsing.strangeCount < Self.typeLimit else { return tellTypeLimit() }
            browsing.strangeCount += 1
        }
        browsing.services[type] = [:]
        browse(type, options.family ?? .ipv4)
        guard options.family == nil else { return }
        if browsing.later.isEmpty { browsing.laterSince = now }
        browsing.later.append(type)
        planTimer()
    }

    /// Whether a type is neither known nor asked for.
    func isStrange(_ type: String) -> Bool {
        KnownServiceType.of(type) == nil && type != Self.identityType
            && !options.types.contains(type)
    }

    /// Browses through IPv6 as well what has been browsed through IPv4 alone for long enough.
    func continueBrowsing() {
        guard let due = browsingDeadline(), due <= now else { return }
        let types = browsing.later
        browsing.later = []
        for type in types { browse(type, .ipv6) }
    }

    /// When the types that wait for it are to be browsed through IPv6, or `nil` for never.
    func browsingDeadline() -> Duration? {
        guard !browsing.later.isEmpty else { return nil }
        let latest = browsing.laterSince + Self.familyWait.most
        guard !resolving.schedule.isBusy() else { return latest }
        return min(browsing.lastNews + Self.familyWait.quiet, latest)
    }

    private func tellTypeLimit() {
        guard !browsing.hasToldTypeLimit else { return }
        browsing.hasToldTypeLimit = true
        planRoomCheck()
        report(
            .notice(
                .serviceLimit,
                """
                more than \(Self.typeLimit) service types are announced, the rest are not shown; \
                name the ones you want with --type
                """))
    }
}
