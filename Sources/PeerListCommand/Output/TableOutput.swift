// Standard output of `--once`: one table at the end.
import PeerList
import TerminalList

/// Gives the list out once, as a table, when the session ends.
final class TableOutput: ListOutput {
    private let writer: LineWriter
    private let charset: Charset
    private let columns: Int?
    private var header: LineHeader?
    private var notices: [Notice] = []

    /// A table on a descriptor that stays open; on a terminal it fits the width.
    init(
        descriptor: Int32, charset: Charset, onEvent: @escaping @Sendable (LineWriter.Event) -> Void
    ) {
        writer = LineWriter(descriptor: descriptor, onEvent: onEvent)
        self.charset = charset
        columns = FrameSize(ofWindow: descriptor)?.columns
    }

    func begin(_ header: LineHeader, at time: Timestamp) { self.header = header }

    func update(_ update: PeerListUpdate, list: @autoclosure () -> [ListSection]) {}

    func notice(_ notice: Notice, list: @autoclosure () -> [ListSection]) { notices.append(notice) }

    /// Writes the table, and what was to be told to standard error; nothing when it was interrupted.
    func end(
        _ reason: LineEncoder.EndReason, at time: Timestamp, list: @autoclosure () -> [ListSection]
    ) {
        for notice in notices { complain(notice.message) }
        guard reason == .finished, let header else { return }
        let table = OnceTable(header: header, charset: charset, columns: columns)
        writer.write(Array(table.text(list()).utf8))
    }

    func close(within limit: Duration) async -> LineFailure? { await writer.close(within: limit) }
}
