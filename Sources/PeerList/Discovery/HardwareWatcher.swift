// Decides when the kernel's neighbour table is read, and reports the MAC addresses of hosts from it.

/// The MAC addresses of hosts, according to the kernel's neighbour table.
///
/// The table has only hosts with which this machine has exchanged unicast packets, and the kernel drops entries when
/// it has many. So the table is read only after addresses of hosts were reported and after a verification by the user.
/// A MAC address is remembered for as long as its host has the IP address.
struct HardwareWatcher {
    /// The maximum number of MAC addresses that are reported for a host.
    static let limit = 16
    /// The time from the first of several reports of addresses to a reading, shorter than the wait of a list that is
    /// printed once.
    static let gathering = Duration.milliseconds(500)
    /// The time from the last of several reports of addresses to another reading.
    static let settling = Duration.seconds(2)
    /// The minimum time between two readings after first reports, and between two readings after last reports.
    static let interval = Duration.seconds(10)

    private struct Host {
        var known: [HostAddress: [MACAddress]] = [:]
        var reported: [MACAddress] = []
    }

    private var hosts: [String: Host] = [:]
    /// The time of the reading after the first report; `nil` for never.
    private var firstDue: Duration?
    /// The time of the reading after the last report; `nil` for never.
    private var lastDue: Duration?
    /// The earliest times of the next readings: after a first report, and after a last report.
    private var allowed = (first: Duration.zero, last: Duration.zero)

    /// The time at which the table is to be read, or `nil` for never.
    var deadline: Duration? { [firstDue, lastDue].compactMap { $0 }.min() }

    /// Schedules readings after addresses of hosts were reported.
    mutating func schedule(at now: Duration) {
        firstDue = firstDue ?? max(now + Self.gathering, allowed.first)
        lastDue = max(now + Self.settling, allowed.last)
    }

    mutating func remove(_ host: String) { hosts[host] = nil }

    /// Requests a reading of the table if it is due.
    mutating func advance(_ step: inout DiscoveryStep) {
        guard let due = deadline, due <= step.now else { return }
        if let due = firstDue, due <= step.now { allowed.first = step.now + Self.interval }
        if let due = lastDue, due <= step.now {
            allowed.last = step.now + Self.interval
            lastDue = nil
        }
        firstDue = nil
        step.add(.readNeighbours)
    }

    /// Reports the MAC addresses of a host if they have changed.
    ///
    /// - Parameters:
    ///   - id: The key of the host.
    ///   - name: The name of the host.
    ///   - addresses: The host's addresses.
    ///   - interfaces: The interfaces on which the host's services are announced.
    ///   - neighbours: The kernel's table.
    ///   - step: The effects, to which a report may be added.
    mutating func update(
        _ id: String, _ name: HostName, _ addresses: Set<HostAddress>,
        on interfaces: Set<NetworkInterface>, _ neighbours: NeighbourTable,
        _ step: inout DiscoveryStep
    ) {
        var host = hosts[id] ?? Host()
        host.known = host.known.filter { addresses.contains($0.key) }
        for address in addresses {
            let found = neighbours.hardwareAddresses(of: [address], on: interfaces)
            if !found.isEmpty { host.known[address] = found }
        }
        let all = Array(Set(host.known.values.joined()).sorted().prefix(Self.limit))
        if all != host.reported {
            step.report(.hardware(host: name, all))
            host.reported = all
        }
        hosts[id] = host.known.isEmpty ? nil : host
    }
}
