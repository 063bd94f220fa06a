// Laws of the cache of heard records, beside a model that looks at every record each time.
import DNSMessages
import PeerModel
import TestSupport
import Testing

@testable import PeerCapture

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
    private let paths = [1, 2].map {
        NetworkPath(interface: NetworkInterface(index: $0, name: "eth\($0)"), family: .ipv4)
    }

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

    @Test(arguments: 0..<400 as Range<UInt64>)
    func `random responses end as the model has it`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var (cache, model) = (RecordCache(), NaiveCache())
        var folded: Set<[UInt8]> = []
        var now: Int64 = 1_000_000_000
        func fold(_ changes: [RecordCache.Change]) {
            for change in changes {
                let id = id(
                    change.key.name.bytes, change.key.type, change.key.path.interface.index,
                    change.data)
                if change.removal == nil {
                    #expect(folded.insert(id).inserted)
                } else {
                    #expect(folded.remove(id) != nil)
                }
            }
        }
        for _ in 0..<60 {
            now +=
                [0, 1, 400_000, 600_000, 1_000_000, 2_500_000, 100_000_000]
                .randomElement(using: &generator) ?? 0
            let path = try #require(paths.randomElement(using: &generator))
            let records = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                random(&generator)
            }
            fold(cache.removeDue(at: now))
            model.advance(to: now)
            if Bool.random(using: &generator) {
                let answers = try #require(DNSMessage(message(records))).answers
                fold(cache.add(answers, on: path, at: now))
                model.add(records, on: path.interface.index, at: now)
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
        let path = paths[0]
        func add(_ record: ScriptRecord) throws -> Int {
            let answers = try #require(DNSMessage(message([record]))).answers
            return cache.add(answers, on: path, at: 0).count
        }
        #expect(try add(.pointer("_http._tcp", "Web")) == 1)
        #expect(try add(.pointer("_HTTP._tcp", "wEB")) == 0)
        #expect(cache.count == 1)
    }

    @Test func `the cache-flush bit of a pointer counts unless its type has many`() throws {
        func removedCount(afterFlushing count: Int) throws -> Int {
            var cache = RecordCache()
            func add(_ record: ScriptRecord, at time: Int64) throws {
                let answers = try #require(DNSMessage(message([record]))).answers
                _ = cache.add(answers, on: paths[0], at: time)
            }
            for number in 0..<count { try add(.pointer("_x._tcp", "\(number)"), at: 0) }
            var last = ScriptRecord.pointer("_x._tcp", "0")
            last.isUnique = true
            try add(last, at: 2_000_000)
            return cache.removeDue(at: 4_000_000).count
        }
        let limit = RecordCache.flushLimit
        #expect(try removedCount(afterFlushing: limit) == limit - 1)
        #expect(try removedCount(afterFlushing: limit + 1) == 0)
    }

    @Test func `what others announce is bounded`() throws {
        var cache = RecordCache()
        for host in 0..<20 {
            for address in 0..<200 {
                let record = ScriptRecord.address(
                    "h\(host)", [10, 0, UInt8(host), UInt8(address)], isUnique: false)
                let answers = try #require(DNSMessage(message([record]))).answers
                _ = cache.add(answers, on: paths[0], at: 0)
            }
        }
        #expect(cache.count == 20 * RecordCache.limits.ofName)
        #expect(cache.refusedCount == 20 * (200 - RecordCache.limits.ofName))
        // Records that are withdrawn and announced in turn leave nothing behind.
        let record = ScriptRecord.pointer("_http._tcp", "Web", ttl: .max)
        var goodbye = record
        goodbye.ttl = 0
        for step in 0..<20_000 {
            for each in [record, goodbye] {
                let answers = try #require(DNSMessage(message([each]))).answers
                _ = cache.add(answers, on: paths[0], at: Int64(step) * 1_000)
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
            _ = cache.add(try answers(ttl: 4_500), on: paths[0], at: step * 5_000_000)
            _ = cache.add(try answers(ttl: 0), on: paths[0], at: step * 5_000_000)
            _ = cache.add(try answers(ttl: 4_500), on: paths[0], at: step * 5_000_000)
            #expect(cache.removeDue(at: step * 5_000_000 + 2_000_000).isEmpty)
        }
        let removed = cache.removeDue(at: .max).map { DNSName(wire: $0.data)?.text ?? "" }
        #expect(removed == (0..<500).map { "S\($0)._http._tcp.local" })
    }
}
