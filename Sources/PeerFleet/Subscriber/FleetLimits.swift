// Counts what a fleet holds, as a whole and of each name, against its limits.
import PeerModel

/// The limits of a fleet.
package struct FleetLimits: Sendable {
    /// Amounts that are limited, or in use.
    package struct Amounts: Sendable {
        package var observers = 0
        package var peers = 0
        /// The size of the messages about the peers in bytes.
        package var bytes = 0
        /// The number of observers whose peers are read at once.
        package var reads = 0

        package init(observers: Int = 0, peers: Int = 0, bytes: Int = 0, reads: Int = 0) {
            (self.observers, self.peers) = (observers, peers)
            (self.bytes, self.reads) = (bytes, reads)
        }

        fileprivate static func += (left: inout Amounts, right: Amounts) {
            left.observers += right.observers
            left.peers += right.peers
            left.bytes += right.bytes
            left.reads += right.reads
        }

        /// Whether more can be added without exceeding a limit; what decreases always fits.
        fileprivate func hasRoom(for more: Amounts, in limit: Amounts) -> Bool {
            func fits(_ amount: KeyPath<Amounts, Int>) -> Bool {
                more[keyPath: amount] <= 0
                    || self[keyPath: amount] + more[keyPath: amount] <= limit[keyPath: amount]
            }
            return fits(\.observers) && fits(\.peers) && fits(\.bytes) && fits(\.reads)
        }
    }

    /// The limits of all observers together.
    package var all = Amounts(observers: 1_000, peers: 200_000, bytes: 512 << 20, reads: 8)
    /// The limits of the observers of one name at all sites. The user of this name may be allowed to write
    /// at any site.
    package var ofName = Amounts(observers: 50, peers: 50_000, bytes: 128 << 20, reads: 4)
    /// The maximum number of domains of the services that the observers of one name publish.
    package var domainsOfName = 8

    package init() {}
}

/// The amounts that a fleet holds.
struct FleetUsage {
    /// The observers that share a limit.
    enum Scope: Equatable { case all, ofName }

    private struct Share {
        var amounts = FleetLimits.Amounts()
        var domains: Set<String> = []
    }

    private let limits: FleetLimits
    private var all = Share()
    private var names: [ObserverName: Share] = [:]

    init(_ limits: FleetLimits) { self.limits = limits }

    /// The amounts of the observers that have the name of an observer.
    func amounts(ofName name: ObserverName) -> FleetLimits.Amounts {
        names[name.withoutSite]?.amounts ?? .init()
    }

    /// Whether peers are being read.
    var isReading: Bool { all.amounts.reads > 0 }

    /// Forgets the reads of an earlier connection.
    mutating func beginConnection() {
        all.amounts.reads = 0
        for name in names.keys { names[name]?.amounts.reads = 0 }
    }

    /// Returns the limit that amounts of an observer would exceed, its name's limit first.
    func obstacle(to more: FleetLimits.Amounts, of name: ObserverName) -> Scope? {
        if !amounts(ofName: name).hasRoom(for: more, in: limits.ofName) { return .ofName }
        return all.amounts.hasRoom(for: more, in: limits.all) ? nil : .all
    }

    /// Adds amounts of an observer, which may be negative.
    mutating func add(_ more: FleetLimits.Amounts, of name: ObserverName) {
        all.amounts += more
        let key = name.withoutSite
        names[key, default: Share()].amounts += more
        if names[key]?.amounts.observers == 0 { names[key] = nil }
    }

    /// Adds the domain of a service of an observer; returns `false` if its name has too many.
    mutating func add(domain: String, of name: ObserverName) -> Bool {
        let key = name.withoutSite
        guard let known = names[key]?.domains, !known.contains(domain) else { return true }
        guard known.count < limits.domainsOfName else { return false }
        names[key]?.domains.insert(domain)
        return true
    }
}

extension ObserverName {
    /// The name alone, with an empty site.
    var withoutSite: ObserverName { ObserverName(site: "", observer: observer) }
}
