// The JSON lines of the list on one output: numbered, written, and begun anew after an outage.
import FoundationEssentials
public import PeerList

/// The JSON lines of the list, on standard output or in a file.
///
/// A file goes on after an outage, such as a full disk: at the next line or
/// tick, and at most once a second, it is tried again with a fresh `begin` that
/// holds the whole list as it is then. So a reader sees that something is missing, and
/// what follows stands for itself. A file that is rotated, or opened anew, ends
/// with a notice that says so; the next one begins with the whole list. Not to
/// be used by two tasks at once.
public final class LineOutput {
    /// How long after a failure it is tried again, unless told otherwise.
    public static let retryInterval = Duration.seconds(1)

    private let writer: LineWriter
    private let retryInterval: Duration?
    private var plan: RotationPlan?
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
    ///   - sync: How soon they are on the disk.
    ///   - limit: How many bytes may wait for a slow disk.
    ///   - retryInterval: How long after a failure it is tried again.
    ///   - onEvent: Told when an outage begins and when it is over, and of what
    ///     cannot be done with old files; it must not wait.
    public init(
        file: OutputFile, sync: SyncPolicy = .standard, limit: Int = LineWriter.defaultLimit,
        retryInterval: Duration = LineOutput.retryInterval,
        onEvent: @escaping @Sendable (LineWriter.Event) -> Void
    ) {
        writer = LineWriter(file: file, sync: sync, limit: limit, onEvent: onEvent)
        self.retryInterval = retryInterval
        plan = file.keeping.map { keeping in
            RotationPlan(keeping.rotation, size: file.size, writtenAt: file.modified)
        }
    }

    /// Begins the lines; a file that a former run has filled, or that is of an earlier day, is put
    /// away before.
    public func begin(_ header: LineHeader, sections: [ListSection] = [], at time: Timestamp) {
        self.header = header
        let line = encoder.begin(header, sections: sections, at: time)
        if isRotationDue(at: time) {
            writer.begin(with: line, after: .rotate)
            plan?.began(with: line.count, at: time)
        } else {
            let isFirstLine = plan?.isEmpty == true
            write(line)
            // The day of an empty file is that of its first line, not the one on which it was made.
            if isFirstLine { plan?.began(with: line.count, at: time) }
        }
    }

    /// Another backend answers; what begins anew later says so.
    public func handedOver(_ header: LineHeader) { self.header = header }

    /// Writes a difference; `list` is the list after it, asked for only after an outage.
    public func update(_ update: PeerListUpdate, list: @autoclosure () -> [ListSection]) {
        if restarts(at: update.time, list) { return }
        if writer.failure == nil, let line = encoder.update(update) { write(line) }
    }

    /// Writes a notice; `list` is the list as it is, asked for only after an outage.
    public func notice(_ notice: Notice, list: @autoclosure () -> [ListSection]) {
        _ = restarts(at: notice.time, list)
        write(encoder.notice(notice))
    }

    /// Takes note of the time: a file whose time is over is put away, one that failed is tried again.
    /// `list` is the list as it is, asked for only then.
    public func tick(at time: Timestamp, list: @autoclosure () -> [ListSection]) {
        if writer.failure != nil {
            _ = restarts(at: time, list)
        } else if isRotationDue(at: time) {
            goOn(after: .rotate, at: time, list())
        }
    }

    /// Goes on in the file that stands under the name now, as after somebody has renamed the old one;
    /// `list` is the list as it is. A file whose time is over is put away if nobody has done that.
    public func reopen(at time: Timestamp, list: @autoclosure () -> [ListSection]) {
        goOn(after: isRotationDue(at: time) ? .rotate : .reopen, at: time, list())
    }

    /// Writes the last line; `list` is the list as it is, asked for only after an outage.
    public func end(
        _ reason: LineEncoder.EndReason, at time: Timestamp, list: @autoclosure () -> [ListSection]
    ) {
        nextTry = .now
        _ = restarts(at: time, list)
        write(encoder.end(reason, at: time))
    }

    /// Waits until all lines are written.
    ///
    /// - Parameter limit: How long to wait for a reader that has stalled, and
    ///   for old files to be compressed.
    /// - Returns: Why not every line was written, or `nil` if all were.
    public func close(within limit: Duration) async -> LineFailure? {
        await writer.close(within: limit)
    }
}

extension LineOutput {
    private func write(_ line: [UInt8]) {
        plan?.wrote(line.count)
        writer.write(line)
    }

    private func isRotationDue(at time: Timestamp) -> Bool {
        plan?.isDue(at: time, openedWith: writer.sizeAtOpening) ?? false
    }

    /// Ends the file with a notice, and begins the next one with the whole list.
    private func goOn(after turn: FileTurn, at time: Timestamp, _ list: [ListSection]) {
        guard retryInterval != nil, let header else { return }
        if writer.failure == nil {
            write(encoder.notice(Notice(.nextFile, "the lines go on in another file", time: time)))
        }
        let line = encoder.begin(header, sections: list, at: time)
        if !writer.restart(with: line, after: turn) { writer.begin(with: line, after: turn) }
        plan?.began(with: line.count, at: time)
    }

    /// Begins anew where lines are being dropped and it is time to try; says whether it did.
    private func restarts(at time: Timestamp, _ list: () -> [ListSection]) -> Bool {
        guard let retryInterval, let header else { return false }
        // The whole list is dear to write, and for a reader who has not caught up it would be in vain.
        guard writer.canRestart, ContinuousClock.now >= nextTry else { return false }
        nextTry = .now + retryInterval
        let line = encoder.begin(header, sections: list(), at: time)
        guard writer.restart(with: line) else { return false }
        plan?.wrote(line.count)
        return true
    }
}
