// How a misuse stops the program: with the operation and the identifier at fault.

/// Stops the program, in every build, because an operation was given what it refuses.
///
/// - Parameters:
///   - operation: The operation, with its labels.
///   - fault: What is wrong, ending in the identifier where there is one.
@usableFromInline
func misuse(_ operation: String, _ fault: String) -> Never {
    // fatalError, not preconditionFailure: the latter loses its message in optimised builds.
    fatalError("\(operation): \(fault)")
}
