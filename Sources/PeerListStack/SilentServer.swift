// The helper as a reader of SSDP and WS-Discovery: reads the sockets and streams that the list passes.
import Glibc
import SilentMessages
import SilentProtocol
import StackProtocol

/// The sockets on which devices tell of themselves, and the streams on which they describe themselves.
final class SilentServer {
    private struct Socket {
        let descriptor: Int32
        let speaker: Statement.Speaker
        let path: StackPath
        let interfaceName: String
    }

    private struct Fetch {
        let descriptor: Int32
        let speaker: Statement.Speaker
        /// The rest of the request.
        var request: ArraySlice<UInt8>
        var answer = HTTPAnswer()
        /// The time at which it ends without an answer.
        let due: UInt64
    }

    /// The maximum number of packets that are read from a socket before other sockets are.
    private static let packetLimit = 64
    /// The maximum numbers of sockets and of streams.
    private static let limits = (sockets: 192, fetches: 8)
    /// The time for a description, in milliseconds.
    private static let fetchLimit: UInt64 = 2_000

    private let pipe: RequestPipe<SilentRequest, SilentEvent>
    private var sockets: [UInt32: Socket] = [:]
    private var fetches: [UInt32: Fetch] = [:]
    private var capture: PacketCapture?
    private var chunk = [UInt8](repeating: 0, count: 16_384)

    init(_ pipe: RequestPipe<SilentRequest, SilentEvent>) { self.pipe = pipe }

    /// Reads until standard input ends or the signal is received.
    func run(until end: EndSignal) {
        handleRequests()
        while true {
            let (ids, fetching) = (Array(sockets.keys), Array(fetches.keys))
            var waiting = [STDIN_FILENO, end.descriptor].map { Self.request($0) }
            waiting += ids.map { Self.request(sockets[$0]?.descriptor ?? -1) }
            waiting += fetching.map { id in
                let fetch = fetches[id]
                return Self.request(
                    fetch?.descriptor ?? -1, writes: fetch?.request.isEmpty == false)
            }
            if wait(for: &waiting, within: timeout()) {
                guard waiting[1].revents == 0 else { return }
                for (index, id) in ids.enumerated() where waiting[index + 2].revents != 0 {
                    if let socket = sockets[id] { listen(to: socket) }
                }
                for (index, id) in fetching.enumerated()
                where waiting[index + 2 + ids.count].revents != 0 { proceed(id) }
                if waiting[0].revents != 0 {
                    guard pipe.fill() else { return }
                    handleRequests()
                }
            }
            let now = milliseconds()
            for (id, fetch) in fetches where fetch.due <= now {
                finish(id, .failed(id, "it takes more than two seconds"))
            }
        }
    }

    private static func request(_ descriptor: Int32, writes: Bool = false) -> pollfd {
        pollfd(fd: descriptor, events: Int16(writes ? POLLOUT : POLLIN), revents: 0)
    }

    /// The time until a fetch ends in milliseconds, or -1 if there is none.
    private func timeout() -> Int32 {
        let now = milliseconds()
        return fetches.values.map(\.due).min().map { Int32(clamping: $0 > now ? $0 - now : 0) }
            ?? -1
    }

    private func listen(to socket: Socket) {
        for _ in 0..<Self.packetLimit {
            guard let packet = pipe.buffer.receive(from: socket.descriptor) else { break }
            let interface = packet.interface ?? socket.path.interface
            // A packet for another interface is read from the socket of that one.
            guard interface == socket.path.interface else { continue }
            if let port = socket.speaker.port {
                capture?.add(packet, to: port, on: interface, named: socket.interfaceName)
            }
            pipe.send(
                Statement.all(of: packet.bytes, socket.speaker, from: packet.source).map {
                    .told($0, sender: packet.source, interface: interface)
                })
        }
        // The witness says that nothing more can be written: it writes to the same file.
        if capture?.write() != nil { capture = nil }
    }

    private func handleRequests() {
        while let request = pipe.next() {
            switch request {
            case .hello: break
            case .capture: capture = PacketCapture(descriptor: pipe.popPassed())
            case .listen(let id, let speaker, let path, let name):
                let descriptor = pipe.popPassed()
                guard sockets.count < Self.limits.sockets else {
                    _ = close(descriptor)
                    continue
                }
                let socket = Socket(
                    descriptor: descriptor, speaker: speaker, path: path, interfaceName: name)
                if let former = sockets.updateValue(socket, forKey: id) {
                    _ = close(former.descriptor)
                }
            case .close(let id):
                if let socket = sockets.removeValue(forKey: id) { _ = close(socket.descriptor) }
            case .fetch(let id, let speaker, let request):
                let fetch = Fetch(
                    descriptor: pipe.popPassed(), speaker: speaker, request: request[...],
                    due: milliseconds() + Self.fetchLimit)
                guard fetches.count < Self.limits.fetches, fetches[id] == nil else {
                    _ = close(fetch.descriptor)
                    pipe.send([.failed(id, "too many are fetched at once")])
                    continue
                }
                fetches[id] = fetch
            }
        }
    }

    // MARK: Descriptions

    /// Writes the request of a fetch, or reads its answer.
    private func proceed(_ id: UInt32) {
        guard var fetch = fetches[id] else { return }
        if !fetch.request.isEmpty {
            let count = unsafe fetch.request.withUnsafeBytes {
                unsafe Glibc.write(fetch.descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno != EAGAIN, errno != EINTR {
                return finish(id, .failed(id, unsafe String(cString: strerror(errno))))
            }
            fetch.request = fetch.request.dropFirst(max(0, count))
            fetches[id] = fetch
            return
        }
        let count = unsafe Glibc.read(fetch.descriptor, &chunk, chunk.count)
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        if count < 0 { return finish(id, .failed(id, unsafe String(cString: strerror(errno)))) }
        if count == 0 { fetch.answer.finish() } else { fetch.answer.append(chunk.prefix(count)) }
        fetches[id] = fetch
        switch fetch.answer.progress {
        case .needsMore: break
        case .refused(let refusal): finish(id, .failed(id, refusal.description))
        case .body(let body): finish(id, Self.description(in: body, fetch.speaker, id))
        }
    }

    private static func description(
        in body: [UInt8], _ speaker: Statement.Speaker, _ id: UInt32
    ) -> SilentEvent {
        do throws(XMLReader.Refusal) {
            let described =
                speaker == .ssdp
                ? try DeviceDescription(upnp: body) : try DeviceDescription(metadata: body)
            return .described(
                id, type: described.type ?? "",
                described.fields.map { Statement.Text($0.key.rawValue, $0.value) })
        } catch {
            return .failed(id, error.description)
        }
    }

    private func finish(_ id: UInt32, _ event: SilentEvent) {
        if let fetch = fetches.removeValue(forKey: id) { _ = close(fetch.descriptor) }
        pipe.send([event])
    }
}
