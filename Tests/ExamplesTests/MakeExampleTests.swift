// Tests of `make example`.
import LabSupport
import Testing

@Suite struct MakeExampleTests {
    @Test(arguments: ["", "nothing", "%"])
    func `a missing or unknown name lists the examples`(
        name: String
    ) async throws {
        let finished = try await FinishedProcess([
            "make", "-C", BuiltProducts.package, "example", "NAME=\(name)",
        ])
        #expect(finished.status != 0)
        let readme = try TextFile.read("\(BuiltProducts.package)/Examples/README.md")
        for name in ["mountain-search", "wifi-settings", "insertion-sort", "recipes", "sidebar"] {
            #expect(finished.errors.contains(" \(name)"))
            #expect(readme.contains("[\(name)]"))
        }
    }
}
