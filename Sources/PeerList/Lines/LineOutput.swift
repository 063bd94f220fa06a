// The JSON lines of the list on one output: numbered, written, and begun anew after an outage.
import FoundationEssentials

/// The JSON lines of the list, on standard output or in a file.
///
/// A file goes on after an outage, such as a full disk: at the next line, and at
/// most once a second, it is tried again with a fresh `begin` that holds the
/// whole list as it is then. So a reader sees that something is missing, and
/// what follows stands for itself. Not to be used by two tasks at once.
public final class LineOutput {
    /// How long after a failure it is tried again, unless told otherwise.
    public static let retryInterval = Duration.seconds(1)

    private let writer: LineWriter
    private let retryInterval: Duration?
    private var encoder = LineEncoder()
    private var header: LineHeader?
    private var nextTry = ContinuousClock.now

    /// Lines on standard output, or on another descriptor that stays open; a failure is for good.
    ///
    /// - Parameters:
    ///   - descriptor: Open for writing.
    ///   - limit: How many bytes may wait for a slow reader.
    ///   - onEvent: Told of a failure, once; it must not wait.
    public init(
        descriptor: Int32, limit: Int = LineWriter.defaultLimit,
        onEvent: @escaping @Sendable (LineWriter.Event) -> Void
    ) {
        writer = LineWriter(descriptor: descriptor, limit: limit, onEvent: onEvent)
        retryInterval = nil
    }

    /// Lines in a file, which is closed with them.
    ///
    /// - Parameters:
    ///   - file: Where they go.
    ///   - limit: How many bytes may wait for a slow disk.
    ///   - retryInterval: How long after a failure it is tried again.
    ///   - onEvent: Told when an outage begins and when it is over; it must not
    ///     wait.
    public init(
        file: OutputFile, limit: Int = LineWriter.defaultLimit,
        retryInterval: Duration = LineOutput.retryInterval,
        onEvent: @escaping @Sendable (LineWriter.Event) -> Void
    ) {
        writer = LineWriter(
            descriptor: file.descriptor, limit: limit, closesDescriptor: true,
            startsTorn: file.isTorn, onEvent: onEvent)
        self.retryInterval = retryInterval
    }

    /// Begins the lines.
    public func begin(_ header: LineHeader, sections: [ListSection] = [], at time: Timestamp) {
        self.header = header
        writer.write(encoder.begin(header, sections: sections, at: time))
    }

    /// Writes a difference; `list` is the list after it, asked for only after an outage.
    public func update(_ update: PeerListUpdate, list: @autoclosure () -> [ListSection]) {
        if restarts(at: update.time, list) { return }
        if let line = encoder.update(update) { writer.write(line) }
    }

    /// Writes a notice; `list` is the list as it is, asked for only after an outage.
    public func notice(_ notice: Notice, list: @autoclosure () -> [ListSection]) {
        _ = restarts(at: notice.time, list)
        writer.write(encoder.notice(notice))
    }

    /// Writes the last line; `list` is the list as it is, asked for only after an outage.
    public func end(
        _ reason: LineEncoder.EndReason, at time: Timestamp, list: @autoclosure () -> [ListSection]
    ) {
        nextTry = .now
        _ = restarts(at: time, list)
        writer.write(encoder.end(reason, at: time))
    }

    /// Waits until all lines are written.
    ///
    /// - Parameter limit: How long to wait for a reader that has stalled.
    /// - Returns: Why not every line was written, or `nil` if all were.
    public func close(within limit: Duration) async -> LineFailure? {
        await writer.close(within: limit)
    }

    /// Begins anew where lines are being dropped and it is time to try; says whether it did.
    private func restarts(at time: Timestamp, _ list: () -> [ListSection]) -> Bool {
        guard writer.failure != nil, let retryInterval, let header else { return false }
        guard ContinuousClock.now >= nextTry else { return false }
        nextTry = .now + retryInterval
        return writer.restart(with: encoder.begin(header, sections: list(), at: time))
    }
}
