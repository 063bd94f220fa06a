// Standard output of one-shot commands: the list as it is when the session ends.
import PeerList
import PeerRecording

/// Writes the list once, when the session ends.
final class OnceOutput: ListOutput {
    /// How the list is written.
    enum Form: Sendable {
        /// As JSON lines: a `begin` that holds the whole list, the notices, and the `end`.
        case lines
        /// As the text that the function returns; notices go to standard error.
        case text(@Sendable (LineHeader, [ListSection]) -> String)
    }

    private let writer: LineWriter
    private let form: Form
    private var header: LineHeader?
    private var notices: [Notice] = []

    /// An output on a descriptor that stays open.
    init(
        descriptor: Int32, form: Form, onEvent: @escaping @Sendable (LineWriter.Event) -> Void
    ) {
        writer = LineWriter(descriptor: descriptor, onEvent: onEvent)
        self.form = form
    }

    func begin(_ header: LineHeader, at time: Timestamp) { self.header = header }

    func handedOver(_ header: LineHeader) { self.header = header }

    func update(_ update: PeerListUpdate, list: @autoclosure () -> [ListSection]) {}

    func notice(_ notice: Notice, list: @autoclosure () -> [ListSection]) { notices.append(notice) }

    /// Writes the list; an interrupted session writes no text.
    func end(
        _ reason: LineEncoder.EndReason, at time: Timestamp, list: @autoclosure () -> [ListSection]
    ) {
        guard let header else { return }
        switch form {
        case .lines:
            var encoder = LineEncoder()
            writer.write(encoder.begin(header, sections: list(), at: time))
            for notice in notices { writer.write(encoder.notice(notice)) }
            writer.write(encoder.end(reason, at: time))
        case .text(let text):
            for notice in notices { complain(notice.message) }
            guard reason == .finished else { return }
            writer.write(Array(text(header, list()).utf8))
        }
    }

    func close(within limit: Duration) async -> LineFailure? { await writer.close(within: limit) }
}
