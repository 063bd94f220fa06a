// Defines the results of `peerlist doctor`: findings, each with an outcome and advice.
import PeerList

/// The outcome of a check, from best to worst.
enum DoctorOutcome: String, CaseIterable, Comparable, Sendable {
    case ok, unknown, warning, problem

    static func < (left: DoctorOutcome, right: DoctorOutcome) -> Bool {
        allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
    }
}

/// A finding of a check.
struct Finding: Sendable {
    /// A value for scripts.
    enum Value: Equatable, Sendable {
        case text(String)
        case number(Int)
        case texts([String])
        case paths([NetworkPath])

        static func families(_ families: [AddressFamily]) -> Value {
            .texts(families.map(\.rawValue))
        }
    }

    let outcome: DoctorOutcome
    /// The finding in sentences, with text from the network unescaped.
    let text: String
    /// The recommended action, if there is one.
    let advice: String?
    /// The values for scripts, by their keys.
    let facts: [(key: String, value: Value)]

    init(
        _ outcome: DoctorOutcome, _ text: String, advice: String? = nil,
        facts: [(key: String, value: Value)] = []
    ) {
        (self.outcome, self.text, self.advice, self.facts) = (outcome, text, advice, facts)
    }

    /// The finding of a check that needs an interface.
    static let noInterface = Finding(.unknown, "This check requires a network interface.")

    /// The shortest wait after which a missing reply means something.
    ///
    /// An announcement is repeated after one second (RFC 6762, section 8.3), and a backend may begin
    /// to browse over the second address family later.
    static let conclusiveTime = Duration.seconds(3)

    /// Returns the finding that a missing reply means nothing after so short a wait.
    static func tooShort(_ time: Duration, _ observation: String) -> Finding {
        let seconds = time / .seconds(1)
        let shown = seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
        let conclusive = conclusiveTime.components.seconds
        return Finding(
            .unknown, "\(observation) within \(shown) s, which is too short to conclude anything.",
            advice: "omit --timeout, or wait for at least \(conclusive) s")
    }
}

/// The result of a check.
struct CheckReport: Sendable {
    let id: String
    let title: String
    let findings: [Finding]

    /// The worst outcome of the findings.
    var outcome: DoctorOutcome { findings.map(\.outcome).max() ?? .unknown }
}

extension [CheckReport] {
    /// The exit status: only problems count.
    var status: ExitStatus { contains { $0.outcome == .problem } ? .problem : .done }
}

/// Joins words with commas, and the last one with "and": `a, b and c`; of more than `limit` words, the
/// others are counted.
func listed(_ words: [String], limit: Int = .max) -> String {
    let rest = words.count - limit
    if rest > 0 { return words.prefix(limit).joined(separator: ", ") + " and \(rest) more" }
    guard words.count > 1, let last = words.last else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and " + last
}

extension AddressFamily {
    /// The common name of the family.
    var title: String { self == .ipv4 ? "IPv4" : "IPv6" }
}

extension [AddressFamily] {
    /// The names of the families: `IPv4 and IPv6`.
    var titles: String { listed(map(\.title)) }
}
