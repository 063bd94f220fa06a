// Limits on what a test waits for.
import Dispatch

/// The time limit of a wait.
enum Deadline {
    /// Does something once a time has passed.
    static func after(_ duration: Duration, do action: @escaping @Sendable () -> Void) {
        DispatchQueue.global().asyncAfter(
            deadline: .now() + .nanoseconds(duration.nanoseconds), execute: action)
    }
}

extension Duration {
    /// The duration in whole nanoseconds.
    var nanoseconds: Int {
        Int(components.seconds) * 1_000_000_000 + Int(components.attoseconds / 1_000_000_000)
    }
}
