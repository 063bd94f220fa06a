// Tests that a helper that ends, sends invalid data, floods or hangs does not harm the list's process.
import Foundation
import Glibc
import LabSupport
import StackProtocol
import Testing

@testable import PeerList

/// Programs in place of the helper, and the reported reasons of their end.
private let programs: [(script: String, ending: String)] = [
    ("exit 3", "exit status 3"),
    ("echo 'no socket' >&2; exit 1", "exit status 1: no socket"),
    ("kill -SEGV $$", "signal 11"), ("kill -KILL $$", "signal 9"),
    ("echo 'a warning' >&2; kill -SEGV $$", "signal 11"),
    ("echo 'out of memory' >&2; kill -ABRT $$", "signal 6: out of memory"),
    ("printf '\\377\\377\\377\\377'; exec cat >/dev/null", "a frame is too long"),
    ("printf '\\003\\000\\000\\000\\001\\011\\000'; exec cat >/dev/null", "speaks version 9"),
    ("yes error | head -c 300000 >&2; exit 2", "exit status 2: error"),
    ("exec <&- >&-; exec yes flood >&2", "signal 9"),
]

@Suite(.timeLimit(.minutes(10))) struct EmbeddedStackTests {
    @Test(arguments: programs)
    func `a helper that sends nothing valid has failed, with a reason`(
        program: (script: String, ending: String)
    ) async throws {
        let owner = try await StackOwner(program.script)
        let ending = try await owner.endingOfHelper()
        #expect(ending.hasSuffix(program.ending), "\(ending)")
        await owner.directory.remove()
    }

    @Test func `a helper reports the privileges that it could not drop`() async throws {
        let unconfined = try StackEvent.unconfined([.user, .systemCalls]).frame()
        let owner = try await StackOwner(told: [unconfined])
        let warning = try await owner.warningOfHelper()
        #expect(warning?.contains("runs as root, its system calls are not filtered") == true)
        await owner.directory.remove()
        let confined = try await StackOwner(told: [])
        #expect(try await confined.warningOfHelper() == nil)
        await confined.directory.remove()
    }

    @Test func `a helper that cannot be started is an error that names it`() async throws {
        let owner = try await StackOwner("exit 0")
        await owner.directory.remove()
        await #expect(throws: BackendError.self) { try await owner.endingOfHelper() }
    }

    @Test func `a helper that ignores the end of its input is killed`() async throws {
        let owner = try await StackOwner("exec tail -f /dev/null")
        #expect(try await owner.endingAfterClose() == "signal 9")
        await owner.directory.remove()
    }

    @Test func `processes started by the helper end with it`() async throws {
        let directory = try TemporaryDirectory()
        let script = "tail -f /dev/null &\necho $!\nexec tail -f /dev/null"
        let helper = try await HelperProcess(directory.writeProgram(script, to: "helper"))
        var request = pollfd(fd: helper.channel, events: Int16(POLLIN), revents: 0)
        unsafe #expect(poll(&request, 1, 60_000) == 1)
        var text = [UInt8](repeating: 0, count: 20)
        let count = unsafe read(helper.channel, &text, text.count)
        let child = try #require(pid_t(String(decoding: text[..<(count - 1)], as: UTF8.self)))
        #expect(kill(child, 0) == 0)
        #expect(helper.end() == "signal 9")
        // It falls to init, which may be slow to take note of its end.
        while let state = state(of: child), state != "Z" { await Task.yield() }
        await directory.remove()
    }

    /// Also if it does not close them itself, as the helper does.
    @Test func `a program in place of the helper inherits only its three standard streams`()
        async throws
    {
        let file = unsafe open("/dev/null", O_RDONLY)
        let owner = try await StackOwner("[ -e /proc/$$/fd/\(file) ] && echo inherited >&2; exit 2")
        let ending = try await owner.endingOfHelper()
        #expect(ending.hasSuffix("exit status 2"), "\(ending)")
        close(file)
        await owner.directory.remove()
    }

    @Test func `the helper keeps only its three standard streams open`() async throws {
        // libavahi leaves pipes of the loop open to programs, and so is this file.
        let loop = EventLoop()
        let file = unsafe open("/dev/null", O_RDONLY)
        let helper = try HelperProcess(BuiltProducts.path("peerlist-mdns"))
        // It says nothing before it is greeted, so there is nothing but to look, within the time limit.
        while try descriptors(of: helper.pid) != ["0", "1", "2"] { await Task.yield() }
        #expect(try descriptors(of: getpid()).contains("\(file)"))
        _ = helper.end()
        close(file)
        loop.end()
    }

    /// Both libraries plan by the time of day, which may be set at any time.
    @Test(arguments: ["libavahi-core", "libavahi-common"])
    func `the helper's stack uses a clock that cannot be set`(library: String) async throws {
        let helper = BuiltProducts.path("peerlist-mdns")
        let loading = try await FinishedProcess([
            "env", "LD_DEBUG=bindings", "LD_BIND_NOW=1", helper,
        ])
        let bound = loading.errors.split(separator: "\n").filter {
            $0.contains(library) && $0.contains("`gettimeofday'")
        }
        #expect(bound.count == 1)
        #expect(bound.allSatisfy { $0.contains("to \(helper) ") }, "\(bound)")
    }

    private func descriptors(of pid: pid_t) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").sorted()
    }

    @Test func `the end of the helper's standard error is kept, up to a limit`() {
        var words = LastWords()
        #expect(words.text == nil)
        words.append(Array("first\nsec".utf8))
        words.append(Array("ond\n".utf8))
        #expect(words.text == "second")
        for _ in 0..<1_000 { words.append([UInt8](repeating: 0x41, count: 1_000)) }
        #expect(words.text?.utf8.count == LastWords.limit)
    }

    private func state(of pid: pid_t) -> String? {
        let status = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        return status?.split(separator: ")").last?.split(separator: " ").first.map(String.init)
    }

    @Test(.enabled(if: geteuid() == 0, "giving files away needs root"))
    func `a helper that belongs to another user is not started`() async throws {
        let directory = try TemporaryDirectory()
        let program = try directory.write("", to: "peerlist", mode: 0o755)
        let helper = try directory.write("", to: "peerlist-mdns", mode: 0o755)
        #expect(try HelperPath.find(for: program) == helper)
        let nobody: uid_t = 65_534
        unsafe chown(helper, nobody, nobody)
        let error = #expect(throws: BackendError.self) { try HelperPath.find(for: program) }
        #expect(error?.description.contains("is not started") == true)

        // A link to a program of root's is no better: it may lead elsewhere a moment later.
        unsafe unlink(helper)
        unsafe symlink("/bin/true", helper)
        unsafe lchown(helper, nobody, nobody)
        #expect(throws: BackendError.self) { try HelperPath.find(for: program) }

        // Both belong to one user, whom the user of the program trusts.
        unsafe chown(program, nobody, nobody)
        #expect(try HelperPath.find(for: program) == helper)
        await directory.remove()
    }

    @Test func `a helper that others may change or exchange is not started`() async throws {
        let directory = try TemporaryDirectory()
        let folder = directory.path + "/bin"
        let program = try directory.write("", to: "bin/peerlist", mode: 0o755)
        let helper = try directory.write("", to: "bin/peerlist-mdns", mode: 0o755)
        for (path, mode, isStarted) in [
            (helper, 0o777, false), (helper, 0o757, false), (helper, 0o755, true),
            (folder, 0o777, false), (folder, 0o1777, true), (folder, 0o755, true),
        ] as [(String, mode_t, Bool)] {
            unsafe chmod(path, mode)
            #expect((try? HelperPath.find(for: program)) == (isStarted ? helper : nil), "\(mode)")
        }
        await directory.remove()
    }

    @Test(.enabled(if: geteuid() == 0, "giving files away needs root"))
    func `a helper that the members of a group may change is not started`() async throws {
        let directory = try TemporaryDirectory()
        let program = try directory.write("", to: "peerlist", mode: 0o755)
        let helper = try directory.write("", to: "peerlist-mdns", mode: 0o755)
        unsafe chmod(helper, 0o775)
        // The group of root has no other member.
        #expect(try HelperPath.find(for: program) == helper)
        unsafe chown(helper, 0, 4343)
        #expect(throws: BackendError.self) { try HelperPath.find(for: program) }
        await directory.remove()
    }

    @Test func `the helper is searched beside the program and in its installation folder`() {
        #expect(
            HelperPath.candidates(beside: "/opt/bin/peerlist") == [
                "/opt/bin/peerlist-mdns", "/opt/bin/../libexec/peerlist/peerlist-mdns",
            ])
    }
}

