// Compiles files written for UIKit, of which only the import was changed.
import LabSupport
import Testing

/// A way in which an app's files are compiled.
enum PortedMode: String, CaseIterable {
    case swift5 = "-swift-version 5"
    case swift6 = "-swift-version 6"
    case mainActor5 = "-swift-version 5 -default-isolation MainActor"
    case mainActor6 = "-swift-version 6 -default-isolation MainActor"

    /// The compiler's arguments; the main actor comes with the features of new projects in Xcode 26.
    var arguments: String {
        switch self {
        case .swift5, .swift6: rawValue
        case .mainActor5, .mainActor6:
            rawValue + " -enable-upcoming-feature NonisolatedNonsendingByDefault"
                + " -enable-upcoming-feature InferIsolatedConformances"
        }
    }

    /// The files that do not compile, for the reasons that the article gives.
    var refused: [String] {
        let always = ["BareName", "CoreData"]
        return switch self {
        case .swift5, .mainActor5: always
        case .swift6:
            always + ["ApplyFunction", "ApplyProtocol", "PartialMethod", "PlainHelper"]
        case .mainActor6: always + ["PartialMethod"]
        }
    }
}

@Suite struct PortedTests {
    private let folder = "\(BuiltProducts.package)/Tests/ArticleTests/Ported"

    /// Compiles files of the folder as far as Swift 6 finds data races; type-checking does not find them.
    private func compile(_ files: String, in mode: PortedMode) async throws -> FinishedProcess {
        try await FinishedProcess(
            [
                "/bin/sh", "-c",
                """
                cd \(folder) && swiftc -emit-sil -o /dev/null -wmo \(mode.arguments) \
                -module-name Ported -I \(BuiltProducts.path("Modules")) \(files)
                """,
            ], within: .seconds(180))
    }

    /// `Ported` has a file for each way in which apps use the data sources.
    @Test(arguments: PortedMode.allCases)
    func `files written for UIKit compile, but for those that the article names`(
        mode: PortedMode
    ) async throws {
        let refused = mode.refused.map { "\($0).swift" }
        let others = refused.map { "! -name \($0)" }.joined(separator: " ")
        let finished = try await compile("$(find . -name '*.swift' \(others))", in: mode)
        #expect(finished.status == 0, "\(finished.errors)")
        for file in refused {
            let finished = try await compile("Surroundings.swift \(file)", in: mode)
            #expect(finished.errors.contains("\(file):"), "\(file) compiles")
            #expect(finished.status != 0, "\(file) compiles")
        }
    }
}
