// Type-checks DiffCore with a C library that has next to nothing.
import LabSupport
import Testing

@Suite struct PlatformTests {
    /// The stand-in has another module name, so that nothing of the C library of this machine is visible.
    @Test(arguments: [
        ("int memcmp(const void *, const void *, unsigned long);", [] as [String]),
        ("", ["cannot find 'memcmp' in scope"]),
    ])
    func `DiffCore needs memcmp and nothing else of a platform's C library`(
        library: String, expected: [String]
    ) async throws {
        let finished = try await FinishedProcess(
            [
                "/bin/bash", "-c",
                """
                folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
                echo 'module Platform { header "platform.h" }' > "$folder/module.modulemap"
                echo '\(library)' > "$folder/platform.h"
                find \(BuiltProducts.package)/Sources/DiffCore -name '*.swift' -exec cp {} "$folder" ';'
                sed -i 's/Glibc/Platform/g' "$folder"/*.swift
                swiftc -typecheck -swift-version 6 -module-name DiffCore -package-name peerlist \
                -enable-upcoming-feature MemberImportVisibility \
                -enable-upcoming-feature InternalImportsByDefault \
                -enable-upcoming-feature NonisolatedNonsendingByDefault \
                -I "$folder" "$folder"/*.swift
                """,
            ], within: .seconds(180))
        let errors = finished.errors.split(separator: "\n").compactMap { line in
            line.split(separator: ": error: ").dropFirst().first.map { String($0) }
        }
        #expect(Set(errors) == Set(expected), "\(finished.errors)")
        #expect((finished.status == 0) == expected.isEmpty)
    }
}
