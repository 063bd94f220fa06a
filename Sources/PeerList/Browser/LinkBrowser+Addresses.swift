// All addresses of each host, by record browsers that its services share, while there is room for them.
import FoundationEssentials

extension LinkBrowser {
    struct Addressing {
        /// A host whose addresses are watched, for the services that it offers.
        struct Host {
            let name: String
            var services: Set<UUID>
            var browsers: [any Lookup] = []
            var records: [Record] = []
            /// How many of the browsers have not yet told what was known already.
            var unread = AddressFamily.allCases.count
            /// What was told last, and when something was first.
            var told: Set<HostAddress> = []
            var firstTold: Duration?
            /// When it is looked at what has changed since.
            var due: Duration?
        }

        /// An address on a path; one that comes through both families stands here twice, because
        /// either may be lost alone.
        struct Record: Hashable {
            var data: [UInt8]
            var path: LinkPath
        }

        var hosts: [String: Host] = [:]
        /// The watched hosts, oldest first.
        var order: [String] = []
        /// Whether some host is not watched for want of room.
        var isShort = false
        /// Until then no such host is watched though there be room, because some had to be given up.
        var holdEnd = Duration.zero
        /// Whether hosts are asked just now whether they are there.
        var isAsking = false
    }

    /// How many addresses of a host are kept; more are a mistake or an attack.
    static let addressLimit = 64
    /// How many records of a host are kept: each address may come through both families.
    private static let recordLimit = 2 * addressLimit
    /// How long hosts that were given up for want of room wait at least, so that what comes and goes
    /// at the limit does not make addresses come and go.
    static let roomWait = Duration.seconds(5)

    /// Watches a host's addresses for a service, if there is room.
    func watchAddresses(of host: String, service: UUID) {
        let id = Identity.canonical(host)
        if addressing.hosts[id] != nil {
            addressing.hosts[id]?.services.insert(service)
            return
        }
        guard roomForHosts > addressing.order.count else {
            addressing.isShort = true
            return
        }
        addressing.hosts[id] = Addressing.Host(name: host, services: [service])
        addressing.order.append(id)
        for family in AddressFamily.allCases { browseAddresses(of: host, id, family) }
    }

    /// A service is gone from a host, which is watched no longer when it was the last one.
    func unwatchAddresses(of host: String?, service: UUID) {
        guard let id = host.map(Identity.canonical), var watched = addressing.hosts[id] else {
            return
        }
        watched.services.remove(service)
        addressing.hosts[id] = watched
        if watched.services.isEmpty { closeAddresses(of: id) }
    }

    /// Gives up the hosts watched last where the lookups need the room, and watches those that found
    /// none where there is some again.
    func adaptAddresses() {
        while addressing.order.count > max(0, roomForHosts), let id = addressing.order.last {
            guard let host = addressing.hosts[id]?.name else { return }
            closeAddresses(of: id)
            report(.addresses(host: host, []))
            (addressing.isShort, addressing.holdEnd) = (true, now + Self.roomWait)
        }
        guard let due = roomDue, due <= now else { return }
        addressing.isShort = false
        for service in unwatched { watchAddresses(of: service.host, service: service.id) }
    }

    /// When hosts that found no room are watched, or `nil` where there is none.
    var roomDue: Duration? {
        guard addressing.isShort, roomForHosts > addressing.order.count else { return nil }
        return addressing.holdEnd
    }

    /// The services whose hosts are not watched, those found first before the others.
    ///
    /// - Complexity: O(*n* log *n*) in the services, of which there are few where there is room.
    private var unwatched: [(host: String, id: UUID)] {
        let services = resolving.services.values.sorted { $0.number < $1.number }
        return services.compactMap { service in
            guard let host = service.host, addressing.hosts[Identity.canonical(host)] == nil else {
                return nil
            }
            return (host, service.key.id)
        }
    }

    func closeAddresses() {
        for id in addressing.order { closeAddresses(of: id) }
        (addressing.isShort, addressing.holdEnd) = (false, .zero)
    }

    /// The hosts that may be watched: open lookups and record browsers share one budget.
    private var roomForHosts: Int {
        (resolving.schedule.limits.kept - resolving.schedule.count) / AddressFamily.allCases.count
    }

    private func closeAddresses(of id: String) {
        for browser in addressing.hosts[id]?.browsers ?? [] { browser.close() }
        addressing.hosts[id] = nil
        addressing.order.removeAll { $0 == id }
    }

    private func browseAddresses(of host: String, _ id: String, _ family: AddressFamily) {
        do throws(AvahiError) {
            let browse = try stack?.browseAddresses(of: host, family: family, path: path) { event in
                self.assumeIsolated { $0.addressBrowsed(event, id) }
            }
            if let browse { addressing.hosts[id]?.browsers.append(browse) }
        } catch {
            // Its services' lookups still tell one address.
            addressing.hosts[id]?.unread -= 1
        }
    }

    private func addressBrowsed(_ event: AddressEvent, _ id: String) {
        guard var host = addressing.hosts[id] else { return }
        switch event {
        case .appeared(let data, let path):
            let record = Addressing.Record(data: data, path: path)
            guard host.records.count < Self.recordLimit, !host.records.contains(record) else {
                return
            }
            host.records.append(record)
        case .disappeared(let data, let path):
            if clockWasSet() { return }
            let record = Addressing.Record(data: data, path: path)
            host.records.removeAll { $0 == record }
        case .cacheExhausted:
            host.unread -= 1
        }
        addressing.hosts[id] = host
        addressesChanged(id)
    }
}
