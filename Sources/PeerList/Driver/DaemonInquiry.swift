// Asks avahi-daemon for its version, its state and its host name.
import PeerSystem

/// The version, host name and state that avahi-daemon reports.
public struct DaemonReport: Sendable, Hashable {
    /// The state of the daemon.
    public enum State: Sendable, Hashable {
        /// All is well.
        case running
        /// The daemon is claiming this machine's name.
        case registering
        /// This machine's name is taken on the network.
        case collision
        /// The daemon reports another state.
        case other
    }

    /// The version of the daemon: `avahi 0.8`.
    public var version: String
    /// The host name that this machine is known by, such as `h1.local`.
    public var host: String
    /// The state of the daemon.
    public var state: State

    /// Creates a report.
    public init(version: String, host: String, state: State) {
        self.version = version
        self.host = host
        self.state = state
    }
}

/// Asks avahi-daemon about itself.
///
/// libavahi waits up to 25 s for a daemon that hangs, so the daemon is asked on a separate thread,
/// which is abandoned when the time is over.
public actor DaemonInquiry {
    /// The outcome of an inquiry.
    public enum Outcome: Sendable, Hashable {
        /// The daemon answered.
        case answered(DaemonReport)
        /// The daemon cannot be asked; the text is the reason.
        case unavailable(String)
        /// The daemon did not answer in time.
        case silent
    }

    /// The event loop on which this actor calls libavahi.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe loop.asUnownedSerialExecutor()
    }

    private nonisolated let loop = EventLoop()

    private init() {}

    deinit { loop.end() }

    /// Asks the daemon, and waits at most `limit`.
    public static func ask(within limit: Duration) async -> Outcome {
        let inquiry = DaemonInquiry()
        return await withTimeout(limit) { await inquiry.ask() } ?? .silent
    }

    private func ask() -> Outcome {
        do throws(StackError) {
            let client = try AvahiClient(on: loop, waits: false) { _ in }
            defer { client.close() }
            let state: DaemonReport.State =
                switch client.state {
                case .running: .running
                case .registering: .registering
                case .collision: .collision
                case .connecting, .failed: .other
                }
            guard let version = client.version else {
                return .unavailable(client.lastError.description.lowercased())
            }
            return .answered(
                DaemonReport(version: version, host: client.hostName, state: state))
        } catch {
            return .unavailable(error.description.lowercased())
        }
    }
}
