// A connection to an MQTT broker that reconnects by itself.
import CMosquitto
import Glibc
import Synchronization
import PeerSystem

/// A connection to an MQTT broker, which runs on a thread of its own and reconnects by itself.
///
/// Commands never wait for the broker. The thread holds the connection until ``stop(_:within:)``.
package final class BrokerConnection: Sendable {
    /// A request to the thread.
    private enum Command {
        case publish(
            payload: [UInt8], topic: String, isRetained: Bool, quality: Int, token: Int)
        case subscribe(filter: String, quality: Int, sendsRetained: Bool)
        case unsubscribe(filter: String)
    }

    /// The state that callers share with the thread.
    private struct State {
        var isRunning = false
        var isConnected = false
        var isWoken = false
        var isAbandoned = false
        var commands: [Command] = []
        var lastToken = 0
        var stop: Stop?
    }

    /// A request to end the connection.
    private struct Stop {
        let token: Int?  // of the last message
        var isDone: Bool  // whether the last message, if there is one, was accepted
        let continuation: CheckedContinuation<Bool, Never>
    }

    private let access: BrokerAccess
    private let options: ConnectionOptions
    private let onEvent: @Sendable (BrokerEvent) -> Void
    private let wakeUp: Int32
    private let state = Mutex(State())

    /// A connection that ``start()`` opens.
    ///
    /// - Parameters:
    ///   - access: The broker and the credentials.
    ///   - options: The settings.
    ///   - onEvent: Called on the connection's thread. Until it returns nothing is read from the broker.
    package init(
        _ access: BrokerAccess, _ options: ConnectionOptions,
        onEvent: @escaping @Sendable (BrokerEvent) -> Void
    ) {
        (self.access, self.options, self.onEvent) = (access, options, onEvent)
        wakeUp = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    }

    deinit { close(wakeUp) }

    /// Starts the thread, once.
    package func start() {
        state.withLock { $0.isRunning = true }
        let code = startThread { self.run() }
        precondition(code == 0, "no thread is left for the connection to the broker")
    }

    /// Publishes a message, and returns the token that ``BrokerEvent/published(_:failure:)`` repeats.
    ///
    /// While there is no connection the message is dropped, and so are unacknowledged messages when the
    /// connection is lost: after each ``BrokerEvent/connected``, publish the current state.
    @discardableResult
    package func publish(
        _ payload: [UInt8], to topic: String, retained: Bool, quality: Int = 1
    ) -> Int {
        send { token in
            .publish(
                payload: payload, topic: topic, isRetained: retained, quality: quality,
                token: token)
        }
    }

    /// Subscribes to topics, after which stored messages are delivered, or not.
    ///
    /// A subscription ends with the connection; without one, the command is dropped.
    package func subscribe(_ filter: String, quality: Int = 1, sendsRetained: Bool = true) {
        send { _ in .subscribe(filter: filter, quality: quality, sendsRetained: sendsRetained) }
    }

    /// Ends a subscription.
    package func unsubscribe(_ filter: String) { send { _ in .unsubscribe(filter: filter) } }

    /// Publishes what was requested before and a last message, disconnects so that the will is not
    /// published, and ends the thread; once.
    ///
    /// After the limit, the connection is cut, and the broker publishes the will.
    ///
    /// - Returns: Whether all of that was done within the limit and the broker accepted the last message.
    package func stop(_ last: RetainedMessage? = nil, within limit: Duration) async -> Bool {
        let isDone = await withTimeout(limit) { await self.finish(last) }
        wake { $0.isAbandoned = true }
        return isDone ?? false
    }

    private func finish(_ last: RetainedMessage?) async -> Bool {
        await withCheckedContinuation { continuation in
            let isRunning = state.withLock { state in
                guard state.isRunning, state.stop == nil else { return false }
                state.lastToken += 1
                let token = state.isConnected && last != nil ? state.lastToken : nil
                state.stop = Stop(
                    token: token, isDone: last == nil, continuation: continuation)
                if let token, let last {
                    state.commands.append(
                        .publish(
                            payload: last.payload, topic: last.topic, isRetained: true, quality: 1,
                            token: token))
                }
                return true
            }
            if isRunning { wake() } else { continuation.resume(returning: last == nil) }
        }
    }

    @discardableResult
    private func send(_ command: (_ token: Int) -> Command) -> Int {
        wake { state in
            state.lastToken += 1
            if state.isConnected, state.stop == nil {
                state.commands.append(command(state.lastToken))
            }
            return state.lastToken
        }
    }

    /// Changes the state, and wakes the thread unless it is about to look at the state anyway.
    @discardableResult
    private func wake<Result: Sendable>(
        after change: (inout State) -> Result = { _ in () }
    ) -> Result {
        let (result, isWoken) = state.withLock { state in
            let result = change(&state)
            defer { state.isWoken = true }
            return (result, state.isWoken)
        }
        if !isWoken { eventfd_write(wakeUp, 1) }
        return result
    }
}

// The thread.
extension BrokerConnection {
    private func run() {
        var attempt = 0
        var isClosed = true  // as requested
        while !isStopping {
            let start = ContinuousClock.now
            do throws(BrokerLoss) {
                try connect()
            } catch {
                isClosed = !disconnected()
                if isStopping { break }
                if ContinuousClock.now - start > options.greatestRetry { attempt = 0 }
                pause(after: error, attempt: attempt)
                attempt += 1
                isClosed = true
            }
        }
        let stop = state.withLock { state in
            (state.isRunning, state.isConnected, state.commands) = (false, false, [])
            return state.stop
        }
        stop?.continuation.resume(returning: stop?.isDone == true && isClosed)
    }

