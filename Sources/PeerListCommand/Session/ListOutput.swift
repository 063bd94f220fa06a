// What the session hands every difference to: lines, words, a table, the screen.
import PeerList
import PeerRecording

/// Somewhere that the list is given out.
///
/// The session calls one output after the other and takes the next event only
/// when all have returned, so none may wait for its reader.
protocol ListOutput: AnyObject {
    /// The list begins, empty.
    func begin(_ header: LineHeader, at time: Timestamp)

    /// Another backend answers; the header is as it is from now on.
    func handedOver(_ header: LineHeader)

    /// A difference was applied; `list` is the list after it.
    func update(_ update: PeerListUpdate, list: @autoclosure () -> [ListSection])

    /// A service is announced on another path, or no longer on one, or something was heard of it, and
    /// the list is as it was.
    func sighted()

    /// Time has passed, and the list is about to change or not; `list` is the list as it is.
    func tick(at time: Timestamp, list: @autoclosure () -> [ListSection])

    /// Whether it has left something out, which it makes good at a ``tick(at:list:)``.
    var isBehind: Bool { get }

    /// Somebody has put the file away that is written; `list` is the list as it is.
    func reopen(at time: Timestamp, list: @autoclosure () -> [ListSection])

    /// Something is to be told; `list` is the list as it is.
    func notice(_ notice: Notice, list: @autoclosure () -> [ListSection])

    /// The session is over; `list` is the list at its end.
    func end(
        _ reason: LineEncoder.EndReason, at time: Timestamp, list: @autoclosure () -> [ListSection])

    /// Waits until all is given out.
    ///
    /// - Returns: Why not all of it was, or `nil`.
    func close(within limit: Duration) async -> LineFailure?
}

/// Only the screen tells of paths and backends and may fall behind, and only files grow old, or are
/// put away.
extension ListOutput {
    var isBehind: Bool { false }
    func handedOver(_ header: LineHeader) {}
    func sighted() {}
    func tick(at time: Timestamp, list: @autoclosure () -> [ListSection]) {}
    func reopen(at time: Timestamp, list: @autoclosure () -> [ListSection]) {}
}

extension LineOutput: ListOutput {
    func begin(_ header: LineHeader, at time: Timestamp) { begin(header, sections: [], at: time) }
}
