// Asks whether machines answer at announced addresses, and on announced ports.
package import FoundationEssentials
import Glibc
import PeerSystem

/// A question whether a device answers at one of its addresses, and on its TCP ports.
package struct AddressQuestion: Sendable, Hashable {
    /// The maximum number of ports of an address that are asked.
    static let portLimit = 8

    let address: HostAddress
    /// The announced TCP ports to connect to.
    let ports: [UInt16]
    /// The announced port to which a datagram is sent if this process may not send an echo request, of a UDP service if
    /// there is one; `nil` for none.
    let datagramPort: UInt16?
    /// The MAC addresses of the device; empty if none is known.
    let macs: Set<MACAddress>
    /// The MAC addresses of other devices, which do not announce the address, and of routers.
    let otherMACs: Set<MACAddress>

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
    ///   - wanted: The port to ask for; `nil` for the ports of all its TCP services.
    ///   - others: The devices of the list.
    /// - Returns: The questions; none if no address can work.
    package static func all(
        of device: Peer, port wanted: UInt16? = nil, among others: Others = Others([])
    ) -> [AddressQuestion] {
        var ports: [UInt16] = []
        for service in device.services where service.isOfTCP {
            guard let port = service.port, port != 0, wanted ?? port == port, !ports.contains(port)
            else { continue }
            ports.append(port)
        }
        let announced = device.services.filter { $0.port ?? 0 != 0 }
        let datagramPort =
            (announced.first { $0.type.hasSuffix("._udp") } ?? announced.first)?.port
        let macs = Set(device.macs.compactMap { MACAddress($0) })
        return device.workingAddresses.compactMap { text in
            guard let address = HostAddress(scoped: text) else { return nil }
            return AddressQuestion(
                address, ports: Array(ports.prefix(portLimit)),
                datagramPort: datagramPort, macs: macs,
                otherMACs: others.macs(without: text).subtracting(macs)
                    .union(others.routers(besides: device)))
        }
    }
}

extension HostAddress {
    /// The interface of an address with a scope.
    fileprivate var interface: NetworkInterface? { scope.flatMap { NetworkInterface(named: $0) } }
}

extension AddressQuestion {
    /// The MAC addresses of the devices of a list, and of routers.
    package struct Others: Sendable {
        private var owners: [MACAddress: Set<UUID>] = [:]
        private var announcers: [String: Set<UUID>] = [:]
        /// The addresses of the routers by MAC address.
        private let routers: [MACAddress: Set<String>]

        /// Takes the devices of a list, and the routers of this machine from its kernel.
        package static func here(_ devices: [Peer]) -> Others {
            let (routes, table) = (
                RouteTable.current(LocalInterface.all()).routes, NeighbourTable.current()
            )
            var routers: [MACAddress: Set<String>] = [:]
            for router in Set(routes.lazy.filter(\.isUsable).compactMap(\.gateway)) {
                guard let mac = table.entry(of: router, on: router.interface)?.mac else { continue }
                routers[mac, default: []].insert(router.description)
            }
            return Others(devices, routers: routers)
        }

        init(_ devices: [Peer], routers: [MACAddress: Set<String>] = [:]) {
            self.routers = routers
            for device in devices {
                for mac in device.macs.lazy.compactMap({ MACAddress($0) }) {
                    owners[mac, default: []].insert(device.id)
                }
                for address in device.addresses {
                    announcers[address, default: []].insert(device.id)
                }
            }
        }

        /// Returns the MAC addresses of the devices that do not announce an address.
        func macs(without address: String) -> Set<MACAddress> {
            let announcers = announcers[address] ?? []
            return Set(owners.lazy.filter { $0.value.isDisjoint(with: announcers) }.map(\.key))
        }

        /// Returns the MAC addresses of the routers that are another machine than a device. A router may answer for
        /// devices that are gone, so that the kernel has its MAC address for theirs.
        func routers(besides device: Peer) -> Set<MACAddress> {
            Set(routers.lazy.filter { $0.value.isDisjoint(with: device.addresses) }.map(\.key))
        }
    }
}

