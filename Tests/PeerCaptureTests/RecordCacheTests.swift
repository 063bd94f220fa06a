// Laws of the cache of heard records, beside a model that looks at every record each time.
import DNSMessages
import TestSupport
import Testing

/// RFC 6762, section 10, in as few words as possible.
private struct NaiveCache {
    struct Record: Hashable {
        let name: String
        let type: UInt16
        let data: [UInt8]
        let path: Int32
        var heard: Int64
        var end: Int64

        var key: [String] { [name, "\(type)", "\(path)"] }
    }

    var records: [Record] = []

    mutating func advance(to now: Int64) { records.removeAll { $0.end <= now } }

    mutating func add(_ response: [ScriptRecord], on path: Int32, at now: Int64) {
        advance(to: now)
        for record in response {
            let new = Record(
                name: record.name, type: record.type, data: record.data, path: path, heard: now,
                end: now + Int64(record.ttl) * 1_000_000)
            let index = records.firstIndex { $0.key == new.key && $0.data == new.data }
            if record.ttl == 0 {
                if let index { records[index].end = min(records[index].end, now + 1_000_000) }
                continue
            }
            if record.isUnique {
                for other in records.indices
                where other != index && records[other].key == new.key
                    && records[other].heard < now - 1_000_000
                {
                    records[other].end = min(records[other].end, now + 1_000_000)
                }
            }
            if let index { records[index] = new } else { records.append(new) }
        }
    }
}

@Suite struct RecordCacheTests {
    private let senders = [1, 2].map { Sender(address: [10, 0, 0, 1], interface: $0) }

    private func random(_ generator: inout SeededGenerator) -> ScriptRecord {
        let host = ["a", "b"].randomElement(using: &generator) ?? "a"
        let ttl: UInt32 = [0, 1, 2, 10, 120, .max].randomElement(using: &generator) ?? 0
        switch Int.random(in: 0..<3, using: &generator) {
        case 0:
            return .address(
                host, [10, 0, 0, .random(in: 1...4, using: &generator)], ttl: ttl,
                isUnique: Bool.random(using: &generator))
        case 1: return .pointer("_http._tcp", host, ttl: ttl)
        default:
            return .location(
                "\(host)._http._tcp", "h", port: .random(in: 1...3, using: &generator), ttl: ttl)
        }
    }

