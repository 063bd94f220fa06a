// When the addresses of a host are told: at first as they come, later a change as a whole.
import FoundationEssentials

extension LinkBrowser {
    /// For so long after the first of them addresses are told as they come, since a list that is
    /// printed once waits no longer; later they are changes.
    static let addressArrival = Duration.seconds(1)
    /// How long a change of addresses may take: what goes stays in the stack's cache for a second, and
    /// what comes in its place is claimed for nearly as long, by a machine that may be busy.
    static let addressChange = Duration.milliseconds(2_500)
    /// How long the first addresses are waited for where a list has some already, from a backend that
    /// was asked before: one of two would be a change, and the other another one.
    static let addressGathering = Duration.milliseconds(300)
    /// How many services of a host are asked for, to know whether it is there.
    private static let askedServices = 2
    /// The number of addresses of this machine above which former ones are forgotten.
    private static let ownAddressLimit = 256
    /// When it is looked again at a host that is asked, or that is not because others are.
    private static let askAgain = Duration.milliseconds(200)

    /// A host is there: a change of its addresses may be told, and one that is new is looked at.
    func hostAnswered(_ resolution: Resolution) {
        let id = Identity.canonical(resolution.host)
        addressesChanged(id)
        // Of a host that is not watched the lookups of its services tell alone that one has changed.
        guard let host = addressing.hosts[id], host.look == nil, !host.told.isEmpty,
            let address = resolution.address, !address.isLoopback, !host.told.contains(address)
        else { return }
        addressing.schedule.ask(id, at: now)
    }

    /// Tells the addresses of a host that were found first, and looks at a later change in a while.
    func addressesChanged(_ id: String) {
        guard let host = addressing.hosts[id], let look = host.look, look.unread <= 0,
            !look.records.isEmpty
        else { return }
        guard Set(addresses(look.records)) != host.told else {
            // What went has come back, or is there through the other family.
            addressing.hosts[id]?.look?.due = nil
            return
        }
        switch host.firstTold {
        case nil where caughtUpDue != nil: plan(id, in: Self.addressGathering)
        case let first? where now >= first + Self.addressArrival: plan(id, in: Self.addressChange)
        default: tellAddresses(id)
        }
    }

    private func plan(_ id: String, in time: Duration) {
        guard let look = addressing.hosts[id]?.look, look.due == nil else { return }
        addressing.hosts[id]?.look?.due = now + time
        planTimer()
    }

    /// Tells the changes that are due.
    ///
    /// A host that falls silent loses its addresses one by one as their time runs out. So of a host that
    /// has only lost some, nothing is told until it has shown that it is there; one that does not is
    /// unanswered, and known by its last addresses.
    func continueAddresses() {
        continueSharing()
        var asked: [String] = []
        for id in addressing.open {
            guard let host = addressing.hosts[id], let look = host.look,
                let due = look.due, due <= now
            else { continue }
            if look.records.isEmpty || isDoubted(host) {
                addressing.hosts[id]?.look?.due = nil
            } else if Set(addresses(look.records)).isSubset(of: host.told) {
                asked.append(id)
                addressing.hosts[id]?.look?.due = now + Self.askAgain
            } else {
                tellAddresses(id)
            }
        }
        // Those who are asked just now may keep silent for as long as they like; nobody else waits.
        if !asked.isEmpty, !addressing.isAsking { askBeforeLoss(asked) }
    }

    /// When addresses are to be told, or hosts looked at; `nil` for never.
    func addressesDeadline() -> Duration? {
        let changes = addressing.open.map { addressing.hosts[$0]?.look?.due }
        let others = [addressing.shared.due, addressing.schedule.deadline(calmFrom: .zero)]
        return (changes + others).compactMap { $0 }.min()
    }

    /// Whether all services of a host gave no answer when they were asked for.
    private func isDoubted(_ host: Addressing.Host) -> Bool {
        host.services.allSatisfy(verifying.doubts.contains)
    }

    private func tellAddresses(_ id: String) {
        guard let host = addressing.hosts[id], let look = host.look else { return }
        let addresses = addresses(look.records)
        addressing.hosts[id]?.told = Set(addresses)
        addressing.hosts[id]?.firstTold = host.firstTold ?? now
        addressing.hosts[id]?.look?.due = nil
        addressing.shared.addressesChanged(at: now)
        reportOwnAddresses()
        report(.addresses(host: host.name, addresses))
    }

    /// Reports the addresses of this machine if it has one that was not reported.
    ///
    /// Former ones stay among them: what others have cached of this machine still names them for a while.
    func reportOwnAddresses() {
        let addresses = LocalInterface.all().filter { !$0.isLoopback }
            .flatMap { $0.addresses.map(\.address) }
        guard !addressing.own.isSuperset(of: addresses) else { return }
        if addressing.own.count > Self.ownAddressLimit { addressing.own = [] }
        addressing.own.formUnion(addresses)
        report(.ownAddresses(addressing.own))
    }

    private func askBeforeLoss(_ ids: [String]) {
        addressing.isAsking = true
        Task {
            let silent = await silentHosts(among: ids, services: Self.askedServices)
            addressing.isAsking = false
            // Where the link cannot be asked, the stack is believed.
            for id in ids { settleLoss(of: id, isThere: silent?.contains(id) != true) }
            proceed()
        }
    }

    private func settleLoss(of id: String, isThere: Bool) {
        guard let host = addressing.hosts[id], let look = host.look, look.due != nil else { return }
        addressing.hosts[id]?.look?.due = nil
        if isThere {
            if !look.records.isEmpty { tellAddresses(id) }
        } else {
            for service in host.services { fellSilent(service) }
        }
    }

    private func addresses(_ records: [Addressing.Record]) -> [HostAddress] {
        var told: Set<HostAddress> = []
        let all = records.compactMap { record in
            hostAddress(recordData: record.data, on: interface(record.path.interface))
        }
        return Array(all.filter { told.insert($0).inserted }.prefix(Self.addressLimit))
    }
}
