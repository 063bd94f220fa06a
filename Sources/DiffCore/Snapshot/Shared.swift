// A value that the copies of a snapshot share.
public import Synchronization

/// A value that the copies of a snapshot share until one of them changes it.
@usableFromInline
final class Shared<Content: Sendable>: Sendable {
    /// The value, locked because a query may put it in another form, and several tasks may query a
    /// snapshot.
    @usableFromInline let content: Mutex<Content>

    @inlinable
    init(_ content: Content) { self.content = Mutex(content) }

    /// Calls a closure with the value, which may put it in another form but not change it.
    @inlinable
    func access<Result: Sendable>(_ body: (inout Content) -> Result) -> Result {
        content.withLock { body(&$0) }
    }

    /// Calls a closure that changes the value, or a copy of it if others refer to it.
    @inlinable
    static func change(_ shared: inout Shared, _ body: (inout Content) -> Void) {
        if !isKnownUniquelyReferenced(&shared) { shared = Shared(shared.access { $0 }) }
        shared.access { body(&$0) }
    }
}
