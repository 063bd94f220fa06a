// Tests the helper's protocol: messages round-trip, and invalid ones are refused.
import StackProtocol
import TestSupport
import Testing

@Suite struct FrameReaderTests {
    @Test(arguments: seeds(200))
    func `messages round-trip however the bytes are split`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let requests = [.hello] + (0..<20).map { _ in StackRequest.random(using: &generator) }
        let events = [.hello] + (0..<20).map { _ in StackEvent.random(using: &generator) }
        #expect(try roundTrip(requests, using: &generator) == requests)
        #expect(try roundTrip(events, using: &generator) == events)
        let orders = [.hello] + (0..<20).map { _ in WitnessRequest.random(using: &generator) }
        let reports = [.hello] + (0..<20).map { _ in WitnessEvent.random(using: &generator) }
        #expect(try roundTrip(orders, using: &generator) == orders)
        #expect(try roundTrip(reports, using: &generator) == reports)
    }

    @Test(arguments: seeds(200))
    func `an invalid message is refused, and nothing after it is read`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var reader = FrameReader<StackEvent>()
        reader.append(try StackEvent.hello.frame())
        #expect(try reader.next() == .hello)
        // A kind that no message has, and then anything.
        let junk = (0..<Int.random(in: 0...200, using: &generator)).map { _ in
            UInt8.random(in: 0...255, using: &generator)
        }
        reader.append(frame([200] + junk))
        #expect(throws: FrameError.unknownKind(200)) { try reader.next() }
        reader.append(try StackEvent.settled(1).frame())
        #expect(throws: FrameError.unknownKind(200)) { try reader.next() }
    }

    @Test(arguments: seeds(500))
    func `a frame with a changed byte is a message or an error, never a crash`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        var bytes = try StackEvent.random(using: &generator).frame()
        let place = Int.random(in: 4..<bytes.count, using: &generator)
        bytes[place] = UInt8.random(in: 0...255, using: &generator)
        var reader = FrameReader<StackEvent>()
        reader.append(try StackEvent.hello.frame() + bytes)
        #expect(try reader.next() == .hello)
        guard let event = try? reader.next() else { return }
        #expect(try event.frame() == bytes, "one message has one form")
    }

    @Test func `a frame that is too long is refused before it is received`() {
        var reader = FrameReader<StackRequest>()
        reader.append(length(FrameLimits.body + 1))
        #expect(throws: FrameError.tooLong) { try reader.next() }
    }

    @Test func `only the first message is the hello`() throws {
        var reader = FrameReader<StackRequest>()
        reader.append(try StackRequest.close(1).frame())
        #expect(throws: FrameError.misplacedHello) { try reader.next() }
        reader = FrameReader()
        reader.append(try StackRequest.hello.frame() + StackRequest.hello.frame())
        #expect(try reader.next() == .hello)
        #expect(throws: FrameError.misplacedHello) { try reader.next() }
    }

    @Test func `another version is refused`() throws {
        var reader = FrameReader<StackEvent>()
        reader.append(try StackEvent.hello(version: protocolVersion + 1).frame())
        #expect(throws: FrameError.otherVersion(protocolVersion + 1)) { try reader.next() }
    }

    /// The bodies of events that are almost right, and what is wrong with each.
    @Test(arguments: [
        ([7, 1, 0, 0], FrameError.cutShort), ([7, 1, 0, 0, 0, 0], .tooMuch), ([], .cutShort),
        ([2, 9, 0, 0], .badValue), ([4, 1, 0, 0, 0, 1, 0, 0xff, 0, 0], .badText),
        ([4, 1, 0, 0, 0, 0xff, 0xff], .badValue),
        ([8, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 80, 0, 3, 0, 0, 0, 1, 2, 3], .badValue),
        ([10, 1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff], .badValue),
        ([6, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0], .badValue),
    ])
    func `a field with an invalid value is refused`(
        body: [UInt8], error: FrameError
    ) throws {
        var reader = FrameReader<StackEvent>()
        reader.append(try StackEvent.hello.frame() + frame(body))
        #expect(try reader.next() == .hello)
        #expect(throws: error) { try reader.next() }
    }

    @Test func `data of a record that is too long is refused`() throws {
        var reader = FrameReader<StackEvent>()
        let data = [UInt8](repeating: 0, count: FrameLimits.record + 1)
        let path = StackPath(interface: 2, family: 0)
        let record = StackEvent.record(1, data: data, path, isThere: true)
        reader.append(try StackEvent.hello.frame() + record.frame())
        #expect(try reader.next() == .hello)
        #expect(throws: FrameError.badValue) { try reader.next() }
    }

    @Test func `a message that does not fit into a frame is not written`() {
        let long = String(repeating: "a", count: FrameLimits.text + 1)
        let path = StackPath(interface: -1, family: -1)
        #expect(throws: FrameError.tooLong) {
            try StackRequest.browseTypes(1, domain: long, path).frame()
        }
        let txt = [UInt8](repeating: 0, count: FrameLimits.txt + 1)
        let service = StackService(name: "a", type: "_a._tcp", subtypes: [], port: 1, txt: txt)
        #expect(throws: FrameError.tooLong) { try StackRequest.publish(1, service, path).frame() }
    }

    /// Reads frames that come in pieces of any length.
    private func roundTrip<Message: StackMessage>(
        _ messages: [Message], using generator: inout SeededGenerator
    ) throws -> [Message] {
        var bytes: [UInt8] = []
        for message in messages { bytes += try message.frame() }
        var reader = FrameReader<Message>()
        var read: [Message] = []
        while !bytes.isEmpty {
            let count = min(bytes.count, Int.random(in: 1...3_000, using: &generator))
            reader.append(bytes.prefix(count))
            bytes.removeFirst(count)
            while let message = try reader.next() { read.append(message) }
        }
        #expect(reader.waiting == 0)
        return read
    }

    private func frame(_ body: [UInt8]) -> [UInt8] { length(body.count) + body }

    private func length(_ count: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
    }
}
