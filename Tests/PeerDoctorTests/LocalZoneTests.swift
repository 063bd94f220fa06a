// The question for a zone 'local', and its answers.
import DNSMessages
import Testing

@testable import PeerDoctor

@Suite struct LocalZoneTests {
    private let local = DNSName("local")

    /// A reply to the query with number 0x1234, which contains the start of authority of a name if there is one.
    private func reply(
        of owner: String? = nil, number: [UInt8] = [0x12, 0x34], flags: [UInt8] = [0x81, 0x80]
    ) -> [UInt8] {
        let question = (local?.bytes ?? []) + [0, 6, 0, 1]
        // The root as the server and the mailbox, and five numbers.
        let data = [UInt8](repeating: 0, count: 22)
        let answer = owner.map {
            (DNSName($0)?.bytes ?? []) + [0, 6, 0, 1, 0, 0, 0, 60, 0, UInt8(data.count)] + data
        }
        return number + flags + [0, 1, 0, answer == nil ? 0 : 1, 0, 0, 0, 0] + question
            + (answer ?? [])
    }

    @Test func `the query asks for the start of authority, with recursion`() throws {
        let query = LocalZone.query(try #require(local), number: 0x1234)
        #expect(query.prefix(4) == [0x12, 0x34, 1, 0])
        let message = try #require(DNSMessage(query))
        #expect(message.questions.map(\.type) == [DNSType.soa])
        #expect(message.questions.map(\.name) == [local])
        #expect(!message.isResponse)
    }

    @Test func `only a reply to the query with the start of authority tells of a zone`() throws {
        let local = try #require(local)
        func answer(_ reply: [UInt8]) -> LocalZone? {
            LocalZone.read(reply, of: local, number: 0x1234)
        }
        #expect(answer(reply(of: "local")) == .present)
        #expect(answer(reply()) == .absent)
        #expect(answer(reply(flags: [0x81, 0x83])) == .absent, "there is no such domain")
        #expect(answer(reply(of: "example")) == .absent)
        #expect(answer(reply(of: "local", number: [0x12, 0x35])) == nil)
        #expect(answer(reply(of: "local", flags: [1, 0])) == nil)
        #expect(answer([0x12, 0x34]) == nil)
    }

    @Test func `without servers there is no zone`() async {
        #expect(await LocalZone.ask([]) == .absent)
    }
}
