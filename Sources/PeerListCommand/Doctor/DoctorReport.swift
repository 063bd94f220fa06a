// What the doctor found: checks, each with what was found and what to do about it.

/// The checks, in the order in which they are made: each stands on those before it.
enum DoctorCheck: String, CaseIterable, Sendable {
    case interfaces, port, firewall, bus, daemon, settings, weaknesses, echo, heard, seen

    /// What people call it.
    var title: String {
        switch self {
        case .interfaces: "Network interfaces"
        case .port: "UDP port 5353"
        case .firewall: "Firewall"
        case .bus: "D-Bus system bus"
        case .daemon: "avahi-daemon"
        case .settings: "Settings of avahi-daemon"
        case .weaknesses: "Known weaknesses of avahi-daemon"
        case .echo: "Multicast of this machine comes back"
        case .heard: "Others are heard here"
        case .seen: "Others see this machine"
        }
    }
}

/// How well something stands, from best to worst.
enum DoctorOutcome: String, CaseIterable, Comparable, Sendable {
    case ok, unknown, warning, problem

    static func < (left: DoctorOutcome, right: DoctorOutcome) -> Bool {
        allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
    }
}

/// One thing that a check found.
struct Finding: Equatable, Sendable {
    /// A value for scripts.
    indirect enum Value: Equatable, Sendable {
        case text(String)
        case number(Int)
        case texts([String])
        case objects([[Fact]])
    }

    /// A value with its key.
    struct Fact: Equatable, Sendable {
        let key: String
        let value: Value

        init(_ key: String, _ value: Value) {
            self.key = key
            self.value = value
        }
    }

    /// How well it stands.
    var outcome: DoctorOutcome
    /// What was found, in sentences; what came from the network is in it as it is.
    var text: String
    /// What to do; `nil` where there is nothing to do.
    var advice: String?
    /// The same for scripts.
    var facts: [Fact]

    init(
        _ outcome: DoctorOutcome, _ text: String, advice: String? = nil, facts: [Fact] = []
    ) {
        self.outcome = outcome
        self.text = text
        self.advice = advice
        self.facts = facts
    }
}

extension Finding {
    /// The finding that the time was too short to conclude anything from a missing reply.
    static func tooShort(_ time: Duration, _ observation: String) -> Finding {
        let seconds = time / .seconds(1)
        let shown = seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
        return Finding(
            .unknown,
            "\(observation) within \(shown) s, which is too short a time to conclude anything.",
            advice: "leave out --timeout, or wait for at least "
                + "\(DoctorInquiry.conclusiveTime.components.seconds) s")
    }
}

/// A check that was made.
struct CheckReport: Equatable, Sendable {
    let check: DoctorCheck
    let findings: [Finding]

    /// As bad as the worst of its findings.
    var outcome: DoctorOutcome { findings.map(\.outcome).max() ?? .unknown }
}

extension [CheckReport] {
    /// As bad as the worst check that could be made; what is not known is no fault.
    var status: ExitStatus { contains { $0.outcome == .problem } ? .problem : .done }

    /// How many checks ended so.
    func count(of outcome: DoctorOutcome) -> Int { count { $0.outcome == outcome } }
}
