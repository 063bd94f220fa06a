// Caches the records that are heard, until they are withdrawn, replaced or expired.
import DNSMessages
import PeerModel

/// The records that a passive listener may believe at a time (RFC 6762, section 10).
///
/// A record is kept until its TTL is over. A TTL of 0 withdraws it a second later (section 10.1). A record with the
/// cache-flush bit replaces the others of its name and type a second later, unless they were heard within the last
/// second (section 10.2). Each path has its own records. Times are in microseconds, and must not fall.
struct RecordCache {
    /// The records of a name and a type that were heard on a path.
    struct Key: Hashable {
        let name: DNSName
        let type: UInt16
        let path: NetworkPath

        func hash(into hasher: inout Hasher) {
            hasher.combine(name)
            // In one piece, as each one takes time.
            let family = path.family == .ipv4 ? 0 : 1 << 48
            hasher.combine(Int(path.interface.index) << 16 | Int(type) | family)
        }
    }

    /// The reason for which a record is removed.
    enum Removal: Hashable { case expired, withdrawn, replaced }

    /// The arrival or the removal of a record.
    struct Change: Hashable {
        let key: Key
        let data: [UInt8]
        /// The reason of its removal; `nil` if it is new.
        let removal: Removal?
    }

    /// The maximum numbers of records: of all, and of one name and type unless they are pointers.
    static let limits = (all: 50_000, ofName: 64)
    /// The maximum number of records of one name and type among which the cache-flush bit is obeyed. Only pointers may be
    /// more, and a pointer of a type never has the bit in a correct response (RFC 6762, section 10.2).
    static let flushLimit = 1_024
    /// The maximum size of the names and data of all records, in bytes.
    static let room = 16 << 20
    /// The time for which a record is kept after it was withdrawn or replaced.
    static let grace: Int64 = 1_000_000

    private struct Entry {
        var data: [UInt8]
        var heard: Int64
        var expires: Int64
        var removal = Removal.expired
        /// The time at which the queue has the record.
        var queued: Int64
    }

    /// The data of a record, with a name in it in lower case, because names are compared without their case.
    private struct Identity: Hashable {
        let bytes: [UInt8]

        init(_ record: DNSMessage.Record) {
            let start: Int
            switch record.type {
            case DNSType.ptr: start = 0
            case DNSType.srv: start = 6
            default: start = record.data.count
            }
            let isUpper = { (byte: UInt8) in 0x41...0x5a ~= byte }
            guard record.data.dropFirst(start).contains(where: isUpper) else {
                bytes = record.data
                return
            }
            bytes =
                record.data.prefix(start)
                + record.data.dropFirst(start).map { isUpper($0) ? $0 | 0x20 : $0 }
        }

        func hash(into hasher: inout Hasher) { hasher.combine(bytes: bytes) }

        static func precedes(_ left: Identity, _ right: Identity) -> Bool {
            left.bytes.lexicographicallyPrecedes(right.bytes)
        }
    }

    /// The name and the type of records that are looked up on all paths.
    private struct NamedType: Hashable {
        let name: DNSName
        let type: UInt16
    }

    private struct Queued {
        let key: Key
        let identity: Identity
    }

    private var records: [Key: [Identity: Entry]] = [:]
    /// The paths of address and TXT records.
    private var paths: [NamedType: Set<NetworkPath>] = [:]
    private var queue = TimerQueue<Queued>()
    private(set) var count = 0
    private var size = 0
    /// The number of records that found no room.
    private(set) var refusedCount = 0

    /// The number of entries of the queue, which has more than one for some records.
    var queuedCount: Int { queue.count }

    /// The time at which ``removeDue(at:)`` may have something to remove.
    var due: Int64? { queue.due }

    /// Adds the records of a response that was heard on a path, and returns the new ones.
    ///
    /// - Complexity: O(*m* log *n*) for *m* records and *n* cached ones.
    mutating func add(
        _ response: [DNSMessage.Record], on path: NetworkPath, at now: Int64
    ) -> [Change] {
        response.compactMap { record in
            let key = Key(name: record.name, type: record.type, path: path)
            let identity = Identity(record)
            guard record.ttl > 0 else {
                shorten(key, identity, to: now + Self.grace, .withdrawn)
                return nil
            }
            guard let index = records.index(forKey: key) else {
                return insert(record, key, identity, at: now)
            }
            let place = records.values[index].index(forKey: identity)
            let known = records.values[index].count
            if record.isUnique, known <= Self.flushLimit, place == nil || known > 1 {
                let replaced = records.values[index].filter {
                    $0.key != identity && $0.value.heard < now - Self.grace
                }
                for other in replaced.keys.sorted(by: Identity.precedes) {
                    shorten(key, other, to: now + Self.grace, .replaced)
                }
            }
            guard let place else { return insert(record, key, identity, at: now) }
            prolong(record, key, identity, at: (index, place), now)
            return nil
        }
    }

