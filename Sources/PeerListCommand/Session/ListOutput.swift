// The interface of the outputs that a session updates: lines, sentences, a table, the screen.
import PeerList
import PeerRecording

/// An output of the list.
///
/// The session calls one output after the other and handles the next event when
/// all have returned, so none may wait for its reader.
protocol ListOutput: AnyObject {
    /// Begins the list, which is empty.
    func begin(_ header: LineHeader, at time: Timestamp)

    /// Replaces the header, because the backend or the name of this machine has changed.
    func handedOver(_ header: LineHeader)

    /// Handles a difference; `list` is the list after it.
    func update(_ update: PeerListUpdate, list: @autoclosure () -> [ListSection])

    /// Handles an event about the paths of a service, or a sign of life, that left the list unchanged.
    func sighted()

    /// Handles the passing of time before a possible change; `list` is the current list.
    func tick(at time: Timestamp, list: @autoclosure () -> [ListSection])

    /// Whether something was left out that the next ``tick(at:list:)`` makes up for.
    var isBehind: Bool { get }

    /// Reopens the file after it was renamed; `list` is the current list.
    func reopen(at time: Timestamp, list: @autoclosure () -> [ListSection])

    /// Reports a notice; `list` is the current list.
    func notice(_ notice: Notice, list: @autoclosure () -> [ListSection])

    /// Ends the list; `list` is the last one.
    func end(
        _ reason: LineEncoder.EndReason, at time: Timestamp, list: @autoclosure () -> [ListSection])

    /// Waits until everything is written.
    ///
    /// - Returns: Why not everything was, or `nil`.
    func close(within limit: Duration) async -> LineFailure?
}

/// Defaults for what concerns the screen or files only.
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
