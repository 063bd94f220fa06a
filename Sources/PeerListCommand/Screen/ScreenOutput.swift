// What the session hands to the screen, across from its own thread.
import PeerList

/// One thing that the screen is told.
enum ScreenNews: Sendable {
    /// The list begins, or another backend answers.
    case began(LineHeader)
    case updated(PeerListUpdate)
    /// A service is announced on another path, or no longer on one.
    case sighted
    /// Several differences of a recording in one, or one taken back: the rows show it as news, and the
    /// history does not have it as something that happened.
    case passed(PeerListUpdate)
    /// The list is another one: what leads to it is not to be marked as news.
    case replaced(PeerListUpdate)
    case noticed(Notice)
    /// What was noticed is not so any more, because time was turned back.
    case turnedBack
    /// It is a recording that is shown, and this is how far it is.
    case replaying(ReplayStatus)
}

/// Passes everything on to the screen and never waits for it: the screen draws when it has time.
final class ScreenOutput: ListOutput {
    private let news: AsyncStream<ScreenNews>.Continuation

    init(_ news: AsyncStream<ScreenNews>.Continuation) { self.news = news }

    func begin(_ header: LineHeader, at time: Timestamp) { news.yield(.began(header)) }

    func handedOver(_ header: LineHeader) { news.yield(.began(header)) }

    func update(_ update: PeerListUpdate, list: @autoclosure () -> [ListSection]) {
        news.yield(.updated(update))
    }

    func sighted() { news.yield(.sighted) }

    func notice(_ notice: Notice, list: @autoclosure () -> [ListSection]) {
        news.yield(.noticed(notice))
    }

    func end(
        _ reason: LineEncoder.EndReason, at time: Timestamp, list: @autoclosure () -> [ListSection]
    ) {}

    func close(within limit: Duration) async -> LineFailure? { nil }
}
