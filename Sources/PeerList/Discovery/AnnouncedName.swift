// Decides which name an announced service tries next, and when, if its name is taken.

/// The name of an announced service: the wanted one, or another one if that is taken.
///
/// Machines that are started together with one name can all lose it at the same moment. So each waits for a random time
/// before it tries another one (RFC 6762, section 8.1), and from the second conflict on that name has the machine's in it:
/// `Twin`, `Twin #2`, `Twin (h4)`, `Twin (h4) #2`, …
struct AnnouncedName {
    /// The maximum number of names that are tried in a row; other machines could take each of them.
    static let limit = 100
    /// The longest random wait.
    static let longestWait = Duration.milliseconds(250)
    /// The number of conflicts within a time from which on each try waits for ``slowWait`` (RFC 6762, section 8.1).
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

    /// Notes that the service is announced under the current name.
    mutating func established() { (conflicts, isSlow) = ([], false) }

    /// Takes the next name, because the current one is taken.
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

    /// Returns a name with a machine's, `Twin (h4)`, that fits into a label of DNS; the end of a machine's name tells it from
    /// those of its copies.
    private static func name(_ name: String, of machine: Substring) -> String {
        var machine = machine
        while machine.utf8.count > 31 { machine.removeFirst() }
        let suffix = " (\(machine))"
        return name.prefix(utf8Count: 63 - suffix.utf8.count) + suffix
    }
}
