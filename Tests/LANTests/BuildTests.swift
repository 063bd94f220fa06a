// The command under test is there.
import LabSupport
import Testing

@Suite struct BuildTests {
    @Test func `the command lies beside the tests and says its version`() async throws {
        let finished = try await FinishedProcess([BuiltProducts.peerlist, "--version"])

        #expect(finished.status == 0)
    }
}
