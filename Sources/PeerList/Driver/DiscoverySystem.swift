// The parts of the system that discovery uses: clocks, stacks, probes and interfaces.
import FoundationEssentials
import Glibc
import PeerSystem
import StackProtocol

struct DiscoverySystem: Sendable {
    var readClocks: @Sendable () -> ClockReading
    /// Connects to the daemon, given the loop, whether to wait for the daemon, and a closure that is called when the
    /// state of the stack changes.
    var connectDaemon:
        @Sendable (EventLoop, Bool, @escaping @Sendable () -> Void) throws(StackError) ->
            any LookupStack
    var startHelper:
        @Sendable (EventLoop, StackSettings, @escaping @Sendable () -> Void) throws(BackendError) ->
            any LookupStack
    /// Starts the witness on some paths, given the loop and a closure that is called with its reports.
    var startWitness:
        @Sendable (EventLoop, [NetworkPath], @escaping (WitnessReport) -> Void)
            throws(BackendError) -> LinkWitness
    /// Returns whether the daemon does not answer.
    var isDaemonSilent: @Sendable () async -> Bool
    /// Probes services on the link, and returns the services that answer.
    var probe: @Sendable ([LinkProbe.Question]) async -> Result<Set<UUID>, ProbeError>
    /// Queries service types on some paths, and returns the types that are not among the known ones.
    var askForTypes: @Sendable (Set<String>, [NetworkPath]) -> AsyncStream<String>
    /// Queries the addresses of hosts on some paths; the stack receives the answers.
    var askForAddresses: @Sendable ([String], Set<NetworkPath>) -> Void
    var interfaces: @Sendable () -> [LocalInterface]
    /// Reads the networks and routes of this machine, given its interfaces.
    var routes: @Sendable ([LocalInterface]) -> RouteTable
    /// Subscribes to the changes of interfaces and routes; `nil` if the system refuses that.
    var watchInterfaces: @Sendable () -> InterfaceNotifications?
    /// Reads the kernel's neighbour table.
    var neighbours: @Sendable () -> NeighbourTable
    /// Returns the text of the notice about a host name that another responder owns, and the name
    /// used instead.
    var hostNameConflict: @Sendable (String, String) -> String

    /// Returns the real system, with the helper at a path, or at one of the usual places if the path is `nil`.
    static func live(helper: String? = nil) -> DiscoverySystem {
        let start = ContinuousClock.now
        return DiscoverySystem(
            readClocks: {
                let running = clockTime(CLOCK_MONOTONIC)
                return ClockReading(
                    now: ContinuousClock.now - start,
                    realTimeLead: clockTime(CLOCK_REALTIME) - running,
                    sleep: clockTime(CLOCK_BOOTTIME) - running)
            },
            connectDaemon: { loop, waits, receive throws(StackError) in
                try DaemonStack(on: loop, waits: waits, receive: receive)
            },
            startHelper: { loop, settings, receive throws(BackendError) in
                try EmbeddedStack(
                    on: loop, settings: settings, path: HelperPath.find(named: helper),
                    receive: receive)
            },
            startWitness: { loop, paths, receive throws(BackendError) in
                try LinkWitness(
                    on: loop, paths: paths, path: HelperPath.find(named: helper), receive: receive)
            },
            isDaemonSilent: { await DaemonInquiry.ask(within: .seconds(5)) == .silent },
            probe: { await LinkProbe(questions: $0, helper: helper).run() },
            askForTypes: { TypeProbe(known: $0, paths: $1, helper: helper).run() },
            askForAddresses: { hosts, paths in
                for path in paths {
                    guard let socket = try? ProbeSocket(path) else { continue }
                    for message in ProbeMessage.addressQuestions(for: hosts) {
                        _ = socket.send(message)
                    }
                }
            },
            interfaces: LocalInterface.all, routes: RouteTable.current,
            watchInterfaces: InterfaceNotifications.subscribe,
            neighbours: NeighbourTable.current,
            hostNameConflict: { wanted, used in
                let owner =
                    hasOtherResponder()
                    ? "another mDNS responder, probably one on this machine, owns \(wanted); "
                        + "'peerlist doctor' names those that run here"
                    : "another machine owns \(wanted)"
                return "announced as \(used), since \(owner)"
            })
    }
}

private func clockTime(_ clock: clockid_t) -> Duration {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

/// Whether another responder than the helper has a socket at the port of multicast DNS.
///
/// The helper has one socket for each family. The sockets of witnesses and probes do not count; they are bound to the
/// address of the group.
private func hasOtherResponder() -> Bool {
    ["udp", "udp6"].contains { table in
        let lines =
            readText("/proc/self/net/\(table)", limit: 4 << 20)?.split(separator: "\n") ?? []
        // "sl local_address:port rem_address:port …", in hexadecimal digits.
        let addresses = lines.compactMap { $0.split(separator: " ").dropFirst().first }
        return addresses.count { address in
            address.hasSuffix(":14E9")
                && !["FB0000E0:", "000002FF"].contains(where: address.hasPrefix)
        } > 1
    }
}
