// Tests Scripts/ensure-swift, with fake toolchains.
import LabSupport
import Testing

@Suite struct ToolchainTests {
    private let works = "echo Swift version 99.0"
    private let list = "apt-get install git binutils gcc "

    /// Runs Scripts/ensure-swift with a toolchain of two scripts.
    private func ensureSwift(
        swift: String, swiftc: String = "exit 0"
    ) async throws -> FinishedProcess {
        let directory = try TemporaryDirectory()
        try await directory.writeProgram(swift, to: "swift")
        try await directory.writeProgram(swiftc, to: "swiftc")
        let finished = try await FinishedProcess(
            ["\(BuiltProducts.package)/Scripts/ensure-swift"],
            environment: ["PATH": "\(directory.path):/usr/bin:/bin"])
        await directory.remove()
        #expect(finished.output.isEmpty, "standard output belongs to peerlist")
        return finished
    }

    @Test func `a toolchain that works passes silently`() async throws {
        let finished = try await ensureSwift(swift: works)

        #expect(finished.status == 0 && finished.errors.isEmpty)
    }

    @Test func `a toolchain that does not start is reported with its message and its packages`()
        async throws
    {
        let message = "swift: error while loading shared libraries: libncurses.so.6: cannot open"
        let compiler = try await ensureSwift(swift: "echo '\(message)' >&2; exit 127")
        let manager = try await ensureSwift(
            swift: "case $1 in --version) \(works) ;; *) echo '\(message)' >&2; exit 127 ;; esac")

        for finished in [compiler, manager] {
            #expect(finished.status == 1)
            #expect(finished.errors.contains(message))
            #expect(finished.errors.contains("/swift does not work"))
            #expect(finished.errors.contains(list))
        }
    }

    @Test func `a toolchain that cannot link is reported with the linker's message`() async throws {
        let message = "ld.gold: error: cannot find -lgcc"
        let finished = try await ensureSwift(swift: works, swiftc: "echo '\(message)' >&2; exit 1")

        #expect(finished.status == 1)
        #expect(finished.errors.contains(message) && finished.errors.contains(list))
    }

    @Test(arguments: [
        ("Swift version 5.9.2 (swift-5.9.2-RELEASE)", "5.9.2"),
        ("python-swiftclient 4.2.0", "of an unknown version"),
    ])
    func `an old toolchain, or another program, is reported with its version`(
        output: String, version: String
    ) async throws {
        let finished = try await ensureSwift(swift: "echo '\(output)'")

        #expect(finished.status == 1)
        #expect(finished.errors.contains("/swift is \(version); install a toolchain"))
    }

    @Test func `the packages are those of the README`() async throws {
        let finished = try await ensureSwift(swift: "exit 1")
        let line = finished.errors.split(separator: "\n").first { $0.contains(list) }
        let packages = line?.split(separator: " install ").last?.split(separator: " ")

        let command = try TextFile.blocks("sh", under: "## Two commands", of: "../README.md").first
        let words = command?.split { " \\\n".contains($0) }
        #expect(words?.starts(with: ["sudo", "apt-get", "install", "make"]) == true)
        #expect(words?.dropFirst(4).map(String.init) == packages?.map(String.init))
    }
}
