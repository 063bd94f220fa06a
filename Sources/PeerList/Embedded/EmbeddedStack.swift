// The embedded stack: libavahi-core in a helper process, for machines without a daemon.
import Glibc
import StackProtocol

/// The stack of the helper process `peerlist-mdns`.
///
/// The helper parses packets from anyone, so it is expected to crash. After a crash the stack has failed, its status
/// tells how the helper ended, and another stack may be created. Events are read a chunk at a time; while they are not
/// read, the helper waits.
final class EmbeddedStack: LookupStack {
    /// The maximum number of bytes of requests that wait for the helper, many times the size of the requests of all
    /// lookups.
    private static let outgoingLimit = 4 << 20
    /// The maximum time for the helper to send its goodbyes.
    private static let patience: Int32 = 500

    private(set) var status = StackStatus(state: .connecting, cacheLimit: StackLimits.cache)

    private let process: HelperProcess
    private let stateChanged: @Sendable () -> Void
    private var reader = FrameReader<StackEvent>()
    private var words = LastWords()
    private var outgoing: [UInt8] = []
    private var watches: [DescriptorWatch] = []
    private var receivers: [UInt32: @Sendable (LookupEvent) -> Void] = [:]
    private var lastID: UInt32 = 0

    /// Starts the helper, which answers some time later.
    ///
    /// The caller runs on the loop. `receive` is called on the loop after the state of the stack has changed.
    ///
    /// - Throws: ``BackendError`` if the helper cannot be started.
    init(
        on loop: EventLoop, settings: StackSettings, path: String,
        receive: @escaping @Sendable () -> Void
    ) throws(BackendError) {
        process = try HelperProcess(path)
        stateChanged = receive
        // The watches retain this stack until it is closed or the helper has ended.
        watches = [
            DescriptorWatch(process.channel, on: loop) { self.channelIsReady() },
            // libavahi handles the newest watch first, so a helper that floods its standard error
            // could hide the end of the channel. Events are therefore read here, too.
            DescriptorWatch(process.errors, on: loop) {
                self.readEvents()
                self.readErrors()
            },
        ]
        send(.hello(version: protocolVersion, settings))
    }

    /// Lets the helper send goodbyes for announced services, and ends it.
    func close() {
        guard status.state != .failed else { return }
        shutdown(process.channel, Int32(SHUT_WR))
        waitForEnd()
        finish(nil)
    }

    func abandon() {
        if status.state != .failed { finish(nil) }
    }

    func open(
        _ request: LookupRequest, receive: @escaping @Sendable (LookupEvent) -> Void
    ) throws(StackError) -> any Lookup {
        guard status.state != .failed else { throw .disconnected }
        lastID &+= 1
        guard send(try StackRequest(request, lastID)) else { throw .invalidName }
        guard status.state != .failed else { throw .disconnected }
        receivers[lastID] = receive
        return EmbeddedLookup(lastID, of: self)
    }

    /// Closes a lookup in the helper; its later events are dropped.
    fileprivate func close(_ id: UInt32) {
        guard receivers.removeValue(forKey: id) != nil, status.state != .failed else { return }
        send(.close(id))
    }
}

extension EmbeddedStack {
    private func channelIsReady() {
        flush()
        readEvents()
    }

    /// Sends a request, or keeps it until there is room; returns `false` if the request does not fit into a frame.
    @discardableResult
    private func send(_ request: StackRequest) -> Bool {
        guard let frame = try? request.frame() else { return false }
        outgoing += frame
        flush()
        if outgoing.count > Self.outgoingLimit { finish("it takes no requests") }
        return true
    }

