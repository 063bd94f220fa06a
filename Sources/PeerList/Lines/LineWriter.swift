// Writes lines on a thread of its own, so that nobody else waits for a slow reader or disk.
import Glibc

/// Writes lines to a file descriptor, whole and in order, on a thread of its own.
///
/// Whoever hands lines over never waits: they wait here, at most as many bytes
/// as ``init(descriptor:limit:closesDescriptor:startsTorn:onEvent:)`` allows.
/// When they cannot be written, or the bound is reached, that is told once, and
/// all lines from then on are dropped: there is no gap that nobody is told of.
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
        /// Lines are written again, beginning with the one that ``LineWriter/restart(with:)`` was given.
        case recovered
    }

    /// How many bytes may wait unless another bound is given: 64 MiB.
    public static let defaultLimit = 64 << 20

    private let queue: LineQueue

    /// A writer, and its thread.
    ///
    /// - Parameters:
    ///   - descriptor: Open for writing.
    ///   - limit: How many bytes may wait.
    ///   - closesDescriptor: Whether the descriptor is closed with the writer.
    ///   - startsTorn: Whether the file ends in the middle of a line, which then
    ///     gets its line feed before anything else is written.
    ///   - onEvent: Called on the writer's thread, or in ``write(_:)`` when the
    ///     bound is reached; it must not wait.
    public init(
        descriptor: Int32, limit: Int = LineWriter.defaultLimit, closesDescriptor: Bool = false,
        startsTorn: Bool = false, onEvent: @escaping @Sendable (Event) -> Void
    ) {
        queue = LineQueue(limit: limit)
        report = onEvent
        let work = WritingThread(
            queue: queue, descriptor: descriptor, closesDescriptor: closesDescriptor,
            startsTorn: startsTorn, report: onEvent)
        if let failure = work.start() {
            work.end()
            if let failure = queue.failed(failure) { onEvent(.failed(failure)) }
        }
    }

    private let report: @Sendable (Event) -> Void

    deinit { queue.close {} }

    /// Why lines are being dropped, if they are.
    public var failure: LineFailure? { queue.failure }

    /// Hands over one or more whole lines, each with its line feed; returns at once.
    public func write(_ lines: [UInt8]) {
        if let failure = queue.offer(lines) { report(.failed(failure)) }
    }

    /// Tries again after a failure, beginning with `line`; what was dropped stays lost.
    ///
    /// If it fails again, nothing is told, because it is the same outage.
    ///
    /// - Returns: Whether there was a failure to recover from, and room for the line.
    @discardableResult
    public func restart(with line: [UInt8]) -> Bool { queue.restart(with: line) }

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
