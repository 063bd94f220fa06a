// Tests the queries of a probe, the parsing of untrusted answers, and probes without queries.
import DNSMessages
import FoundationEssentials
import PeerList
import PeerListTestSupport
import TestSupport
import Testing

@Suite struct ProbeMessageTests {
    private let web = key("Web")

    @Test func `a query has the form of RFC 1035`() throws {
        let messages = ProbeMessage.questions(for: [web])
        let expected: [UInt8] =
            [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
            + label("Web") + label("_http") + label("_tcp") + label("local") + [0, 0, 33, 0, 1]
        #expect(messages == [expected])
        // The first bit of the class requests a unicast reply.
        let unicast = ProbeMessage.questions(for: [web], wantsUnicast: true)
        #expect(unicast == [expected.dropLast(2) + [0x80, 1]])
        #expect(DNSMessage(unicast[0])?.questions.map(\.wantsUnicast) == [true])
    }

    @Test func `a dot in an instance name does not end the label`() throws {
        let message = try #require(ProbeMessage.questions(for: [key("v1.2 of it")]).first)
        #expect(message.dropFirst(12).starts(with: label("v1.2 of it")))
    }

    @Test func `many questions are split into messages that fit into a packet`() {
        let services = (0..<100).map { key("Printer of the office \($0)", "_ipp._tcp") }
        let messages = ProbeMessage.questions(for: services)
        #expect(messages.allSatisfy { $0.count <= DNSQuery.sizeLimit })
        #expect(messages.map { Int($0[5]) }.reduce(0, +) == 100)
    }

    @Test(arguments: ["", String(repeating: "x", count: 64)])
    func `an invalid name is not queried`(name: String) {
        #expect(
            ProbeMessage.questions(for: [key(name), web]) == ProbeMessage.questions(for: [web]))
        #expect(ProbeMessage.name(of: key(name)) == nil)
    }

    @Test(arguments: ["Web", "wEB", "Küche 🖨", "a.b\\c", "\u{1B}[31m\n;", "\"(@$)\""])
    func `an answer is matched by the service's name, as DNS compares names`(name: String) throws {
        let told = answeredNames(in: answer(naming: key(name)))
        #expect(told.count == 1)
        let asked = try #require(ProbeMessage.name(of: key(asciiUppercased(name))))
        #expect(told == [asked])
    }

    @Test func `names of different services are distinguished`() {
        let names = ["Web", "Web 2", "W.eb", "W\\.eb", "Wéb"].map {
            ProbeMessage.name(of: key($0))
        }
        #expect(Set(names).count == names.count)
    }

    @Test func `an answer may use compressed names`() {
        // The second record's name points to the first one's.
        let record = answerRecord(name: [0xC0, 12])
        let message = answer(naming: web, more: [record])
        #expect(answeredNames(in: message) == [ProbeMessage.name(of: web)])
    }

    @Test func `a question, a goodbye and a record of another type are not answers`() {
        var question = answer(naming: web)
        question[2] = 0
        #expect(answeredNames(in: question).isEmpty)
        #expect(answeredNames(in: answer(naming: web, life: 0)).isEmpty)
        #expect(answeredNames(in: answer(naming: web, type: 12)).isEmpty)
    }

    @Test func `a name that points to itself is not followed`() {
        let message = header(answers: 2) + answerRecord(name: [0xC0, 12]) + answerRecord(name: [0])
        #expect(answeredNames(in: message).isEmpty)
    }