    private var isStopping: Bool { state.withLock { $0.stop != nil || $0.isAbandoned } }

    /// Drops the commands of a lost connection; returns whether there was one.
    private func disconnected() -> Bool {
        state.withLock { state in
            defer { (state.isConnected, state.commands) = (false, []) }
            return state.isConnected
        }
    }

    /// Reports a loss, and waits until the next attempt or the request to stop.
    private func pause(after loss: BrokerLoss, attempt: Int) {
        // At random, so that the clients of a restarted broker do not all return at once.
        let limit = min(options.greatestRetry, options.firstRetry * (1 << min(attempt, 16)))
        let delay = limit * Double.random(in: 0.5...1)
        switch loss {
        case .lost(let reason): onEvent(.lost(reason, retryIn: delay))
        case .refused(let reason): onEvent(.refused(reason))
        }
        let end = ContinuousClock.now + delay
        while !isStopping {
            let rest = end - ContinuousClock.now
            if rest <= .zero { return }
            _ = poll(nil, events: 0, limit: rest)
        }
    }

    /// Connects and serves the connection until it is closed as requested.
    private func connect() throws(BrokerLoss) {
        var addresses = try BrokerAddress.localAddresses(for: access.url)[...]
        while let address = addresses.popFirst() {
            let client = try MosquittoClient(access, options) { self.handle($0) }
            do throws(BrokerLoss) {
                try client.connect(to: access.url, from: address)
                guard try open(client) else { return }
            } catch {
                if addresses.isEmpty { throw error }
                continue
            }
            return try serve(client)
        }
    }

    /// Waits until the network has made the connection; returns false if it shall not be made any more.
    private func open(_ client: MosquittoClient) throws(BrokerLoss) -> Bool {
        while !isStopping {
            guard client.socket >= 0 else { throw client.loss }
            if poll(client.socket, events: POLLOUT, limit: .seconds(1)) != 0 {
                var code: Int32 = 0
                var size = socklen_t(MemoryLayout<Int32>.size)
                unsafe getsockopt(client.socket, SOL_SOCKET, SO_ERROR, &code, &size)
                if code != 0 { throw .lost(BrokerReason.system(code)) }
                return true
            }
            try client.keepAlive()
        }
        return false
    }

    private func serve(_ client: MosquittoClient) throws(BrokerLoss) {
        let interval = max(.seconds(1), options.keepAlive / 4)
        var commands: [Command] = []
        var next = 0
        try client.read()
        try client.write()
        while true {
            let (isStopping, isAbandoned) = state.withLock { ($0.stop != nil, $0.isAbandoned) }
            if isAbandoned || isStopping && !client.isConnected { return }
            if client.isConnected {
                if next == commands.count {
                    next = 0
                    commands = state.withLock { state in
                        defer { state.commands = [] }
                        return state.commands
                    }
                }
                let end = min(next + 256, commands.count)
                while next < end, client.acceptsMessages {
                    try perform(commands[next], on: client)
                    next += 1
                }
                let isDone = next == commands.count && client.isIdle
                if isStopping, isDone, !client.isDisconnecting, hasNoCommands {
                    client.disconnect()
                }
            }
            guard client.socket >= 0 else {
                if client.isDisconnecting { return }
                throw client.loss
            }

            // During a TLS handshake libmosquitto reports that it wants to write although it waits.
            let writes = client.wantsWrite && (client.isConnected || !access.url.isSecure)
            let isBusy =
                client.isConnected && client.acceptsMessages
                && !(next == commands.count && hasNoCommands)
            let revents = poll(
                client.socket, events: POLLIN | (writes ? POLLOUT : 0),
                limit: isBusy ? .zero : interval)
            if revents != 0 {
                try client.read()
                if client.socket >= 0 { try client.write() }
                // An error during a TLS handshake is not always reported by libmosquitto.
                if !client.isConnected, revents & (POLLERR | POLLHUP) != 0 { throw client.loss }
            }
            if client.socket >= 0 { try client.keepAlive() }
        }
    }

    private var hasNoCommands: Bool { state.withLock { $0.commands.isEmpty } }

    private func perform(_ command: Command, on client: MosquittoClient) throws(BrokerLoss) {
        switch command {
        case .publish(let payload, let topic, let isRetained, let quality, let token):
            try client.publish(
                payload, to: topic, retained: isRetained, quality: quality, token: token)
        case .subscribe(let filter, let quality, let sendsRetained):
            try client.subscribe(filter, quality: quality, sendsRetained: sendsRetained)
        case .unsubscribe(let filter):
            try client.unsubscribe(filter)
        }
    }

    private func handle(_ event: BrokerEvent) {
        switch event {
        case .connected:
            state.withLock { $0.isConnected = true }
        case .published(let token, let failure):
            let isLast = state.withLock { state in
                guard state.stop?.token == token else { return false }
                state.stop?.isDone = failure == nil
                return true
            }
            if isLast { return }
        default: break
        }
        onEvent(event)
    }

    /// Waits for events of a socket, a change of the state, or the end of the limit; returns the events.
    private func poll(_ socket: Int32?, events: Int32, limit: Duration) -> Int32 {
        var polled = [
            pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0),
            pollfd(fd: socket ?? -1, events: Int16(events), revents: 0),
        ]
        // Rounded up, so that the rest of a millisecond is not waited for in a busy loop.
        let milliseconds = Int32((limit / .milliseconds(1)).rounded(.up))
        unsafe Glibc.poll(&polled, nfds_t(polled.count), milliseconds)
        if polled[0].revents != 0 {
            var count: eventfd_t = 0
            state.withLock { $0.isWoken = false }
            unsafe eventfd_read(wakeUp, &count)
        }
        return Int32(polled[1].revents)
    }
}
