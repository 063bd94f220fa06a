// Which types are announced, and which services of each, IPv4 first.

extension LinkBrowser {
    /// The type through which a peer announces its identifier; browsed whatever is asked for.
    public static let identityType = "_peerlist._tcp"

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

    struct Browsing {
        struct TypeKey: Hashable {
            /// As libavahi takes it: `_http._tcp`, or `_printer._sub._http._tcp`.
            var type: String
            var domain: String
        }

        var types: (any Lookup)?
        /// The browses of each type, one a family.
        var services: [TypeKey: [any Lookup]] = [:]
        /// The types that are browsed through IPv4 alone so far, and since when the first of them is.
        var later: [TypeKey] = []
        var laterSince = Duration.zero
        /// When a type was browsed or a service found last.
        var lastNews = Duration.zero
        /// The interfaces by number, for one that is gone has no name any more.
        var interfaces: [Int32: NetworkInterface] = [:]
        var hasToldTypeLimit = false
    }

    /// The path to which the options confine all lookups.
    var path: LookupPath {
        LookupPath(interface: options.interface?.index, family: options.family)
    }

    func beginBrowsing() {
        guard !options.announcesOnly else { return }
        browse(Self.identityType, domain: options.domain ?? "")
        for type in options.types { browse(type, domain: options.domain ?? "") }
        guard options.types.isEmpty else { return }
        do throws(AvahiError) {
            browsing.types = try stack?.browseTypes(in: options.domain, path: path) { event in
                self.assumeIsolated { $0.typesBrowsed(event) }
            }
        } catch {
            report(.notice(.lookupFailed, "the service types cannot be browsed: \(error)"))
        }
    }

    func closeBrowsers() {
        browsing.types?.close()
        for browser in browsing.services.values.joined() { browser.close() }
        browsing = Browsing()
    }

    /// The interface of a number, remembered from when it was there.
    func interface(_ index: Int32) -> NetworkInterface {
        if let known = browsing.interfaces[index] { return known }
        let interface = NetworkInterface(index: index)
        browsing.interfaces[index] = interface
        return interface
    }

    private func typesBrowsed(_ event: TypeEvent) {
        switch event {
        case .appeared(let type, let domain): browse(type, domain: domain)
        case .settled: report(.settled)
        case .failed: report(.notice(.lookupFailed, "the browse for service types failed"))
        }
    }

    private func browse(_ type: String, domain: String) {
        let key = Browsing.TypeKey(
            type: type, domain: domain == "local" ? "" : domain)
        guard browsing.services[key] == nil else { return }
        // What a stranger makes up does not keep out what is known, or was asked for.
        let isKnown = KnownServiceType.of(type) != nil || options.types.contains(type)
        guard isKnown || browsing.services.count < Self.typeLimit else { return tellTypeLimit() }
        browsing.services[key] = []
        browse(key, options.family ?? .ipv4)
        guard options.family == nil else { return }
        if browsing.later.isEmpty { browsing.laterSince = now }
        browsing.later.append(key)
        planTimer()
    }

    /// Browses through IPv6 as well what has been browsed through IPv4 alone for long enough.
    func continueBrowsing() {
        guard let due = browsingDeadline(), due <= now else { return }
        let keys = browsing.later
        browsing.later = []
        for key in keys { browse(key, .ipv6) }
    }

    /// When the types that wait for it are to be browsed through IPv6, or `nil` for never.
    func browsingDeadline() -> Duration? {
        guard !browsing.later.isEmpty else { return nil }
        let latest = browsing.laterSince + Self.familyWait.most
        guard !resolving.schedule.isBusy(at: now) else { return latest }
        return min(browsing.lastNews + Self.familyWait.quiet, latest)
    }

    private func browse(_ key: Browsing.TypeKey, _ family: AddressFamily) {
        let subtype = key.type.subtypeLabel
        do throws(AvahiError) {
            let path = LookupPath(interface: options.interface?.index, family: family)
            let browse = try stack?.browseServices(ofType: key.type, domain: key.domain, path: path)
            { event in
                self.assumeIsolated { $0.servicesBrowsed(event, key, subtype) }
            }
            if let browse { browsing.services[key]?.append(browse) }
        } catch {
            guard !error.isTooManyObjects else { return lowerLimits() }
            guard resolving.toldErrors.insert(error).inserted else { return }
            report(
                .notice(.lookupFailed, "services of type \(key.type) cannot be browsed: \(error)"))
        }
        browsing.lastNews = now
    }

    private func tellTypeLimit() {
        guard !browsing.hasToldTypeLimit else { return }
        browsing.hasToldTypeLimit = true
        report(
            .notice(
                .serviceLimit,
                """
                more than \(Self.typeLimit) service types are announced, the rest are not shown; \
                name the ones you want with --type
                """))
    }

    private func servicesBrowsed(
        _ event: ServiceEvent, _ key: Browsing.TypeKey, _ subtype: String?
    ) {
        switch event {
        case .appeared(let instance, let path, let isKnown):
            let sighting = sighting(instance, path, subtype)
            guard track(sighting, instance, isKnown: isKnown) else { return }
            browsing.lastNews = now
            report(.found(sighting))
            proceed()
        case .disappeared(let instance, let path):
            let sighting = sighting(instance, path, subtype)
            untrack(sighting, path)
            report(.removed(sighting))
            proceed()
        case .settled:
            report(.settled)
        case .failed:
            report(.notice(.lookupFailed, "the browse for services of type \(key.type) failed"))
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
