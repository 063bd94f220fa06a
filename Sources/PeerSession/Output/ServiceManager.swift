// Reports to systemd that the program is ready, what it does, and that it has not hung (sd_notify(3)).
import FoundationEssentials
import Glibc
package import PeerModel
package import PeerRecording
import PeerSystem

/// The service manager that started the program, which listens at a datagram socket.
package struct ServiceManager: Sendable, Equatable {
    /// The service manager of this process. Its variables, which are not for programs that the process starts,
    /// are removed from the environment, so this is read before there are threads.
    package static let current: ServiceManager? = {
        let manager = ServiceManager(environmentVariable)
        for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { unsafe unsetenv(name) }
        return manager
    }()

    /// The name of the socket: a path, or an abstract name, which begins with a NUL.
    private let socketName: [UInt8]

    /// The longest time between two signs of life, after which the program is ended; `nil` if none are
    /// expected.
    let watchdog: Duration?

    /// Returns `nil` unless a service manager that wants reports is named by the environment.
    init?(_ variable: (String) -> String?) {
        guard let name = variable("NOTIFY_SOCKET"), name.hasPrefix("/") || name.hasPrefix("@")
        else {
            return nil
        }
        var bytes = Array(name.utf8)
        guard bytes.count > 1, bytes.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path)
        else { return nil }
        if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
        socketName = bytes
        // The variables may be inherited from a parent that they are meant for.
        let isOurs = variable("WATCHDOG_PID").map { Int32($0) == getpid() } ?? true
        let interval = variable("WATCHDOG_USEC").flatMap(Int64.init) ?? 0
        watchdog = isOurs && interval > 0 ? .microseconds(interval) : nil
    }

    /// Sends an assignment, or several in lines, such as `READY=1`, without waiting; returns the error's number
    /// if it is not delivered.
    @discardableResult
    package func notify(_ state: String) -> Int32? {
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) {
            unsafe $0.copyBytes(from: socketName)
        }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + socketName.count)
        let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
        let bytes = Array(state.utf8)
        let sent = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe sendto(descriptor, bytes, bytes.count, flags, $0, size)
            }
        }
        return sent < 0 ? errno : nil
    }

    /// Asks for a sign of life twice in the time of the watchdog, until it is cancelled; `beat` calls its argument,
    /// at once or later, if everything works.
    package func watch(_ beat: @escaping @Sendable (@escaping @Sendable () -> Void) async -> Void)
        -> Task<Void, Never>?
    {
        watchdog.map { watchdog in
            Task {
                while !Task.isCancelled {
                    await beat { notify("WATCHDOG=1") }
                    try? await Task.sleep(for: watchdog / 2)
                }
            }
        }
    }
}

/// Reports the state of the list to the service manager.
package final class ServiceOutput: ListOutput {
    /// The shortest time between two reports of the number of peers, in microseconds.
    private static let pause: Int64 = 1_000_000

    private let manager: ServiceManager
    private var backend = ""
    private var lastReport: Timestamp?
    private var lastStatus = ""
    package private(set) var isBehind = false

    package init(_ manager: ServiceManager) { self.manager = manager }

    package func handle(_ event: OutputEvent, at time: Timestamp, list: () -> [ListSection]) {
        switch event {
        case .began(let header):
            backend = header.backend
            manager.notify("READY=1")
            report(list(), at: time)
        case .handedOver(let header):
            backend = header.backend
            isBehind = true
        case .updated: isBehind = true
        case .ended: manager.notify("STOPPING=1")
        case .lost, .fill, .happened, .sighted, .sources, .noticed, .answered, .tick, .reopened:
            break
        }
        if isBehind,
            lastReport.map({ abs(time.microseconds - $0.microseconds) >= Self.pause }) ?? true
        {
            report(list(), at: time)
        }
    }

    package func close(within limit: Duration) async -> LineFailure? { nil }

    private func report(_ list: [ListSection], at time: Timestamp) {
        (isBehind, lastReport) = (false, time)
        let status = Self.status(of: list, backend: backend)
        guard status != lastStatus else { return }
        lastStatus = status
        manager.notify("STATUS=\(status)")
    }

    /// Returns the number of peers, or of services in a list by type, and how many are not present:
    /// `7 peers, 1 unanswered; backend: daemon`.
    static func status(of list: [ListSection], backend: String) -> String {
        var presences: [UUID: Set<Presence>] = [:]
        for item in list.flatMap(\.items) {
            presences[item.peer.id, default: []].insert(item.peer.presence)
        }
        let counts = Dictionary(grouping: presences.values.map { Presence.combined($0) }) { $0 }
            .mapValues(\.count)
        let absent = [Presence.resolving, .unanswered, .proxied, .unknown].compactMap { presence in
            counts[presence].map { "\($0) \(presence)" }
        }
        let peers = presences.count == 1 ? "1 peer" : "\(presences.count) peers"
        return ([peers] + absent).joined(separator: ", ") + "; backend: \(backend)"
    }
}
