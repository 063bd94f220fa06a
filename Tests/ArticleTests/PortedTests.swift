// Type-checks files written for UIKit, of which only the import was changed.
import LabSupport
import Testing

@Suite struct PortedTests {
    /// `Ported` has a file for each way in which apps use the data sources. Swift 6 refuses more of them than
    /// Swift 5 does.
    @Test(arguments: [
        ("5", ["CoreData.swift"]),
        ("6", ["CoreData.swift", "PartialMethod.swift"]),
    ])
    func `files written for UIKit compile, but for those that the article names`(
        mode: String, refused: [String]
    ) async throws {
        let root = BuiltProducts.package
        let folder = "\(root)/Tests/ArticleTests/Ported"
        let finished = try await FinishedProcess([
            "/bin/sh", "-c",
            """
            swiftc -typecheck -continue-building-after-errors -swift-version \(mode) \
            -module-name Ported -I \(BuiltProducts.path("Modules")) -I \(root)/Sources/CMalloc \
            \(folder)/*.swift
            """,
        ])
        let files = finished.errors.split(separator: "\n")
            .filter { $0.contains(": error: ") }
            .compactMap { $0.split(separator: ":").first?.split(separator: "/").last }
        #expect(Set(files.map { String($0) }) == Set(refused), "\(finished.errors)")
    }
}
