// Tests the units of systemd, those that are installed and those of the documentation.
import LabSupport
import Testing

@Suite struct UnitsTests {
    /// The sections `[Service]` of the installed services and of the documentation that state how a service starts.
    private static func services() async throws -> [(file: String, text: String)] {
        let found = try await FinishedProcess([
            "bash", "-c",
            """
            cd '\(BuiltProducts.package)' && ls packaging/systemd/*/*.service.in docs/*.md
            """,
        ])
        var services: [(file: String, text: String)] = []
        for file in found.output.split(separator: "\n").map(String.init) {
            let text = try TextFile.read("\(BuiltProducts.package)/\(file)")
            let sections =
                file.hasSuffix(".md")
                ? text.split(separator: "```").enumerated().filter { $0.offset % 2 == 1 }
                    .map { String($0.element) }
                : [text]
            services += sections.filter { $0.contains("[Service]\nType=") }.map { (file, $0) }
        }
        return services
    }

    @Test func `every service has a limit of memory and of threads`() async throws {
        let services = try await Self.services()
        #expect(services.count == 6)
        for (file, text) in services {
            #expect(text.contains("\nMemoryMax="), "\(file)")
            #expect(text.contains("\nTasksMax="), "\(file)")
        }
    }
}
