// Asks whether machines answer at announced addresses, and on announced ports.
import FoundationEssentials
import Glibc

/// A question whether a device answers at one of its addresses, and on its TCP ports.
package struct AddressQuestion: Sendable, Hashable {
    /// The maximum number of ports of an address that are asked.
    static let portLimit = 8

    let address: HostAddress
    /// The announced TCP ports to connect to.
    let ports: [UInt16]
    /// The announced port to which a datagram is sent if this process may not send an echo request; `nil` for none.
    let datagramPort: UInt16?
    /// The MAC addresses of the device; empty if none is known.
    let macs: Set<MACAddress>
    /// The MAC addresses of other devices, which do not announce the address.
    let otherMACs: Set<MACAddress>

    /// The interface of an address with a scope.
    fileprivate var interface: NetworkInterface? {
        address.scope.flatMap { NetworkInterface(named: $0) }
    }

    init(
        _ address: HostAddress, ports: [UInt16] = [], datagramPort: UInt16? = nil,
        macs: Set<MACAddress> = [], otherMACs: Set<MACAddress> = []
    ) {
        (self.address, self.ports, self.datagramPort) = (address, ports, datagramPort)
        (self.macs, self.otherMACs) = (macs, otherMACs)
    }

    /// Returns a question for each address of a device that can work from here, the best first.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - port: The port to ask for; `nil` for the ports of all its TCP services.
    ///   - others: The other devices of the list.
    package static func all(
        of device: Peer, port: UInt16? = nil, among others: [Peer] = []
    ) -> [AddressQuestion] {
        var ports: [UInt16] = []
        for service in device.services where service.type.hasSuffix("._tcp") {
            guard let announced = service.port, announced != 0, port ?? announced == announced,
                !ports.contains(announced)
            else { continue }
            ports.append(announced)
        }
        let macs = Set(device.macs.compactMap { MACAddress($0) })
        return device.workingAddresses.compactMap { text in
            guard let address = HostAddress(scoped: text) else { return nil }
            let strangers = others.lazy.filter {
                $0.id != device.id && !$0.addresses.contains(text)
            }
            return AddressQuestion(
                address, ports: Array(ports.prefix(portLimit)),
                datagramPort: device.services.lazy.compactMap(\.port).first { $0 != 0 }, macs: macs,
                otherMACs: Set(strangers.flatMap(\.macs).compactMap { MACAddress($0) })
                    .subtracting(macs))
        }
    }
}

/// Asks machines whether they answer: one datagram to each address, the kernel's neighbour table, and one TCP connection to
/// each port, which is closed at once.
package struct AddressProbe: Sendable {
    /// The maximum number of sockets that are open at once.
    private static let socketLimit = 64
    /// The maximum number of questions.
    static let questionLimit = 1_024
    /// The time for which connections and echoes are waited for.
    private static let patience = Duration.seconds(1)
    /// The time after which the kernel has resolved an address or has failed to: it trusts an old entry for 5 s, and then
    /// asks three times, a second apart.
    private static let resolution = Duration.seconds(9)
    private static let pollInterval = Duration.milliseconds(200)

    package init() {}

    /// Asks on a thread of its own; the questions beyond ``questionLimit`` are left out.
    ///
    /// - Returns: The answers in the order of the questions, within 14 s for each 64 sockets; none if no thread can be
    ///   started.
    package func ask(_ questions: [AddressQuestion]) async -> [AddressAnswer] {
        await
            (try? onThread { () throws(ProbeError) in
                var answers: [AddressAnswer] = []
                var rest = questions.prefix(Self.questionLimit)
                while !rest.isEmpty {
                    var (count, sockets) = (0, 0)
                    for question in rest {
                        sockets += question.ports.count + 1
                        guard count == 0 || sockets <= Self.socketLimit else { break }
                        count += 1
                    }
                    answers += Self.answers(to: Array(rest.prefix(count)))
                    rest = rest.dropFirst(count)
                }
                return answers
            }.get()) ?? []
    }

    /// Asks, and asks those again whose address resolution failed by an old MAC address: another machine may have the
    /// address now, which the kernel looks for at the next packet.
    private static func answers(to questions: [AddressQuestion]) -> [AddressAnswer] {
        let before = NeighbourTable.current()
        var answers = attempt(questions)
        let stale = questions.indices.filter { index in
            let interface = questions[index].interface
            return answers[index].machine == .nobody
                && before.entry(of: questions[index].address, on: interface)?.isKnown == true
        }
        guard !stale.isEmpty else { return answers }
        for (index, answer) in zip(stale, attempt(stale.map { questions[$0] })) {
            answers[index] = answer
        }
        return answers
    }

    private static func attempt(_ questions: [AddressQuestion]) -> [AddressAnswer] {
        var attempts = questions.map(Attempt.init)
        let start = ContinuousClock.now
        wait(for: &attempts, until: start + patience)
        for index in attempts.indices { attempts[index].end() }
        var neighbours = NeighbourTable.current()
        while ContinuousClock.now < start + resolution,
            attempts.contains(where: { $0.isOpen(by: neighbours, within: .now - start) })
        {
            _ = usleep(UInt32(pollInterval / .microseconds(1)))
            neighbours = .current()
        }
        return attempts.map { $0.answer(by: neighbours, within: .now - start) }
    }

    /// Waits until all sockets have a result, or the time is over.
    private static func wait(
        for attempts: inout [Attempt], until end: ContinuousClock.Instant
    ) {
        while case let left = end - .now, left > .zero {
            var files: [pollfd] = []
            for attempt in attempts { files += attempt.files }
            guard !files.isEmpty else { return }
            let milliseconds = Int32(left / .milliseconds(1)) + 1
            guard unsafe poll(&files, nfds_t(files.count), milliseconds) > 0 else { continue }
            for file in files where file.revents != 0 {
                for index in attempts.indices { attempts[index].handle(file.fd) }
            }
        }
    }
}

