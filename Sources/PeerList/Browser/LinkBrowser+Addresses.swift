// All addresses of each host, by record browsers that its services share: kept open while there are few.
import FoundationEssentials

extension LinkBrowser {
    struct Addressing {
        /// A host that offers services, and what is known of its addresses.
        struct Host {
            let name: String
            var services: Set<UUID>
            /// What is open while it is looked at or watched.
            var look: Look?
            /// Whether a look has found what there is.
            var isSeen = false
            /// What was told last, and when something was first.
            var told: Set<HostAddress> = []
            var firstTold: Duration?
        }

        /// A host's addresses as record browsers tell them.
        struct Look {
            var browsers: [any Lookup] = []
            var records: [Record] = []
            /// How many of the browsers have not yet told what was known already.
            var unread = AddressFamily.allCases.count
            /// Whether it has found what there is, and only changes are waited for.
            var isOver = false
            /// Whether it has taken so long that what is missing is not there.
            var isOverdue = false
            /// When it is looked at what has changed since.
            var due: Duration?
        }

        /// An address on a path; one that comes through both families stands here twice, because
        /// either may be lost alone.
        struct Record: Hashable {
            var data: [UInt8]
            var path: LinkPath

            var family: AddressFamily { data.count == 4 ? .ipv4 : .ipv6 }
        }

        var hosts: [String: Host] = [:]
        /// Which host is looked at next, and which stay watched.
        var schedule = LookupSchedule<String>()
        /// The hosts that are looked at or watched, oldest first.
        var open: [String] = []
        var shared = SharedAddresses()
        /// The addresses of this machine that were reported.
        var own: Set<HostAddress> = []
        /// Whether hosts are asked just now whether they are there.
        var isAsking = false
    }

    /// How many addresses of a host are kept; more are a mistake or an attack.
    static let addressLimit = 64
    /// How many records of a host are kept: each address may come through both families.
    private static let recordLimit = 2 * addressLimit
    /// How many hosts are looked at at once where there are too many to be watched.
    static let lookLimit = 16

    /// Takes note of a host that offers a service; its addresses are looked up as soon as there is room.
    func watchAddresses(of host: String, service: UUID) {
        let id = Identity.canonical(host)
        silence.add(id, at: now)
        if addressing.hosts[id]?.services.insert(service) != nil { return }
        addressing.hosts[id] = Addressing.Host(name: host, services: [service])
        addressing.schedule.ask(id, at: now)
    }

    /// A service is gone from a host, whose addresses are of no use any more when it was the last one.
    func unwatchAddresses(of host: String?, service: UUID) {
        guard let id = host.map(Identity.canonical) else { return }
        addressing.hosts[id]?.services.remove(service)
        guard addressing.hosts[id]?.services.isEmpty == true else { return }
        closeAddresses(of: id)
        addressing.schedule.remove(id)
        silence.remove(id)
        addressing.hosts[id] = nil
    }

    func closeAddresses() {
        for id in addressing.open { closeAddresses(of: id) }
        addressing.hosts = [:]
        addressing.schedule = LookupSchedule()
        addressing.shared = SharedAddresses()
        silence = SilenceDetector()
    }

    /// Looks at the hosts that there is room for, and closes what need not stay open.
    func continueLooking() {
        let watched = hosts(beside: resolving.schedule.count)
        let room = max(hostsAtOnce, watched)
        addressing.schedule.allow(inFlight: isCrowdWaiting ? 0 : room, kept: watched)
        for id in addressing.schedule.takeSlow(calmFrom: .zero, at: now) {
            addressing.hosts[id]?.look?.isOverdue = true
        }
        for id in addressing.open { endLook(at: id) }
        for id in addressing.schedule.releaseKept(at: now) { closeAddresses(of: id) }
        while addressing.open.count > room, let id = addressing.open.last {
            closeAddresses(of: id)
            addressing.schedule.ask(id, at: now)
        }
        while let turn = addressing.schedule.next(at: now) {
            if let id = turn.predecessor { closeAddresses(of: id) }
            look(at: turn.id)
        }
    }

