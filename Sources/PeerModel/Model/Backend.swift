// The backends that may be asked about the network.

/// A source of information about the network.
public enum Backend: String, Sendable, Hashable, CaseIterable {
    /// avahi-daemon, over D-Bus.
    case daemon
    /// The embedded stack, in the helper process.
    case embedded
}

/// The backends that may be used.
public enum BackendChoice: String, Sendable, Hashable, CaseIterable {
    /// The daemon while it is available, else the embedded stack.
    case auto
    /// The daemon alone; no backend while it is not available.
    case daemon
    /// The embedded stack alone.
    case embedded
}

/// The error that no backend is available.
public struct BackendError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problem and what to do, in sentences without a final full stop.
    public let description: String

    /// Creates an error with a problem and advice.
    public init(_ description: String) { self.description = description }
}
