// Tests that the checks before a merge are remembered for a commit.
import LabSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ChecksTests {
    private let directory: TemporaryDirectory

    /// Makes a repository with a check that passes and one that fails until a file is there.
    init() async throws {
        directory = try TemporaryDirectory()
        try TextFile.write(
            """
            .PHONY: good late
            good:
            \t@echo '3 passed, 0 failed, 0 skipped'
            late:
            \t@test -e .build/done
            """, to: directory.path + "/Makefile")
        let made = try await run(
            """
            mkdir Scripts && cp '\(BuiltProducts.package)/Scripts/check-all' Scripts && echo .build >.gitignore
            git init --quiet && git add --all && \(commit)
            """)
        #expect(made.status == 0, "\(made.errors)")
    }

    private let commit =
        "git -c user.name=x -c user.email=x@example.org commit --quiet --allow-empty --message=x"

    private func run(_ script: String) async throws -> FinishedProcess {
        try await FinishedProcess(["bash", "-c", "cd '\(directory.path)' && \(script)"])
    }

    /// The checks that were run, and the rows of the table without the times.
    private func check() async throws -> (status: Int32, run: [String], table: [String]) {
        let finished = try await run("Scripts/check-all good late")
        let lines = finished.output.split(separator: "\n").map(String.init)
        let titles = lines.filter { $0 == "make check: good" || $0 == "make check: late" }
        let table = lines.drop { !$0.hasPrefix("check ") }.dropFirst().prefix(2).map { row in
            row.split(separator: " ").enumerated().filter { $0.offset != 2 }.map(\.element)
                .joined(separator: " ")
        }
        return (finished.status, titles.map { String($0.suffix(4)) }, Array(table))
    }

    @Test func `a check that passed is not run again for the same commit`() async throws {
        var checks = try await check()
        #expect(checks.status == 1)
        #expect(checks.run == ["good", "late"])
        #expect(checks.table == ["good passed 3 passed, 0 failed, 0 skipped", "late failed"])
        try TextFile.write("", to: directory.path + "/.build/done")
        checks = try await check()
        #expect(checks.status == 0)
        #expect(checks.run == ["late"])
        #expect(checks.table == ["good passed 3 passed, 0 failed, 0 skipped", "late passed"])
        #expect(try await run(commit).status == 0)
        #expect(try await check().run == ["good", "late"])
    }

    @Test func `with changes that are not committed every check is run`() async throws {
        try TextFile.write("", to: directory.path + "/.build-note")
        for _ in 1...2 {
            let checks = try await check()
            #expect(checks.run == ["good", "late"])
        }
    }
}
