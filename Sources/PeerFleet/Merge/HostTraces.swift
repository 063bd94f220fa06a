// Tells apart the hosts that have one name on several networks, by what observers know of them.
import FoundationEssentials
import PeerModel

/// The addresses and MAC addresses of a host, by which observers recognise it; link-local IPv6 addresses without the
/// interface of the observer, and no addresses that machines have on networks of their own.
struct HostTraces {
    private(set) var values: Set<[UInt8]> = []
    private var hasIPv4 = false
    private var hasLinkLocal = false

    private init() {}

    /// Creates the traces of a host as an observer has published it.
    init(_ peer: Peer) {
        for text in peer.addresses {
            guard let address = HostAddress(parsing: Self.withoutScope(text)),
                !address.isLoopback, !address.isOfBridge
            else { continue }
            values.insert(address.bytes)
            if address.family == .ipv4 { hasIPv4 = true }
            if address.scope != nil { hasLinkLocal = true }
        }
        for mac in peer.macs.lazy.compactMap({ MACAddress($0) }) {
            values.insert(Array(mac.description.utf8))
        }
    }

    /// Whether these are the traces of another host than others: they have nothing in common, although both have
    /// addresses of a kind of which a host has hardly more than one on a link. Otherwise one of them may be incomplete.
    func areApart(from other: HostTraces) -> Bool {
        values.isDisjoint(with: other.values) && isComparable(with: other)
    }

    private func isComparable(with other: HostTraces) -> Bool {
        hasIPv4 && other.hasIPv4 || hasLinkLocal && other.hasLinkLocal
    }

    private mutating func formUnion(_ other: HostTraces) {
        values.formUnion(other.values)
        hasIPv4 = hasIPv4 || other.hasIPv4
        hasLinkLocal = hasLinkLocal || other.hasLinkLocal
    }

    // MARK: Hosts

    /// A host as an observer knows it.
    struct Sighting {
        let observer: ObserverName
        let traces: HostTraces
        /// The traces that the observer knew a moment ago and knows no more.
        let former: Set<[UInt8]>
    }

    /// One of several hosts with the same name.
    struct Host {
        /// The first observer, by name, that tells the host from the others.
        let observer: ObserverName
        /// The indices of its sightings.
        fileprivate(set) var sightings: [Int]
        fileprivate var traces: HostTraces
    }

    /// Returns the hosts of one name, in the order of their first observers.
    ///
    /// Sightings are of one host if they have a trace in common. An observer that knows too little to tell its host from
    /// the others sees the first one.
    ///
    /// - Complexity: O(*t* + *n* log *n*) for *n* sightings with *t* traces.
    static func hosts(_ sightings: [Sighting]) -> [Host] {
        var groups = Groups(count: sightings.count)
        var owners: [[UInt8]: Int] = [:]
        var names: [ObserverName: Int] = [:]
        for (index, sighting) in sightings.enumerated() {
            // Bridged brokers both have an observer.
            groups.join(index, names[sighting.observer] ?? index)
            names[sighting.observer] = index
            for trace in sighting.traces.values.union(sighting.former) {
                groups.join(index, owners[trace] ?? index)
                owners[trace] = index
            }
        }
        var found: [Int: Host] = [:]
        for index in sightings.indices.sorted(by: {
            sightings[$0].observer < sightings[$1].observer
        }) {
            let observer = sightings[index].observer
            var host =
                found.removeValue(forKey: groups.first(of: index))
                ?? Host(observer: observer, sightings: [], traces: HostTraces())
            host.sightings.append(index)
            host.traces.formUnion(sightings[index].traces)
            found[groups.first(of: index)] = host
        }
        return distinct(found.values)
    }

    /// Returns hosts, each joined to one from which it cannot be told apart.
    private static func distinct(_ found: some Collection<Host>) -> [Host] {
        var hosts: [Host] = []
        /// The index of the first host of which no link-local address is known.
        var incomplete: Int?
        for host in found.sorted(by: {
            ($0.traces.lack, $0.observer) < ($1.traces.lack, $1.observer)
        }) {
            let index: Int? =
                switch host.traces.lack {
                case 0: nil
                case 1: incomplete
                default: hosts.isEmpty ? nil : 0
                }
            if let index {
                hosts[index].sightings += host.sightings
            } else {
                if !host.traces.hasLinkLocal { incomplete = incomplete ?? hosts.count }
                hosts.append(host)
            }
        }
        return hosts.sorted { $0.observer < $1.observer }
    }

    /// The number of kinds of addresses that are missing to compare the host with others, IPv4 addresses first.
    private var lack: Int { hasIPv4 ? 0 : hasLinkLocal ? 1 : 2 }

    /// Whether all rows have an address in common with the first one, or no addresses: a fast check that is made before
    /// ``hosts(_:)``.
    static func areOfOneHost(_ rows: some Sequence<ListItem>) -> Bool {
        var common: [String]?
        for row in rows where !row.peer.addresses.isEmpty || !row.peer.macs.isEmpty {
            guard let common else {
                common = row.peer.addresses.map(Self.withoutScope).filter {
                    HostAddress(parsing: $0).map { !$0.isLoopback && !$0.isOfBridge } ?? false
                }
                continue
            }
            guard row.peer.addresses.contains(where: { common.contains(Self.withoutScope($0)) })
            else {
                return false
            }
        }
        return true
    }

    private static func withoutScope(_ address: String) -> String {
        guard let end = address.utf8.firstIndex(of: UInt8(ascii: "%")) else { return address }
        return String(address[..<end])
    }
}

/// Disjoint sets of the numbers below a count (union by size, with path halving).
private struct Groups {
    private var parents: [Int]
    private var sizes: [Int]

    init(count: Int) { (parents, sizes) = (Array(0..<count), Array(repeating: 1, count: count)) }

    mutating func first(of index: Int) -> Int {
        var index = index
        while parents[index] != index {
            parents[index] = parents[parents[index]]
            index = parents[index]
        }
        return index
    }

    mutating func join(_ left: Int, _ right: Int) {
        let (left, right) = (first(of: left), first(of: right))
        guard left != right else { return }
        let (small, large) = sizes[left] < sizes[right] ? (left, right) : (right, left)
        parents[small] = large
        sizes[large] += sizes[small]
    }
}
