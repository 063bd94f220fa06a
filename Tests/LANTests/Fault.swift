// Defines faults, each with the time limit within which the list must be correct again.
import Glibc
import LabSupport
import Testing

/// A temporary fault on the lab's h2, where the list runs.
struct Fault: Sendable {
    /// The description of the fault.
    let name: String

    /// The time limit within which the list must equal a fresh one.
    var limit = Duration.seconds(5)

    /// The number of seconds by which h2's clock is ahead afterwards.
    var clockLead = 0

    /// Causes the fault, and performs an action during it.
    let happen:
        @Sendable (Lab, ListObserver, _ meanwhile: () async throws -> Void) async throws -> Void
}

extension Lab {
    /// Waits, for a fault that has to last.
    func rest(_ seconds: Double) async throws {
        _ = try await FinishedProcess(["sleep", "\(seconds)"])
    }
}

/// A series of faults in one lab.
struct FaultGroup: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let faults: [Fault]

    /// The backend of the list.
    var backend = "daemon"

    /// Whether the faults hide goodbyes: peers that left are dropped ten seconds later.
    var hidesGoodbyes = false

    static let all = [
        FaultGroup(
            testDescription: "the daemon", faults: [stopped, killed, restarts(8), frozen],
            hidesGoodbyes: true),
        FaultGroup(
            testDescription: "the bus", faults: [busRestarted, busKilled],
            hidesGoodbyes: true),
        FaultGroup(
            testDescription: "the network",
            faults: [interfaceDown, otherInterfaceDown, cut, otherCut, loss]),
        FaultGroup(testDescription: "the machine", faults: [suspended]),
        FaultGroup(
            testDescription: "the network, without a daemon",
            faults: [interfaceDown, otherCut, cut, suspended, loss], backend: "embedded"),
        FaultGroup(
            testDescription: "the helper", faults: [helperKilled, helperFrozen],
            backend: "embedded"),
        FaultGroup(
            testDescription: "the daemon, where the embedded stack stands in for it",
            faults: [stopped, killed, restarts(3)], backend: "auto", hidesGoodbyes: true),
    ]

    /// Faults of the wall clock, which the daemon uses and the helper does not.
    static let ofClock = ["daemon", "embedded"].map { backend in
        FaultGroup(
            testDescription: "the clock, with the \(backend) backend",
            faults: [3600, 0, -3600].map(clock(ahead:)), backend: backend)
    }
}

// The daemon and the bus.
extension FaultGroup {
    static let stopped = Fault(name: "the daemon is stopped, and started") { lab, _, meanwhile in
        try await lab.perform("daemon", "h2", "stop")
        try await meanwhile()
        try await lab.perform("daemon", "h2", "start")
    }

    static let killed = Fault(name: "the daemon is killed, and started") { lab, _, meanwhile in
        try await lab.perform("daemon", "h2", "kill")
        try await meanwhile()
        try await lab.perform("daemon", "h2", "start")
    }

    static func restarts(_ count: Int) -> Fault {
        Fault(name: "the daemon is restarted \(count) times", limit: .seconds(2)) {
            lab, _, meanwhile in
            try await meanwhile()
            for _ in 1...count { try await lab.perform("daemon", "h2", "restart") }
        }
    }

    static let frozen = Fault(name: "the daemon stands still for three seconds") {
        lab, _, meanwhile in
        try await lab.perform("daemon", "h2", "pause")
        try await meanwhile()
        try await lab.rest(3)
        try await lab.perform("daemon", "h2", "resume")
    }

    static let helperKilled = Fault(name: "the helper is killed") { _, observer, meanwhile in
        kill(try await HelperOfList(observer.pid).pid, SIGKILL)
        try await meanwhile()
    }

    static let helperFrozen = Fault(name: "the helper stands still for three seconds") {
        lab, observer, meanwhile in
        let helper = try await HelperOfList(observer.pid).pid
        kill(helper, SIGSTOP)
        try await meanwhile()
        try await lab.rest(3)
        kill(helper, SIGCONT)
    }

    static let busRestarted = Fault(name: "the bus is stopped, and started") {
        lab, _, meanwhile in
        try await lab.perform("bus", "h2", "stop")
        try await meanwhile()
        try await lab.perform("daemon", "h2", "restart")
    }

    static let busKilled = Fault(name: "the bus is killed, and started") { lab, _, meanwhile in
        try await lab.perform("bus", "h2", "kill")
        try await meanwhile()
        try await lab.perform("daemon", "h2", "restart")
    }
}

// The network and the machine.
extension FaultGroup {
    static let interfaceDown = Fault(name: "the interface is switched off, and on") {
        lab, _, meanwhile in
        try await lab.perform("if-down", "h2")
        try await meanwhile()
        try await lab.perform("if-up", "h2")
    }

    static let otherInterfaceDown = Fault(name: "another machine's interface goes off, and on") {
        lab, _, meanwhile in
        try await lab.perform("if-down", "h1")
        try await meanwhile()
        try await lab.perform("if-up", "h1")
    }

    static let cut = Fault(name: "the cable is cut, and healed") { lab, _, meanwhile in
        try await lab.perform("cut", "h2")
        try await meanwhile()
        try await lab.rest(2)
        try await lab.perform("heal", "h2")
    }

    static let otherCut = Fault(name: "another machine's cable is cut, and healed") {
        lab, _, meanwhile in
        try await lab.perform("cut", "h1")
        try await meanwhile()
        try await lab.rest(2)
        try await lab.perform("heal", "h1")
    }

    static let loss = Fault(name: "three packets of ten are lost") { lab, _, meanwhile in
        try await lab.perform("loss", "h2", "30")
        try await meanwhile()
        try await lab.rest(4)
        try await lab.perform("loss", "h2", "0")
    }

    static let suspended = Fault(name: "the list itself stands still, and goes on") {
        lab, observer, meanwhile in
        await observer.send(19)
        try await meanwhile()
        try await lab.rest(3)
        await observer.send(18)
    }

    static func clock(ahead seconds: Int) -> Fault {
        Fault(name: "the clock is set to \(seconds) s ahead", clockLead: seconds) {
            lab, _, meanwhile in
            try await lab.perform("clock", "h2", "\(seconds)")
            try await meanwhile()
        }
    }
}