    /// Removes the records whose time is over, and returns them.
    mutating func removeDue(at now: Int64) -> [Change] {
        var removed: [Change] = []
        while let (time, queued) = queue.popDue(at: now) {
            guard let entry = records[queued.key]?[queued.identity], entry.queued == time else {
                continue
            }
            if entry.expires > time {
                enqueue(queued, at: entry.expires)
                continue
            }
            records[queued.key]?[queued.identity] = nil
            if records[queued.key]?.isEmpty == true {
                records[queued.key] = nil
                removePath(of: queued.key)
            }
            count -= 1
            size -= Self.size(queued.key, entry.data)
            removed.append(Change(key: queued.key, data: entry.data, removal: entry.removal))
        }
        return removed
    }

    /// Returns the data of the records of a key, those heard last first.
    func data(of key: Key) -> [[UInt8]] {
        guard let entries = records[key] else { return [] }
        return entries.sorted { left, right in
            left.value.heard != right.value.heard
                ? left.value.heard > right.value.heard
                : Identity.precedes(left.key, right.key)
        }.map(\.value.data)
    }

    /// Returns the paths on which there are address or TXT records of a name, in order.
    func paths(of name: DNSName, _ type: UInt16) -> [NetworkPath] {
        paths[NamedType(name: name, type: type)]?.sorted() ?? []
    }

    private static let typesWithPaths: Set = [DNSType.a, DNSType.aaaa, DNSType.txt]

    private mutating func addPath(of key: Key) {
        guard Self.typesWithPaths.contains(key.type) else { return }
        paths[NamedType(name: key.name, type: key.type), default: []].insert(key.path)
    }

    private mutating func removePath(of key: Key) {
        let name = NamedType(name: key.name, type: key.type)
        paths[name]?.remove(key.path)
        if paths[name]?.isEmpty == true { paths[name] = nil }
    }

    /// Prolongs a known record.
    private mutating func prolong(
        _ record: DNSMessage.Record, _ key: Key, _ identity: Identity,
        at place: (Dictionary<Key, [Identity: Entry]>.Index, Dictionary<Identity, Entry>.Index),
        _ now: Int64
    ) {
        let expires = now + Int64(record.ttl) * 1_000_000
        var entry = records.values[place.0].values[place.1]
        size += record.data.count - entry.data.count
        (entry.data, entry.heard) = (record.data, now)
        (entry.expires, entry.removal) = (expires, .expired)
        records.values[place.0].values[place.1] = entry
        // A record that expires later stays in the queue where it is.
        if expires < entry.queued { enqueue(Queued(key: key, identity: identity), at: expires) }
    }

    /// Adds a record if there is room, and returns the change.
    private mutating func insert(
        _ record: DNSMessage.Record, _ key: Key, _ identity: Identity, at now: Int64
    ) -> Change? {
        let expires = now + Int64(record.ttl) * 1_000_000
        let size = Self.size(key, record.data)
        guard count < Self.limits.all, self.size + size <= Self.room,
            key.type == DNSType.ptr || (records[key]?.count ?? 0) < Self.limits.ofName
        else {
            refusedCount += 1
            return nil
        }
        if records[key] == nil { addPath(of: key) }
        records[key, default: [:]][identity] = Entry(
            data: record.data, heard: now, expires: expires, queued: expires)
        count += 1
        self.size += size
        enqueue(Queued(key: key, identity: identity), at: expires)
        return Change(key: key, data: record.data, removal: nil)
    }

    /// Has a record expire at a time, unless it expires earlier.
    private mutating func shorten(
        _ key: Key, _ identity: Identity, to expires: Int64, _ removal: Removal
    ) {
        guard let entry = records[key]?[identity], entry.expires > expires else { return }
        records[key]?[identity]?.expires = expires
        records[key]?[identity]?.removal = removal
        if expires < entry.queued { enqueue(Queued(key: key, identity: identity), at: expires) }
    }

    private mutating func enqueue(_ queued: Queued, at time: Int64) {
        records[queued.key]?[queued.identity]?.queued = time
        queue.add(queued, at: time)
        // Entries that count no more leave when they are due, which may be never.
        guard queue.count > 2 * count + 1_024 else { return }
        queue.removeAll { records[$1.key]?[$1.identity]?.queued != $0 }
    }

    private static func size(_ key: Key, _ data: [UInt8]) -> Int {
        key.name.bytes.count + data.count
    }
}
