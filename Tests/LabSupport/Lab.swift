// A LAN of machines in network namespaces, for as long as a test needs it.
import Glibc
import Testing

/// Some machines on one LAN, each with its own D-Bus and avahi-daemon.
///
/// The work is done by `Tests/Lab/lab`, which says in its help what can be done
/// to a lab.
package struct Lab: Sendable {
    /// The directory that holds the lab, and may hold files of a test.
    package let directory: TemporaryDirectory

    private var script: [String] {
        ["env", "LAB=\(directory.path)/lab", "LAB_OWNER=\(getpid())", Lab.script]
    }
    private static let script = BuiltProducts.package + "/Tests/Lab/lab"

    /// Runs a test in a lab of its own, which is gone afterwards whatever happens.
    ///
    /// - Parameters:
    ///   - hosts: How many machines there are; they are called h1, h2, …
    ///   - settings: The settings of every avahi-daemon, such as `server.use-ipv6=no`.
    ///   - test: The test.
    /// - Returns: The value of the test.
    /// - Throws: What the test throws, or ``LabError`` when there can be no lab.
    @discardableResult
    package static func with<Value>(
        hosts: Int = 2, settings: [String] = [], _ test: (Lab) async throws -> Value
    ) async throws -> Value {
        let lab = Lab(directory: try TemporaryDirectory())
        let start = ContinuousClock.now
        defer { noteTime(since: start) }
        let result: Result<Value, any Error>
        do {
            try await lab.perform(["up", "\(hosts)"] + settings)
            result = .success(try await test(lab))
        } catch {
            result = .failure(error)
        }
        _ = try await lab.run(lab.script + ["down"])
        await lab.directory.remove()
        return try result.get()
    }

    /// Appends the time in seconds for which the running test had a lab, and its identifier, to the file that `LAB_TIMES`
    /// names; does nothing without that variable.
    private static func noteTime(since start: ContinuousClock.Instant) {
        guard let path = unsafe getenv("LAB_TIMES"), let test = Test.current,
            let file = unsafe fopen(path, "a")
        else { return }
        defer { unsafe fclose(file) }
        let line = "\((ContinuousClock.now - start) / .seconds(1))\t\(test.id)\n"
        _ = unsafe fputs(line, file)
    }

    /// Starts a program on a machine; a signal to it reaches the program itself.
    package func start(_ host: String, _ command: [String]) throws -> RunningProcess {
        try RunningProcess(script + ["exec", host] + command)
    }

    /// Runs a program on a machine to its end.
    package func run(
        _ host: String, _ command: [String], within limit: Duration = .seconds(60)
    ) async throws -> FinishedProcess {
        try await run(script + ["exec", host] + command, within: limit)
    }

    /// Runs a verb of the lab: `lab.perform("daemon", "h1", "restart")`.
    ///
    /// - Throws: ``LabError`` with what the lab says when it cannot be done.
    @discardableResult
    package func perform(_ verb: String...) async throws -> String { try await perform(verb) }

    /// The same, of words that are counted elsewhere.
    @discardableResult
    package func perform(_ words: [String]) async throws -> String {
        let finished = try await run(script + words)
        guard finished.status == 0 else {
            throw LabError("lab \(words.joined(separator: " ")): \(finished.errors)")
        }
        return finished.output
    }

    private func run(
        _ command: [String], within limit: Duration = .seconds(60)
    ) async throws -> FinishedProcess {
        try await FinishedProcess(command, within: limit)
    }
}
