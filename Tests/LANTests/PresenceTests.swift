// Tests that peers that stop responding become unanswered, and present again when they return.
import LabSupport
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct PresenceTests {
    /// The host records have a TTL of ten seconds instead of two minutes, to shorten the test;
    /// `make soak` uses the usual TTL.
    @Test
    func `a machine that freezes becomes unanswered, with a reason, and present again by itself`()
        async throws
    {
        try await Lab.with { lab in
            try await lab.perform(
                "spawn", "h1", "load", "python3", BuiltProducts.package + "/Tests/Lab/load.py",
                "--services", "6", "--hosts", "2", "--host-life", "10")
            let observer = try ListObserver(lab, on: "h2")
            let isWhole: @Sendable (FoldedList) -> Bool = { list in
                list.items.count == 2
                    && list.items.allSatisfy {
                        $0["presence"].string == "present" && $0["services"].array.count == 3
                            && $0["addresses"].array.count == 2
                    }
            }
            try await observer.list(within: .seconds(60), where: isWhole)
            let start = await observer.list.operations.count

            try await lab.perform("kill", "h1", "load", "STOP")
            try await observer.list(within: .seconds(60)) { list in
                list.items.allSatisfy { $0["presence"].string == "unanswered" }
            }
            try await lab.perform("kill", "h1", "load", "CONT")
            let list = try await observer.list(within: .seconds(60), where: isWhole)

            // Each of the two became unanswered and present. Their addresses expire meanwhile, one after the other,
            // which causes no difference. On a busy machine the load may answer late, and be unanswered again.
            let operations = list.operations[start...]
            #expect(operations.count >= 4)
            #expect(operations.allSatisfy { $0 == "presence update" }, "\(operations)")
        }
    }
}
