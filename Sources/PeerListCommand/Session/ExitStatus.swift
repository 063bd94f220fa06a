// The statuses that the program ends with.

/// The statuses that the program ends with.
enum ExitStatus: Int32 {
    case done = 0
    case failure = 1
    case usage = 2
    case noBackend = 3
    case interrupted = 130
}
