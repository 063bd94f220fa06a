// Tests the parsing of DNS messages of strangers: every section, names, options, and random bytes.
import DNSMessages
import TestSupport
import Testing

@Suite struct DNSMessageTests {
    @Test func `a response has its records, with uncompressed names`() throws {
        let instance = label("Web") + [0xC0, 12]
        let bytes =
            header(flags: 0x84, answers: 1, additionals: 3)
            + label("_http") + label("_tcp") + label("local") + [0]
            + fields(12, 1, ttl: 4_500, instance)
            + [0xC0, 40]
            + fields(33, 0x8001, ttl: 120, [0, 0, 0, 0, 0x1F, 0x90] + label("h1") + [0xC0, 23])
            + [0xC0, 40] + fields(16, 0x8001, ttl: 4_500, label("a=1"))
            + label("h1") + [0xC0, 23] + fields(1, 0x8001, ttl: 0, [10, 0, 0, 1])
        let message = try #require(DNSMessage(bytes))
        #expect(message.isResponse)
        let pointer = try #require(message.answers.first)
        #expect(pointer.name.text == "_http._tcp.local")
        #expect(pointer.target?.text == "Web._http._tcp.local")
        #expect(!pointer.isUnique && pointer.ttl == 4_500)
        #expect(message.additionals.map(\.type) == [33, 16, 1])
        let location = message.additionals[0]
        #expect(location.target?.text == "h1.local")
        #expect(location.port == 8_080)
        #expect(location.isUnique)
        #expect(message.additionals[1].data == label("a=1"))
        #expect(message.additionals[2].ttl == 0)
        #expect(message.options == DNSOptions())
    }

    @Test func `a query has its questions, known answers and probed records`() throws {
        let name = try #require(DNSName("_http._tcp.local"))
        let known = try #require(DNSName("A._http._tcp.local"))
        let message = try #require(
            DNSMessage(DNSQuery.message(pointersOf: name, known: [known], ttl: 4_500)))
        #expect(!message.isResponse)
        #expect(message.questions.map(\.name) == [name])
        #expect(message.questions.map(\.type) == [DNSType.ptr])
        #expect(message.answers.map(\.target) == [known])
    }

    @Test func `the options of a sleep proxy and of a registrar are read`() throws {
        let owner: [UInt8] = [0, 4, 0, 8, 0, 7, 0xA, 0xB, 0xC, 0xD, 0xE, 0xF]
        let age: [UInt8] = [0xFD, 0xEA, 0, 4, 0, 0, 1, 44]
        for (options, expected) in [
            (owner, DNSOptions(owner: [0xA, 0xB, 0xC, 0xD, 0xE, 0xF])),
            (age, DNSOptions(registrationAge: 300)),
            (age + owner, DNSOptions(owner: [0xA, 0xB, 0xC, 0xD, 0xE, 0xF], registrationAge: 300)),
            ([0, 99, 0, 1, 5] + age, DNSOptions(registrationAge: 300)),
            ([0, 4, 0, 9] + owner.dropFirst(4), DNSOptions()),
            ([0, 4, 0, 2, 0, 0], DNSOptions()),
        ] {
            let bytes =
                header(flags: 0x84, additionals: 1) + [0] + fields(41, 1_440, ttl: 0, options)
            #expect(DNSMessage(bytes)?.options == expected)
        }
    }

    @Test func `a message that is cut short, or longer than 9,000 bytes, is not read`() {
        let whole =
            header(flags: 0x84, answers: 1) + label("a") + [0] + fields(1, 1, ttl: 9, [1, 2, 3, 4])
        #expect(DNSMessage(whole) != nil)
        for count in 0..<whole.count { #expect(DNSMessage(Array(whole.prefix(count))) == nil) }
        let long =
            header(flags: 0x84, answers: 1) + [0]
            + fields(16, 1, ttl: 9, [UInt8](repeating: 0, count: 8_990))
        #expect(DNSMessage(long) == nil)
    }

    @Test func `a record whose name points to itself ends its section`() {
        let good = label("a") + [0] + fields(1, 1, ttl: 9, [1, 2, 3, 4])
        let looped =
            header(flags: 0x84, answers: 2) + good + [0xC0, 29]
            + fields(1, 1, ttl: 9, [1, 2, 3, 4])
        #expect(DNSMessage(looped)?.answers.count ?? 0 <= 1)
        let target =
            header(flags: 0x84, answers: 1) + label("a") + [0] + fields(12, 1, ttl: 9, [0xC0, 25])
        #expect(DNSMessage(target)?.answers.isEmpty ?? true)
    }

    @Test func `records of another class than the Internet's are left out`() throws {
        let bytes =
            header(flags: 0x84, answers: 1) + label("a") + [0] + fields(1, 3, ttl: 9, [1, 2, 3, 4])
        #expect(try #require(DNSMessage(bytes)).answers.isEmpty)
    }

    @Test(arguments: 0..<400 as Range<UInt64>)
    func `any bytes are read or refused, within bounds`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var bytes = header(flags: 0x84, questions: 1, answers: 2, additionals: 1)
        bytes += label("Web") + label("_http") + label("_tcp") + [0, 0, 12, 0, 1]
        bytes += [0xC0, 12] + fields(33, 1, ttl: 9, [0, 0, 0, 0, 0, 80, 0xC0, 16])
        bytes += [0xC0, 16] + fields(12, 1, ttl: 9, [0xC0, 12])
        bytes += [0] + fields(41, 1_440, ttl: 0, [0, 4, 0, 8, 0, 7, 1, 2, 3, 4, 5, 6])
        for _ in 0..<Int.random(in: 0...5, using: &generator) {
            let index = Int.random(in: 0..<bytes.count, using: &generator)
            bytes[index] = .random(in: 0...255, using: &generator)
        }
        if seed % 4 == 0 {
            bytes = (0..<Int.random(in: 0...600, using: &generator)).map { _ in
                .random(in: 0...255, using: &generator)
            }
        }
        guard let message = DNSMessage(bytes) else { return }
        for record in message.answers + message.authorities + message.additionals {
            #expect(DNSName(wire: record.name.bytes) == record.name)
            #expect(record.type != DNSType.srv || record.target != nil && record.port != nil)
            #expect(record.type != DNSType.ptr || record.target != nil)
        }
    }
}

