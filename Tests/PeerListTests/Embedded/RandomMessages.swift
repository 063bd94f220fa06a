// Generates random messages of the helper's protocol.
import StackProtocol
import TestSupport

extension StackRequest {
    static let hello = StackRequest.hello(
        version: protocolVersion, StackSettings(publishes: false, usesLoopback: true))

    /// A request that is no hello.
    static func random(using generator: inout SeededGenerator) -> StackRequest {
        let id = UInt32.random(in: 0 ... .max, using: &generator)
        let path = StackPath.random(using: &generator)
        let text = randomText(using: &generator)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return .browseTypes(id, domain: text, path)
        case 1: return .browseServices(id, type: text, domain: "local", path)
        case 2: return .resolve(id, .random(using: &generator), path)
        case 3: return .browseRecords(id, name: text, type: 33, path)
        case 4:
            let service = StackService(
                name: text, type: "_http._tcp", subtypes: [text, "_printer"], port: 631,
                txt: randomBytes(atMost: 2_000, using: &generator))
            return .publish(id, service, path)
        default: return .close(id)
        }
    }
}

extension StackEvent {
    static let hello = StackEvent.hello(version: protocolVersion)

    /// An event that is no hello.
    static func random(using generator: inout SeededGenerator) -> StackEvent {
        let id = UInt32.random(in: 0 ... .max, using: &generator)
        let path = StackPath.random(using: &generator)
        let text = randomText(using: &generator)
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: return .state(.collision, host: text)
        case 1: return .failed(id, code: .random(in: -60...0, using: &generator))
        case 2: return .type(id, type: "_http._tcp", domain: text)
        case 3:
            return .appeared(
                id, .random(using: &generator), path)
        case 4: return .disappeared(id, .random(using: &generator), path)
        case 5: return .settled(id)
        case 6:
            return .resolved(
                id, interface: path.interface, host: text, port: 80, address: [10, 0, 0, 1],
                txt: randomBytes(atMost: FrameLimits.txt, using: &generator), isCached: true)
        case 7: return .timedOut(id)
        case 8:
            let data = randomBytes(atMost: FrameLimits.record, using: &generator)
            return .record(id, data: data, path, isThere: false)
        case 9: return .cacheExhausted(id)
        case 10: return .unconfined(Confinement(rawValue: .random(in: 0...15, using: &generator)))
        default: return .published(id, .collision)
        }
    }
}

extension WitnessRequest {
    static let hello = WitnessRequest.hello(version: protocolVersion)

    /// A request that is no hello.
    static func random(using generator: inout SeededGenerator) -> WitnessRequest {
        let id = UInt32.random(in: 0 ... .max, using: &generator)
        let path = StackPath(
            interface: .random(in: 1...9, using: &generator),
            family: .random(in: 0...1, using: &generator))
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: return .listen(id, path, interface: "wlan\(id)")
        case 1: return .close(id)
        default: return .capture
        }
    }
}

extension WitnessEvent {
    static let hello = WitnessEvent.hello(version: protocolVersion)

    /// An event that is no hello.
    static func random(using generator: inout SeededGenerator) -> WitnessEvent {
        let number = UInt32.random(in: 0 ... .max, using: &generator)
        let name = randomBytes(atMost: 254, using: &generator) + [0]
        let sender = [UInt8](repeating: 9, count: Bool.random(using: &generator) ? 4 : 16)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return .listening
        case 1:
            return .record(
                WitnessedRecord(
                    name: name, type: 33, end: UInt8(number % 5), isRemoved: number % 5 == 4,
                    ttl: number,
                    data: randomBytes(atMost: FrameLimits.txt, using: &generator), sender: sender,
                    interface: 2))
        case 2:
            return .sender(
                WitnessedSender(
                    name: name, sender: sender, interface: 3, isLocal: number & 1 == 0,
                    owner: number & 2 == 0 ? [] : [1, 2, 3, 4, 5, 6],
                    hasTimeSinceReceived: number & 4 == 0, count: number, age: number))
        case 3: return .omitted(names: number, senders: 1, records: 2)
        case 4: return .captureEnded(28)
        default: return .unconfined(.systemCalls)
        }
    }
}

extension StackPath {
    static func random(using generator: inout SeededGenerator) -> StackPath {
        StackPath(
            interface: .random(in: -1...9, using: &generator),
            family: .random(in: -1...1, using: &generator))
    }
}

extension ServiceInstance {
    static func random(using generator: inout SeededGenerator) -> ServiceInstance {
        ServiceInstance(
            name: randomText(using: &generator), type: "_http._tcp",
            domain: randomText(using: &generator))
    }
}

private func randomText(using generator: inout SeededGenerator) -> String {
    let letters = ["a", "Ü", "\u{1b}", "🖨", "\n", "\\.", "\0"]
    let count = Int.random(in: 0...80, using: &generator)
    return (0..<count).map { _ in letters.randomElement(using: &generator) ?? "" }.joined()
}

private func randomBytes(atMost most: Int, using generator: inout SeededGenerator) -> [UInt8] {
    let count = Int.random(in: 0...most, using: &generator)
    let words = (0...count / 8).map { _ in generator.next() }
    return unsafe words.withUnsafeBytes { unsafe Array($0.prefix(count)) }
}
