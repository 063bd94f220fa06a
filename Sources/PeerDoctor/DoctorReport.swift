// Defines the results of `peerlist doctor`: findings, each with an outcome and advice.
import PeerModel
import PeerText

/// The outcome of a check, from best to worst.
enum DoctorOutcome: String, CaseIterable, Comparable, Sendable {
    case ok, unknown, warning, problem

    static func < (left: DoctorOutcome, right: DoctorOutcome) -> Bool {
        allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
    }
}

struct Finding: Sendable {
    enum Value: Equatable, Sendable {
        case text(String)
        case number(Int)
        case texts([String])
        case paths([NetworkPath])
        case senders([LinkSender])

        static func families(_ families: [AddressFamily]) -> Value {
            .texts(families.map(\.rawValue))
        }
    }

    let outcome: DoctorOutcome
    /// The finding in sentences, with text from the network unescaped.
    let text: String
    let advice: String?
    let facts: [(key: String, value: Value)]

    init(
        _ outcome: DoctorOutcome, _ text: String, advice: String? = nil,
        facts: [(key: String, value: Value)] = []
    ) {
        (self.outcome, self.text, self.advice, self.facts) = (outcome, text, advice, facts)
    }

    /// The shortest wait after which a missing reply means something.
    ///
    /// An announcement is repeated after one second (RFC 6762, section 8.3), and a backend may begin
    /// to browse over the second address family later.
    static let conclusiveTime = Duration.seconds(3)

    /// Returns the finding that a missing reply means nothing after so short a wait.
    static func tooShort(_ time: Duration, _ observation: String) -> Finding {
        let conclusive = conclusiveTime.components.seconds
        return Finding(
            .unknown,
            "\(observation) within \(time.inSeconds), which is too short to conclude anything.",
            advice: "omit --timeout, or wait for at least \(conclusive) s")
    }
}

/// A sender and what it sent, as a fact.
struct LinkSender: Equatable, Sendable {
    let address: String
    let name: String?
    let packetsPerMinute: Int
    let bytesPerMinute: Int
    /// The numbers of all questions and answers that were heard.
    let questions: Int
    let answers: Int
}

struct CheckReport: Sendable {
    let id: String
    let title: String
    let findings: [Finding]

    var outcome: DoctorOutcome { findings.map(\.outcome).max() ?? .unknown }
}

extension [Finding] {
    static func one(
        _ outcome: DoctorOutcome, _ text: String, advice: String? = nil,
        facts: [(key: String, value: Finding.Value)] = []
    ) -> Self { [Finding(outcome, text, advice: advice, facts: facts)] }

    static var noInterface: Self { .one(.unknown, "This check requires a network interface.") }
}

extension [CheckReport] {
    /// The exit status: only problems count.
    var status: ExitStatus { contains { $0.outcome == .problem } ? .problem : .done }
}

extension Duration {
    /// The time as text: `10 s`, `0.5 s`.
    var inSeconds: String {
        let seconds = self / .seconds(1)
        return seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(seconds) s"
    }
}

extension AddressFamily {
    var title: String { self == .ipv4 ? "IPv4" : "IPv6" }
}

extension [AddressFamily] {
    /// The names of the families: `IPv4 and IPv6`.
    var titles: String { listed(map(\.title)) }
}
