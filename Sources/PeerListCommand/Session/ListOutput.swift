// What the session hands every difference to: lines, words, a table, the screen.
import PeerList

/// Somewhere that the list is given out.
///
/// The session calls one output after the other and takes the next event only
/// when all have returned, so none may wait for its reader.
protocol ListOutput: AnyObject {
    /// The list begins, empty.
    func begin(_ header: LineHeader, at time: Timestamp)

    /// A difference was applied; `list` is the list after it.
    func update(_ update: PeerListUpdate, list: @autoclosure () -> [ListSection])

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

extension LineOutput: ListOutput {
    func begin(_ header: LineHeader, at time: Timestamp) { begin(header, sections: [], at: time) }
}
