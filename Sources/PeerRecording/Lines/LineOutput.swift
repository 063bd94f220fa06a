// Writes the list as JSON lines to one output, and starts again after an outage.
package import PeerHappenings
public import PeerModel

/// The JSON lines of the list on standard output or in a file.
///
/// A file recovers from an outage such as a full disk: at the next line or tick, and at most once a
/// second, the output tries again with a fresh `begin` line that holds the whole list. A reader
/// thus sees the gap and needs no line from before it. A file that is reopened ends with a
/// `next-file` notice, and the new file begins with the whole list. Must not be used concurrently.
public final class LineOutput {
    /// The default interval between attempts to recover from a failure.
    public static let retryInterval = Duration.seconds(1)

    private let writer: LineWriter
    /// The interval between attempts to recover; `nil` for a descriptor, whose failure is permanent.
    private let retryInterval: Duration?
    private var encoder = LineEncoder()
    private var header: LineHeader?
    private var nextTry = ContinuousClock.now

    /// An output to a descriptor that stays open; a failure is permanent, and reported once.
    public init(
        descriptor: Int32, limit: Int = LineWriter.defaultLimit,
        onEvent: @escaping @Sendable (LineWriter.Event) -> Void
    ) {
        writer = LineWriter(descriptor: descriptor, limit: limit, onEvent: onEvent)
        retryInterval = nil
    }

    /// An output through a writer to a descriptor that stays open.
    package init(_ writer: LineWriter) { (self.writer, retryInterval) = (writer, nil) }

    /// An output to a file, which is closed with the output.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - sync: How soon lines are synced to disk.
    ///   - limit: The number of waiting bytes at which no more lines are accepted.
    ///   - retryInterval: The interval between attempts to recover from a failure.
    ///   - onEvent: Called when an outage starts and when it ends; must not block.
    public init(
        file: OutputFile, sync: SyncPolicy = .standard, limit: Int = LineWriter.defaultLimit,
        retryInterval: Duration = LineOutput.retryInterval,
        onEvent: @escaping @Sendable (LineWriter.Event) -> Void
    ) {
        writer = LineWriter(file: file, sync: sync, limit: limit, onEvent: onEvent)
        self.retryInterval = retryInterval
    }

    /// Writes the first line, with the list as it is at the start.
    public func begin(_ header: LineHeader, sections: [ListSection] = [], at time: Timestamp) {
        self.header = header
        writer.write { encoder.begin(header, sections: sections, at: time, pieces: $0) }
    }

    /// Replaces the header of later `begin` lines, after another backend took over; its initial fill is not taken over.
    public func handedOver(_ header: LineHeader) {
        let fill = self.header?.fill
        self.header = header
        self.header?.fill = fill
    }

    /// Notes for later `begin` lines that the initial fill is over.
    package func endFill() { header?.fill = .over }

    /// Writes a difference; `list` is the list after it, evaluated only after an outage.
    public func update(_ update: PeerListUpdate, list: @autoclosure () -> [ListSection]) {
        if resume(at: update.items.time, list) { return }
        if writer.failure == nil { writer.write { encoder.update(update, lines: $0) } }
    }

    /// Writes a notice; `list` is the current list, evaluated only after an outage.
    public func notice(_ notice: Notice, list: @autoclosure () -> [ListSection]) {
        _ = resume(at: notice.time, list)
        writer.write(encoder.notice(notice))
    }

    /// Writes something that happened and is said at a time; `list` is the current list, evaluated only after
    /// an outage.
    package func happening(
        _ happening: Happening, at time: Timestamp, list: @autoclosure () -> [ListSection]
    ) {
        _ = resume(at: time, list)
        let line = encoder.happening(happening, at: time)
        if !line.isEmpty { writer.write(line) }
    }

    /// Tries to recover from a failure; `list` is the current list, evaluated only for that.
    public func tick(at time: Timestamp, list: @autoclosure () -> [ListSection]) {
        _ = resume(at: time, list)
    }

    /// Ends the file with a notice, reopens its path, and begins the new file with the list.
    ///
    /// Called after the file was renamed, as logrotate does. Has no effect on a descriptor.
    public func reopen(at time: Timestamp, list: @autoclosure () -> [ListSection]) {
        guard retryInterval != nil, let header else { return }
        if writer.failure == nil {
            let notice = Notice(.nextFile, "the lines go on in another file", time: time)
            writer.write(encoder.notice(notice))
        }
        writer.reopen { encoder.begin(header, sections: list(), at: time, pieces: $0) }
    }

    /// Writes the last line; `list` is the current list, evaluated only after an outage.
    public func end(
        _ reason: LineEncoder.EndReason, at time: Timestamp, list: @autoclosure () -> [ListSection]
    ) {
        nextTry = .now
        _ = resume(at: time, list)
        writer.write(encoder.end(reason, at: time))
    }

    /// Waits until all lines are written, as ``LineWriter/close(within:)`` does.
    public func close(within limit: Duration) async -> LineFailure? {
        await writer.close(within: limit)
    }

    /// Writes a fresh `begin` line if lines are being dropped and a retry is due; returns whether it did.
    private func resume(at time: Timestamp, _ list: () -> [ListSection]) -> Bool {
        // Encoding the list is expensive, so it is done only when the lines are likely to be
        // accepted.
        guard let retryInterval, let header, writer.canResume, ContinuousClock.now >= nextTry
        else { return false }
        nextTry = .now + retryInterval
        return writer.resume { encoder.begin(header, sections: list(), at: time, pieces: $0) }
    }
}
