// Tests that a list equals a fresh one after faults of daemon, network or clock.
import Glibc
import LabSupport
import PeerModel
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct FaultTests {
    @Test(arguments: FaultGroup.all)
    func `after a fault, a list equals one started afterwards`(
        group: FaultGroup
    ) async throws {
        try await Lab.with(hosts: 3) { lab in try await endure(group, in: lab) }
    }

    @Test(arguments: FaultGroup.ofClock)
    func `after the clock was set, a list equals one started afterwards`(
        group: FaultGroup
    ) async throws {
        try await Lab.with(hosts: 3) { lab in
            try await lab.perform("clock", "h2", "0")
            try await endure(group, in: lab)
        }
    }

    /// Runs a list through faults, and compares it with a fresh one after each.
    ///
    /// During each fault, a service of another machine arrives, or departs if that can be detected.
    private func endure(_ group: FaultGroup, in lab: Lab) async throws {
        let backend = group.backend
        try await lab.perform("daemon", "h2", backend == "embedded" ? "stop" : "restart")
        try lab.publishFile("web", named: "Web", "_http._tcp", 80, on: "h1", txt: "a=1")
        try lab.publishFile("shell", named: "Shell", "_ssh._tcp", 22, on: "h1")
        try lab.publishFile("print", named: "Printer", "_ipp._tcp", 631, on: "h3")
        let file = lab.directory.path + "/lines"
        let observer = try ListObserver(lab, on: "h2", "--backend", backend, "--output", file)
        try await observer.agrees(
            in: lab, on: "h2", backend: backend, peers: 2, since: .now())

        for (number, fault) in group.faults.enumerated() {
            try await fault.happen(lab, observer) {
                if group.hidesGoodbyes || number.isMultiple(of: 2) {
                    try lab.publishFile(
                        "guest-\(number)", named: "Guest \(number)", "_http._tcp", 8080,
                        on: "h3")
                } else {
                    try await lab.withdrawFile("guest-\(number - 1)", on: "h3")
                }
            }
            let lead = Int64(fault.clockLead) * 1_000_000
            let end = Timestamp(microseconds: Timestamp.now().microseconds + lead)
            let late = try await observer.agrees(
                in: lab, on: "h2", backend: backend, peers: 2, since: end)
            #expect(late <= fault.limit, "\(fault.name)")
        }

        let (folded, held) = try await observer.listsAcrossReopening(of: file)
        #expect(folded.present == held.present)
        #expect(folded.items.map { $0["id"] } == held.items.map { $0["id"] })
        #expect(try await observer.interrupt() == 130)
    }

    /// Pauses or resumes the backend of the list, the daemon or the helper.
    private func freeze(_ backend: String, _ lab: Lab, isOver: Bool = false) async throws {
        guard backend == "embedded" else {
            return _ = try await lab.perform("daemon", "h2", isOver ? "resume" : "pause")
        }
        kill(try await HelperOfList(in: lab, on: "h2").pid, isOver ? SIGCONT : SIGSTOP)
    }

    @Test(arguments: ["daemon", "embedded"])
    func `a list whose backend hangs for ten seconds is drawn and responds to keys`(
        backend: String
    ) async throws {
        try await Lab.with { lab in
            if backend == "embedded" { try await lab.perform("daemon", "h2", "stop") }
            try lab.publishFile("web", named: "Web", "_http._tcp", 80, on: "h1")
            let terminal = try await Tmux(
                in: lab, on: "h2", columns: 100,
                running: BuiltProducts.peerlist + " --backend \(backend)")
            try await terminal.screen(within: .seconds(60)) { $0.contains("10.99.0.1") }

            try await freeze(backend, lab)
            let begin = ContinuousClock.now
            try await terminal.type("v")  // a question for the link, and for the stack
            var count = 0
            while ContinuousClock.now < begin + .seconds(10) {
                count += 1
                try await terminal.type("?")
                try await terminal.screen(within: .seconds(10)) { $0.contains("all fields") }
                try await terminal.type("?")
                try await terminal.screen(within: .seconds(10)) { !$0.contains("all fields") }
            }
            #expect(count > 1)
            try await freeze(backend, lab, isOver: true)

            try lab.publishFile("late", named: "Late", "_ssh._tcp", 22, on: "h1")
            try await terminal.screen(within: .seconds(60)) { $0.contains("ssh") }
            try await terminal.type("q")
        }
    }
}
