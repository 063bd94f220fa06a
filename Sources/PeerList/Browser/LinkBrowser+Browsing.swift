// Which services of each type are announced, and where.

extension LinkBrowser {
    /// The type through which a peer announces its identifier; browsed whatever is asked for.
    public static let identityType = "_peerlist._tcp"

    struct Browsing {
        /// The domain that is browsed, in canonical form.
        var domain = "local"
        var types: (any Lookup)?
        /// The browses of each type, as libavahi takes it: `_http._tcp`, or `_printer._sub._http._tcp`.
        var services: [String: [AddressFamily: any Lookup]] = [:]
        /// How many of the types are neither known nor asked for.
        var strangeCount = 0
        /// The types that are browsed through IPv4 alone so far, and since when the first of them is.
        var later: [String] = []
        var laterSince = Duration.zero
        /// How far the stack's clock was ahead when browsing began, and when it is looked at again.
        var clockLead = Duration.zero
        var clockDue: Duration?
        /// Whether the clock was set since, so that all is about to be looked for anew.
        var isStale = false
        /// When a type was browsed or a service found last.
        var lastNews = Duration.zero
        /// The interfaces by number, for one that is gone has no name any more.
        var interfaces: [Int32: NetworkInterface] = [:]
        var hasToldTypeLimit = false
        /// When the link is asked for types past the stack's cache.
        var typeProbeDue: Duration?
        /// The browses that failed, and when they are tried again.
        var failed: Set<FailedBrowse> = []
        var retryDue: Duration?
    }

    /// A browse that failed: for the services of a type through a family, or for the types.
    struct FailedBrowse: Hashable {
        var type: String?
        var family: AddressFamily?
    }

    /// The path to which the options confine all lookups.
    var path: LookupPath {
        LookupPath(interface: options.interface?.index, family: options.family)
    }

    func beginBrowsing() {
        guard !options.announcesOnly else { return }
        browsing.domain = browsedDomain
        reportOwnAddresses()
        beginWatchingClock()
        browse(Self.identityType)
        for type in options.types { browse(type) }
        guard options.types.isEmpty else { return }
        browseTypes()
        if browsing.domain == "local" { browsing.typeProbeDue = now + Self.typeProbeDelay }
    }

    func closeBrowsers() {
        browsing.types?.close()
        for browser in browsing.services.values.flatMap(\.values) { browser.close() }
        browsing = Browsing()
    }

    /// The domain that is browsed, in canonical form: the one asked for, else the stack's own.
    private var browsedDomain: String {
        let own = stack?.hostName.split(separator: ".", maxSplits: 1).dropFirst().first
        return Identity.canonical(options.domain ?? own.map(String.init) ?? "local")
    }

    /// The interface of a number, remembered from when it was there.
    func interface(_ index: Int32) -> NetworkInterface {
        if let known = browsing.interfaces[index] { return known }
        let interface = NetworkInterface(index: index)
        browsing.interfaces[index] = interface
        return interface
    }

    /// Browses for the services of a type that is among the types browsed.
    func browse(_ type: String, _ family: AddressFamily) {
        guard let browses = browsing.services[type], browses[family] == nil else { return }
        let subtype = type.subtypeLabel
        do throws(AvahiError) {
            let path = LookupPath(interface: options.interface?.index, family: family)
            browsing.services[type]?[family] = try stack?.browseServices(
                ofType: type, domain: options.domain ?? "", path: path
            ) { event in
                self.assumeIsolated { $0.servicesBrowsed(event, type, family, subtype) }
            }
        } catch {
            browseFailed(FailedBrowse(type: type, family: family), error)
        }
        browsing.lastNews = now
    }

    private func servicesBrowsed(
        _ event: ServiceEvent, _ type: String, _ family: AddressFamily, _ subtype: String?
    ) {
        switch event {
        case .appeared(let instance, let path):
            let sighting = sighting(instance, path, subtype)
            guard track(sighting, instance) else { return }
            browsing.lastNews = now
            report(.found(sighting))
            proceed()
        case .disappeared(let instance, let path):
            if mayHaveExpiredByClock() { return }
            let sighting = sighting(instance, path, subtype)
            untrack(sighting, path)
            report(.removed(sighting))
            proceed()
        case .settled:
            report(.settled)
        case .failed:
            browsing.services[type]?.removeValue(forKey: family)?.close()
            browseFailed(FailedBrowse(type: type, family: family), nil)
        }
    }

    private func sighting(
        _ instance: ServiceInstance, _ path: LinkPath, _ subtype: String?
    ) -> Sighting {
        Sighting(
            service: ServiceKey(
                name: instance.name, type: unescaped(instance.type),
                domain: unescaped(instance.domain)),
            interface: interface(path.interface), family: path.family, subtype: subtype)
    }
}

extension String {
    /// The `_printer` of `_printer._sub._http._tcp`, or `nil` where it is a whole type.
    fileprivate var subtypeLabel: String? {
        let labels = split(separator: ".", maxSplits: 1)
        return labels.count == 2 && labels[1].hasPrefix("_sub.") ? String(labels[0]) : nil
    }
}