/// Asks the devices of a list one after the other, so that they share the limits of a probe.
package actor AddressInquiry {
    private var last: Task<Void, Never>?

    package init() {}

    /// Asks devices, after the devices of earlier calls.
    ///
    /// - Parameter devices: The questions of each device, by its identifier; `nil` for a device that cannot be asked.
    /// - Returns: The answers of each device, `nil` if it was not asked.
    package nonisolated func answers(
        to devices: [(id: UUID, questions: [AddressQuestion]?)]
    ) -> AsyncStream<(UUID, [AddressAnswer]?)> {
        let (stream, entry) = AsyncStream.makeStream(of: (UUID, [AddressAnswer]?).self)
        Task { await ask(devices, entry) }
        return stream
    }

    private func ask(
        _ devices: [(id: UUID, questions: [AddressQuestion]?)],
        _ entry: AsyncStream<(UUID, [AddressAnswer]?)>.Continuation
    ) {
        let before = last
        last = Task {
            await before?.value
            let all = await AddressProbe().ask(devices.flatMap { $0.questions ?? [] })
            var rest = all[...]
            for (id, questions) in devices {
                let count = questions?.count ?? 0
                entry.yield(
                    (id, questions == nil || rest.count < count ? nil : Array(rest.prefix(count))))
                rest = rest.dropFirst(count)
            }
            entry.finish()
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
    /// - Returns: The answers in the order of the questions, within 18 s for each 64 sockets; none if no thread can be
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
            let interface = questions[index].address.interface
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
        var clock = ActiveClock()
        wait(for: &attempts, since: start, &clock)
        for index in attempts.indices { attempts[index].end() }
        var neighbours = NeighbourTable.current()
        while clock.now < resolution,
            attempts.contains(where: { $0.isOpen(by: neighbours, within: clock.now) })
        {
            let due = clock.now + pollInterval
            _ = usleep(UInt32(pollInterval / .microseconds(1)))
            clock.advance(to: ContinuousClock.now - start, limit: due)
            neighbours = .current()
        }
        return attempts.map { $0.answer(by: neighbours, within: clock.now) }
    }

    /// Waits until all sockets have a result, or the time is over.
    private static func wait(
        for attempts: inout [Attempt], since start: ContinuousClock.Instant,
        _ clock: inout ActiveClock
    ) {
        while clock.now < patience {
            var files: [pollfd] = []
            for attempt in attempts { files += attempt.files }
            guard !files.isEmpty else { return }
            let milliseconds = Int32((patience - clock.now) / .milliseconds(1)) + 1
            let count = unsafe poll(&files, nfds_t(files.count), milliseconds)
            clock.advance(to: ContinuousClock.now - start, limit: patience)
            guard count > 0 else { continue }
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
    /// Whether this machine has no route to the address.
    private var hasNoRoute = false

    init(_ question: AddressQuestion) {
        self.question = question
        touch()
        for port in question.ports {
            guard let file = Self.socket(of: question.address.family, SOCK_STREAM) else { continue }
            ports[port] = .filtered
            connections[file] = port
            let code = connect(file, port)
            if code != EINPROGRESS { handle(file, code: code) }
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
        if code != 0 { handle(file, code: code) }
    }

    private func connect(_ file: Int32, _ port: UInt16) -> Int32 {
        var address = SocketAddress(
            question.address, port: port, interface: question.address.interface?.index ?? 0)
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
        guard file >= 0 else { return nil }
        if family == .ipv6 {
            var isIPv6Alone: Int32 = 1
            unsafe setsockopt(
                file, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &isIPv6Alone,
                socklen_t(MemoryLayout<Int32>.size))
        }
        return file
    }

    /// The sockets that have no result yet.
    var files: [pollfd] {
        connections.keys.map { pollfd(fd: $0, events: Int16(POLLOUT), revents: 0) }
            + (datagram.map { [pollfd(fd: $0, events: Int16(POLLIN), revents: 0)] } ?? [])
    }

    /// Handles the result of a socket that has one, and closes the socket.
    mutating func handle(_ file: Int32) {
        guard connections[file] != nil || file == datagram else { return }
        var (code, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        unsafe getsockopt(file, SOL_SOCKET, SO_ERROR, &code, &size)
        // Any machine on the way may have sent the error.
        handle(file, code: [EHOSTUNREACH, ENETUNREACH].contains(code) ? ETIMEDOUT : code)
    }

    /// Handles the result of a socket, and closes the socket.
    private mutating func handle(_ file: Int32, code: Int32) {
        let port = connections.removeValue(forKey: file)
        close(file)
        if port == nil { datagram = nil }
        switch code {
        case 0:
            if let port { ports[port] = .open }
            hasAnswered = true
        case ECONNREFUSED:
            if let port { ports[port] = .closed }
            hasAnswered = true
        case EHOSTUNREACH, ENETUNREACH: hasNoRoute = true
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
            let entry = neighbours.entry(of: question.address, on: question.address.interface)
        else {
            return false
        }
        return entry.isPending(within: time)
    }

    func answer(
        by neighbours: NeighbourTable, within time: Duration
    ) -> AddressAnswer {
        let entry = neighbours.entry(of: question.address, on: question.address.interface)
        return AddressAnswer(
            address: question.address.description, machine: machine(entry, within: time),
            ports: ports)
    }

    private func machine(
        _ entry: NeighbourTable.Entry?, within time: Duration
    ) -> AddressAnswer.Machine {
        guard let entry else {
            return hasAnswered ? .device(nil) : hasNoRoute ? .nobody : .unknown(secondsAgo: nil)
        }
        let isStranger = entry.mac.map {
            !question.macs.isEmpty && !question.macs.contains($0) || question.otherMACs.contains($0)
        }
        guard hasAnswered || entry.isConfirmed(within: time) else {
            if entry.hasFailed { return .nobody }
            // It was not the device that answered address resolution before.
            if isStranger == true, entry.isResolved, let mac = entry.mac { return .proxy(mac) }
            let age = Int(entry.age.components.seconds)
            return .unknown(secondsAgo: entry.isResolved && age < 86_400 ? age : nil)
        }
        guard isStranger == true, let mac = entry.mac else { return .device(entry.mac) }
        // Packets of the device itself pass through a router that answers for it.
        if question.otherMACs.contains(mac) { return hasAnswered ? .device(mac) : .proxy(mac) }
        return hasAnswered ? .other(mac) : .proxy(mac)
    }
}
