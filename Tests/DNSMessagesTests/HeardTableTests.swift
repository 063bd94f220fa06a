// Tests how responses are folded: what is passed on, how senders are counted, and the bounds.
import DNSMessages
import Testing

@Suite struct HeardTableTests {
    private var table = HeardTable()
    private let host = HeardTable.Sender(address: [10, 0, 0, 1], interface: 2)
    private let other = HeardTable.Sender(address: [10, 0, 0, 2], interface: 2)

    @Test mutating func `a record is passed on once, and again after half of its life`() throws {
        let message = try address(of: "h1")
        table.hear(message, from: host, isLocal: true, at: 0)
        #expect(table.popRecords().map(\.record) == message.answers)
        table.hear(message, from: host, isLocal: true, at: 59_999)
        #expect(!table.hasRecords)
        table.hear(message, from: host, isLocal: true, at: 60_000)
        #expect(table.popRecords().count == 1)
    }

    @Test mutating func `a record of another sender is passed on`() throws {
        table.hear(try address(of: "h1"), from: host, isLocal: true, at: 0)
        table.hear(try address(of: "h1"), from: other, isLocal: true, at: 0)
        #expect(table.popRecords().map(\.sender) == [host, other])
    }

    @Test mutating func `a known record that is withdrawn is passed on, an unknown one is not`()
        throws
    {
        table.hear(try address(of: "h1", ttl: 0), from: host, isLocal: true, at: 0)
        #expect(!table.hasRecords && !table.hasSenders)
        table.hear(try address(of: "h1"), from: host, isLocal: true, at: 0)
        table.hear(try address(of: "h1", ttl: 0), from: host, isLocal: true, at: 1)
        #expect(table.popRecords().map(\.record.ttl) == [120, 0])
    }

    @Test mutating func `an address that the others of its host replace is withdrawn`() throws {
        let both = try address(of: "h1", 1, 2)
        table.hear(both, from: host, isLocal: true, at: 0)
        table.hear(try address(of: "h1", 3), from: host, isLocal: true, at: 1_000)
        #expect(table.popRecords().map(\.record.data.last) == [1, 2, 3])
        table.hear(try address(of: "h2", 9), from: host, isLocal: true, at: 1_001)
        table.hear(try address(of: "h1", 3), from: other, isLocal: false, at: 1_001)
        #expect(table.popRecords().map(\.record.data.last) == [9])
        // The addresses of one packet are valid together.
        table.hear(try address(of: "h1", 4, 2), from: other, isLocal: true, at: 1_500)
        let replaced = table.popRecords().map(\.record)
        #expect(replaced.filter { $0.ttl > 0 }.map(\.data.last) == [4, 2])
        #expect(replaced.filter { $0.ttl == 0 }.map(\.data.last) == [1])
        table.hear(try address(of: "h1", 1), from: host, isLocal: true, at: 1_501)
        #expect(table.popRecords().map(\.record.data.last) == [1])
    }

    @Test mutating func `each pointer to a service is passed on, and its withdrawal`() throws {
        for name in ["a", "b", "a"] {
            table.hear(try pointer(to: name), from: host, isLocal: true, at: 0)
        }
        table.hear(try pointer(to: "a", subtype: "_s"), from: host, isLocal: true, at: 0)
        #expect(table.popRecords().map(\.record.ttl) == [120, 120, 120])
        table.hear(try pointer(to: "a", ttl: 0), from: host, isLocal: true, at: 1)
        table.hear(try pointer(to: "c", ttl: 0), from: host, isLocal: true, at: 1)
        let withdrawn = table.popRecords().map(\.record)
        #expect(withdrawn.map(\.ttl) == [0])
        #expect(withdrawn.first?.target?.text == "a._x._tcp.local")
        #expect(withdrawn.first?.name.text == "_x._tcp.local")
    }

    @Test mutating func `an address on another interface replaces none`() throws {
        table.hear(try address(of: "h1", 1), from: host, isLocal: true, at: 0)
        let far = HeardTable.Sender(address: [10, 0, 0, 1], interface: 3)
        table.hear(try address(of: "h1", 2), from: far, isLocal: true, at: 5_000)
        #expect(table.popRecords().map(\.record.ttl) == [120, 120])
    }

    @Test mutating func `a record that a router may have forwarded is counted, and not passed on`()
        throws
    {
        table.hear(try address(of: "h1"), from: host, isLocal: false, at: 0)
        #expect(!table.hasRecords)
        #expect(table.popSenders().senders.first?.senders[host]?.isLocal == false)
    }

    @Test mutating func `a query is ignored`() throws {
        let name = try #require(DNSName("h1.local"))
        let query = try #require(DNSMessage(DNSQuery.messages([(name, DNSType.a)])[0]))
        table.hear(query, from: host, isLocal: true, at: 0)
        #expect(!table.hasRecords && !table.hasSenders)
    }

    @Test mutating func `packets of a sender are counted since the last report`() throws {
        for time in 1...3 as ClosedRange<UInt64> {
            table.hear(try address(of: "h1"), from: host, isLocal: true, at: time)
        }
        let first = table.popSenders().senders
        #expect(first.map(\.name.text) == ["h1.local"])
        #expect(first[0].senders[host]?.count == 3)
        #expect(first[0].senders[host]?.last == 3)
        #expect(!table.hasSenders)
        table.hear(try address(of: "h1"), from: other, isLocal: true, at: 4)
        let second = table.popSenders().senders
        #expect(second[0].senders.keys.map(\.self) == [other])
    }

