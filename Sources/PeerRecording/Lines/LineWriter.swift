// Writes lines on a thread of its own, so that slow readers and disks block no other thread.
import Glibc
import PeerSystem

/// Writes lines to a descriptor or a file, whole and in order, on a thread of its own.
///
/// Methods that add lines return at once: lines wait in a bounded queue. When a
/// line cannot be written, or the bound is reached, the writer reports that once
/// and drops all lines until ``resume(with:)``, so that no gap goes unreported.
///
/// A line is written whole or not at all: after a failure a file is cut back to the last whole
/// line. The exception is a line longer than `PIPE_BUF` (4,096 bytes), which can be left torn in a
/// pipe when the process exits while the reader stalls.
public final class LineWriter: Sendable {
    /// An event of a writer.
    public enum Event: Sendable, Hashable {
        /// Lines are dropped from now on.
        case failed(LineFailure)
        /// Lines are written again, starting with the line passed to ``LineWriter/resume(with:)``.
        case recovered
    }

    /// The default number of waiting bytes at which no more lines are accepted: 64 MiB.
    public static let defaultLimit = 64 << 20

    private let queue: LineQueue
    private let report: @Sendable (Event) -> Void

    /// A writer to a descriptor that stays open, otherwise like a writer to a file.
    public convenience init(
        descriptor: Int32, limit: Int = LineWriter.defaultLimit,
        onEvent: @escaping @Sendable (Event) -> Void
    ) {
        self.init(
            LineQueue(limit: limit), OutputFile(descriptor: descriptor), .none, onEvent: onEvent)
    }

    /// A writer to a descriptor that stays open, which waits for a slow reader, and so must not be used by a list of
    /// what happens now.
    package convenience init(
        waitingFor descriptor: Int32, onEvent: @escaping @Sendable (Event) -> Void
    ) {
        self.init(
            LineQueue(limit: 1 << 20, waits: true), OutputFile(descriptor: descriptor), .none,
            onEvent: onEvent)
    }

    /// A writer to a file, which is closed with the writer.
    ///
    /// - Parameters:
    ///   - file: A file open for appending.
    ///   - sync: How soon lines are synced to disk.
    ///   - limit: The number of waiting bytes at which no more lines are accepted.
    ///   - onEvent: Called on the writer's thread, or in ``write(_:)`` when the
    ///     limit is reached; must not block.
    public convenience init(
        file: OutputFile, sync: SyncPolicy = .standard, limit: Int = LineWriter.defaultLimit,
        onEvent: @escaping @Sendable (Event) -> Void
    ) {
        self.init(LineQueue(limit: limit), file, sync, onEvent: onEvent)
    }

    private init(
        _ queue: LineQueue, _ file: OutputFile, _ sync: SyncPolicy,
        onEvent: @escaping @Sendable (Event) -> Void
    ) {
        (self.queue, report) = (queue, onEvent)
        var file = file
        file.schedule = SyncSchedule(sync)
        let code = startThread { [file] in Self.run(queue, file, onEvent) }
        guard code != 0 else { return }
        if let failure = queue.fail(.system(code: code)) { onEvent(.failed(failure)) }
        queue.close()
        Self.run(queue, file, onEvent)
    }

    deinit { queue.close() }

    /// The failure that makes the writer drop lines, if any.
    public var failure: LineFailure? { queue.failure }

    /// The size of all lines that were accepted, in bytes.
    package var size: Int { queue.size }

    /// Whether ``resume(with:)`` would end a failure, given a line that fits.
    var canResume: Bool { queue.canResume }

    /// Writes one or more lines, each with its line feed; returns at once. A long line may be passed in
    /// pieces if there is no limit.
    public func write(_ lines: [UInt8]) { add { $0(lines) } }

    /// Writes lines, or pieces of them, that `fill` passes to its argument; all are accepted if the first
    /// piece is.
    func write(_ fill: (([UInt8]) -> Void) -> Void) { add(fill) }

    /// Ends a failure and writes these and later lines again; lines dropped before stay lost.
    ///
    /// Another failure counts as the same outage and is not reported.
    ///
    /// - Returns: Whether the lines were accepted: half of the limit must be free.
    @discardableResult
    func resume(_ fill: (([UInt8]) -> Void) -> Void) -> Bool { add(resuming: true, fill) }

    /// Ends a failure and writes this and later lines again; lines dropped before stay lost.
    @discardableResult
    public func resume(with line: [UInt8]) -> Bool { resume { $0(line) } }

    /// Reopens the file and starts it with these lines, which also end a failure if they can.
    func reopen(_ fill: (([UInt8]) -> Void) -> Void) {
        add(reopening: true, resuming: true, fill)
    }

    @discardableResult
    private func add(
        reopening: Bool = false, resuming: Bool = false, _ fill: (([UInt8]) -> Void) -> Void
    ) -> Bool {
        var isFirst = true
        var areAccepted = true
        fill { lines in
            let (isAccepted, failure) = queue.add(
                lines, reopening: reopening && isFirst, resuming: resuming && isFirst,
                continuing: areAccepted && !isFirst)
            if let failure { report(.failed(failure)) }
            (isFirst, areAccepted) = (false, areAccepted && isAccepted)
        }
        return areAccepted
    }

    /// Accepts no more lines, and waits until the accepted lines are written.
    ///
    /// Call it from one task at a time.
    ///
    /// - Parameter limit: The maximum time to wait for a stalled reader.
    /// - Returns: The failure that kept lines from being written, or `nil` if all were written.
    public func close(within limit: Duration) async -> LineFailure? {
        queue.close()
        _ = await withTimeout(limit) { [ending = queue.ending] in for await _ in ending {} }
        let waiting = queue.waiting
        return queue.failure ?? (waiting > 0 ? .tooSlow(waiting: waiting) : nil)
    }

    /// The pause of the thread after a write, in nanoseconds. Lines that arrive meanwhile are
    /// written together, because waking the thread for each line costs more than writing it.
    private static let pause = 1_000_000

    /// Writes lines from the queue until it is closed and empty.
    private static func run(
        _ queue: LineQueue, _ file: OutputFile, _ report: @Sendable (Event) -> Void
    ) {
        var file = file
        func fail(_ failure: LineFailure) {
            if let failure = queue.fail(failure) { report(.failed(failure)) }
        }
        while let task = queue.next(until: file.schedule.due) {
            switch task {
            case .write(let lines):
                if let failure = file.write(lines) {
                    fail(failure)
                } else if queue.wrote(lines.count) {
                    report(.recovered)
                }
                var pause = timespec(tv_sec: 0, tv_nsec: Self.pause)
                unsafe _ = nanosleep(&pause, nil)
            case .reopen: if let failure = file.reopen() { fail(failure) }
            case .sync: if let failure = file.sync() { fail(failure) }
            }
        }
        if let failure = file.close() { fail(failure) }
        queue.finish()
    }
}
