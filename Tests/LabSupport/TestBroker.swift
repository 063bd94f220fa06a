// An MQTT broker for a test.
import Glibc

/// A mosquitto that listens on a Unix socket in a directory of its own.
package actor TestBroker {
    /// The path of the socket.
    package nonisolated let socket: String

    /// The directory with the configuration, and with the stored messages.
    package nonisolated let directory: TemporaryDirectory

    private nonisolated let configuration: String
    private var process: RunningProcess?

    /// Starts a broker.
    ///
    /// - Parameters:
    ///   - settings: Lines of mosquitto.conf(5), without listeners; `DIRECTORY` stands for the path of
    ///     the directory.
    ///   - passwords: The passwords of users, for which `DIRECTORY/passwords` is made.
    /// - Throws: ``LabError`` when the broker does not start.
    package init(
        _ settings: String = "allow_anonymous true", passwords: [String: String] = [:]
    ) async throws {
        directory = try TemporaryDirectory()
        socket = "\(directory.path)/socket"
        let lines = """
            listener 0 \(socket)
            log_dest stderr
            log_type all
            persistence_location \(directory.path)/
            user \(geteuid() == 0 ? "root" : "nobody")

            """
        configuration = try directory.write(
            lines + settings.replacing("DIRECTORY", with: directory.path) + "\n",
            to: "mosquitto.conf")
        if !passwords.isEmpty {
            let text = passwords.map { "\($0.key):\($0.value)\n" }.joined()
            let file = try directory.write(text, to: "passwords")
            let hashing = try await FinishedProcess(["mosquitto_passwd", "-U", file])
            guard hashing.status == 0 else { throw LabError(hashing.errors) }
        }
        try await start()
    }

    /// Starts the broker again after ``end(_:)``.
    package func start() async throws {
        // A killed broker leaves its socket.
        unsafe unlink(socket)
        let process = try RunningProcess([
            "sh", "-c", "PATH=$PATH:/usr/sbin exec mosquitto -c \"$1\" 2>&1", "sh", configuration,
        ])
        self.process = process
        try await process.line(within: .seconds(60)) { $0.contains(" running") }
    }

    /// Waits for a line of the broker's log.
    @discardableResult
    package func log(where matches: @escaping @Sendable (String) -> Bool) async throws -> String {
        guard let process else { throw LabError("the broker does not run") }
        return try await process.line(within: .seconds(60), where: matches)
    }

    /// Sends a signal to the broker, unless it has ended.
    package func send(_ signal: Int32) async { await process?.send(signal) }

    /// Stops the broker in whatever it does, until SIGCONT.
    package func pause() async throws { try await process?.stop() }

    /// Ends the broker with a signal, and returns once it has ended.
    package func end(_ signal: Int32 = SIGTERM) async throws {
        await process?.send(signal)
        await process?.send(SIGCONT)
        try await process?.end(within: .seconds(60))
        process = nil
    }

    /// Ends the broker and removes its directory.
    package func remove() async throws {
        try await end(SIGKILL)
        await directory.remove()
    }
}
