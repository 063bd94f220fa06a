// Describes hosts in the first seconds after their return.

/// The hosts that have left, and the hosts that have just returned.
///
/// The services of a device return one by one. Meanwhile the device is described as it was when it left, so that its kind
/// does not change from row to row.
struct ReturningHosts {
    /// The maximum number of hosts that are remembered after they have left.
    private static let limit = 256
    /// The time from the return of a host until its records describe it, in microseconds.
    private static let time: Int64 = 2_000_000

    private var descriptions: [String: DeviceDescription] = [:]
    /// The hosts that have left, in order; some have returned.
    private var left: [String] = []
    private var dues: [(time: Timestamp, host: String)] = []
    private var returned: Set<String> = []

    /// The description of a host that has just returned; `nil` for any other host.
    subscript(host: String) -> DeviceDescription? {
        returned.contains(host) ? descriptions[host] : nil
    }

    mutating func left(_ host: String, _ description: DeviceDescription) {
        returned.remove(host)
        if descriptions.updateValue(description, forKey: host) == nil { left.append(host) }
        while left.count > Self.limit { descriptions[left.removeFirst()] = nil }
    }

    mutating func returned(_ host: String, at time: Timestamp) {
        guard descriptions[host] != nil else { return }
        returned.insert(host)
        dues.append((time.advanced(by: Self.time), host))
    }

    /// Returns the hosts that their records describe from a time on.
    mutating func removeDue(at time: Timestamp) -> Set<String> {
        var due: Set<String> = []
        while let (end, host) = dues.first, end <= time {
            dues.removeFirst()
            if returned.remove(host) != nil { due.insert(host) }
        }
        return due
    }
}
