// How full a daemon's cache must be by now, from the services that it told of.
import FoundationEssentials

/// Counts the records that a daemon must hold for the services that it told of.
///
/// A daemon keeps a bounded number of records for each interface and family.
/// When it has them, it drops what is new and tells nobody, so that the only
/// sign of it is how many records its own answers stand for. A service stands
/// for its PTR, SRV and TXT record, and for one more PTR record with each
/// subtype under which it was found; a host for an A and an AAAA record,
/// and one that is not known yet is taken for a host of its own; a type for
/// the PTR record that names it.
struct CacheGauge<Path: Hashable> {
    private struct Entry {
        let type: String
        var host: String?
        /// How many browses saw it on each path.
        var sightings: [Path: Int] = [:]
    }

    /// A host or a type, on a path.
    private struct Shared: Hashable {
        let name: String
        let path: Path
    }

    private static var perService: Int { 3 }
    private static var perHost: Int { 2 }

    private var services: [UUID: Entry] = [:]
    private var hosts: [Shared: Int] = [:]
    private var types: [Shared: Int] = [:]
    private var records: [Path: Int] = [:]

    /// The path for which the most records are held.
    ///
    /// - Complexity: O(*p*), where *p* is the number of paths.
    var fullest: (path: Path, records: Int)? {
        records.max { $0.value < $1.value }.map { ($0.key, $0.value) }
    }

    /// A browse saw a service on a path.
    mutating func found(_ id: UUID, type: String, on path: Path) {
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

    /// A browse that saw a service on a path sees it no longer.
    mutating func removed(_ id: UUID, on path: Path) {
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

    /// The host that offers a service is known, or another one than before.
    mutating func resolved(_ id: UUID, host: String) {
        guard let entry = services[id], entry.host != host else { return }
        services[id]?.host = host
        for path in entry.sightings.keys {
            countHost(entry.host, path, -1)
            countHost(host, path, 1)
        }
    }

    private mutating func countHost(_ host: String?, _ path: Path, _ step: Int) {
        guard let host else {
            records[path, default: 0] += step * Self.perHost
            return
        }
        share(\.hosts, host, path, step, worth: Self.perHost)
    }

    /// Counts what services share: it is there with the first of them, and gone with the last.
    private mutating func share(
        _ tally: WritableKeyPath<Self, [Shared: Int]>, _ name: String, _ path: Path, _ step: Int,
        worth: Int
    ) {
        let shared = Shared(name: name, path: path)
        let before = self[keyPath: tally][shared, default: 0]
        let after = before + step
        self[keyPath: tally][shared] = after == 0 ? nil : after
        if (before == 0) != (after == 0) { records[path, default: 0] += step * worth }
    }
}
