// The witness: hears the packets on the link, through a helper process without rights.
import DNSMessages
import Glibc
import HeardRecords
import StackProtocol

/// The helper process `peerlist-mdns` as a witness, and the sockets that it listens on.
final class LinkWitness {
    /// The maximum number of paths to listen on; more are a mistake.
    static let pathLimit = 64

    private let receive: (WitnessReport) -> Void
    private var channel: HelperChannel<WitnessEvent>?
    private var sockets: [NetworkPath: UInt32] = [:]
    private var lastID: UInt32 = 0

    /// Starts the helper, which begins to listen some time later.
    ///
    /// The caller runs on the loop. `receive` is called on the loop until the witness is closed or has failed.
    ///
    /// - Throws: ``BackendError`` if the helper cannot be started, or port 5353 cannot be shared.
    init(
        on loop: EventLoop, paths: [NetworkPath], path: String,
        receive: @escaping (WitnessReport) -> Void
    ) throws(BackendError) {
        self.receive = receive
        let opened = Self.open(paths)
        if opened.sockets.isEmpty, let error = opened.error {
            throw BackendError(error.description)
        }
        // The channel retains this witness until it is closed or the helper has ended.
        channel = try HelperChannel(
            witnessArgument, path: path, on: loop, receive: { self.report($0) },
            failed: { receive(.failed($0)) })
        channel?.send(WitnessRequest.hello(version: protocolVersion))
        for (path, socket) in opened.sockets { listen(socket, on: path) }
    }

    /// Listens on the given paths and no others.
    func update(_ paths: [NetworkPath]) {
        for (path, id) in sockets where !paths.contains(path) {
            sockets[path] = nil
            channel?.send(WitnessRequest.close(id))
        }
        for (path, socket) in Self.open(paths.filter { sockets[$0] == nil }).sockets {
            listen(socket, on: path)
        }
    }

    /// Appends the packets heard from now on to a capture, which the helper keeps open.
    func capture(to descriptor: Int32) {
        channel?.send(WitnessRequest.capture, passing: descriptor)
    }

    /// Ends the helper. A second call does nothing.
    func close() { channel?.close() }

    private static func open(
        _ paths: [NetworkPath]
    ) -> (sockets: [(NetworkPath, DatagramSocket)], error: ProbeError?) {
        var sockets: [(NetworkPath, DatagramSocket)] = []
        var lastError: ProbeError?
        for path in paths.prefix(pathLimit) {
            do throws(ProbeError) {
                sockets.append((path, try DatagramSocket.listening(on: path)))
            } catch {
                lastError = error
            }
        }
        return (sockets, lastError)
    }

    private func listen(_ socket: DatagramSocket, on path: NetworkPath) {
        guard sockets.count < Self.pathLimit else { return receive(.omitted) }
        lastID &+= 1
        sockets[path] = lastID
        let family: Int32 = path.family == .ipv4 ? 0 : 1
        let place = StackPath(interface: path.interface.index, family: family)
        channel?.send(
            WitnessRequest.listen(lastID, place, interface: path.interface.name), passing: socket)
    }

    private func report(_ events: [WitnessEvent]) {
        var records: [HeardRecord] = []
        var senders: [HeardSender] = []
        for event in events {
            switch event {
            case .hello, .reply: break
            case .listening: receive(.listening)
            case .record(let record): if let heard = heard(record) { records.append(heard) }
            case .sender(let sender): if let heard = heard(sender) { senders.append(heard) }
            case .omitted: receive(.omitted)
            case .captureEnded(let code): receive(.captureEnded(Self.reason(code)))
            case .unconfined(let missing):
                if let warning = missing.warning { receive(.warning(warning)) }
            }
        }
        if !records.isEmpty || !senders.isEmpty { receive(.heard(records, senders)) }
    }

    /// The reason for which a capture has ended, and what to do.
    private static func reason(_ code: Int32) -> String {
        switch code {
        case EFBIG: "it has 1 GiB, the most; rename it and send SIGHUP, and another is begun"
        case ENOSPC, EDQUOT: "the disk is full; make room and send SIGHUP to go on"
        default: unsafe String(cString: strerror(code))
        }
    }

    /// Returns the interface with an index, if the witness listens on it.
    private func interface(_ index: Int32) -> NetworkInterface? {
        sockets.keys.first { $0.interface.index == index }?.interface
    }

    private func heard(_ record: WitnessedRecord) -> HeardRecord? {
        guard let name = DNSName(wire: record.name), let interface = interface(record.interface)
        else { return nil }
        let change: RecordCache.Change.Kind
        if record.end == 0 {
            change = .refreshed(ttl: record.ttl)
        } else {
            guard let end = RecordCache.End(rawValue: record.end) else { return nil }
            change = record.isRemoved ? .removed(end) : .ending(end)
        }
        return HeardRecord(
            name: name, type: record.type, data: record.data, change, from: record.sender,
            on: interface)
    }

    private func heard(_ sender: WitnessedSender) -> HeardSender? {
        guard let name = DNSName(wire: sender.name), let interface = interface(sender.interface)
        else { return nil }
        let now = Timestamp.now().microseconds
        return HeardSender(
            name: name.text, address: HostAddress(bytes: sender.sender, interface: interface.name),
            interface: interface, isLocal: sender.isLocal, owner: MACAddress(bytes: sender.owner),
            hasTimeSinceReceived: sender.hasTimeSinceReceived, count: Int(sender.count),
            last: Timestamp(microseconds: now - Int64(sender.age) * 1_000))
    }
}
