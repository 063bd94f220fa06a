// Hooks run real programs: one at a time, with limits, with nothing inherited and nothing left behind.
import Foundation
import LabSupport
import PeerHappenings
import PeerModel
import PeerListTestSupport
import PeerRecording
import Synchronization
import Testing

@testable import PeerHooks
@testable import PeerText

@Suite(.timeLimit(.minutes(10))) struct HookRunnerTests {
    private let directory: TemporaryDirectory
    private let peer: Peer

    init() throws {
        directory = try TemporaryDirectory()
        peer = try #require(House.devices().flatMap(\.items).first).peer
    }

    /// The notices of a hook, in order.
    private final class Reports: Sendable {
        private let texts = Mutex<[String]>([])
        var all: [String] { texts.withLock(\.self) }
        func add(_ code: Notice.Code, _ text: String) {
            texts.withLock { $0.append("\(code.rawValue): \(text)") }
        }
    }

    private var log: String { directory.path + "/log" }

    /// Starts the hook of a shell script, whose output is appended to `log`.
    private func start(
        _ script: String, _ reports: Reports = Reports(), limits: HookRunner.Limits = .init()
    ) async throws -> HookRunner {
        let program = try await directory.writeProgram("exec >>'\(log)'\n" + script, to: "hook")
        return HookRunner(
            Hook(events: Set(Hook.Event.allCases), arguments: [program]), output: nil,
            limits: limits, report: reports.add)
    }

    private func change(
        _ name: String, _ event: ItemHappening.Event = .arrived
    ) -> ItemHappening {
        var peer = peer
        peer.name = name
        return ItemHappening(event, .peer(peer), at: House.time(1))
    }

    private func logged() throws -> [String] {
        try TextFile.read(log).split(separator: "\n").map(String.init)
    }

    /// Waits for a line of `log`.
    private func expectLine(_ line: String) async throws {
        let lines = try RunningProcess(["tail", "-n", "+1", "--follow=name", "--retry", log])
        try await lines.line(within: .seconds(600)) { $0 == line }
        await lines.send(15)
    }

    /// Whether a process group has any process.
    private func isAlive(_ group: String) async throws -> Bool {
        try await FinishedProcess(["sh", "-c", "kill -0 -- -\"$1\"", "sh", group]).status == 0
    }

    @Test
    func `a program gets the line, the variables, three descriptors and a session of its own`()
        async throws
    {
        let runner = try await start(
            """
            echo "$PEERLIST_EVENT:$PEERLIST_NAME:$PATH"
            ls /proc/self/fd | tr '\\n' ' '; echo
            readlink /proc/self/fd/2
            test "$(cut -d ' ' -f 6 /proc/$$/stat)" = $$ && echo own
            cut -c 1-33
            """)
        runner.add(change("a\nb"))
        #expect(await runner.stop(within: .seconds(600)) == [])
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        // The fourth descriptor is that of ls, for the directory.
        #expect(
            try logged() == [
                "arrived:ab:\(path)", "0 1 2 3 ", "/dev/null", "own",
                #"{"type":"change","version":1,"tim"#,
            ])
        await directory.remove()
    }

    @Test func `arguments are those given, whatever they contain`() async throws {
        let program = try await directory.writeProgram(
            "for word; do printf '<%s>' \"$word\"; done >'\(log)'", to: "words")
        let words = try CommandWord.split(
            "\(program) -n '$(touch \(directory.path)/x)' \"a  b\" ';' '' \\| *"
        ).map(\.text)
        let runner = HookRunner(Hook(arguments: words), output: nil) { _, _ in }
        runner.add(change("x"))
        #expect(await runner.stop(within: .seconds(600)) == [])
        #expect(try logged() == ["<-n><$(touch \(directory.path)/x)><a  b><;><><|><*>"])
        await directory.remove()
    }

    @Test func `a hook runs for its events alone, one change at a time, in order`() async throws {
        let program = try await directory.writeProgram(
            "echo \"begin $PEERLIST_NAME\" >>'\(log)'; cat >/dev/null; echo end >>'\(log)'",
            to: "hook")
        let runner = HookRunner(
            Hook(events: [.departed], arguments: [program]), output: nil
        ) { _, _ in }
        for number in 0..<20 {
            runner.add(change("\(number)", number.isMultiple(of: 2) ? .left : .arrived))
        }
        #expect(await runner.stop(within: .seconds(600)) == [])
        #expect(try logged() == (0..<10).flatMap { ["begin \($0 * 2)", "end"] })
        await directory.remove()
    }

    @Test func `an exit status and a missing program are notices`() async throws {
        let reports = Reports()
        let runner = try await start("exit 7", reports)
        for _ in 0..<3 { runner.add(change("x")) }
        let last = await runner.stop(within: .seconds(600))
        let texts = reports.all + last
        #expect(texts.count == 2)
        #expect(texts.first?.hasSuffix("/hook' failed: exit status 7") == true)
        #expect(texts.last?.hasSuffix("failed 2 times, the last time: exit status 7") == true)
        let missing = HookRunner(
            Hook(arguments: [directory.path + "/missing", "secret"]), output: nil
        ) { _, _ in }
        missing.add(change("x"))
        let text = await missing.stop(within: .seconds(600)).joined()
        #expect(text.hasSuffix("/missing' failed: it cannot be started: No such file or directory"))
        #expect(!text.contains("secret"))
        await directory.remove()
    }

    @Test func `a program that takes too long is ended, and killed if it ignores that`()
        async throws
    {
        let limits = HookRunner.Limits(time: .milliseconds(300), grace: .milliseconds(300))
        for (script, isKind) in [
            ("trap 'echo asked; exit' TERM; echo $$; sleep infinity & wait", true),
            ("trap '' TERM; echo $$; sleep infinity & sleep infinity", false),
        ] {
            let reports = Reports()
            let runner = try await start(script, reports, limits: limits)
            let start = ContinuousClock.now
            runner.add(change("x"))
            let last = await runner.stop(within: .seconds(600))
            #expect(start.duration(to: .now) < .seconds(300))
            let text = (reports.all + last).joined()
            #expect(text.contains("failed: it ran for more than "), "\(text)")
            #expect(try logged().contains("asked") == isKind)
            let group = try #require(try logged().first)
            #expect(try await !isAlive(group))
            _ = try await FinishedProcess(["rm", log])
        }
        await directory.remove()
    }

    @Test func `what a program leaves running in its group ends with it`() async throws {
        let runner = try await start("echo $$; sleep infinity & exit 0")
        runner.add(change("x"))
        #expect(await runner.stop(within: .seconds(600)) == [])
        let group = try #require(try logged().first)
        #expect(try await !isAlive(group))
        await directory.remove()
    }

    @Test func `a program that does not read its input, however long, does no harm`() async throws {
        let runner = try await start("exec <&-; echo done")
        runner.add(change(String(repeating: "n", count: 1_000_000)))
        #expect(await runner.stop(within: .seconds(600)) == [])
        #expect(try logged() == ["done"])
        await directory.remove()
    }

    @Test func `at the end of the list a running program gets a moment, then it is ended`()
        async throws
    {
        let runner = try await start("echo $$ $PEERLIST_NAME; echo started; exec sleep infinity")
        for name in ["a", "b", "c"] { runner.add(change(name)) }
        try await expectLine("started")
        let start = ContinuousClock.now
        let last = await runner.stop(within: .milliseconds(100))
        #expect(start.duration(to: .now) < .seconds(300))
        #expect(last.count == 2)
        #expect(last.first?.hasSuffix("failed: it was ended with the list") == true)
        #expect(last.last?.hasSuffix("for the last 2 changes, as the list ended") == true)
        let words = try logged()[0].split(separator: " ")
        #expect(words.last == "a")
        #expect(try await !isAlive(String(words[0])))
        await directory.remove()
    }

    @Test func `at the end, changes that were dropped are counted`() async throws {
        let runner = try await start(
            "echo started; exec sleep infinity", limits: HookRunner.Limits(queue: 5))
        runner.add(change("first"))
        try await expectLine("started")
        for number in 0..<20 { runner.add(change("\(number)")) }
        let last = await runner.stop(within: .milliseconds(100))
        #expect(last.count == 3)
        #expect(last.dropFirst().first?.hasSuffix("so it was not run for 15 changes") == true)
        #expect(last.last?.hasSuffix("for the last 5 changes, as the list ended") == true)
        await directory.remove()
    }

    @Test func `what goes wrong after the last update of a list is reported at its end`()
        async throws
    {
        let reports = Reports()
        let runner = try await start("echo ran; exit 7", reports)
        let output = HookOutput([runner])
        let arrival = ItemHappening(.arrived, .peer(peer), at: House.time(1))
        output.handle(.happened([.item(arrival)]), at: House.time(1)) { [] }
        output.handle(.ended(.interrupted), at: House.time(1)) { [] }
        try await expectLine("ran")
        let last = await runner.stop(within: .seconds(600))
        #expect(last.count == 1 && last[0].hasSuffix("failed: exit status 7"), "\(last)")
        #expect(reports.all == [], "the session reads notices no more")
        await directory.remove()
    }

    @Test func `of a hundred changes a second each is run or counted, in order`() async throws {
        let reports = Reports()
        let runner = try await start(
            "sed 's/.*\"name\":\"\\([0-9]*\\)\",\"host\".*\\(}\\|\"dropped\":[0-9]*\\)}$/\\1 \\2/'",
            reports, limits: HookRunner.Limits(queue: 50))
        let count = 500
        let clock = try RunningProcess([
            "sh", "-c", "seq \"$1\" | while read -r n; do echo; sleep \"$2\"; done", "sh",
            "\(count)", "0.01",
        ])
        for number in 0..<count {
            try await clock.line(within: .seconds(600))
            runner.add(change("\(number)"))
        }
        let last = await runner.stop(within: .seconds(600))
        var next = 0
        for line in try logged() {
            let words = line.split(separator: " ")
            next += words.last.flatMap { Int($0.drop { !$0.isNumber }) } ?? 0
            #expect(words.first == "\(next)")
            next += 1
        }
        #expect(next == count, "\(last)")
        let isSlow = try logged().count < count
        // Changes that were dropped after the last start of the program are reported at the end.
        let isReported =
            reports.all.contains { $0.hasPrefix("hook-limit: ") }
            || last.contains { $0.contains("so it was not run for") }
        #expect(isReported == isSlow, "\(last)")
        await directory.remove()
    }

    @Test func `a hook with a program that cannot be run is refused before the list starts`()
        async throws
    {
        func refusal(_ program: String, _ events: Set<Hook.Event> = []) -> String? {
            let hook = Hook(events: events, arguments: [program, "token"])
            do throws(UsageError) {
                try hook.check(usesLedger: false)
                return nil
            } catch {
                return "\(error)"
            }
        }
        #expect(refusal("sh") == nil)
        #expect(refusal("/bin/sh") == nil)
        #expect(refusal("no-such-program")?.contains("no such program in PATH") == true)
        #expect(refusal("./no/such")?.contains("does not exist") == true)
        #expect(refusal("/etc/passwd")?.contains("not an executable file") == true)
        #expect(refusal("/etc")?.contains("not an executable file") == true)
        #expect(refusal("~/x")?.contains("write the whole path") == true)
        #expect(refusal("/etc")?.contains("token") == false)
        #expect(refusal("sh", [.new])?.contains("--no-ledger") == true)
        await directory.remove()
    }
}
