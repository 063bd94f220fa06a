// Follows the interfaces of this machine, and withholds removals while one of them is down.
import HeardRecords
import FoundationEssentials

/// Decides which paths are lost, and which removals are not reported yet.
///
/// Avahi drops all records of an interface that goes down or has no address any more, and reports the services on the
/// interface as removed, although nothing has happened to them. So the removal of a service that was seen only through
/// lost paths is withheld until the interface has been back for ``catchUpTime``, or lost for ``patience``. A service
/// that is found again meanwhile is not reported as removed at all.
///
/// The engine gets the state of the interfaces before any other input, so it knows of a loss before the removals that
/// follow from the loss.
struct LinkWatch {
    /// The time for peers to be found again after the return of an interface, or after a change of backends. Peers that
    /// are not found again are gone.
    static let catchUpTime = Duration.seconds(10)
    /// The time after which all sightings through a lost path are gone.
    static let patience = Duration.seconds(300)
    /// The maximum number of interfaces that are waited for; removals on further interfaces are reported at once.
    static let linkLimit = 64
    /// The maximum number of withheld removals; further removals are reported at once.
    static let removalLimit = DiscoveryRules.serviceLimit

    /// An interface that has lost at least one family, until the services on it are found again.
    private struct Link {
        let interface: NetworkInterface
        /// The networks that the interface was on before the loss.
        let networks: Set<LocalInterface.Network>
        /// The lost families, and the times at which all sightings through them are gone.
        var lost: [AddressFamily: Duration] = [:]
        /// The lost families whose time is over.
        var expired: Set<AddressFamily> = []
        /// The time at which the services on the families that are back must have been found again.
        var caughtUpDue: Duration?
        /// Whether only the carrier was lost; Avahi ignores that by default.
        var lacksCarrierOnly = true
        /// Whether everything must be browsed again when the interface is back.
        var needsRestart = false
        var withheld: Set<Sighting> = []
        /// The sightings that were found since the return of the interface.
        var found: Set<Sighting> = []

        /// Whether the removal of a service without another live path is withheld. A removal that follows from the loss
        /// may arrive after the interface's return, but not after the service was found again.
        func withholds(_ sighting: Sighting) -> Bool {
            guard lost[sighting.family] == nil else { return !expired.contains(sighting.family) }
            return caughtUpDue != nil && !found.contains(sighting)
        }

        var deadline: Duration? {
            let awaited = lost.filter { !expired.contains($0.key) }.values
            return [awaited.min(), caughtUpDue].compactMap { $0 }.min()
        }
    }

    private var interfaces: [NetworkInterface: LocalInterface] = [:]
    private var links: [NetworkInterface: Link] = [:]
    private var withheldCount = 0

    /// Whether everything must be browsed again, because an interface has another name, or because the stack has not
    /// noticed that an interface was lost.
    private(set) var isRestartDue = false

    /// Whether the services on an interface that is back are being found again.
    var isCatchingUp: Bool { links.values.contains { $0.caughtUpDue != nil } }

    /// The paths that are lost.
    var lostPaths: Set<NetworkPath> {
        links.values.reduce(into: []) { paths, link in
            for family in link.lost.keys {
                paths.insert(NetworkPath(interface: link.interface, family: family))
            }
        }
    }

    /// The time at which ``advance(_:)`` has something to report, or `nil` for never.
    var deadline: Duration? { links.values.compactMap(\.deadline).min() }

    /// The networks of this machine.
    var networks: OwnNetworks { OwnNetworks(Array(interfaces.values)) }

    /// Whether an address belongs to a machine on the link of an interface, this machine included.
    func isOnLink(_ address: HostAddress, of interface: NetworkInterface) -> Bool {
        guard let local = interfaces[interface] else { return false }
        return local.has(address) || local.reaches(address)
    }

    /// Handles the state of all interfaces: reports the interfaces that are lost or back.
    ///
    /// - Parameters:
    ///   - present: The interfaces; the first call passes the interfaces at the start.
    ///   - isInUse: Returns whether services were seen on a path.
    ///   - isRunning: Whether a backend is in use, so that services can be found again.
    ///   - step: The moment, and the effects, to which reports are added.
    /// - Returns: The paths whose earlier sightings no longer count.
    mutating func update(
        _ present: [LocalInterface], isInUse: (NetworkPath) -> Bool, isRunning: Bool,
        _ step: inout DiscoveryStep
    ) -> [NetworkPath] {
        let before = interfaces
        interfaces = Dictionary(present.map { ($0.interface, $0) }) { first, _ in first }
        var expired: [NetworkPath] = []
        for interface in Set(before.keys).union(links.keys).sorted(by: { $0.index < $1.index }) {
            if let was = before[interface], !was.isLoopback {
                compareNames(was, isInUse: isInUse)
                lose(was, isInUse: isInUse, &step)
            }
            expired += regain(interface, isRunning: isRunning, &step)
        }
        return expired
    }

