// Tests which packets are believed, how their senders are counted, and the bounds.
import DNSMessages
import Testing

@Suite struct SenderTableTests {
    private var table = SenderTable()
    private let host = Sender(address: [10, 0, 0, 1], interface: 2)
    private let other = Sender(address: [10, 0, 0, 2], interface: 2)

    @Test mutating func `a packet that a router may have forwarded is told apart`() throws {
        table.hear(try packet(of: "h1", hopLimit: 64), from: host, at: 0)
        #expect(table.popSenders().senders.first?.senders[host]?.isLocal == false)
        #expect(try packet(of: "h1", hopLimit: nil).isLocal == false)
    }

    @Test mutating func `a goodbye does not tell who speaks for a name`() throws {
        table.hear(try packet(of: "h1", ttl: 0), from: host, at: 0)
        #expect(!table.hasSenders)
    }

    @Test func `a query and packets of other ports are not believed`() throws {
        let name = try #require(DNSName("h1.local"))
        let query = DNSQuery.messages([(name, DNSType.a)])[0]
        #expect(Belief(query, from: 5353, hopLimit: 255) == nil)
        let response = try address(of: "h1")
        #expect(Belief(response, from: 5353, hopLimit: 255)?.records.count == 1)
        #expect(Belief(response, from: 40_000, hopLimit: 255) == nil)
        #expect(Belief(response, from: 5353, to: 40_000, hopLimit: 255) == nil)
        let cut = Belief(Array(response.dropLast()), from: 5353, hopLimit: 255)
        #expect(cut?.records.isEmpty != false)
    }

    @Test func `claims of a probe and records without the form of their type are not believed`()
        throws
    {
        let name = try #require(DNSName("h1.local")).bytes
        let record: [UInt8] = name + [0, 1, 0x80, 1, 0, 0, 0, 120, 0, 3, 10, 0, 0]
        let short = [0, 0, 0x84, 0, 0, 0, 0, 1, 0, 0, 0, 0] + record
        #expect(Belief(short, from: 5353, hopLimit: 255)?.records.isEmpty != false)
        var claim = try address(of: "h1")
        (claim[7], claim[9]) = (0, 1)
        #expect(try #require(Belief(claim, from: 5353, hopLimit: 255)).records.isEmpty)
    }

    @Test mutating func `packets of a sender are counted since the last report`() throws {
        for time in 1...3 as ClosedRange<UInt64> {
            table.hear(try packet(of: "h1"), from: host, at: time)
        }
        let first = table.popSenders().senders
        #expect(first.map(\.name.text) == ["h1.local"])
        #expect(first[0].senders[host]?.count == 3)
        #expect(first[0].senders[host]?.last == 3)
        #expect(!table.hasSenders)
        table.hear(try packet(of: "h1"), from: other, at: 4)
        let second = table.popSenders().senders
        #expect(second[0].senders.keys.map(\.self) == [other])
    }

    @Test mutating func `a flood of names is bounded, and there is room again after a minute`()
        throws
    {
        for number in 0..<5_000 {
            table.hear(try packet(of: "n\(number)"), from: host, at: 0)
        }
        #expect(table.nameCount == SenderTable.nameLimit)
        var (reported, omitted) = (0, UInt32(0))
        while table.hasSenders {
            let report = table.popSenders()
            #expect(report.senders.count <= SenderTable.reportLimit)
            reported += report.senders.count
            omitted += report.omitted.names
        }
        #expect(reported == SenderTable.nameLimit)
        #expect(Int(omitted) == 5_000 - SenderTable.nameLimit)
        table.hear(try packet(of: "late"), from: host, at: 60_000)
        #expect(table.nameCount == 1)
    }

    @Test mutating func `a flood of senders is bounded`() throws {
        for number in 0..<2_000 {
            let sender = Sender(
                address: [10, 0, UInt8(number >> 8), UInt8(number & 0xff)], interface: 2)
            table.hear(try packet(of: "h1"), from: sender, at: 0)
        }
        let report = table.popSenders()
        #expect(report.senders[0].senders.count == SenderTable.senderLimit)
        #expect(Int(report.omitted.senders) == 2_000 - SenderTable.senderLimit)
    }

    @Test mutating func `a sender that was not heard for a minute makes room for another`() throws {
        let message = try packet(of: "h1")
        for number in 0..<UInt8(SenderTable.senderLimit) {
            let sender = Sender(address: [10, 0, 1, number], interface: 2)
            table.hear(message, from: sender, at: UInt64(number))
        }
        table.hear(message, from: host, at: 60_000)
        #expect(table.popSenders().omitted.senders == 1, "no sender that waits to be passed on")
        table.hear(message, from: host, at: 60_000)
        let report = table.popSenders()
        #expect(report.omitted.isEmpty)
        #expect(report.senders.first?.senders.keys.map(\.self) == [host])
        table.hear(message, from: other, at: 60_000)
        #expect(table.popSenders().omitted.senders == 1)
    }

    @Test mutating func `a type has any number of senders, which are not counted`() throws {
        for number in 0..<UInt8(100) {
            let sender = Sender(address: [10, 0, 1, number], interface: 2)
            let pointer = try #require(
                Belief(pointer(to: "a\(number)"), from: 5353, hopLimit: 255))
            table.hear(pointer, from: sender, at: 0)
        }
        #expect(!table.hasSenders)
    }

    @Test(arguments: [(0x84, 3), (0x84, 15), (0xac, 0)] as [(UInt8, UInt8)])
    func `a response with an error code or another operation is not believed`(
        flags: (UInt8, UInt8)
    ) throws {
        let name = try #require(DNSName("h1.local")).bytes
        let record: [UInt8] = name + [0, 1, 0x80, 1, 0, 0, 0, 120, 0, 4, 10, 0, 0, 1]
        let bytes: [UInt8] = [0, 0, flags.0, flags.1, 0, 0, 0, 1, 0, 0, 0, 0] + record
        let message = try #require(DNSMessage(bytes))
        #expect(message.hasErrorCode && message.answers.count == 1)
        #expect(Belief(bytes, from: 5353, hopLimit: 255) == nil)
    }

    /// A response with a pointer of the type `_x._tcp` to a service.
    private func pointer(to service: String) throws -> [UInt8] {
        let owner = try #require(DNSName("_x._tcp.local"))
        let target = try #require(DNSName("\(service)._x._tcp.local")).bytes
        let head: [UInt8] = [0, 12, 0, 1, 0, 0, 0, 120, 0, UInt8(target.count)]
        return [0, 0, 0x84, 0, 0, 0, 0, 1, 0, 0, 0, 0] + owner.bytes + head + target
    }

    private func packet(
        of host: String, ttl: UInt8 = 120, hopLimit: Int32? = 255
    ) throws -> Belief {
        try #require(Belief(address(of: host, ttl: ttl), from: 5353, hopLimit: hopLimit))
    }

    /// A response with the address of a host.
    private func address(of host: String, ttl: UInt8 = 120) throws -> [UInt8] {
        let name = try #require(DNSName("\(host).local")).bytes
        return [0, 0, 0x84, 0, 0, 0, 0, 1, 0, 0, 0, 0]
            + name + [0, 1, 0x80, 1, 0, 0, 0, ttl, 0, 4, 10, 0, 0, 1]
    }
}
