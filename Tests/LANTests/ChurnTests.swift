// Tests with many services that continuously arrive and depart.
import LabSupport
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct ChurnTests {
    @Test func `through hundreds of changes every line is consistent with the previous ones`()
        async throws
    {
        try await Lab.with { lab in
            let byType = try ListObserver(lab, on: "h2", "--group-by", "type")
            let byDevice = try ListObserver(lab, on: "h2")
            // Each service is there for eight seconds, in which a busy daemon resolves it too.
            try await lab.perform(
                "spawn", "h1", "load", "python3", BuiltProducts.package + "/Tests/Lab/load.py",
                "--services", "100", "--churn", "10", "--away", "2")

            try await byType.list(within: .seconds(120)) { $0.departureCount >= 200 }
            try await byDevice.list(within: .seconds(120)) { list in
                list.operations.count >= 200 && list.items.count == 1
            }

            try await lab.perform("kill", "h1", "load")
            // A daemon that is too busy for a goodbye keeps the service, which is silent then.
            let areGone: @Sendable (FoldedList) -> Bool = { list in
                list.items.allSatisfy { $0["presence"].string == "unanswered" }
            }
            try await byType.list(within: .seconds(120), where: areGone)
            let last = try await byDevice.list(within: .seconds(120), where: areGone)
            #expect(last.notices.isEmpty)
        }
    }
}
