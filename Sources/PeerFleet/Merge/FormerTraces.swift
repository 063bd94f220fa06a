// Remembers for a while by what observers knew a host, as they hear of a new address one after the other.
import FoundationEssentials
import PeerModel

/// The traces of hosts that observers had and have no more, for three minutes.
///
/// A device that changes its address has the old one at an observer that has missed the change, until the record has
/// lived its two minutes (RFC 6762, section 10).
struct FormerTraces {
    private struct Entry {
        var values: Set<[UInt8]>
        var end: Timestamp
    }

    private struct Key: Hashable {
        let device: UUID
        /// The number of the observer.
        let observer: Int
    }

    /// The time for which traces are remembered, in microseconds.
    static let lifetime: Int64 = 180_000_000
    /// The maximum number of traces of an observer's view.
    private static let traceLimit = 64
    /// The maximum number of views whose traces are remembered; a further device may be told apart from itself for a
    /// moment.
    private static let limit = 100_000

    private var entries: [Key: Entry] = [:]
    /// When each entry ends, or is looked at again if it lasts longer.
    private var queue: ArraySlice<(time: Timestamp, key: Key)> = []

    /// Returns the former traces of a device at an observer.
    func values(of device: UUID, at observer: Int) -> Set<[UInt8]> {
        entries[Key(device: device, observer: observer)]?.values ?? []
    }

    /// Remembers the traces of a device at an observer from a time.
    mutating func add(
        _ traces: Set<[UInt8]>, of device: UUID, at observer: Int, since now: Timestamp
    ) {
        let key = Key(device: device, observer: observer)
        let end = now.advanced(by: Self.lifetime)
        if var entry = entries.removeValue(forKey: key) {
            if entry.values.count + traces.count > Self.traceLimit { entry.values = [] }
            entry.values.formUnion(traces)
            entries[key] = Entry(values: entry.values, end: end)
        } else if entries.count < Self.limit {
            entries[key] = Entry(values: traces, end: end)
            queue.append((end, key))
        }
    }

    /// Forgets traces whose time is over, and returns their devices.
    mutating func removeExpired(at now: Timestamp) -> Set<UUID> {
        var devices: Set<UUID> = []
        while let (time, key) = queue.first, time <= now {
            queue.removeFirst()
            if let end = entries[key]?.end, end > now {
                queue.append((end, key))
            } else {
                entries[key] = nil
                devices.insert(key.device)
            }
        }
        return devices
    }
}
