// The helper that reads SSDP and WS-Discovery, the sockets that it is given, and the questions that are sent from them.
import FoundationEssentials
import Glibc
import PeerList
import PeerModel
import SilentDevices
import SilentMessages
import SilentProtocol
import StackProtocol

/// The helper process `peerlist-mdns` as a reader of SSDP and WS-Discovery.
///
/// Questions are sent by this process, and answered to sockets that the helper reads.
final class SilentReader {
    /// The sockets of a protocol on a path.
    private struct Opened {
        let ids: [UInt32]
        /// The socket from which questions are sent.
        let asking: DatagramSocket
    }

    private struct Place: Hashable {
        let speaker: Statement.Speaker
        let path: NetworkPath
    }

    private let speakers: [Statement.Speaker]
    private let receive: (SilentEvent) -> Void
    private var channel: HelperChannel<SilentEvent>?
    private var opened: [Place: Opened] = [:]
    private var lastID: UInt32 = 0

    /// Starts the helper; the caller runs on the loop, and `receive` is called on it until the reader is closed. If the
    /// helper ends before that, `failed` is called with the reason.
    ///
    /// - Throws: ``BackendError`` if the helper cannot be started.
    init(
        on loop: EventLoop, speakers: [Statement.Speaker],
        receive: @escaping (SilentEvent) -> Void, failed: @escaping (String) -> Void
    ) throws(BackendError) {
        (self.speakers, self.receive) = (speakers, receive)
        // The channel retains this reader until it is closed or the helper has ended.
        channel = try HelperChannel(
            silentArgument, path: HelperPath.find(), on: loop, receive: { self.report($0) },
            failed: failed)
    }

    /// Greets the helper; the owner has this reader by then.
    func begin() { channel?.send(SilentRequest.hello(version: protocolVersion)) }

    /// Appends the packets heard from now on to a capture, which the helper keeps open.
    func capture(to capture: OpenCapture) {
        channel?.send(SilentRequest.capture, passing: capture.descriptor)
    }

    /// Listens on the given paths and no others.
    func update(_ paths: Set<NetworkPath>) {
        for (place, sockets) in opened where !paths.contains(place.path) {
            opened[place] = nil
            for id in sockets.ids { channel?.send(SilentRequest.close(id)) }
        }
        for path in paths.sorted() {
            for speaker in speakers where opened[Place(speaker: speaker, path: path)] == nil {
                open(speaker, path)
            }
        }
    }

    /// Asks all devices on a path; returns the error, if there is one.
    func ask(_ speaker: Statement.Speaker, on path: NetworkPath) -> String? {
        guard let sockets = opened[Place(speaker: speaker, path: path)] else {
            return "it is not heard there"
        }
        let codes = speaker.questions(path.family).map {
            sockets.asking.send($0, to: speaker.group(on: path))
        }
        return codes.compactMap(\.self).first.map { unsafe String(cString: strerror($0)) }
    }

    /// Asks the device at an address alone.
    func ask(_ speaker: Statement.Speaker, on path: NetworkPath, at address: HostAddress) {
        let place = Place(speaker: speaker, path: path)
        let target = SocketAddress(
            address, port: speaker.port ?? 0, interface: path.interface.index)
        // One packet alone: the address may be forged.
        for question in speaker.questions(path.family).suffix(1) {
            opened[place]?.asking.send(question, to: target)
        }
    }

    /// Asks for the address at which a device of WS-Discovery describes itself.
    func resolve(_ device: String, on path: NetworkPath) {
        let message = WSDRequest.resolve(Self.endpoint(device), uuid: Self.uuid())
        opened[Place(speaker: .wsd, path: path)]?.asking.send(
            message, to: Statement.Speaker.wsd.group(on: path))
    }

    /// Connects to the device itself and passes the connection; returns whether that was possible.
    func fetch(_ id: UInt32, _ fetch: DescriptionFetches.Fetch) -> Bool {
        let target = SocketAddress(
            fetch.address, port: fetch.location.port, interface: fetch.path.interface.index)
        guard let descriptor = connectOnLink(to: target) else { return false }
        let envelope = WSDRequest.metadata(
            of: Self.endpoint(fetch.key.device), uuid: Self.uuid())
        let request = fetch.location.request(
            posting: fetch.key.speaker == .wsd ? envelope : nil)
        channel?.send(
            SilentRequest.fetch(id, fetch.key.speaker, request: request), passing: descriptor)
        Glibc.close(descriptor)
        return channel?.isOpen == true
    }

    /// Ends the helper. A second call does nothing.
    func close() { channel?.close() }

    private func open(_ speaker: Statement.Speaker, _ path: NetworkPath) {
        let group = speaker.group(on: path)
        guard let listening = try? DatagramSocket.listening(on: path, to: group),
            let asking = try? DatagramSocket.asking(on: path)
        else { return }
        let family: Int32 = path.family == .ipv4 ? 0 : 1
        let stackPath = StackPath(interface: path.interface.index, family: family)
        var ids: [UInt32] = []
        for socket in [listening, asking] {
            lastID &+= 1
            ids.append(lastID)
            channel?.send(
                SilentRequest.listen(lastID, speaker, stackPath, path.interface.name),
                passing: socket)
        }
        opened[Place(speaker: speaker, path: path)] = Opened(ids: ids, asking: asking)
    }

    private static func uuid() -> String { UUID.randomByKernel().uuidString.lowercased() }

    private static func endpoint(_ device: String) -> String {
        device.hasPrefix("uuid:") ? "urn:" + device : device
    }

    private func report(_ events: [SilentEvent]) {
        for event in events where channel?.isOpen == true { receive(event) }
    }
}

extension Statement.Speaker {
    /// The group of the protocol: 239.255.255.250, or ff02::c.
    func group(on path: NetworkPath) -> SocketAddress {
        let bytes = [0xff, 0x02] + [UInt8](repeating: 0, count: 13) + [0x0c]
        let address = HostAddress(
            bytes: path.family == .ipv4 ? [239, 255, 255, 250] : bytes, interface: "")
        return SocketAddress(address, port: port ?? 0, interface: path.interface.index)
    }

    /// Searches for all devices.
    func questions(_ family: AddressFamily) -> [[UInt8]] {
        switch self {
        case .ssdp:
            [
                SSDPSearch.message(
                    host: family == .ipv4 ? SSDPSearch.hostOfIPv4 : SSDPSearch.hostOfIPv6)
            ]
        case .wsd: WSDRequest.probes { UUID.randomByKernel().uuidString.lowercased() }
        case .neighbours: []
        }
    }
}
