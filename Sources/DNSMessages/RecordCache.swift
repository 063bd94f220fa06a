// Caches the records that are heard, until they are withdrawn, replaced or expired.

/// The records that a listener may believe at a time (RFC 6762, section 10).
///
/// A record is kept until its TTL is over. A TTL of 0 withdraws it a second later (section 10.1). A record with the
/// cache-flush bit replaces the others of its name and type a second later, unless they were heard within the last
/// second (section 10.2). Each path has its own records. Times are in microseconds, and must not fall.
package struct RecordCache: Sendable {
    /// The records of a name and a type that were heard on a path.
    package struct Key: Sendable, Hashable {
        package let name: DNSName
        package let type: UInt16
        package let path: RecordPath

        package init(name: DNSName, type: UInt16, path: RecordPath) {
            (self.name, self.type, self.path) = (name, type, path)
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(name)
            // In one piece, as each one takes time.
            hasher.combine(Int(path.interface) << 16 | Int(type) | (path.isIPv6 ? 1 << 48 : 0))
        }
    }

    /// The reasons for which a record is no longer believed.
    package enum End: UInt8, Sendable, Hashable, CaseIterable {
        /// Nothing has refreshed it within its TTL.
        case expired = 1
        /// A sender of the record withdrew it.
        case withdrawn
        /// A machine withdrew it that was never heard to announce it.
        case withdrawnByOther
        /// A record with the cache-flush bit took its place.
        case replaced
    }

    /// A change of a record.
    package struct Change: Sendable, Hashable {
        package enum Kind: Sendable, Hashable {
            /// It is new.
            case added(ttl: UInt32)
            /// It was heard again: for the first time of this sender, after half of its TTL, or before its end came.
            case refreshed(ttl: UInt32)
            /// It ends within a second, unless it is announced again.
            case ending(End)
            /// It is removed.
            case removed(End)
        }

        package let key: Key
        package let data: [UInt8]
        package let kind: Kind
        /// The sender of the message that changed it; of a record that has expired, its first sender.
        package let sender: Sender
    }

    /// The maximum numbers of records: of all, and of one name and type unless they are pointers.
    package static let limits = (all: 50_000, ofName: 64)
    /// The maximum size of the names and data of all records, in bytes.
    package static let room = 16 << 20
    /// The maximum number of senders of a record that are told apart.
    static let senderLimit = 8
    /// The time for which a record is kept after it was withdrawn or replaced.
    package static let grace: Int64 = 1_000_000

    private struct Entry {
        var data: [UInt8]
        /// The senders that announced the record.
        var senders: [Sender]
        var heard: Int64
        /// The time at which the record was reported as new or refreshed last.
        var reported: Int64
        var expires: Int64
        var end = End.expired
        /// The sender of the message that ends the record.
        var ender: Sender?
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

    private struct Queued {
        let key: Key
        let identity: Identity
    }

    private var records: [Key: [Identity: Entry]] = [:]
    private var queue = TimerQueue<Queued>()
    /// The number of records.
    package private(set) var count = 0
    private var size = 0
    /// The number of records that found no room.
    package private(set) var refusedCount = 0

    /// The number of entries of the queue, which has more than one for some records.
    package var queuedCount: Int { queue.count }

    /// The time at which ``removeDue(at:)`` may have something to remove.
    package var due: Int64? { queue.due }

    package init() {}

    /// Adds records of a sender that may be believed, and returns what has changed.
    ///
    /// - Complexity: O(*m* log *n*) for *m* records and *n* cached ones.
    package mutating func add(
        _ response: [DNSMessage.Record], from sender: Sender, at now: Int64
    ) -> [Change] {
        var changes: [Change] = []
        for record in response {
            let key = Key(name: record.name, type: record.type, path: sender.path)
            let identity = Identity(record)
            guard record.ttl > 0 else {
                changes += end(key, identity, by: sender, isReplaced: false, at: now)
                continue
            }
            guard let index = records.index(forKey: key) else {
                changes += insert(record, key, identity, of: sender, at: now)
                continue
            }
            let place = records.values[index].index(forKey: identity)
            if record.replacesOthers, place == nil || records.values[index].count > 1 {
                let replaced = records.values[index].filter {
                    $0.key != identity && $0.value.heard < now - Self.grace
                }
                for other in replaced.keys.sorted(by: Identity.precedes) {
                    changes += end(key, other, by: sender, isReplaced: true, at: now)
                }
            }
            if let place {
                changes += prolong(record, key, identity, of: sender, at: (index, place), now)
            } else {
                changes += insert(record, key, identity, of: sender, at: now)
            }
        }
        return changes
    }

    /// Removes the records whose time is over, and returns them.
    package mutating func removeDue(at now: Int64) -> [Change] {
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
            if records[queued.key]?.isEmpty == true { records[queued.key] = nil }
            count -= 1
            size -= Self.size(queued.key, entry.data)
            removed.append(
                Change(
                    key: queued.key, data: entry.data, kind: .removed(entry.end),
                    sender: entry.ender ?? entry.senders[0]))
        }
        return removed
    }

    /// Prolongs a known record; returns the change if it is to be reported.
    private mutating func prolong(
        _ record: DNSMessage.Record, _ key: Key, _ identity: Identity, of sender: Sender,
        at place: (Dictionary<Key, [Identity: Entry]>.Index, Dictionary<Identity, Entry>.Index),
        _ now: Int64
    ) -> [Change] {
        let life = Int64(record.ttl) * 1_000_000
        var entry = records.values[place.0].values[place.1]
        size += record.data.count - entry.data.count
        var isReported = entry.end != .expired || now - entry.reported >= life / 2
        if !entry.senders.contains(sender), entry.senders.count < Self.senderLimit {
            entry.senders.append(sender)
            isReported = true
        }
        (entry.data, entry.heard) = (record.data, now)
        (entry.expires, entry.end, entry.ender) = (now + life, .expired, nil)
        if isReported { entry.reported = now }
        records.values[place.0].values[place.1] = entry
        // A record that expires later stays in the queue where it is.
        if entry.expires < entry.queued {
            enqueue(Queued(key: key, identity: identity), at: entry.expires)
        }
        guard isReported else { return [] }
        return [
            Change(key: key, data: record.data, kind: .refreshed(ttl: record.ttl), sender: sender)
        ]
    }

    /// Adds a record if there is room, and returns the change.
    private mutating func insert(
        _ record: DNSMessage.Record, _ key: Key, _ identity: Identity, of sender: Sender,
        at now: Int64
    ) -> [Change] {
        let expires = now + Int64(record.ttl) * 1_000_000
        let size = Self.size(key, record.data)
        guard count < Self.limits.all, self.size + size <= Self.room,
            key.type == DNSType.ptr || (records[key]?.count ?? 0) < Self.limits.ofName
        else {
            refusedCount += 1
            return []
        }
        records[key, default: [:]][identity] = Entry(
            data: record.data, senders: [sender], heard: now, reported: now, expires: expires,
            queued: expires)
        count += 1
        self.size += size
        enqueue(Queued(key: key, identity: identity), at: expires)
        return [Change(key: key, data: record.data, kind: .added(ttl: record.ttl), sender: sender)]
    }

    /// Has a known record end within a second, unless it expires earlier; returns the change.
    private mutating func end(
        _ key: Key, _ identity: Identity, by sender: Sender, isReplaced: Bool, at now: Int64
    ) -> [Change] {
        guard let entry = records[key]?[identity] else { return [] }
        let isOwn = entry.senders.contains(sender)
        let end: End = isReplaced ? .replaced : isOwn ? .withdrawn : .withdrawnByOther
        let expires = min(entry.expires, now + Self.grace)
        // The word of a sender of the record counts more than that of another machine, whichever comes first.
        guard expires < entry.expires || end == .withdrawn && entry.end != .withdrawn else {
            return []
        }
        records[key]?[identity]?.expires = expires
        records[key]?[identity]?.end = end
        records[key]?[identity]?.ender = sender
        if expires < entry.queued { enqueue(Queued(key: key, identity: identity), at: expires) }
        return [Change(key: key, data: entry.data, kind: .ending(end), sender: sender)]
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
