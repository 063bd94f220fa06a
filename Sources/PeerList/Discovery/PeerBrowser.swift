// The one seam of the library: a source of discovery events.
public import FoundationEssentials

/// A source of discovery events.
public protocol PeerBrowser: Sendable {
    /// Everything that is found out from ``start()`` on, in order.
    ///
    /// Nothing is dropped: a lost removal would leave a ghost in the list. The
    /// stream is for one reader and ends after ``stop()``.
    var events: AsyncStream<DiscoveryEvent> { get }

    /// Begins, and returns once the backend answers.
    ///
    /// - Returns: The host name that this machine is known by, such as `h1.local`.
    /// - Throws: ``BackendError`` where there is no backend to ask.
    func start() async throws(BackendError) -> String

    /// Asks again now whether services are there, past what is remembered of them.
    ///
    /// What follows for their presence is among ``events``, before this returns
    /// or soon after.
    ///
    /// - Parameter services: The services' identifiers, usually those of one peer.
    /// - Returns: Within 5 s, what was found out.
    func verify(_ services: [UUID]) async -> Verification

    /// Withdraws what was announced, ends every lookup, and ends ``events``.
    func stop() async
}

/// There is no backend that could be asked.
public struct BackendError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong and what to do, in sentences without a final full stop.
    public let description: String

    /// An error that says what is wrong and what to do.
    public init(_ description: String) { self.description = description }
}