@Suite struct DNSNameTests {
    @Test func `the parts of a service's name are told, dots in the instance included`() throws {
        let name = try #require(DNSName(["v1.2 of it", "_HTTP", "_tcp", "local"].map(\.utf8)))
        let parts = try #require(name.serviceParts)
        #expect(parts.instance == "v1.2 of it")
        #expect(parts.type == "_HTTP._tcp")
        #expect(parts.domain == "local")
    }

    @Test func `the name of a type or a subtype has no instance`() {
        #expect(DNSName("_http._tcp.local")?.serviceParts?.instance == nil)
        #expect(DNSName("_http._tcp.local")?.serviceParts?.type == "_http._tcp")
        #expect(DNSName("_printer._sub._http._tcp.local")?.serviceParts?.subtype == "_printer")
        for other in [
            "h1.local", "local", "_tcp.local", "_http._tcp", "a.b._http._tcp.local",
            "_sub._http._tcp.local",
        ] {
            #expect(DNSName(other)?.serviceParts == nil, "\(other)")
        }
    }

    @Test func `names that differ in the case of ASCII letters alone are equal`() {
        #expect(DNSName("H1.Local") == DNSName("h1.local"))
        #expect(DNSName("H1.local").hashValue == DNSName("h1.LOCAL").hashValue)
        #expect(DNSName("é.local") != DNSName("É.local"))
    }

    @Test func `a name that DNS cannot carry is none`() {
        #expect(DNSName([""].map(\.utf8)) == nil)
        #expect(DNSName(String(repeating: "x", count: 64)) == nil)
        #expect(DNSName(Array(repeating: "x", count: 128).joined(separator: ".")) == nil)
        for wire: [UInt8] in [[], [1], [1, 0x61], [0, 0], [0xC0, 0], [1, 0x61, 0, 0]] {
            #expect(DNSName(wire: wire) == nil)
        }
    }
}

private func label(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }

private func header(
    flags: UInt8, questions: UInt8 = 0, answers: UInt8 = 0, additionals: UInt8 = 0
) -> [UInt8] { [0, 0, flags, 0, 0, questions, 0, answers, 0, 0, 0, additionals] }

/// The fields of a record after its name.
private func fields(_ type: UInt16, _ klass: UInt16, ttl: UInt16, _ data: [UInt8]) -> [UInt8] {
    [type, klass, 0, ttl, UInt16(data.count)].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] } + data
}