/// Owns a stack on its event loop, as the browser does.
private actor StackOwner {
    nonisolated let directory: TemporaryDirectory
    private nonisolated let loop = EventLoop()
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe loop.asUnownedSerialExecutor()
    }

    /// An owner of a helper that is this shell script.
    init(_ script: String) async throws {
        directory = try TemporaryDirectory()
        try await directory.writeProgram(script, to: "helper")
    }

    /// Creates an owner of a helper that sends the hello, these frames, and that it is running.
    init(told frames: [[UInt8]]) async throws {
        let all =
            [try StackEvent.hello.frame()] + frames + [
                try StackEvent.state(.running, host: "h1.local").frame()
            ]
        let text = all.joined().map { byte in
            let digits = String(byte, radix: 8)
            return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
        }
        try await self.init("printf '\(text.joined())'; exec cat >/dev/null")
    }

    deinit { loop.end() }

    func warningOfHelper() async throws -> String? {
        let (changes, entry) = AsyncStream<Void>.makeStream()
        let stack = try start { entry.yield() }
        defer { stack.close() }
        for await _ in changes where stack.status.state == .running { break }
        return stack.status.warning
    }

    func endingOfHelper() async throws -> String {
        let (changes, entry) = AsyncStream<Void>.makeStream()
        let stack = try start { entry.yield() }
        for await _ in changes where stack.status.ending != nil { break }
        #expect(stack.status.state == .failed)
        return stack.status.ending ?? ""
    }

    func endingAfterClose() throws -> String? {
        let stack = try start {}
        stack.close()
        return stack.status.ending
    }

    private func start(_ receive: @escaping @Sendable () -> Void) throws -> EmbeddedStack {
        try EmbeddedStack(
            on: loop, settings: StackSettings(publishes: false, usesLoopback: false),
            path: "\(directory.path)/helper", receive: receive)
    }
}
