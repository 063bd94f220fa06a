// What the stack has no room for: lookups that it refuses, and a cache that is full.
import FoundationEssentials
import StackProtocol

extension LinkBrowser {
    /// How long after the last news it is looked at what there is no room for.
    static let limitCheck = Duration.seconds(1)

    struct Limits {
        var gauge = CacheGauge<LinkPath>()
        var settings = DaemonSettings.ofThisMachine()
        /// Whether the stack refused a lookup, so that fewer are open from then on.
        var isRefused = false
        var cache = LimitReport()
        var objects = LimitReport()
        var checkDue: Duration?
    }

    /// Takes note that what there is room for may be another thing now.
    func planLimitCheck() {
        if limits.checkDue == nil { limits.checkDue = now + Self.limitCheck }
    }

    /// A lookup was refused because there are too many: as many as there are have to do.
    func lowerLimits() {
        if !resolving.watches.isEmpty {
            // Record browsers make room for lookups first.
            resolving.watches.removeAll()
            limits.isRefused = true
            return planLimitCheck()
        }
        resolving.schedule.lowerLimits(to: resolving.schedule.openCount)
        limits.isRefused = true
        planLimitCheck()
    }

    /// Says what is due to be said about limits.
    func continueLimits() {
        guard let due = limits.checkDue, due <= now else { return }
        // While services pour in there is no telling.
        guard isRunning, !resolving.schedule.isBusy() || limits.isRefused else {
            limits.checkDue = now + Self.limitCheck
            return
        }
        let unresolved = limits.isRefused ? unresolvedCount : nil
        if let news = limits.objects.news(unresolved, at: now) { tellObjects(news) }
        let room = cacheLimit
        let isFull = isCacheFull(room)
        if let news = limits.cache.news(isFull ? room : nil, at: now) { tellCache(news) }
        limits.checkDue = [
            limits.objects.deadline(unresolved), limits.cache.deadline(isFull ? room : nil),
        ].compactMap { $0 }.min().map { max($0, now + Self.limitCheck) }
    }

    /// How many services are not resolved, or types not browsed.
    private var unresolvedCount: Int? {
        let count = resolving.services.values.count { $0.host == nil } + browsing.failed.count
        return count == 0 ? nil : count
    }

    private var cacheLimit: Int {
        backend == .daemon ? limits.settings.cacheLimit : StackLimits.cache
    }

    /// Whether the stack must hold nearly all records that it keeps; said once, it is so until there
    /// is some room.
    private func isCacheFull(_ room: Int) -> Bool {
        let margin = room / (limits.cache.isReached ? 8 : 32)
        return limits.gauge.fullest.map { $0.records >= room - margin } ?? false
    }

    private func tellObjects(_ news: LimitReport.News) {
        switch news {
        case .reached(let count):
            let services =
                count == 1 ? "1 service or type is" : "\(count) services and types are"
            report(
                .notice(
                    .objectLimit,
                    """
                    avahi-daemon allows no more lookups at once, so \(services) not looked up yet; \
                    raise objects-per-client-max in avahi-daemon.conf, or max_connections_per_user \
                    of the D-Bus system bus
                    """))
        case .lifted:
            report(.notice(.objectRoom, "all services are resolved, though in turn"))
        }
    }

    private func tellCache(_ news: LimitReport.News) {
        switch news {
        case .reached(let room):
            let advice =
                backend == .daemon
                ? "raise cache-entries-max in avahi-daemon.conf"
                : "run avahi-daemon, whose cache-entries-max can be raised"
            let whose = backend == .daemon ? "avahi-daemon" : "the embedded stack"
            report(
                .notice(
                    .cacheLimit,
                    """
                    the cache of \(whose) is full, with \(room) records of an interface and \
                    family, so it may not tell of all services; \(advice)
                    """))
        case .lifted:
            report(.notice(.cacheRoom, "the cache has room again"))
        }
    }
}