    private func flush() {
        while !outgoing.isEmpty, status.state != .failed {
            let count = unsafe outgoing.withUnsafeBytes {
                unsafe Glibc.send(
                    process.channel, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            // The end of the helper is detected where its events are read.
            guard count > 0 else { break }
            outgoing.removeFirst(count)
        }
        watches.first?.awaitsRoom(!outgoing.isEmpty)
    }

    private func readEvents() {
        guard status.state != .failed, let chunk = HelperProcess.chunk(of: process.channel)
        else { return }
        guard !chunk.isEmpty else { return finish(nil) }
        reader.append(chunk)
        do throws(FrameError) {
            while status.state != .failed, let event = try reader.next() { handle(event) }
        } catch {
            finish(error.description)
        }
    }

    private func readErrors() {
        guard status.state != .failed else { return }
        // The channel reports the end of the helper.
        if words.read(from: process.errors) { watches.last?.close() }
    }

    private func handle(_ event: StackEvent) {
        switch event {
        case .hello: break
        case .unconfined(let missing): status.warning = missing.warning
        case .state(let state, let host):
            status.state =
                switch state {
                case .registering: .registering
                case .running: .running
                case .collision: .collision
                }
            status.hostName = unescaped(host)
            if (status.wantedHostName ?? "").isEmpty { status.wantedHostName = status.hostName }
            stateChanged()
        default:
            if let (id, event) = event.ofLookup { receivers[id]?(event) }
        }
    }

    /// Reads and discards events until the helper has ended or the time for its goodbyes is over.
    private func waitForEnd() {
        let end = ContinuousClock.now + .milliseconds(Int(Self.patience))
        while true {
            let rest = (end - ContinuousClock.now) / .milliseconds(1)
            guard rest > 0 else { return }
            var request = pollfd(fd: process.channel, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&request, 1, Int32(rest.rounded(.up))) > 0 else { continue }
            if let chunk = HelperProcess.chunk(of: process.channel), chunk.isEmpty { return }
        }
    }

    /// Ends the helper, and fails this stack for a reason.
    private func finish(_ reason: String?) {
        words.readRest(from: process.errors)
        for watch in watches { watch.close() }
        let status = process.end()
        // Only a program that exits or aborts explains its end; the last words of a killed program
        // are about something else.
        let said = status.hasPrefix("exit") || status == "signal \(SIGABRT)" ? words.text : nil
        self.status.ending = reason ?? said.map { "\(status): \($0)" } ?? status
        self.status.state = .failed
        (receivers, outgoing, watches) = ([:], [], [])
        stateChanged()
    }
}

private final class EmbeddedLookup: Lookup {
    private let id: UInt32
    private let stack: EmbeddedStack

    init(_ id: UInt32, of stack: EmbeddedStack) {
        self.id = id
        self.stack = stack
    }

    func close() { stack.close(id) }
}

extension StackRequest {
    /// Creates the request for a lookup with a number.
    ///
    /// - Throws: ``StackError`` if DNS cannot carry a name or a string of the request.
    fileprivate init(_ request: LookupRequest, _ id: UInt32) throws(StackError) {
        switch request {
        case .types(let domain, let path):
            self = .browseTypes(id, domain: domain ?? "", StackPath(path))
        case .services(let type, let domain, let path):
            self = .browseServices(id, type: type, domain: domain ?? "", StackPath(path))
        case .resolve(let instance, let path):
            self = .resolve(id, instance, StackPath(path))
        case .addresses(let host, let family, let path):
            self = .browseRecords(id, name: host, type: family.recordType, StackPath(path))
        case .records(let type, let instance, let path):
            self = .browseRecords(
                id, name: try instance.escapedName(), type: type.rawValue, StackPath(path))
        case .publish(let announcement, let path):
            var txt: [UInt8] = []
            for string in announcement.txt {
                guard let length = UInt8(exactly: string.utf8.count) else { throw .invalidRecord }
                txt += [length] + string.utf8
            }
            let service = StackService(
                name: announcement.name, type: announcement.type,
                subtypes: announcement.subtypes, port: announcement.port, txt: txt)
            self = .publish(id, service, StackPath(path))
        }
    }
}

extension StackPath {
    fileprivate init(_ path: LookupPath) {
        self.init(interface: path.interfaceNumber, family: path.familyNumber)
    }
}

extension NetworkPath {
    /// Creates the path in a message of the helper; `nil` if the message does not name a single path.
    init?(_ path: StackPath) {
        guard path.interface >= 0, path.family >= 0 else { return nil }
        self.init(index: path.interface, protocol: path.family)
    }
}

extension StackEvent {
    /// The event of a lookup with the lookup's number; `nil` for an event of the stack, or if the path is
    /// invalid.
    fileprivate var ofLookup: (id: UInt32, event: LookupEvent)? {
        switch self {
        case .hello, .state, .unconfined: return nil
        case .failed(let id, let code): return (id, .failed(StackError(code: code)))
        case .type(let id, let type, let domain):
            return (id, .typeAppeared(type, domain: unescaped(domain)))
        case .appeared(let id, let instance, let path):
            return NetworkPath(path).map { (id, .serviceAppeared(instance, $0)) }
        case .disappeared(let id, let instance, let path):
            return NetworkPath(path).map { (id, .serviceDisappeared(instance, $0)) }
        case .settled(let id): return (id, .settled)
        case .resolved(let id, let index, let host, let port, let address, let txt, let isCached):
            let hasAddress = [4, 16].contains(address.count)
            let resolution = Resolution(
                host: unescaped(host), port: port,
                txt: TXTRecord(data: txt),
                address: hasAddress
                    ? HostAddress(bytes: address, interface: NetworkInterface(index: index).name)
                    : nil)
            return (id, .resolved(resolution, isCached: isCached))
        case .timedOut(let id): return (id, .timedOut)
        case .record(let id, let data, let path, let isThere):
            return NetworkPath(path).map {
                (id, isThere ? .recordAppeared(data: data, $0) : .recordDisappeared(data: data, $0))
            }
        case .cacheExhausted(let id): return (id, .cacheExhausted)
        case .published(let id, .established): return (id, .established)
        case .published(let id, .collision): return (id, .collision)
        }
    }
}

extension Confinement {
    /// The consequence of the missing parts, as a sentence without a final full stop; `nil` if none is
    /// missing.
    package var warning: String? {
        let parts: [(Confinement, String)] = [
            (.user, "it runs as root"), (.privileges, "it may gain privileges"),
            (.limits, "its files and processes are not limited"),
            (.systemCalls, "its system calls are not filtered"),
        ]
        let missing = parts.filter { contains($0.0) }.map(\.1)
        guard !missing.isEmpty else { return nil }
        return """
            the embedded stack, which reads what strangers send, is not confined as it should be: \
            \(missing.joined(separator: ", ")); where that is not wanted, run avahi-daemon
            """
    }
}
