// Validates the command's output on the LAN against its JSON Schema.
import LabSupport
import Testing

extension Lab {
    /// Expects lines to be valid in the schema of a kind: `doctor`, `announce` or `types`.
    func expectSchema(_ kind: String, of lines: String) async throws {
        let path = directory.path + "/\(kind).jsonl"
        try directory.write(lines + "\n", to: "\(kind).jsonl")
        let verdict = try await FinishedProcess([
            BuiltProducts.package + "/Tests/Schema/validate", "--of", kind, path,
        ])
        #expect(verdict.status == 0, "\(verdict.output)\(verdict.errors)")
    }
}