    @Test(arguments: seeds(400))
    func `random responses end as the model has it`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var (cache, model) = (RecordCache(), NaiveCache())
        var folded: Set<[UInt8]> = []
        var now: Int64 = 1_000_000_000
        func fold(_ changes: [RecordCache.Change]) {
            for change in changes {
                let id = id(
                    change.key.name.bytes, change.key.type, change.key.path.interface,
                    change.data)
                switch change.kind {
                case .added: #expect(folded.insert(id).inserted)
                case .removed: #expect(folded.remove(id) != nil)
                case .refreshed, .ending: #expect(folded.contains(id))
                }
            }
        }
        for _ in 0..<60 {
            now +=
                [0, 1, 400_000, 600_000, 1_000_000, 2_500_000, 100_000_000]
                .randomElement(using: &generator) ?? 0
            let sender = try #require(senders.randomElement(using: &generator))
            let records = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                random(&generator)
            }
            fold(cache.removeDue(at: now))
            model.advance(to: now)
            if Bool.random(using: &generator) {
                let answers = try #require(DNSMessage(message(records))).answers
                fold(cache.add(answers, from: sender, at: now))
                model.add(records, on: sender.interface, at: now)
            }
            let expected = Set(
                model.records.map { id(ScriptRecord.wire($0.name), $0.type, $0.path, $0.data) })
            #expect(folded == expected)
            #expect(cache.count == expected.count)
        }
    }

    private func id(_ name: [UInt8], _ type: UInt16, _ path: Int32, _ data: [UInt8]) -> [UInt8] {
        [UInt8(path), UInt8(type)] + name + data
    }

    @Test func `names are compared without their case`() throws {
        var cache = RecordCache()
        let sender = senders[0]
        func add(_ record: ScriptRecord) throws -> Int {
            let answers = try #require(DNSMessage(message([record]))).answers
            return cache.add(answers, from: sender, at: 0).count
        }
        #expect(try add(.pointer("_http._tcp", "Web")) == 1)
        #expect(try add(.pointer("_HTTP._tcp", "wEB")) == 0)
        #expect(cache.count == 1)
    }

    @Test func `the cache-flush bit of a pointer replaces none`() throws {
        var cache = RecordCache()
        for number in 0..<3 { _ = try add(.pointer("_x._tcp", "\(number)"), to: &cache, at: 0) }
        var last = ScriptRecord.pointer("_x._tcp", "0")
        last.isUnique = true
        #expect(try add(last, to: &cache, at: 2_000_000).isEmpty)
        #expect(cache.removeDue(at: 4_000_000).isEmpty)
        #expect(cache.count == 3)
    }

    @Test func `a known record is reported again when half of its life is over, or by others`()
        throws
    {
        var cache = RecordCache()
        let record = ScriptRecord.address("h", [10, 0, 0, 1], ttl: 120)
        #expect(try add(record, to: &cache, at: 0).map(\.kind) == [.added(ttl: 120)])
        #expect(try add(record, to: &cache, at: 59_999_999).isEmpty)
        #expect(try add(record, to: &cache, at: 60_000_000).map(\.kind) == [.refreshed(ttl: 120)])
        let other = Sender(address: [10, 0, 0, 2], interface: 1)
        let change = try add(record, of: other, to: &cache, at: 60_000_001)
        #expect(change.map(\.kind) == [.refreshed(ttl: 120)] && change.map(\.sender) == [other])
        #expect(try add(record, of: other, to: &cache, at: 60_000_002).isEmpty)
    }

    @Test func `the ends of records are told apart`() throws {
        let other = Sender(address: [10, 0, 0, 2], interface: 1)
        let record = ScriptRecord.address("h", [10, 0, 0, 1], ttl: 120, isUnique: true)
        var goodbye = record
        goodbye.ttl = 0
        let replacement = ScriptRecord.address("h", [10, 0, 0, 9], ttl: 120, isUnique: true)
        let enders: [(ScriptRecord, Sender, RecordCache.End)] = [
            (goodbye, senders[0], .withdrawn), (goodbye, other, .withdrawnByOther),
            (replacement, other, .replaced),
        ]
        for (ender, sender, end) in enders {
            var cache = RecordCache()
            _ = try add(record, to: &cache, at: 0)
            let change = try add(ender, of: sender, to: &cache, at: 2_000_000).first
            #expect(change?.kind == .ending(end) && change?.sender == sender)
            let removed = cache.removeDue(at: 3_000_000)
            #expect(removed.map(\.kind) == [.removed(end)] && removed.map(\.sender) == [sender])
        }
        var cache = RecordCache()
        _ = try add(record, to: &cache, at: 0)
        let removed = cache.removeDue(at: 120_000_000)
        #expect(removed.map(\.kind) == [.removed(.expired)])
        #expect(removed.map(\.sender) == [senders[0]])
    }

    @Test func `a record that is announced again before its end came is reported again`() throws {
        var cache = RecordCache()
        let record = ScriptRecord.pointer("_x._tcp", "a", ttl: 120)
        var goodbye = record
        goodbye.ttl = 0
        _ = try add(record, to: &cache, at: 0)
        _ = try add(goodbye, to: &cache, at: 1_000_000)
        #expect(try add(record, to: &cache, at: 1_500_000).map(\.kind) == [.refreshed(ttl: 120)])
        #expect(cache.removeDue(at: 5_000_000).isEmpty)
    }

    @Test func `the goodbye of a sender of a record counts more than that of another`() throws {
        let other = Sender(address: [10, 0, 0, 2], interface: 1)
        var goodbye = ScriptRecord.pointer("_x._tcp", "a", ttl: 120)
        var cache = RecordCache()
        _ = try add(goodbye, to: &cache, at: 0)
        goodbye.ttl = 0
        for (sender, count) in [(other, 1), (senders[0], 1), (other, 0), (senders[0], 0)] {
            #expect(try add(goodbye, of: sender, to: &cache, at: 1).count == count)
        }
        #expect(cache.removeDue(at: 2_000_000).map(\.kind) == [.removed(.withdrawn)])
    }

    private func add(
        _ record: ScriptRecord, of sender: Sender? = nil, to cache: inout RecordCache,
        at time: Int64
    ) throws -> [RecordCache.Change] {
        let answers = try #require(DNSMessage(message([record]))).answers
        return cache.add(answers, from: sender ?? senders[0], at: time)
    }

    @Test func `what others announce is bounded`() throws {
        var cache = RecordCache()
        for host in 0..<20 {
            for address in 0..<200 {
                let record = ScriptRecord.address(
                    "h\(host)", [10, 0, UInt8(host), UInt8(address)], isUnique: false)
                let answers = try #require(DNSMessage(message([record]))).answers
                _ = cache.add(answers, from: senders[0], at: 0)
            }
        }
        #expect(cache.count == 20 * RecordCache.limits.ofName)
        #expect(cache.refusedCount == 20 * (200 - RecordCache.limits.ofName))
        // Records that are withdrawn and announced in turn leave nothing behind.
        let record = ScriptRecord.pointer("_http._tcp", "Web", ttl: .max)
        var goodbye = record
        goodbye.ttl = 0
        let messages = try [record, goodbye].map {
            try #require(DNSMessage(message([$0]))).answers
        }
        for step in 0..<20_000 {
            for answers in messages {
                _ = cache.add(answers, from: senders[0], at: Int64(step) * 1_000)
            }
        }
        #expect(cache.queuedCount <= 2 * cache.count + 1_024)
    }

    @Test func `records that expire at one time leave in the order in which they were heard`()
        throws
    {
        func answers(ttl: UInt32) throws -> [DNSMessage.Record] {
            let records = (0..<500).map { number in
                ScriptRecord.pointer("_http._tcp", "S\(number)", ttl: ttl)
            }
            return try #require(DNSMessage(message(records), sizeLimit: .max)).answers
        }
        var cache = RecordCache()
        // Withdrawn and announced again so often that entries of the queue are dropped.
        for step in 0..<10 as Range<Int64> {
            _ = cache.add(try answers(ttl: 4_500), from: senders[0], at: step * 5_000_000)
            _ = cache.add(try answers(ttl: 0), from: senders[0], at: step * 5_000_000)
            _ = cache.add(try answers(ttl: 4_500), from: senders[0], at: step * 5_000_000)
            #expect(cache.removeDue(at: step * 5_000_000 + 2_000_000).isEmpty)
        }
        let removed = cache.removeDue(at: .max).map { DNSName(wire: $0.data)?.text ?? "" }
        #expect(removed == (0..<500).map { "S\($0)._http._tcp.local" })
    }
}
