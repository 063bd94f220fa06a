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
        }

        /// An address on a path; one that comes through both families stands here twice, because
        /// either may be lost alone.
        struct Record: Hashable {
            var data: [UInt8]
            var interface: Int32
            var family: AddressFamily?
        }

        var hosts: [String: Host] = [:]
        /// The watched hosts, oldest first.
        var order: [String] = []
    }

    /// How many addresses of a host are kept; more are a mistake or an attack.
    static let addressLimit = 64
    /// How many records of a host are kept: each address may come through both families.
    private static let recordLimit = 2 * addressLimit

    /// Watches a host's addresses for a service, if there is room.
    func watchAddresses(of host: String, service: UUID) {
        let id = Identity.canonical(host)
        if addressing.hosts[id] != nil {
            addressing.hosts[id]?.services.insert(service)
            return
        }
        guard roomForHosts > addressing.order.count else { return }
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

    /// Gives up the hosts watched last where the lookups need the room.
    func trimAddresses() {
        while addressing.order.count > max(0, roomForHosts), let id = addressing.order.last {
            guard let host = addressing.hosts[id]?.name else { return }
            closeAddresses(of: id)
            report(.addresses(host: host, []))
        }
    }

    func closeAddresses() {
        for id in addressing.order { closeAddresses(of: id) }
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
        case .appeared(let data, let interface, let family):
            let record = Addressing.Record(data: data, interface: interface, family: family)
            guard host.records.count < Self.recordLimit, !host.records.contains(record) else {
                return
            }
            host.records.append(record)
        case .disappeared(let data, let interface, let family):
            let record = Addressing.Record(data: data, interface: interface, family: family)
            host.records.removeAll { $0 == record }
        case .cacheExhausted:
            host.unread -= 1
        }
        addressing.hosts[id] = host
        guard host.unread <= 0, !host.records.isEmpty else { return }
        report(.addresses(host: host.name, addresses(host.records)))
    }

    private func addresses(_ records: [Addressing.Record]) -> [HostAddress] {
        var told: Set<HostAddress> = []
        let all = records.compactMap { record in
            hostAddress(recordData: record.data, on: interface(record.interface))
        }
        return Array(all.filter { told.insert($0).inserted }.prefix(Self.addressLimit))
    }
}