    @Test func `a truncated answer names no service`() {
        let whole = answer(naming: web)
        for count in 0..<whole.count {
            #expect(answeredNames(in: Array(whole.prefix(count))).isEmpty)
        }
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `any bytes are parsed safely`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var message = answer(naming: key("Web \(seed)"), more: [answerRecord(name: [0xC0, 12])])
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            let place = Int.random(in: 0..<message.count, using: &generator)
            message[place] = .random(in: 0...255, using: &generator)
        }
        #expect(answeredNames(in: message).count <= 2)
        message = types("_http._tcp", "_ipp._tcp")
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            let place = Int.random(in: 0..<message.count, using: &generator)
            message[place] = .random(in: 0...255, using: &generator)
        }
        #expect(answeredTypes(in: message).count <= 2)
    }

    @Test func `a query for types lists the known ones as known answers`() throws {
        let messages = ProbeMessage.typeQuestions(known: ["_ssh._tcp"], others: ["_http._tcp"])
        let list = label("_services") + label("_dns-sd") + label("_udp") + label("local") + [0]
        let known = label("_ssh") + label("_tcp") + label("local") + [0]
        let other = label("_http") + label("_tcp") + label("local") + [0]
        #expect(
            messages == [
                [0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0] + list + [0, 12, 0, 1]
                    + [0xC0, 12, 0, 12, 0, 1, 0, 0, 0x11, 0x94, 0, UInt8(known.count)] + known,
                [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0] + other + [0, 12, 0, 1],
            ])
        let many = (0..<600).map { "_type-\($0)._tcp" }
        for message in ProbeMessage.typeQuestions(known: many, others: KnownServiceType.commonest) {
            #expect(message.count <= DNSQuery.sizeLimit)
        }
    }

    @Test func `the common types are known answers`() {
        #expect(KnownServiceType.commonest.allSatisfy { KnownServiceType.of($0) != nil })
    }

    @Test func `types are parsed from type enumeration and from service records`() {
        #expect(
            answeredTypes(in: types("_HTTP._tcp", "_x y._tcp", "http", "_a._sctp"))
                == ["_http._tcp"])
        let service = pointer(
            from: ["_ipp", "_tcp", "local"], to: ["Printer", "_ipp", "_tcp", "local"])
        let subtype = pointer(
            from: ["_color", "_sub", "_ipps", "_tcp", "local"],
            to: ["Printer", "_ipps", "_tcp", "local"])
        let foreign = pointer(
            from: ["_ssh", "_tcp", "example"], to: ["A", "_ssh", "_tcp", "example"])
        let answer = header(answers: 3) + service + subtype + foreign
        #expect(answeredTypes(in: answer) == ["_ipp._tcp"])
        let withdrawn = pointer(from: ["_ipp", "_tcp", "local"], to: ["Printer"], life: 0)
        #expect(answeredTypes(in: header(answers: 1) + withdrawn).isEmpty)
    }

    /// The services whose SRV records are in a reply, as the helper reads it.
    private func answeredNames(in message: [UInt8]) -> Set<DNSName> {
        let answers = Belief(message, from: 5353, hopLimit: nil)?.answers ?? []
        return Set(answers.filter { $0.type == DNSType.srv }.map(\.name))
    }

    private func answeredTypes(in message: [UInt8]) -> Set<String> {
        let answers = Belief(message, from: 5353, hopLimit: nil)?.answers ?? []
        return Set(
            answers.compactMap { record in
                record.type == DNSType.ptr
                    ? ProbeMessage.type(of: record.name, target: record.target) : nil
            })
    }

    /// An answer that lists types.
    private func types(_ types: String...) -> [UInt8] {
        let records = types.map { type in
            pointer(
                from: ["_services", "_dns-sd", "_udp", "local"],
                to: type.split(separator: ".").map(String.init) + ["local"])
        }
        return header(answers: UInt8(types.count)) + records.joined()
    }

    private func asciiUppercased(_ text: String) -> String {
        String(
            decoding: text.utf8.map { 0x61...0x7a ~= $0 ? $0 & 0xdf : $0 }, as: UTF8.self)
    }
}

private func label(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }

/// A PTR record.
private func pointer(from owner: [String], to target: [String], life: UInt8 = 120) -> [UInt8] {
    let name = owner.flatMap(label) + [0]
    let data = target.flatMap(label) + [0]
    return name + [0, 12, 0, 1, 0, 0, 0, life, 0, UInt8(data.count)] + data
}

private func header(answers: UInt8) -> [UInt8] {
    [0, 0, 0x84, 0, 0, 0, 0, answers, 0, 0, 0, 0]
}

/// A record that says where a service is: port 80 of a host without a name.
private func answerRecord(name: [UInt8], type: UInt8 = 33, life: UInt8 = 120) -> [UInt8] {
    name + [0, type, 0x80, 1, 0, 0, 0, life, 0, 7, 0, 0, 0, 0, 0, 80, 0]
}

private func answer(
    naming service: ServiceKey, type: UInt8 = 33, life: UInt8 = 120, more: [[UInt8]] = []
) -> [UInt8] {
    let name =
        label(service.name)
        + service.type.split(separator: ".").flatMap { label(String($0)) as [UInt8] }
        + label(service.domain) + [0]
    return header(answers: UInt8(1 + more.count))
        + answerRecord(name: name, type: type, life: life) + more.joined()
}
