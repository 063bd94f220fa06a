// Stops the program at a violated precondition, with the call that violates it.

/// A call of a method that has preconditions.
@usableFromInline
struct Call: Sendable, ExpressibleByStringLiteral {
    /// The method, with its labels.
    @usableFromInline let method: StaticString
    @usableFromInline let file: StaticString
    @usableFromInline let line: UInt

    /// A call at a line of a file of the program.
    @inlinable
    init(_ method: StaticString, _ file: StaticString, _ line: UInt) {
        self.method = method
        self.file = file
        self.line = line
    }

    /// A call from an unknown place.
    @inlinable
    init(stringLiteral method: StaticString) { self.init(method, #fileID, #line) }
}

/// Stops the program because of a violated precondition.
///
/// - Parameters:
///   - call: The call.
///   - fault: The violation, with the identifier that causes it.
@usableFromInline
func misuse(_ call: Call, _ fault: String) -> Never {
    // fatalError, not preconditionFailure, whose message is lost in optimised builds.
    fatalError("\(call.method): \(fault)", file: call.file, line: call.line)
}
