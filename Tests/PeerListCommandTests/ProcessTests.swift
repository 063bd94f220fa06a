// Tests what the program needs of its process, and that it says what is missing.
import Glibc
import LabSupport
import Testing

/// A sanitizer takes address space and descriptors for itself.
@Suite(
    .enabled(if: !BuiltProducts.areSanitized),
    .enabled(if: getuid() == 0, "needs root, to make a network without interfaces"),
    .timeLimit(.minutes(10))
)
struct ProcessTests {
    /// A command that uses the network, in a network without any interface.
    private static let once = "\(BuiltProducts.peerlist) --once --no-ledger --timeout 5"

    private func run(_ script: String) async throws -> FinishedProcess {
        try await FinishedProcess([
            "timeout", "60", "unshare", "--net", "--mount", "bash", "-c", script,
        ])
    }

    @Test(
        arguments: [
            ("ulimit -n 16; exec \(once)", "open files is too low"),
            (
                "mount -t tmpfs none /proc; exec \(once)",
                "/proc is not there"
            ),
            (
                "exec prlimit --nproc=8 setpriv --reuid 54321 --regid 54321 --clear-groups \(once)",
                "processes and threads is too low"
            ),
        ])
    func `where files, threads or the file system proc are missing, a message says so`(
        command: String, message: String
    ) async throws {
        let finished = try await run(command)
        #expect(finished.status == 3, "\(finished.errors)")
        #expect(finished.errors.hasPrefix("peerlist: "))
        #expect(finished.errors.contains(message), "\(finished.errors)")
        #expect(finished.output.isEmpty)
    }

    @Test
    func `with little memory a message says so, and neither a trap nor a hang ends the program`()
        async throws
    {
        var statuses: [Int32] = []
        for megabytes in stride(from: 60, through: 260, by: 40) {
            let finished = try await run("ulimit -v \(megabytes << 10); exec \(Self.once)")
            // 127 is that of a program that cannot be loaded, 1 that of one that found no devices.
            #expect([1, 3, 127].contains(finished.status), "\(megabytes) MB: \(finished.errors)")
            if finished.status == 3 { #expect(finished.errors.contains("memory is too low")) }
            statuses.append(finished.status)
        }
        #expect(statuses.contains(3))
    }

    @Test func `a low limit that suffices is not taken for a helper without limits`() async throws {
        let finished = try await run(
            "ip link set lo up; ulimit -n 64; exec \(Self.once) --backend embedded")
        #expect(finished.status == 1)
        #expect(!finished.errors.contains("confined"), "\(finished.errors)")
    }

    @Test func `the version and the help need neither proc nor threads`() async throws {
        for words in ["--version", "--help", "config --print"] {
            let finished = try await run(
                """
                ulimit -v 200000
                mount -t tmpfs none /proc
                exec prlimit --nproc=1 setpriv --reuid 54322 --regid 54322 --clear-groups \
                    \(BuiltProducts.peerlist) \(words)
                """)
            #expect(finished.status == 0, "\(finished.errors)")
            #expect(finished.errors.isEmpty)
            #expect(!finished.output.isEmpty)
        }
    }

    @Test func `what a library writes to standard error is not shown, and own messages are`()
        async throws
    {
        let folder = try TemporaryDirectory()
        // Takes the place of libavahi's, and warns as it does of an answer that came too late.
        try TextFile.write(
            """
            #include <stdio.h>
            void *avahi_client_new(void *poll, int flags, void *callback, void *data, int *error) {
                fprintf(stderr, "WARNING: Unhandled message: interface=(null)\\n");
                *error = -26;
                return NULL;
            }
            """, to: folder.path + "/warn.c")
        let finished = try await run(
            """
            cd '\(folder.path)' && clang -shared -fPIC -o libavahi-client.so.3 warn.c || exit 99
            LD_LIBRARY_PATH=$PWD exec \(BuiltProducts.peerlist) --once --no-ledger --backend daemon
            """)
        #expect(finished.status == 3)
        #expect(finished.errors.hasPrefix("peerlist: avahi-daemon cannot be asked"))
        #expect(!finished.errors.contains("WARNING"), "\(finished.errors)")
    }

    @Test func `a crash starts no program`() async throws {
        let folder = try TemporaryDirectory()
        try await folder.writeProgram("touch '\(folder.path)/started'", to: "swift-backtrace")
        let list = try RunningProcess(
            ["unshare", "--net", BuiltProducts.peerlist, "--json", "--no-ledger"],
            environment: [
                "SWIFT_BACKTRACE": "enable=yes,swift-backtrace=\(folder.path)/swift-backtrace"
            ])
        try await list.line(within: .seconds(60)) { $0.contains("\"begin\"") }
        await list.send(SIGSEGV)
        #expect(try await list.end(within: .seconds(20)) == 128 + SIGSEGV)
        #expect(try await FinishedProcess(["test", "-e", "\(folder.path)/started"]).status == 1)
    }
}
