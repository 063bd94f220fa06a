// Has a helper process read the replies to a probe, because they come from anyone.
import DNSMessages
import Glibc
import StackProtocol

/// The sockets of a probe, and the helper process that reads the replies which arrive on them.
///
/// The probe itself only sends: no packet of a stranger is parsed in this process.
final class ReplyReader {
    /// An SRV or PTR record in a reply.
    struct Record {
        let name: DNSName
        let type: UInt16
        /// The name in its data.
        let target: DNSName?
        /// The interface on which the reply arrived.
        let interface: NetworkInterface
    }

    private let process: HelperProcess
    private var reader = FrameReader<WitnessEvent>()

    /// Starts the helper, at a path or at one of the usual places.
    ///
    /// - Throws: ``ProbeError`` if the helper cannot be started.
    init(helper path: String?) throws(ProbeError) {
        do throws(BackendError) {
            process = try HelperProcess(
                HelperPath.find(named: path), arguments: [witnessArgument])
        } catch {
            throw ProbeError(error)
        }
        send(.hello(version: protocolVersion)) {
            unsafe Glibc.send($0, $1, $1.count, Int32(MSG_NOSIGNAL))
        }
    }

    deinit { _ = process.end() }

    /// Has the helper read the replies that arrive on a socket.
    func add(_ socket: ProbeSocket, on path: NetworkPath) {
        let family: Int32 = path.family == .ipv4 ? 0 : 1
        send(.read(StackPath(interface: path.interface.index, family: family))) {
            socket.pass(over: $0, with: $1)
        }
    }

    /// Sends queries at certain times, and receives records of replies until the time is over, `send` throws, `receive`
    /// returns `false`, or the helper ends.
    func exchange<Failure>(
        at sendTimes: [Duration], within limit: Duration, send: () throws(Failure) -> Void,
        receive: (Record) -> Bool
    ) throws(Failure) {
        try DatagramSocket.exchange(
            reading: [process.channel], at: sendTimes, within: limit, send: send,
            receive: { _, _ in self.receive(receive) })
    }

    private func receive(_ receive: (Record) -> Bool) -> Bool {
        guard let chunk = HelperProcess.chunk(of: process.channel) else { return true }
        guard !chunk.isEmpty else { return false }
        reader.append(chunk)
        do throws(FrameError) {
            while let event = try reader.next() {
                guard case .reply(let record) = event, let name = DNSName(wire: record.name)
                else { continue }
                let offset = record.type == DNSType.srv ? 6 : 0
                let target = DNSName(wire: Array(record.data.dropFirst(offset)))
                guard
                    receive(
                        Record(
                            name: name, type: record.type, target: target,
                            interface: NetworkInterface(index: record.interface, name: "")))
                else {
                    return false
                }
            }
        } catch {
            // What the helper says is trusted no more than packets.
            return false
        }
        return true
    }

    private func send(
        _ request: WitnessRequest, by pass: (_ channel: Int32, _ frame: [UInt8]) -> Int
    ) {
        // Requests are few and short, so there is room for them. A helper that has ended is noticed when it is read.
        if let frame = try? request.frame() { _ = pass(process.channel, frame) }
    }
}
