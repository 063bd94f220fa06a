// Runs `peerlist --json`, and folds its lines to the list.
import LabSupport
import Testing

/// An observer of the list on a machine of a lab.
actor ListObserver {
    private let process: RunningProcess
    /// The observed process.
    nonisolated var pid: Int32 { process.pid }

    /// The list after the lines that have been awaited.
    private(set) var list = FoldedList()

    /// Starts `peerlist --json` with further options.
    init(_ lab: Lab, on host: String, _ options: String...) throws {
        process = try lab.peerlist(on: host, ["--json"] + options)
    }

    /// Observes a command that writes the lines.
    init(_ process: RunningProcess) { self.process = process }

    /// Waits until the list, or its notices, meets a condition.
    @discardableResult
    func list(
        within limit: Duration, where matches: @Sendable (FoldedList) -> Bool
    ) async throws -> FoldedList {
        let end = ContinuousClock.now + limit
        while !matches(list) {
            try list.fold(try await process.line(within: end - .now))
        }
        return list
    }

    /// Waits for a resolved peer on a host that meets a condition.
    @discardableResult
    func peer(
        on host: String, within limit: Duration = .seconds(60),
        where matches: @escaping @Sendable (JSON) -> Bool = { _ in true }
    ) async throws -> JSON {
        let list = try await list(within: limit) { list in
            list.peer(on: host).map { $0["presence"].string == "present" && matches($0) } ?? false
        }
        return list.peer(on: host) ?? .null
    }

    /// Folds the lines that have arrived so far.
    func catchUp() async throws {
        while let line = await process.nextLine() { try list.fold(line) }
    }

    /// All lines so far.
    var lines: [String] { get async { await process.lines } }

    /// Sends a signal to the program.
    func send(_ signal: Int32) async { await process.send(signal) }

    /// The peak memory of the program and its helpers so far, in MiB.
    ///
    /// - Throws: ``LabError`` if the program has ended.
    func greatestMemory() async throws -> Int {
        // A helper may end meanwhile.
        let script = """
            for pid; do cat "/proc/$pid/status"; done 2>/dev/null |
                awk '/^VmHWM:/ { sum += $2 } END { print sum }'
            """
        var pids = [process.pid]
        for role in HelperOfList.Role.allCases {
            pids += try await HelperOfList.all(role, of: process.pid)
        }
        let sum = try await FinishedProcess(["sh", "-c", script, "sh"] + pids.map(String.init))
        return try #require(Int(sum.output).map { $0 >> 10 }, "\(sum.errors)")
    }

    /// Ends the program as Ctrl-C does, and returns its exit status.
    func interrupt() async throws -> Int32 {
        await process.send(2)
        return try await process.end(within: .seconds(60))
    }
}
