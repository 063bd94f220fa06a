// Standard output in sentences: one line a change.
import PeerList
import PeerRecording
import TerminalList

/// Gives the list out in sentences, one line a change.
final class PlainOutput: ListOutput {
    private let writer: LineWriter
    private var lines: PlainLines

    /// Lines on a descriptor that stays open.
    init(
        descriptor: Int32, charset: Charset, onEvent: @escaping @Sendable (LineWriter.Event) -> Void
    ) {
        writer = LineWriter(descriptor: descriptor, onEvent: onEvent)
        lines = PlainLines(charset: charset)
    }

    func begin(_ header: LineHeader, at time: Timestamp) {
        lines.begin(header, at: time)
        write(lines.lines(at: time))
    }

    func update(_ update: PeerListUpdate, list: @autoclosure () -> [ListSection]) {
        lines.update(update)
        write(lines.lines(at: update.time))
    }

    func notice(_ notice: Notice, list: @autoclosure () -> [ListSection]) {
        lines.notice(notice)
        write(lines.lines(at: notice.time))
    }

    var isBehind: Bool { lines.due != nil }

    func tick(at time: Timestamp, list: @autoclosure () -> [ListSection]) {
        write(lines.lines(at: time))
    }

    func end(
        _ reason: LineEncoder.EndReason, at time: Timestamp, list: @autoclosure () -> [ListSection]
    ) {
        write(lines.remainingLines())
    }

    func close(within limit: Duration) async -> LineFailure? { await writer.close(within: limit) }

    private func write(_ lines: [String]) {
        guard !lines.isEmpty else { return }
        writer.write(lines.flatMap { Array("\($0)\n".utf8) })
    }
}
