// Tests the processes that tests start.
import Glibc
import LabSupport
import Testing

@Suite struct RunningProcessTests {
    @Test func `a line is awaited and returned once`() async throws {
        let process = try RunningProcess(["sh", "-c", "echo one; echo two; echo two; read -r x"])

        #expect(try await process.line(within: .seconds(10)) { $0 == "two" } == "two")
        #expect(try await process.line(within: .seconds(10)) { $0 == "two" } == "two")
        await #expect(throws: LabError.self) {
            try await process.line(within: .milliseconds(10)) { $0 == "two" }
        }
        #expect(try await process.end(within: .seconds(10)) == 1)
        #expect(await process.lines == ["one", "two", "two"])
    }

    @Test func `the status, the errors and an unterminated last line are returned`() async throws {
        let finished = try await FinishedProcess(["sh", "-c", "echo bad >&2; printf last; exit 3"])

        #expect(finished.status == 3)
        #expect(finished.output == "last")
        #expect(finished.errors == "bad\n")
    }

    @Test func `a signal is sent to the program itself`() async throws {
        let process = try RunningProcess(["tail", "-f", "/dev/null"])

        await process.send(15)

        #expect(try await process.end(within: .seconds(10)) == 128 + 15)
    }

    @Test func `a limit is longer on a machine that has other work`() async throws {
        let busy = try RunningProcess([
            "sh", "-c",
            "for i in 1 2 3 4 5 6 7 8; do timeout 30 sh -c 'while :; do :; done' & done; echo busy; wait",
        ])
        try await busy.line(within: .seconds(30)) { $0 == "busy" }
        let late = try RunningProcess(["sh", "-c", "timeout 1.5 tail -f /dev/null; echo late"])

        #expect(try await late.line(within: .seconds(1)) == "late")

        _ = try await FinishedProcess(["pkill", "-P", "\(busy.pid)", "timeout"])
        _ = try await busy.end(within: .seconds(30))
    }

    @Test func `a missing program cannot be started`() {
        #expect(throws: LabError.self) { try RunningProcess(["no-such-program"]) }
    }

    @Test func `a program inherits only its three standard streams`() async throws {
        let file = unsafe open("/dev/null", O_RDONLY)
        let listing = try await FinishedProcess(["sh", "-c", "ls /proc/$$/fd"])
        close(file)

        let descriptors = listing.output.split(separator: "\n").map(String.init)
        #expect(descriptors.contains("2"))
        #expect(!descriptors.contains("\(file)"))
    }

    @Test func `a descriptor that another program holds open does not delay the end`() async throws
    {
        let long = try RunningProcess(["tail", "-f", "/dev/null"])
        let short = try await FinishedProcess(["true"], within: .seconds(10))
        await long.send(9)

        #expect(short.status == 0)
        #expect(try await long.end(within: .seconds(10)) == 128 + 9)
    }
}
