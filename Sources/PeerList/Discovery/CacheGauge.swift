// Estimates how full a stack's cache is, from the services that it reports.
import FoundationEssentials

/// Counts the records that a stack must cache for the services that it reports.
///
/// A stack caches a bounded number of records for each interface and family. It drops further ones without a
/// word, so that only the number of records behind its own reports shows that the cache is full. A service has a
/// PTR, an SRV and a TXT record, and one more PTR record for each subtype under which it was found. A host has an A
/// and an AAAA record, and a service that is not resolved counts as a host of its own. A type has a PTR record.
struct CacheGauge {
    private struct Entry {
        let type: String
        var host: String?
        /// The number of browses that see it on each path.
        var sightings: [LinkPath: Int] = [:]
    }

    /// A host or a type, on a path.
    private struct Shared: Hashable {
        let name: String
        let path: LinkPath
    }

    private static var perService: Int { 3 }
    private static var perHost: Int { 2 }

    private var services: [UUID: Entry] = [:]
    private var hosts: [Shared: Int] = [:]
    private var types: [Shared: Int] = [:]
    private var records: [LinkPath: Int] = [:]

    /// The path with the most records.
    ///
    /// - Complexity: O(*p*), where *p* is the number of paths.
    var fullest: (path: LinkPath, records: Int)? {
        records.max { $0.value < $1.value }.map { ($0.key, $0.value) }
    }

    /// Notes that a browse sees a service on a path.
    mutating func found(_ id: UUID, type: String, on path: LinkPath) {
        var entry = services[id] ?? Entry(type: type)
        let count = entry.sightings[path, default: 0]
        entry.sightings[path] = count + 1
        services[id] = entry
        guard count == 0 else {
            records[path, default: 0] += 1
            return
        }
        records[path, default: 0] += Self.perService
        share(\.types, entry.type, path, 1, worth: 1)
        countHost(entry.host, path, 1)
    }

    /// Notes that a browse does not see a service on a path any more.
    mutating func removed(_ id: UUID, on path: LinkPath) {
        guard var entry = services[id], let count = entry.sightings[path] else { return }
        entry.sightings[path] = count > 1 ? count - 1 : nil
        services[id] = entry.sightings.isEmpty ? nil : entry
        guard count == 1 else {
            records[path, default: 0] -= 1
            return
        }
        records[path, default: 0] -= Self.perService
        share(\.types, entry.type, path, -1, worth: 1)
        countHost(entry.host, path, -1)
        if records[path] == 0 { records[path] = nil }
    }

    /// Sets the host of a service.
    mutating func resolved(_ id: UUID, host: String) {
        guard let entry = services[id], entry.host != host else { return }
        services[id]?.host = host
        for path in entry.sightings.keys {
            countHost(entry.host, path, -1)
            countHost(host, path, 1)
        }
    }

    private mutating func countHost(_ host: String?, _ path: LinkPath, _ step: Int) {
        guard let host else {
            records[path, default: 0] += step * Self.perHost
            return
        }
        share(\.hosts, host, path, step, worth: Self.perHost)
    }

    /// Counts a host or type that services share: its records are there with the first service, and gone with the last.
    private mutating func share(
        _ tally: WritableKeyPath<Self, [Shared: Int]>, _ name: String, _ path: LinkPath,
        _ step: Int,
        worth: Int
    ) {
        let shared = Shared(name: name, path: path)
        let before = self[keyPath: tally][shared, default: 0]
        let after = before + step
        self[keyPath: tally][shared] = after == 0 ? nil : after
        if (before == 0) != (after == 0) { records[path, default: 0] += step * worth }
    }
}
