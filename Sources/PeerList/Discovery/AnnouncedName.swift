// Chooses the next name of an announced service whose name is taken, and the time to try it.

/// The name of an announced service: the wanted name, or another name if the wanted one is taken.
///
/// Machines that are started together with one name can all lose the name at the same moment. So each machine waits for
/// a random time before it tries the next name (RFC 6762, section 8.1). From the second conflict on, names contain the
/// machine's name: `Twin`, `Twin #2`, `Twin (h4)`, `Twin (h4) #2`, …
struct AnnouncedName {
    /// The maximum number of names that are tried in a row, because other machines could take every name.
    static let limit = 100
    /// The longest random wait.
    static let longestWait = Duration.milliseconds(250)
    /// The number of conflicts within a time after which each attempt waits for ``slowWait`` (RFC 6762, section
    /// 8.1).
    static let burst = (count: 15, time: Duration.seconds(10))
    static let slowWait = Duration.seconds(5)

    private let wanted: String
    /// The name to announce.
    private(set) var current: String
    private var hasMachine = false
    /// The times of the conflicts since the service was last announced.
    private var conflicts: [Duration] = []
    private var isSlow = false

    init(_ wanted: String) { (self.wanted, current) = (wanted, wanted) }

    /// Records that the service is announced under the current name.
    mutating func established() { (conflicts, isSlow) = ([], false) }

    /// Changes to the next name, because another machine has the current name.
    ///
    /// - Parameters:
    ///   - machine: The host name of this machine.
    ///   - now: The time of the conflict.
    ///   - random: The source of the random wait.
    /// - Returns: The time to wait before the name is tried, or `nil` if too many names were taken.
    mutating func takeNext(
        on machine: String, at now: Duration, using random: inout some RandomNumberGenerator
    ) -> Duration? {
        conflicts.append(now)
        guard conflicts.count < Self.limit else { return nil }
        let label = machine.split(separator: ".").first ?? ""
        if current == wanted || hasMachine || label.isEmpty {
            current = alternativeName(to: current)
        } else {
            (current, hasMachine) = (Self.name(wanted, of: label), true)
        }
        let recent = conflicts.suffix(Self.burst.count)
        if recent.count == Self.burst.count, let first = recent.first,
            now - first <= Self.burst.time
        {
            isSlow = true
        }
        let wait = Self.longestWait * Double.random(in: 0...1, using: &random)
        return isSlow ? Self.slowWait + wait : wait
    }

    /// Returns a name that contains a machine's name, `Twin (h4)`, and fits into a label of DNS. The end of the
    /// machine's name is kept, because it distinguishes a machine from its copies.
    private static func name(_ name: String, of machine: Substring) -> String {
        var machine = machine
        while machine.utf8.count > 31 { machine.removeFirst() }
        let suffix = " (\(machine))"
        return name.prefix(utf8Count: 63 - suffix.utf8.count) + suffix
    }
}
