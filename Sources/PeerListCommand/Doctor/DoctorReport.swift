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
struct Finding: Equatable, Sendable {
    /// A value for scripts.
    indirect enum Value: Equatable, Sendable {
        case text(String)
        case number(Int)
        case texts([String])
        case objects([[Fact]])

        /// The values of address families.
        static func families(_ families: [AddressFamily]) -> Value {
            .texts(families.map(\.rawValue))
        }
    }

    /// A key and a value for scripts.
    struct Fact: Equatable, Sendable {
        let key: String
        let value: Value

        init(_ key: String, _ value: Value) {
            self.key = key
            self.value = value
        }
    }

    let outcome: DoctorOutcome
    /// The finding in sentences, with text from the network unescaped.
    let text: String
    /// The recommended action, if there is one.
    let advice: String?
    let facts: [Fact]

    init(_ outcome: DoctorOutcome, _ text: String, advice: String? = nil, facts: [Fact] = []) {
        self.outcome = outcome
        self.text = text
        self.advice = advice
        self.facts = facts
    }

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
struct CheckReport: Equatable, Sendable {
    let id: String
    let title: String
    let findings: [Finding]

    /// The worst outcome of the findings.
    var outcome: DoctorOutcome { findings.map(\.outcome).max() ?? .unknown }
}

extension [CheckReport] {
    /// The exit status: only problems count.
    var status: ExitStatus { contains { $0.outcome == .problem } ? .problem : .done }

    /// Returns the number of checks with an outcome.
    func count(of outcome: DoctorOutcome) -> Int { count { $0.outcome == outcome } }
}

/// Joins words with commas, and the last one with "and": `a, b and c`.
func listed(_ words: [String]) -> String {
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
