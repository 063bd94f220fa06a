// The way to start an example: what `make example` says of names.
import LabSupport
import Testing

@Suite struct MakeExampleTests {
    @Test(arguments: ["", "nothing", "%"])
    func `a name that is missing or unknown is answered with the names that there are`(
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