/// The sockets of a question, and what came over them.
private struct Attempt {
    let question: AddressQuestion
    private var connections: [Int32: UInt16] = [:]
    private var datagram: Int32?
    private var ports: [UInt16: AddressAnswer.Port] = [:]
    /// Whether a packet came from the address.
    private var hasAnswered = false
    /// Whether a socket reported that the address cannot be reached.
    private var isUnreachable = false

    init(_ question: AddressQuestion) {
        self.question = question
        touch()
        for port in question.ports {
            ports[port] = .filtered
            guard let file = Self.socket(of: question.address.family, SOCK_STREAM) else { continue }
            connections[file] = port
            if connect(file, port) != EINPROGRESS { handle(file) }
        }
    }

    /// Sends one datagram: an echo request, or if this process may not send one, an empty one to an announced port.
    private mutating func touch() {
        let isIPv4 = question.address.family == .ipv4
        let control = Int32(isIPv4 ? IPPROTO_ICMP : IPPROTO_ICMPV6)
        var (bytes, port): ([UInt8], UInt16) = ([isIPv4 ? 8 : 128, 0, 0, 0, 0, 0, 0, 1], 0)
        datagram = Self.socket(of: question.address.family, SOCK_DGRAM, control)
        if datagram == nil, let announced = question.datagramPort {
            (bytes, port) = ([], announced)
            datagram = Self.socket(of: question.address.family, SOCK_DGRAM)
        }
        guard let file = datagram else { return }
        let code = connect(file, port)
        if code == 0 { unsafe _ = Glibc.send(file, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
        if [ENETUNREACH, EHOSTUNREACH].contains(code) { isUnreachable = true }
    }

    private func connect(_ file: Int32, _ port: UInt16) -> Int32 {
        var address = SocketAddress(
            question.address, port: port, interface: question.interface?.index ?? 0)
        let status = unsafe address.withPointer { pointer, size in
            unsafe Glibc.connect(file, pointer, size)
        }
        return status == 0 ? 0 : errno
    }

    private static func socket(
        of family: AddressFamily, _ type: __socket_type, _ control: Int32 = 0
    ) -> Int32? {
        let kind = Int32(type.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let file = Glibc.socket(family == .ipv4 ? AF_INET : AF_INET6, kind, control)
        return file >= 0 ? file : nil
    }

    /// The sockets that have no result yet.
    var files: [pollfd] {
        connections.keys.map { pollfd(fd: $0, events: Int16(POLLOUT), revents: 0) }
            + (datagram.map { [pollfd(fd: $0, events: Int16(POLLIN), revents: 0)] } ?? [])
    }

    /// Reads the result of a socket, and closes it.
    mutating func handle(_ file: Int32) {
        let port = connections.removeValue(forKey: file)
        guard port != nil || file == datagram else { return }
        var (code, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        unsafe getsockopt(file, SOL_SOCKET, SO_ERROR, &code, &size)
        close(file)
        if port == nil { datagram = nil }
        switch code {
        case 0:
            if let port { ports[port] = .open }
            hasAnswered = true
        case ECONNREFUSED:
            if let port { ports[port] = .closed }
            hasAnswered = true
        case EHOSTUNREACH, ENETUNREACH: isUnreachable = true
        default: break
        }
    }

    /// Closes the sockets without a result.
    mutating func end() {
        for file in files { close(file.fd) }
        (connections, datagram) = ([:], nil)
    }

    /// Whether the kernel may still find out whether the machine is there.
    func isOpen(by neighbours: NeighbourTable, within time: Duration) -> Bool {
        guard !hasAnswered,
            let entry = neighbours.entry(of: question.address, on: question.interface)
        else {
            return false
        }
        return entry.isPending(within: time)
    }

    func answer(
        by neighbours: NeighbourTable, within time: Duration
    ) -> AddressAnswer {
        let entry = neighbours.entry(of: question.address, on: question.interface)
        return AddressAnswer(
            address: question.address.description, machine: machine(entry, within: time),
            ports: ports)
    }

    private func machine(
        _ entry: NeighbourTable.Entry?, within time: Duration
    ) -> AddressAnswer.Machine {
        guard let entry else {
            return hasAnswered ? .device(nil) : isUnreachable ? .nobody : .unknown(secondsAgo: nil)
        }
        let isStranger = entry.mac.map {
            !question.macs.isEmpty && !question.macs.contains($0) || question.otherMACs.contains($0)
        }
        guard hasAnswered || entry.isConfirmed(within: time) else {
            return entry.hasFailed
                ? .nobody : .unknown(secondsAgo: Int(entry.age.components.seconds))
        }
        guard isStranger == true, let mac = entry.mac else { return .device(entry.mac) }
        // Packets of the device itself pass through a router that answers for it.
        if question.otherMACs.contains(mac) { return hasAnswered ? .device(mac) : .proxy(mac) }
        return hasAnswered ? .other(mac) : .proxy(mac)
    }
}
