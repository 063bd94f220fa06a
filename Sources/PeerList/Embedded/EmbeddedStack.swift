// A stack of our own in a helper process, for lack of a daemon.
import Glibc
import StackProtocol

/// The stack of the helper process `peerlist-mdns`.
///
/// The helper parses what strangers send, so it is expected to crash: then this
/// stack has failed, ``ending`` says why, and another one may be made. What the
/// helper tells is read as it comes and never more than a chunk at a time; while
/// nobody reads, the helper waits.
final class EmbeddedStack: LookupStack {
    /// The bytes of requests that may wait for the helper: all that the browser has going on fits many times.
    private static let outgoingLimit = 4 << 20
    /// How long the helper may take to say goodbye.
    private static let patience: Int32 = 500

    private(set) var state = StackState.connecting
    private(set) var hostName = "" {
        didSet { if oldValue.isEmpty { wantedHostName = hostName } }
    }
    /// The host name that the helper claimed first, which is the machine's own.
    private(set) var wantedHostName = ""
    /// How the helper ended, once it has.
    private(set) var ending: String?
    private(set) var warning: String?

    private let process: HelperProcess
    private let stateChanged: @Sendable () -> Void
    private var reader = FrameReader<StackEvent>()
    private var words = LastWords()
    private var outgoing: [UInt8] = []
    private var watches: [DescriptorWatch] = []
    private var receivers: [UInt32: EmbeddedReceiver] = [:]
    private var lastID: UInt32 = 0

    /// Starts the helper, which needs a moment before it answers.
    ///
    /// - Parameters:
    ///   - loop: The loop that the stack lives on; the caller runs on it.
    ///   - settings: What the stack is to be like.
    ///   - path: The helper's program.
    ///   - receive: Called on the loop after the state of the stack changed.
    /// - Throws: ``BackendError`` where the helper cannot be started.
    init(
        on loop: EventLoop, settings: StackSettings, path: String,
        receive: @escaping @Sendable () -> Void
    ) throws(BackendError) {
        process = try HelperProcess(path)
        stateChanged = receive
        // The watches hold this object until it is closed or the helper has ended.
        watches = [
            DescriptorWatch(process.channel, on: loop) { self.channelIsReady() },
            DescriptorWatch(process.errors, on: loop) { self.readErrors() },
        ]
        send(.hello(version: protocolVersion, settings))
    }

    /// Lets the helper say goodbye for what is announced, and ends it.
    func close() {
        guard ending == nil else { return }
        shutdown(process.channel, Int32(SHUT_WR))
        waitForEnd()
        finish(nil)
    }

    /// Opens something in the helper.
    ///
    /// - Parameters:
    ///   - receiver: Where its events go.
    ///   - request: The request with the given number.
    /// - Returns: What closes it.
    /// - Throws: What libavahi would say of a name that is too long.
    func open(
        _ receiver: EmbeddedReceiver, _ request: (UInt32) -> StackRequest
    ) throws(AvahiError) -> any Lookup {
        guard ending == nil else { throw AvahiError.disconnected }
        lastID &+= 1
        guard send(request(lastID)) else { throw AvahiError.invalidName }
        guard ending == nil else { throw AvahiError.disconnected }
        receivers[lastID] = receiver
        return EmbeddedLookup(lastID, of: self)
    }

    /// Closes something in the helper, of which nothing is heard from now on.
    fileprivate func close(_ id: UInt32) {
        guard receivers.removeValue(forKey: id) != nil, ending == nil else { return }
        send(.close(id))
    }
}

extension EmbeddedStack {
    private func channelIsReady() {
        flush()
        readEvents()
    }

    /// Sends a request, or keeps it until there is room; `false` where it fits into no frame.
    @discardableResult
    private func send(_ request: StackRequest) -> Bool {
        guard let frame = try? request.frame() else { return false }
        outgoing += frame
        flush()
        if outgoing.count > Self.outgoingLimit { finish("it takes no requests") }
        return true
    }

    private func flush() {
        while !outgoing.isEmpty, ending == nil {
            let count = unsafe outgoing.withUnsafeBytes {
                unsafe Glibc.send(
                    process.channel, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            // A helper that has ended is noticed where its events are read.
            guard count > 0 else { break }
            outgoing.removeFirst(count)
        }
        watches.first?.awaitsRoom(!outgoing.isEmpty)
    }

    private func readEvents() {
        guard ending == nil, let chunk = chunk(of: process.channel) else { return }
        guard !chunk.isEmpty else { return finish(nil) }
        reader.append(chunk)
        do throws(FrameError) {
            while ending == nil, let event = try reader.next() { take(event) }
        } catch {
            finish(error.description)
        }
    }

    private func readErrors() {
        guard ending == nil, let chunk = chunk(of: process.errors) else { return }
        // Its end is told by the channel.
        if chunk.isEmpty { watches.last?.close() }
        words.append(chunk)
    }

    /// What can be read now: nothing at the end, `nil` where something may come.
    private func chunk(of descriptor: Int32) -> ArraySlice<UInt8>? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
        if count < 0 { return errno == EAGAIN || errno == EINTR ? nil : [] }
        return bytes.prefix(count)
    }

    private func take(_ event: StackEvent) {
        switch event {
        case .hello: break
        case .unconfined(let missing): warning = missing.warning
        case .state(let state, let host):
            (self.state, hostName) = (StackState(state), unescaped(host))
            stateChanged()
        default:
            guard let id = event.id else { return }
            receivers[id]?.take(event)
        }
    }

    /// Reads on, and throws away what comes, until the helper has ended or its time is over.
    private func waitForEnd() {
        let end = ContinuousClock.now + .milliseconds(Int(Self.patience))
        while true {
            let rest = (end - ContinuousClock.now) / .milliseconds(1)
            guard rest > 0 else { return }
            var request = pollfd(fd: process.channel, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&request, 1, Int32(rest.rounded(.up))) > 0 else { continue }
            if let chunk = chunk(of: process.channel), chunk.isEmpty { return }
        }
    }

    /// The helper has ended, or is of no use: this stack has failed.
    private func finish(_ reason: String?) {
        // As much as the socket holds; a helper that goes on writing is not heard out.
        for _ in 0..<16 {
            guard let chunk = chunk(of: process.errors), !chunk.isEmpty else { break }
            words.append(chunk)
        }
        for watch in watches { watch.close() }
        let status = process.end()
        // A program that was ended did not say why: what it said last was about something else.
        let said = status.hasPrefix("exit") || status == "signal \(SIGABRT)" ? words.text : nil
        ending = reason ?? said.map { "\(status): \($0)" } ?? status
        (state, receivers, outgoing, watches) = (.failed, [:], [], [])
        stateChanged()
    }
}

/// Something that is open in the helper.
private final class EmbeddedLookup: Lookup {
    private let id: UInt32
    private let stack: EmbeddedStack

    init(_ id: UInt32, of stack: EmbeddedStack) {
        self.id = id
        self.stack = stack
    }

    func close() { stack.close(id) }
}

extension StackState {
    fileprivate init(_ state: StackEvent.State) {
        switch state {
        case .registering: self = .registering
        case .running: self = .running
        case .collision: self = .collision
        }
    }
}
