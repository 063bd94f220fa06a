// The helper as a witness: reads packets from the sockets that the list passes, and reports what it hears.
import DNSMessages
import Glibc
import StackProtocol

/// The sockets of the witness, and what was heard on them.
///
/// The witness sends nothing to the network. Records that are new are reported within 50 ms, senders once a second. A
/// list that does not read blocks the witness, and the kernel drops packets meanwhile.
final class WitnessServer {
    private struct Socket {
        let descriptor: Int32
        let path: StackPath
        let interfaceName: String
    }

    /// The shortest times between two reports, in milliseconds.
    private static let intervals = (records: UInt64(50), senders: UInt64(1_000))
    /// The maximum number of packets that are read from a socket before other sockets are.
    private static let packetLimit = 64
    /// The maximum number of sockets.
    private static let socketLimit = 128

    private var reader = FrameReader<WitnessRequest>()
    private var buffer = ReceiveBuffer()
    /// The descriptors that were passed, whose requests were not read yet.
    private var passed: ArraySlice<Int32> = []
    private var sockets: [UInt32: Socket] = [:]
    private var table = HeardTable()
    private var capture: PacketCapture?
    /// The times of the last reports.
    private var last = (records: UInt64(0), senders: UInt64(0))

    /// Sends a hello and waits for the hello of the list; returns `false` if standard input ends before.
    func greet() -> Bool {
        send([.hello(version: protocolVersion)])
        while true {
            if case .hello = next() { return true }
            guard fill() else { return false }
        }
    }

    /// Sends events, which blocks while the pipe is full.
    func send(_ events: [WitnessEvent]) {
        var bytes: [UInt8] = []
        for event in events {
            do throws(FrameError) {
                bytes += try event.frame()
            } catch {
                // Records of messages do not exceed the limits; other events are not affected.
                log("peerlist-mdns: an event is left out: \(error)")
            }
        }
        writeAll(bytes)
    }