    /// Reports the removals of services that were not found again in time, and the paths that were lost for long.
    ///
    /// - Returns: The paths whose earlier sightings no longer count.
    mutating func advance(_ step: inout DiscoveryStep) -> [NetworkPath] {
        guard let due = deadline, due <= step.now else { return [] }
        var expired: [NetworkPath] = []
        for interface in links.keys.sorted(by: { $0.index < $1.index }) {
            let overdue = links[interface]?.lost.filter { $0.value <= step.now } ?? [:]
            expired += expire(interface, Set(overdue.keys), &step)
            if let due = links[interface]?.caughtUpDue, due <= step.now {
                finishCatchingUp(interface, &step)
            }
            forgetIfOver(interface)
        }
        return expired
    }

    /// Withholds the removal of a service without a live path, if its interface is waited for.
    ///
    /// - Returns: Whether the removal is withheld.
    mutating func withhold(_ sighting: Sighting) -> Bool {
        guard links[sighting.interface]?.withholds(sighting) == true,
            withheldCount < Self.removalLimit
        else { return false }
        if links[sighting.interface]?.withheld.insert(sighting).inserted == true {
            withheldCount += 1
        }
        return true
    }

    /// Drops the removal of a service that was found again.
    mutating func found(_ sighting: Sighting) {
        guard !links.isEmpty else { return }
        let isCatchingUp = links[sighting.interface]?.caughtUpDue != nil
        if links[sighting.interface]?.withheld.remove(sighting) != nil { withheldCount -= 1 }
        if isCatchingUp { links[sighting.interface]?.found.insert(sighting) }
    }

    /// Records that the stack still has services on a path whose sightings no longer count. Everything must be browsed
    /// again, because the stack would not report these services again.
    mutating func stackKeeps(_ path: NetworkPath) {
        if links[path.interface]?.lost[path.family] != nil {
            links[path.interface]?.needsRestart = true
        } else {
            isRestartDue = true
        }
    }

    /// Forgets the withheld removals, because everything is browsed again.
    mutating func browsingEnded() {
        isRestartDue = false
        withheldCount = 0
        for interface in Array(links.keys) {
            links[interface]?.withheld = []
            links[interface]?.found = []
            links[interface]?.caughtUpDue = nil
            links[interface]?.needsRestart = false
            forgetIfOver(interface)
        }
    }

    /// Causes everything to be browsed again if an interface in use has another name, because the paths of services and
    /// the scopes of addresses contain the name.
    private mutating func compareNames(
        _ was: LocalInterface, isInUse: (NetworkPath) -> Bool
    ) {
        guard let now = interfaces[was.interface], now.interface.name != was.interface.name else {
            return
        }
        if links[was.interface]?.lost.isEmpty == false {
            links[was.interface]?.needsRestart = true
        } else if was.families.contains(where: { isInUse(was.path($0)) }) {
            isRestartDue = true
        }
    }

    /// Reports the families that an interface has lost.
    private mutating func lose(
        _ was: LocalInterface, isInUse: (NetworkPath) -> Bool, _ step: inout DiscoveryStep
    ) {
        let interface = was.interface
        let lost = was.liveFamilies.subtracting(interfaces[interface]?.liveFamilies ?? [])
            .filter { links[interface]?.caughtUpDue != nil || isInUse(was.path($0)) }
        guard !lost.isEmpty, links[interface] != nil || links.count < Self.linkLimit else { return }
        var link = links[interface] ?? Link(interface: interface, networks: was.networks)
        for family in lost { link.lost[family] = step.now + Self.patience }
        link.found = []
        links[interface] = link
        reportLoss(of: link, &step)
    }

