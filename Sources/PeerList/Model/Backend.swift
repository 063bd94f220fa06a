// The backends that may be asked about the network.

/// A source of what is known about the network.
public enum Backend: String, Sendable, Hashable, CaseIterable {
    /// avahi-daemon, over D-Bus.
    case daemon
    /// A stack of our own, in a helper process.
    case embedded
}

/// The backends that may be used.
public enum BackendChoice: String, Sendable, Hashable, CaseIterable {
    /// The daemon while it is there, else the embedded stack.
    case auto
    /// The daemon alone, and no backend while it is away.
    case daemon
    /// The embedded stack alone.
    case embedded
}

/// There is no backend that could be asked.
public struct BackendError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problem and what to do, in sentences without a final full stop.
    public let description: String

    /// An error that says what is wrong and what to do.
    public init(_ description: String) { self.description = description }
}
