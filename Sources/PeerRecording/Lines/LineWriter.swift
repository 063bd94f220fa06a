// Writes lines on a thread of its own, so that nobody else waits for a slow reader or disk.
import Glibc

/// Writes lines to a descriptor or a file, whole and in order, on a thread of its own.
///
/// Whoever hands lines over never waits: they wait here, at most as many bytes
/// as the writer's limit allows. When they cannot be written, or the bound is
/// reached, that is told once, and all lines from then on are dropped: there is
/// no gap that nobody is told of.
///
/// A line is written whole or not at all, as far as the system allows: what
/// part of a line a full disk has taken is taken back, and only a line longer
/// than `PIPE_BUF` (4,096 bytes) can be left torn in a pipe, when the process
/// ends while its reader stalls.
public final class LineWriter: Sendable {
    /// What there is to tell of a writer.
    public enum Event: Sendable, Hashable {
        /// Lines are dropped from now on.
        case failed(LineFailure)
        /// Lines are written again, beginning with the one that ``LineWriter/restart(with:after:)`` was given.
        case recovered
        /// An old file could not be put away, compressed or deleted, for this reason; lines go on.
        case keepingFailed(String)
    }

    /// How many bytes may wait unless another bound is given: 64 MiB.
    public static let defaultLimit = 64 << 20

    private let queue: LineQueue
    private let report: @Sendable (Event) -> Void

    /// A writer to a descriptor that stays open.
    ///
    /// - Parameters:
    ///   - descriptor: Open for writing.
    ///   - limit: How many bytes may wait.
    ///   - onEvent: Called on the writer's thread, or in ``write(_:)`` when the
    ///     bound is reached; it must not wait.
    public convenience init(
        descriptor: Int32, limit: Int = LineWriter.defaultLimit,
        onEvent: @escaping @Sendable (Event) -> Void
    ) {
        self.init(LineDestination(descriptor: descriptor), limit, onEvent)
    }

    /// A writer to a file, which is closed with it.
    ///
    /// - Parameters:
    ///   - file: Open for appending.
    ///   - sync: How soon lines are on the disk.
    ///   - limit: How many bytes may wait.
    ///   - onEvent: Called on a thread of the writer's, or in ``write(_:)`` when
    ///     the bound is reached; it must not wait.
    public convenience init(
        file: OutputFile, sync: SyncPolicy = .standard, limit: Int = LineWriter.defaultLimit,
        onEvent: @escaping @Sendable (Event) -> Void
    ) {
        let destination = LineDestination(file: file, sync: sync) { onEvent(.keepingFailed($0)) }
        self.init(destination, limit, onEvent)
    }

    private init(
        _ destination: LineDestination, _ limit: Int, _ report: @escaping @Sendable (Event) -> Void
    ) {
        queue = LineQueue(limit: limit)
        self.report = report
        WritingThread.start(queue, destination, report: report)
    }

    deinit { queue.close {} }

    /// Why lines are being dropped, if they are.
    public var failure: LineFailure? { queue.failure }

    /// Hands over one or more whole lines, each with its line feed; returns at once.
    public func write(_ lines: [UInt8]) {
        if let failure = queue.offer(lines) { report(.failed(failure)) }
    }

    /// Whether ``restart(with:after:)`` has a failure to recover from, and room for most lines.
    var canRestart: Bool { queue.canRestart }

    /// The bytes that were in the file when it was opened after the last turn; 0 until it is.
    var sizeAtOpening: Int { queue.sizeAtOpening }

    /// Hands over a line that is the first one in another file; returns at once.
    ///
    /// While lines are being dropped, so is this one; the turn is made all the same.
    public func begin(with line: [UInt8], after turn: FileTurn) {
        if let failure = queue.offer(line, after: turn) { report(.failed(failure)) }
    }

    /// Tries again after a failure, beginning with `line`; what was dropped stays lost.
    ///
    /// If it fails again, nothing is told, because it is the same outage.
    ///
    /// - Parameters:
    ///   - line: The first line.
    ///   - turn: What is done with the file before that.
    /// - Returns: Whether there was a failure to recover from, and room for the
    ///   line: half of what may wait must be free.
    @discardableResult
    public func restart(with line: [UInt8], after turn: FileTurn? = nil) -> Bool {
        queue.restart(with: line, after: turn)
    }

    /// Takes no more lines, and waits until those that it has are written.
    ///
    /// - Parameter limit: How long to wait for a reader that has stalled.
    /// - Returns: Why not every line was written, or `nil` if all were.
    public func close(within limit: Duration) async -> LineFailure? {
        let (finished, continuation) = AsyncStream<Void>.makeStream()
        queue.close { continuation.finish() }
        let timer = Task {
            try? await Task.sleep(for: limit)
            continuation.finish()
        }
        for await _ in finished {}
        timer.cancel()
        let waiting = queue.waiting
        return queue.failure ?? (waiting > 0 ? .tooSlow(waiting: waiting) : nil)
    }
}
