// What the screen asks of the session.
import FoundationEssentials
import PeerList

/// What the screen asks of the session about items of its list; answers come on any thread.
struct SessionQuestions {
    /// Whether they are there: they are asked again now.
    let verify: ([UUID], @escaping @Sendable (Verification) -> Void) -> Void
    /// On which paths they are announced, and when something was last heard of them.
    let sightings: ([UUID], @escaping @Sendable (ItemSightings) -> Void) -> Void

    /// Questions that go into the inbox of a session.
    init(_ inbox: AsyncStream<SessionMessage>.Continuation) {
        verify = { inbox.yield(.verify($0, reply: $1)) }
        sightings = { inbox.yield(.sightings($0, reply: $1)) }
    }
}
