// The helper as a witness: reads packets from the sockets that the list passes, and reports what it hears.
import DNSMessages
import Glibc
import StackProtocol

/// The sockets of the witness, and what was heard on them.
///
/// The witness sends nothing to the network. Changes of records are reported within 50 ms, senders once a second. A list
/// that does not read blocks the witness, and the kernel drops packets meanwhile.
final class WitnessServer {
    private struct Socket {
        let descriptor: Int32
        let path: StackPath
        let interfaceName: String
        /// Whether the replies to a probe arrive on it.
        var isOfProbe = false
    }

    /// The shortest times between two reports, in milliseconds.
    private static let intervals = (records: UInt64(50), senders: UInt64(1_000))
    /// The maximum number of packets that are read from a socket before other sockets are.
    private static let packetLimit = 64
    /// The maximum number of sockets.
    private static let socketLimit = 128
    /// The number of changes of records above which they are reported at once.
    private static let changeLimit = 8_192

    private let pipe: RequestPipe<WitnessRequest, WitnessEvent>
    private var sockets: [UInt32: Socket] = [:]
    private var senders = SenderTable()
    private var cache = RecordCache()
    /// The changes of records that wait to be reported.
    private var changes: [RecordCache.Change] = []
    /// The number of records without room that was reported.
    private var refusedCount = 0
    private var capture: PacketCapture?
    /// The times of the last reports.
    private var last = (records: UInt64(0), senders: UInt64(0))

    init(_ pipe: RequestPipe<WitnessRequest, WitnessEvent>) { self.pipe = pipe }

    /// Listens until standard input ends or the signal is received.
    func run(until end: EndSignal) {
        handleRequests()
        while true {
            let ids = Array(sockets.keys)
            var waiting = [STDIN_FILENO, end.descriptor].map(Self.request)
            waiting += ids.map { Self.request(sockets[$0]?.descriptor ?? -1) }
            if wait(for: &waiting, within: timeout()) {
                guard waiting[1].revents == 0 else { return }
                for (index, id) in ids.enumerated() where waiting[index + 2].revents != 0 {
                    if let socket = sockets[id] { listen(to: socket) }
                }
                if waiting[0].revents != 0 {
                    guard pipe.fill() else { return }
                    handleRequests()
                }
            }
            report()
        }
    }

    private static func request(_ descriptor: Int32) -> pollfd {
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    }

    /// The time until the next report in milliseconds, or -1 if nothing is to be reported.
    private func timeout() -> Int32 {
        let now = milliseconds()
        var due: [UInt64] = []
        if !changes.isEmpty { due.append(last.records + Self.intervals.records) }
        if senders.hasSenders || hasRefused { due.append(last.senders + Self.intervals.senders) }
        if let next = cache.due { due.append(UInt64(next / 1_000) + 1) }
        return due.min().map { Int32(clamping: $0 > now ? $0 - now : 0) } ?? -1
    }

    private var hasRefused: Bool { cache.refusedCount > refusedCount }

    private func report() {
        let now = milliseconds()
        changes += cache.removeDue(at: Int64(now) * 1_000)
        if !changes.isEmpty, now >= last.records + Self.intervals.records {
            last.records = now
            reportChanges()
        }
        if senders.hasSenders || hasRefused, now >= last.senders + Self.intervals.senders {
            last.senders = now
            reportSenders(at: now)
        }
    }

    private func reportChanges() {
        pipe.send(changes.map { .record(WitnessedRecord($0)) })
        changes = []
    }

    private func reportSenders(at now: UInt64) {
        let (names, omitted) = senders.popSenders()
        var events = names.flatMap { name in
            name.senders.map { sender, packets in
                WitnessEvent.sender(
                    WitnessedSender(
                        name: name.name.bytes, sender: sender.address,
                        interface: sender.interface, isLocal: packets.isLocal,
                        owner: packets.options.owner ?? [],
                        hasTimeSinceReceived: packets.options.registrationAge != nil,
                        count: packets.count, age: UInt32(clamping: now - packets.last)))
            }
        }
        if !omitted.isEmpty || hasRefused {
            events.append(
                .omitted(
                    names: omitted.names, senders: omitted.senders,
                    records: UInt32(clamping: cache.refusedCount - refusedCount)))
            refusedCount = cache.refusedCount
        }
        pipe.send(events)
    }

    private func listen(to socket: Socket) {
        for _ in 0..<Self.packetLimit {
            guard let packet = pipe.buffer.receive(from: socket.descriptor) else { break }
            capture?.add(
                packet, to: Belief.port, on: socket.path.interface, named: socket.interfaceName)
            // A packet for another interface is heard on the socket of that one.
            guard packet.interface.map({ $0 == socket.path.interface }) ?? true,
                let belief = Belief(packet.bytes, from: packet.port, hopLimit: packet.hopLimit)
            else { continue }
            let sender = Sender(address: packet.source, interface: socket.path.interface)
            if socket.isOfProbe { reply(belief, from: sender) } else { hear(belief, from: sender) }
        }
        writeCapture()
    }

    /// Reports the records of a reply to a probe.
    private func reply(_ packet: Belief, from sender: Sender) {
        pipe.send(
            packet.answers.map {
                .reply(
                    WitnessedRecord(
                        name: $0.name.bytes, type: $0.type, ttl: $0.ttl, data: $0.data,
                        sender: sender.address, interface: sender.interface))
            })
    }

    private func hear(_ packet: Belief, from sender: Sender) {
        let now = milliseconds()
        guard senders.hear(packet, from: sender, at: now) else { return }
        let time = Int64(now) * 1_000
        changes += cache.removeDue(at: time) + cache.add(packet.records, from: sender, at: time)
        if changes.count >= Self.changeLimit { reportChanges() }
    }

    private func writeCapture() {
        guard let code = capture?.write() else { return }
        capture = nil
        pipe.send([.captureEnded(code)])
    }

    private func handleRequests() {
        while let request = pipe.next() {
            switch request {
            case .hello: break
            case .listen(let id, let path, let name):
                let descriptor = pipe.popPassed()
                guard sockets.count < Self.socketLimit else {
                    _ = close(descriptor)
                    continue
                }
                if let former = sockets.updateValue(
                    Socket(descriptor: descriptor, path: path, interfaceName: name), forKey: id)
                {
                    _ = close(former.descriptor)
                }
            case .read(let path):
                let socket = Socket(
                    descriptor: pipe.popPassed(), path: path, interfaceName: "", isOfProbe: true)
                if sockets.count < Self.socketLimit {
                    sockets[UInt32(sockets.count)] = socket
                } else {
                    _ = close(socket.descriptor)
                }
            case .close(let id):
                if let socket = sockets.removeValue(forKey: id) { _ = close(socket.descriptor) }
            case .capture:
                capture = PacketCapture(descriptor: pipe.popPassed())
                // Its beginning, so that it is a capture before a packet is heard.
                writeCapture()
            }
        }
    }
}

extension WitnessedRecord {
    fileprivate init(_ change: RecordCache.Change) {
        self.init(
            name: change.key.name.bytes, type: change.key.type, data: change.data,
            sender: change.sender.address, interface: change.sender.interface)
        switch change.kind {
        case .added(let ttl), .refreshed(let ttl): self.ttl = ttl
        case .ending(let end): self.end = end.rawValue
        case .removed(let end): (self.end, isRemoved) = (end.rawValue, true)
        }
    }
}