    /// The hosts that there is room for beside open lookups, which share one budget with them.
    private func hosts(beside lookups: Int) -> Int {
        max(0, resolving.schedule.limits.kept - lookups) / AddressFamily.allCases.count
    }

    /// The hosts that may be looked at at once where they cannot all be watched; one always may.
    private var hostsAtOnce: Int {
        let schedule = resolving.schedule
        let room = hosts(beside: schedule.keepsOpen ? schedule.count : schedule.limits.inFlight)
        return min(max(1, room), Self.lookLimit)
    }

    /// Whether there are many services, and some wait for no other reason than that: they come first,
    /// and the addresses that their lookups tell do until then.
    private var isCrowdWaiting: Bool {
        !resolving.schedule.keepsOpen && resolving.schedule.isBusy()
            && !resolving.schedule.isHeldUp
    }

    private func look(at id: String) {
        // One that is to be asked anew may be open still.
        closeAddresses(of: id)
        addressing.open.append(id)
        addressing.hosts[id]?.look = Addressing.Look()
        for family in AddressFamily.allCases { browseAddresses(of: id, family) }
    }

    /// Ends a look that has found what there is; the host stays watched if there is room.
    private func endLook(at id: String) {
        guard let host = addressing.hosts[id], let look = host.look, !look.isOver,
            look.unread <= 0, look.due == nil,
            look.isOverdue || families(of: host).isSubset(of: look.records.map(\.family))
        else { return }
        addressing.hosts[id]?.look?.isOver = true
        if !host.isSeen {
            addressing.hosts[id]?.isSeen = true
            if host.told.isEmpty { report(.addresses(host: host.name, [])) }
        }
        let staysOpen =
            look.browsers.isEmpty
            ? addressing.schedule.failed(id, isOpen: false, at: now)
            : addressing.schedule.answered(id, at: now)
        if !staysOpen { closeAddresses(of: id) }
    }

    /// The families through which a host is heard, and so has an address of.
    private func families(of host: Addressing.Host) -> Set<AddressFamily> {
        var families: Set<AddressFamily> = []
        for service in host.services where families.count < AddressFamily.allCases.count {
            families.formUnion(resolving.services[service]?.paths.map(\.family) ?? [])
        }
        return families
    }

    private func closeAddresses(of id: String) {
        guard let place = addressing.open.firstIndex(of: id) else { return }
        addressing.open.remove(at: place)
        for browser in addressing.hosts[id]?.look?.browsers ?? [] { browser.close() }
        addressing.hosts[id]?.look = nil
    }

    private func browseAddresses(of id: String, _ family: AddressFamily) {
        guard let host = addressing.hosts[id]?.name else { return }
        do throws(AvahiError) {
            let browse = try stack?.browseRecords(
                family == .ipv4 ? .a : .aaaa, of: host, path: path
            ) { event in
                self.assumeIsolated { $0.addressBrowsed(event, id) }
            }
            if let browse { addressing.hosts[id]?.look?.browsers.append(browse) }
        } catch {
            // Its services' lookups still tell one address.
            addressing.hosts[id]?.look?.unread -= 1
        }
    }

    private func addressBrowsed(_ event: RecordEvent, _ id: String) {
        guard var look = addressing.hosts[id]?.look else { return }
        switch event {
        case .appeared(let data, let path):
            let record = Addressing.Record(data: data, path: path)
            guard look.records.count < Self.recordLimit, !look.records.contains(record) else {
                return
            }
            look.records.append(record)
        case .disappeared(let data, let path):
            if mayHaveExpiredByClock() { return }
            let record = Addressing.Record(data: data, path: path)
            look.records.removeAll { $0 == record }
        case .cacheExhausted:
            look.unread -= 1
        }
        addressing.hosts[id]?.look = look
        addressesChanged(id)
        if !look.isOver { proceed() }
    }
}
