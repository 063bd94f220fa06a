// Tests DiffBench --guard, which fails only if a ratio got worse.
import LabSupport
import Testing

@Suite struct BenchGuardTests {
    private func guarding(_ ratios: String) async throws -> FinishedProcess {
        let directory = try TemporaryDirectory()
        let path = try directory.write("# A comment.\n" + ratios, to: "ratios")
        let finished = try await FinishedProcess([
            BuiltProducts.path("DiffBench"), "--guard", path, "Int move in 10",
        ])
        await directory.remove()
        return finished
    }

    private func ratios(_ ratio: Double) -> String {
        ["10", "100", "1000", "10000"].map {
            "\(ratio) Int move in \($0)\n\(ratio) Int move in \($0), batch\n"
        }.joined()
    }

    @Test func `ratios that are no worse than committed pass`() async throws {
        let finished = try await guarding(ratios(1e9))
        #expect(finished.status == 0)
        #expect(finished.output == "8 cases, 0 worse than 1.5 times their ratios")
    }

    @Test func `ratios that are worse than committed fail, and are named`() async throws {
        let finished = try await guarding(ratios(1e-9))
        #expect(finished.status == 1)
        #expect(finished.output.contains("Int move in 1000: "))
        #expect(finished.output.hasSuffix("8 cases, 8 worse than 1.5 times their ratios"))
    }

    @Test func `a case without a committed ratio fails`() async throws {
        let finished = try await guarding("1e9 Int move in 10\n")
        #expect(finished.status == 1)
        #expect(finished.output.contains("Int move in 100: has no committed ratio"))
    }
}