    /// Listens until standard input ends or the signal is received.
    func run(until end: EndSignal) {
        handleRequests()
        while true {
            let ids = Array(sockets.keys)
            var waiting = [STDIN_FILENO, end.descriptor].map(Self.request)
            waiting += ids.map { Self.request(sockets[$0]?.descriptor ?? -1) }
            let count = unsafe poll(&waiting, nfds_t(waiting.count), timeout())
            if count < 0, errno != EINTR {
                refuse("poll: \(unsafe String(cString: strerror(errno)))")
            }
            guard count < 0 || waiting[1].revents == 0 else { return }
            if count > 0 {
                for (index, id) in ids.enumerated() where waiting[index + 2].revents != 0 {
                    if let socket = sockets[id] { listen(to: socket) }
                }
                if waiting[0].revents != 0 {
                    guard fill() else { return }
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
        let now = Self.now()
        var due: [UInt64] = []
        if table.hasRecords { due.append(last.records + Self.intervals.records) }
        if table.hasSenders { due.append(last.senders + Self.intervals.senders) }
        return due.min().map { Int32(clamping: $0 > now ? $0 - now : 0) } ?? -1
    }

    private func report() {
        let now = Self.now()
        if table.hasRecords, now >= last.records + Self.intervals.records {
            last.records = now
            send(
                table.popRecords().map { heard in
                    .record(
                        WitnessedRecord(
                            name: heard.record.name.bytes, type: heard.record.type,
                            ttl: heard.record.ttl, data: heard.record.data,
                            sender: heard.sender.address, interface: heard.sender.interface))
                })
        }
        if table.hasSenders, now >= last.senders + Self.intervals.senders {
            last.senders = now
            let (names, omitted) = table.popSenders()
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
            if !omitted.isEmpty {
                events.append(
                    .omitted(
                        names: omitted.names, senders: omitted.senders, records: omitted.records))
            }
            send(events)
        }
    }

    private func listen(to socket: Socket) {
        for _ in 0..<Self.packetLimit {
            guard let packet = buffer.receive(from: socket.descriptor) else { break }
            capture?.add(packet, on: socket.path.interface, named: socket.interfaceName)
            // A response from another port is ignored (RFC 6762, section 6), as one for another interface is.
            guard packet.port == 5353,
                packet.interface.map({ $0 == socket.path.interface }) ?? true,
                let message = DNSMessage(packet.bytes)
            else { continue }
            table.hear(
                message,
                from: HeardTable.Sender(
                    address: packet.source, interface: socket.path.interface),
                isLocal: packet.hopLimit == 255, at: Self.now())
        }
        writeCapture()
    }

    private func writeCapture() {
        guard let code = capture?.write() else { return }
        capture = nil
        send([.captureEnded(code)])
    }

    /// Waits for bytes and descriptors and reads them; returns `false` at the end of standard input.
    private func fill() -> Bool {
        guard let (bytes, descriptors) = buffer.receive(fromPipe: STDIN_FILENO) else {
            return false
        }
        passed += descriptors
        reader.append(bytes)
        return true
    }

    private func handleRequests() {
        while let request = next() {
            switch request {
            case .hello: break
            case .listen(let id, let path, let name):
                let descriptor = popPassed()
                guard sockets.count < Self.socketLimit else {
                    _ = close(descriptor)
                    continue
                }
                if let former = sockets.updateValue(
                    Socket(descriptor: descriptor, path: path, interfaceName: name), forKey: id)
                {
                    _ = close(former.descriptor)
                }
            case .close(let id):
                if let socket = sockets.removeValue(forKey: id) { _ = close(socket.descriptor) }
            case .capture:
                capture = PacketCapture(descriptor: popPassed())
                // Its beginning, so that it is a capture before a packet is heard.
                writeCapture()
            }
        }
    }

    private func popPassed() -> Int32 {
        guard let descriptor = passed.popFirst() else { refuse("a descriptor is missing") }
        return descriptor
    }

    private func next() -> WitnessRequest? {
        do throws(FrameError) {
            return try reader.next()
        } catch {
            refuse(error.description)
        }
    }

    /// The time in milliseconds since any fixed moment.
    private static func now() -> UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000 + UInt64(time.tv_nsec) / 1_000_000
    }
}

/// A packet that was read from a socket.
struct ReceivedPacket {
    let bytes: [UInt8]
    /// The source address, of 4 or 16 bytes.
    let source: [UInt8]
    let port: UInt16
    /// The hop limit, or `nil` if the kernel does not tell it.
    let hopLimit: Int32?
    /// The index of the interface, or `nil` if the kernel does not tell it.
    let interface: Int32?
}

/// The memory into which packets and requests are read.
private struct ReceiveBuffer {
    private var bytes = [UInt8](repeating: 0, count: 65_536)
    private var control = [UInt8](repeating: 0, count: 512)
    private var source = [UInt8](repeating: 0, count: 128)

    /// Returns the next packet, or `nil` if none waits; a packet that is too long is empty.
    mutating func receive(from descriptor: Int32) -> ReceivedPacket? {
        guard let (count, used, flags) = receive(descriptor, MSG_DONTWAIT) else { return nil }
        // The family is the first of the two bytes that are in the order of this machine.
        let isIPv4 = source[0] == UInt8(AF_INET)
        let details = ControlMessages(control.prefix(used))
        let isWhole = flags & Int32(MSG_TRUNC) == 0 && count <= DNSMessage.sizeLimit
        return ReceivedPacket(
            bytes: isWhole ? Array(bytes.prefix(count)) : [],
            source: Array(isIPv4 ? source[4..<8] : source[8..<24]),
            port: UInt16(source[2]) << 8 | UInt16(source[3]), hopLimit: details.hopLimit,
            interface: details.interface)
    }

    /// Waits for bytes of a pipe, and returns them with the descriptors passed; `nil` at its end.
    mutating func receive(fromPipe descriptor: Int32) -> ([UInt8], [Int32])? {
        guard let (count, used, _) = receive(descriptor, MSG_CMSG_CLOEXEC), count > 0 else {
            return nil
        }
        return (Array(bytes.prefix(count)), ControlMessages(control.prefix(used)).descriptors)
    }

    private mutating func receive(
        _ descriptor: Int32, _ flags: Int
    ) -> (count: Int, control: Int, flags: Int32)? {
        while true {
            let result = unsafe bytes.withUnsafeMutableBytes { bytes in
                unsafe control.withUnsafeMutableBytes { control in
                    unsafe source.withUnsafeMutableBytes { source in
                        var part = unsafe iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                        return unsafe withUnsafeMutablePointer(to: &part) { part in
                            var message = unsafe msghdr(
                                msg_name: source.baseAddress, msg_namelen: socklen_t(source.count),
                                msg_iov: part, msg_iovlen: 1, msg_control: control.baseAddress,
                                msg_controllen: control.count, msg_flags: 0)
                            let count = unsafe recvmsg(
                                descriptor, &message, Int32(flags))
                            return unsafe (count, message.msg_controllen, message.msg_flags)
                        }
                    }
                }
            }
            if result.0 >= 0 { return (result.0, result.1, result.2) }
            guard errno == EINTR else { return nil }
        }
    }
}