    @Test mutating func `a flood of names is bounded, and there is room again after a minute`()
        throws
    {
        for number in 0..<5_000 {
            table.hear(try address(of: "n\(number)"), from: host, isLocal: true, at: 0)
        }
        #expect(table.nameCount == HeardTable.nameLimit)
        var (reported, omitted) = (0, UInt32(0))
        while table.hasSenders {
            let report = table.popSenders()
            #expect(report.senders.count <= HeardTable.reportLimit)
            reported += report.senders.count
            omitted += report.omitted.names
        }
        #expect(reported == HeardTable.nameLimit)
        #expect(Int(omitted) == 5_000 - HeardTable.nameLimit)
        _ = table.popRecords()
        table.hear(try address(of: "late"), from: host, isLocal: true, at: 60_000)
        #expect(table.popRecords().count == 1)
        #expect(table.nameCount == 1)
    }

    @Test mutating func `a flood of senders is bounded`() throws {
        for number in 0..<2_000 {
            let sender = HeardTable.Sender(
                address: [10, 0, UInt8(number >> 8), UInt8(number & 0xff)], interface: 2)
            table.hear(try address(of: "h1"), from: sender, isLocal: true, at: 0)
        }
        let report = table.popSenders()
        #expect(report.senders[0].senders.count == HeardTable.senderLimit)
        #expect(Int(report.omitted.senders) == 2_000 - HeardTable.senderLimit)
    }

    @Test mutating func `a sender that was not heard for a minute makes room for another`() throws {
        let message = try address(of: "h1")
        for number in 0..<UInt8(HeardTable.senderLimit) {
            let sender = HeardTable.Sender(address: [10, 0, 1, number], interface: 2)
            table.hear(message, from: sender, isLocal: true, at: UInt64(number))
        }
        table.hear(message, from: host, isLocal: true, at: 60_000)
        #expect(table.popSenders().omitted.senders == 1, "no sender that waits to be passed on")
        table.hear(message, from: host, isLocal: true, at: 60_000)
        let report = table.popSenders()
        #expect(report.omitted.isEmpty)
        #expect(report.senders.first?.senders.keys.map(\.self) == [host])
        table.hear(message, from: other, isLocal: true, at: 60_000)
        #expect(table.popSenders().omitted.senders == 1)
    }

    @Test mutating func `a type has any number of senders, which are not counted`() throws {
        for number in 0..<UInt8(100) {
            let sender = HeardTable.Sender(address: [10, 0, 1, number], interface: 2)
            table.hear(try pointer(to: "a\(number)"), from: sender, isLocal: true, at: 0)
        }
        #expect(!table.hasSenders)
        #expect(table.popRecords().count == 100)
    }

    @Test(arguments: [(0x84, 3), (0x84, 15), (0xac, 0)] as [(UInt8, UInt8)])
    mutating func `a response with an error code or another operation is ignored`(
        flags: (UInt8, UInt8)
    ) throws {
        let name = try #require(DNSName("h1.local")).bytes
        let record: [UInt8] = name + [0, 1, 0x80, 1, 0, 0, 0, 120, 0, 4, 10, 0, 0, 1]
        let bytes: [UInt8] = [0, 0, flags.0, flags.1, 0, 0, 0, 1, 0, 0, 0, 0] + record
        let message = try #require(DNSMessage(bytes))
        #expect(message.hasErrorCode && message.answers.count == 1)
        table.hear(message, from: host, isLocal: true, at: 0)
        #expect(!table.hasRecords && !table.hasSenders)
    }

    /// A response with a pointer of the type `_x._tcp` or of a subtype to a service.
    private func pointer(
        to service: String, subtype: String? = nil, ttl: UInt8 = 120
    ) throws -> DNSMessage {
        let owner = try #require(DNSName((subtype.map { "\($0)._sub." } ?? "") + "_x._tcp.local"))
        let target = try #require(DNSName("\(service)._x._tcp.local")).bytes
        let head: [UInt8] = [0, 12, 0, 1, 0, 0, 0, ttl, 0, UInt8(target.count)]
        return try #require(
            DNSMessage([0, 0, 0x84, 0, 0, 0, 0, 1, 0, 0, 0, 0] + owner.bytes + head + target))
    }

    /// A response with the addresses of a host, 10.0.0.1 if none are given.
    private func address(of host: String, ttl: UInt8 = 120, _ last: UInt8...) throws -> DNSMessage {
        let name = try #require(DNSName("\(host).local")).bytes
        let records = (last.isEmpty ? [1] : last).map { last -> [UInt8] in
            name + [0, 1, 0x80, 1, 0, 0, 0, ttl, 0, 4, 10, 0, 0, last]
        }
        return try #require(
            DNSMessage(
                [0, 0, 0x84, 0, 0, 0, 0, UInt8(records.count), 0, 0, 0, 0]
                    + records.joined()))
    }
}
