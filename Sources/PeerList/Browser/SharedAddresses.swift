// Removes addresses from a host that another host has taken along under a new name.

/// The addresses that several hosts have.
///
/// A machine that takes another name sends no goodbye for its addresses under the former one. If another machine
/// has that name now, it seems to have the addresses of both until the former ones expire. An answer of the
/// owner flushes them from caches (RFC 6762, section 10.2), so the link is asked for them once.
struct SharedAddresses {
    /// The time from a change of addresses to the question. Records of less than a second are not flushed.
    static let settling = Duration.seconds(2)

    /// The addresses of each host that others have too, as they were asked for last.
    private var asked: [String: Set<HostAddress>] = [:]
    /// When to look for shared addresses, or `nil` for never.
    private(set) var due: Duration?

    /// Notes that a host has other addresses now.
    mutating func addressesChanged(at now: Duration) {
        if due == nil { due = now + Self.settling }
    }

    /// Returns the hosts to ask for now: those that share other addresses than when they were asked last.
    mutating func takeDue(
        _ addresses: [String: Set<HostAddress>], at now: Duration
    ) -> [String] {
        guard let due, due <= now else { return [] }
        self.due = nil
        var owners: [HostAddress: Int] = [:]
        for address in addresses.values.joined() { owners[address, default: 0] += 1 }
        let shared = addresses.mapValues { $0.filter { owners[$0, default: 0] > 1 } }
            .filter { !$0.value.isEmpty }
        let hosts = shared.filter { asked[$0.key] != $0.value }.keys
        asked = shared
        return hosts.sorted()
    }
}

extension LinkBrowser {
    /// Asks the link for the addresses of hosts that share some, where that is due.
    func continueSharing() {
        guard let due = addressing.shared.due, due <= now else { return }
        let addresses = addressing.open.map { ($0, addressing.hosts[$0]?.told ?? []) }
        let hosts = addressing.shared.takeDue(
            Dictionary(uniqueKeysWithValues: addresses), at: now)
        guard !hosts.isEmpty else { return }
        let services = hosts.flatMap { addressing.hosts[$0]?.services ?? [] }
        let paths = services.reduce(into: Set<LinkPath>()) { paths, id in
            paths.formUnion(question(id)?.paths ?? [])
        }
        verifying.askForAddresses(hosts, paths)
    }
}