    /// Reports the families of a lost interface that are back.
    private mutating func regain(
        _ interface: NetworkInterface, isRunning: Bool, _ step: inout DiscoveryStep
    ) -> [NetworkPath] {
        guard var link = links[interface], !link.lost.isEmpty else { return [] }
        let now = interfaces[interface]
        let back = Set(link.lost.keys).intersection(now?.liveFamilies ?? [])
        guard let now, !back.isEmpty else {
            wait(for: &link, now, until: step.now + Self.catchUpTime)
            links[interface] = link
            return []
        }
        var expired: [NetworkPath] = []
        let isElsewhere =
            !link.networks.isEmpty && !now.networks.isEmpty
            && link.networks.isDisjoint(with: now.networks)
        if isElsewhere {
            expired = expire(interface, back, &step)
            finishCatchingUp(interface, &step)
            link = links[interface] ?? link
        }
        let isAwaited = !back.isSubset(of: link.expired)
        for family in back { link.lost[family] = nil }
        link.expired.subtract(back)
        // A stack that has not noticed the loss does not query records again that have expired meanwhile.
        if link.lacksCarrierOnly, !link.withheld.isEmpty { link.needsRestart = true }
        if isRunning {
            if isAwaited { link.caughtUpDue = step.now + Self.catchUpTime }
            isRestartDue = isRestartDue || link.needsRestart
        }
        links[interface] = link
        if link.lost.isEmpty {
            step.report(.linkBack(link.interface))
        } else {
            reportLoss(of: link, &step)
        }
        forgetIfOver(interface)
        return expired
    }

    /// Handles the state of an interface that is not back.
    private func wait(
        for link: inout Link, _ now: LocalInterface?, until due: Duration
    ) {
        if now.map({ $0.isUp && !$0.hasCarrier && !$0.addresses.isEmpty }) != true {
            link.lacksCarrierOnly = false
        }
        if hasSuccessor(link.interface) { link.lost = link.lost.mapValues { min($0, due) } }
    }

    /// Whether an interface was removed and created again, such as a VPN's: with the same name and another index.
    private func hasSuccessor(_ interface: NetworkInterface) -> Bool {
        interfaces[interface] == nil
            && interfaces.values.contains {
                $0.interface.name == interface.name && !$0.liveFamilies.isEmpty
            }
    }

    /// Reports that the sightings through lost families of an interface no longer count.
    private mutating func expire(
        _ interface: NetworkInterface, _ families: Set<AddressFamily>, _ step: inout DiscoveryStep
    ) -> [NetworkPath] {
        guard let link = links[interface] else { return [] }
        let families = families.subtracting(link.expired)
        guard !families.isEmpty else { return [] }
        links[interface]?.expired.formUnion(families)
        _ = removeWithheld(on: interface) { families.contains($0.family) }
        step.report(.linkExpired(link.interface, families))
        if hasSuccessor(interface) { step.report(.linkBack(link.interface)) }
        return families.map { NetworkPath(interface: link.interface, family: $0) }.sorted()
    }

    /// Reports the services that were not found again after the return of their interface.
    private mutating func finishCatchingUp(
        _ interface: NetworkInterface, _ step: inout DiscoveryStep
    ) {
        guard let link = links[interface], link.caughtUpDue != nil else { return }
        links[interface]?.caughtUpDue = nil
        links[interface]?.found = []
        let gone = removeWithheld(on: interface) { link.lost[$0.family] == nil }
        step.report(.linkCaughtUp(link.interface, gone: gone))
    }

    private mutating func removeWithheld(
        on interface: NetworkInterface, where isOver: (Sighting) -> Bool
    ) -> Set<Sighting> {
        let over = Set(links[interface]?.withheld.filter(isOver) ?? [])
        links[interface]?.withheld.subtract(over)
        withheldCount -= over.count
        return over
    }

    /// Forgets an interface that is no longer waited for. A removed interface never returns: a new interface has
    /// another index.
    private mutating func forgetIfOver(_ interface: NetworkInterface) {
        guard let link = links[interface], link.deadline == nil,
            link.lost.isEmpty || interfaces[interface] == nil
        else { return }
        links[interface] = nil
    }

    private func reportLoss(of link: Link, _ step: inout DiscoveryStep) {
        let name = link.interface.name
        let missing =
            switch interfaces[link.interface] {
            case nil: "is gone"
            case let now? where !now.isUp: "is down"
            case let now? where !now.hasCarrier: "has no carrier"
            case let now? where now.addresses.isEmpty: "has no address"
            default: link.lost[.ipv4] == nil ? "has no IPv6 address" : "has no IPv4 address"
            }
        step.report(.linkLost(link.interface, Set(link.lost.keys), reason: "\(name) \(missing)"))
    }
}
