// A program that runs beside a test, whose output can be waited for line by line.
import Dispatch
import Glibc

/// A program started by a test.
///
/// Its output arrives as lines, which a test waits for with a limit: nothing
/// polls, and nothing sleeps. What was not waited for is kept all the same.
package actor RunningProcess {
    /// The process id, for signals.
    package nonisolated let pid: Int32

    /// All complete lines of standard output so far.
    package private(set) var lines: [String] = []

    /// The exit status once all output has arrived; 128 and the signal's number if one ended it.
    package private(set) var status: Int32?

    private var rest: [UInt8] = []
    private var errorBytes: [UInt8] = []
    private var next = 0  // the first line that no wait has passed
    private var waits: [Int: Wait] = [:]
    private var lastWait = 0

    /// One who waits, for a line or for the end.
    private struct Wait {
        let matches: @Sendable (String) -> Bool
        let continuation: CheckedContinuation<String?, Never>
        let isForEnd: Bool
    }

    /// Starts a program, looked up in PATH, with nothing to read on its standard input.
    ///
    /// - Throws: ``LabError`` when the program cannot be started.
    package init(_ arguments: [String], environment: [String: String] = [:]) throws {
        let child = try ChildProcess(arguments, environment: environment)
        pid = child.pid
        let events = child.events
        Task { [self] in
            for await event in events { await handle(event) }
            await handleEnd()
        }
    }

    /// The standard error output so far.
    package var errors: String { String(decoding: errorBytes, as: UTF8.self) }

    /// Waits for a line of standard output, of those that no earlier wait has passed.
    ///
    /// - Throws: ``LabError`` when no such line comes within the limit, or the
    ///   program ends without it.
    @discardableResult
    package func line(
        within limit: Duration, where matches: @escaping @Sendable (String) -> Bool = { _ in true }
    ) async throws -> String {
        if let line = passLines(to: matches) { return line }
        if status == nil {
            let line = await wait(for: limit, isForEnd: false, until: matches)
            if let line { return line }
        }
        throw LabError(
            """
            no such line within \(limit) from process \(pid), status \(status as Int32?); the last \
            it wrote: \(lines.suffix(5).joined(separator: "\n")) \(errors)
            """)
    }

    /// The next line that no wait has passed, if there is one already.
    package func nextLine() -> String? { passLines { _ in true } }

    /// Waits for the end of the program and of its output.
    ///
    /// - Throws: ``LabError`` when it has not ended within the limit.
    @discardableResult
    package func end(within limit: Duration) async throws -> Int32 {
        if status == nil { _ = await wait(for: limit, isForEnd: true) { _ in false } }
        guard let status else {
            throw LabError("process \(pid) has not ended within \(limit): \(lines.suffix(5))")
        }
        return status
    }

    /// Sends a signal to the program, unless it has ended.
    package func send(_ signal: Int32) {
        if status == nil { kill(pid, signal) }
    }

    /// Stops the program in whatever it does, and returns when all of its threads stand still.
    ///
    /// - Throws: ``LabError`` when one of them does not.
    package func stop() async throws {
        send(SIGSTOP)
        let end = ContinuousClock.now + .seconds(60)
        let moving = "grep -qv ') [Tt] ' /proc/$1/task/*/stat"
        while try await FinishedProcess(["sh", "-c", moving, "sh", "\(pid)"]).status == 0 {
            guard ContinuousClock.now < end else { throw LabError("\(pid) cannot be stopped") }
        }
    }
}

// How the waits end.
extension RunningProcess {
    private func wait(
        for limit: Duration, isForEnd: Bool, until matches: @escaping @Sendable (String) -> Bool
    ) async -> String? {
        lastWait += 1
        let number = lastWait
        return await withCheckedContinuation { continuation in
            waits[number] = Wait(matches: matches, continuation: continuation, isForEnd: isForEnd)
            Deadline.after(limit) { Task { await self.giveUp(number, extending: limit) } }
        }
    }

    /// Gives up a wait whose limit has passed, which is longer on a machine that has other work.
    private func giveUp(_ number: Int, extending limit: Duration = .zero) {
        // Most waits are over by then, and to know whether the machine is busy takes time.
        guard waits[number] != nil else { return }
        let more = Deadline.addition(to: limit)
        guard more == .zero else {
            return Deadline.after(more) { Task { await self.giveUp(number) } }
        }
        waits.removeValue(forKey: number)?.continuation.resume(returning: nil)
    }

    private func passLines(to matches: (String) -> Bool) -> String? {
        guard let index = lines[next...].firstIndex(where: matches) else {
            next = lines.count
            return nil
        }
        next = index + 1
        return lines[index]
    }

    private func handle(_ event: ChildProcess.Event) {
        switch event {
        case .output(let bytes):
            // Only new bytes are searched, as a line may be of megabytes and come in many parts.
            var parts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let last = parts.removeLast()
            for part in parts {
                lines.append(String(decoding: rest + part, as: UTF8.self))
                rest = []
            }
            rest += last
            answerWaits()
        case .errors(let bytes):
            errorBytes += bytes
        case .ended(let status):
            self.status = status
        }
    }

    private func answerWaits() {
        for (number, wait) in waits where !wait.isForEnd {
            guard let line = passLines(to: wait.matches) else { continue }
            waits[number] = nil
            wait.continuation.resume(returning: line)
        }
    }

    private func handleEnd() {
        if !rest.isEmpty { handle(.output([UInt8(ascii: "\n")])) }
        for wait in waits.values { wait.continuation.resume(returning: nil) }
        waits = [:]
    }
}
