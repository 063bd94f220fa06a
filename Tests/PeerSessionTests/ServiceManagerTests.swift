// Reports to a service manager, which listens at a datagram socket, and the priorities of messages.
import FoundationEssentials
import Glibc
import LabSupport
import PeerModel
import PeerListTestSupport
import PeerRecording
import Testing

@testable import PeerSession
@testable import PeerText

@Suite(.timeLimit(.minutes(5))) struct ServiceManagerTests {
    @Test(arguments: [
        [:], ["NOTIFY_SOCKET": ""], ["NOTIFY_SOCKET": "@"], ["NOTIFY_SOCKET": "relative"],
        ["NOTIFY_SOCKET": "/" + String(repeating: "x", count: 107)], ["NOTIFY_SOCKET": "vsock:2:1"],
    ])
    func `without the name of a socket there is no service manager`(
        environment: [String: String]
    ) {
        #expect(ServiceManager { environment[$0] } == nil)
    }

    @Test func `the interval of the watchdog is for the process that it names`() {
        func watchdog(_ usec: String?, _ pid: String?) -> Duration? {
            ServiceManager {
                ["NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": usec, "WATCHDOG_PID": pid][$0] ?? nil
            }?.watchdog
        }
        #expect(watchdog("3000000", nil) == .seconds(3))
        #expect(watchdog("3000000", "\(getpid())") == .seconds(3))
        #expect(watchdog("3000000", "1") == nil)
        #expect(watchdog("0", nil) == nil)
        #expect(watchdog("soon", nil) == nil)
        #expect(watchdog(nil, nil) == nil)
    }

    @Test(arguments: [false, true])
    func `a state arrives at a path and at an abstract name`(isAbstract: Bool) async throws {
        let socket = try await NotifySocket(isAbstract: isAbstract)
        let manager = try #require(ServiceManager(socket.variable))
        #expect(manager.notify("READY=1\nSTATUS=7 peers") == nil)
        #expect(socket.receive() == ["READY=1\nSTATUS=7 peers"])
        await socket.remove()
    }

    @Test func `a service manager that is gone, or does not read, is not waited for`() async throws
    {
        let socket = try await NotifySocket()
        let manager = try #require(ServiceManager(socket.variable))
        // The queue of a datagram socket is bounded.
        let failure = (0..<10_000).lazy.compactMap { _ in manager.notify("WATCHDOG=1") }.first
        #expect(failure == EAGAIN)
        await socket.remove()
        #expect(manager.notify("READY=1") != nil)
    }

    @Test func `signs of life are sent while the check replies`() async throws {
        let socket = try await NotifySocket(watchdog: .milliseconds(20))
        let manager = try #require(ServiceManager(socket.variable))
        let (beats, beat) = AsyncStream<Int>.makeStream()
        let watch = manager.watch { reply in
            reply()
            beat.yield(1)
        }
        for await _ in beats.prefix(3) {}
        watch?.cancel()
        await watch?.value
        #expect(Set(socket.receive()) == ["WATCHDOG=1"])

        // The program hangs.
        let (checks, check) = AsyncStream<Int>.makeStream()
        let hung = manager.watch { _ in check.yield(1) }
        for await _ in checks.prefix(3) {}
        hung?.cancel()
        await hung?.value
        #expect(socket.receive().isEmpty)
        await socket.remove()
    }
}

@Suite(.timeLimit(.minutes(5))) struct ServiceOutputTests {
    @Test func `the beginning, the number of peers and the end are reported`() async throws {
        let socket = try await NotifySocket()
        let output = ServiceOutput(try #require(ServiceManager(socket.variable)))
        var list: [ListSection] = []
        output.handle(.began(House.header(.device)), at: House.time(0)) { list }
        #expect(!output.isBehind)
        for case .update(let update, let now) in House.steps(.device).prefix(4) {
            list = now
            output.handle(.updated(update.items, .event(update)), at: House.time(0.5)) { list }
        }
        // The next report is due a second after the first one.
        #expect(output.isBehind)
        output.handle(.tick, at: House.time(0.9)) { list }
        #expect(output.isBehind)
        output.handle(.tick, at: House.time(1)) { list }
        #expect(!output.isBehind)
        output.handle(.ended(.interrupted), at: House.time(2)) { list }
        #expect(
            socket.receive() == [
                "READY=1", "STATUS=0 peers; backend: daemon", "STATUS=3 peers; backend: daemon",
                "STOPPING=1",
            ])
        await socket.remove()
    }

    @Test(arguments: Grouping.allCases)
    func `the status counts peers, and those that are not present`(grouping: Grouping) {
        var texts: [String] = []
        for case .update(_, let list) in House.steps(grouping) {
            let text = ServiceOutput.status(of: list, backend: "daemon")
            if text != texts.last { texts.append(text) }
        }
        #expect(texts.contains("3 peers; backend: daemon"), "\(texts)")
        #expect(texts.contains("3 peers, 1 unanswered; backend: daemon"), "\(texts)")
        #expect(texts.contains("3 peers, 3 unknown; backend: daemon"), "\(texts)")
        #expect(texts.last == "1 peer; backend: daemon")
    }

    @Test(arguments: [false, true])
    func `notices have their priority in the journal, and else none`(isJournal: Bool) async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("", to: "errors")
        let descriptor = unsafe open(file, O_WRONLY | O_APPEND | O_CLOEXEC)
        try #require(descriptor >= 0)
        let output = NoticeOutput(descriptor: descriptor, isJournal: isJournal)
        for code in [Notice.Code.diskFull, .outputBack, .backendLost] {
            let notice = Notice(code, "\u{1b}[1m\(code.rawValue)", time: House.time(0))
            output.handle(.noticed(notice), at: House.time(0)) { [] }
        }
        let failure = await output.close(within: .seconds(60))
        #expect(failure == nil)
        close(descriptor)
        let prefixes = isJournal ? ["<3>", "<5>", "<4>"] : ["", "", ""]
        let messages = ["disk-full", "output-back", "backend-lost"].map {
            printable("\u{1b}[1m" + $0)
        }
        let lines = zip(prefixes, messages).map { "\($0)peerlist: \($1)\n" }
        #expect(try TextFile.read(file) == lines.joined())
        await directory.remove()
    }

    @Test func `only the descriptor of the stream is read by the journal`() throws {
        var ends: [Int32] = [-1, -1]
        try #require(unsafe pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        var status = stat()
        try #require(unsafe fstat(ends[1], &status) == 0)
        #expect(Journal.reads(ends[1], stream: "\(status.st_dev):\(status.st_ino)"))
        #expect(!Journal.reads(ends[1], stream: "\(status.st_dev):\(status.st_ino + 1)"))
        #expect(!Journal.reads(ends[1], stream: nil))
        #expect(!Journal.reads(-1, stream: "0:0"))
    }

    @Test func `an error has a priority if the journal reads standard error, and else none`()
        async throws
    {
        let script = """
            export JOURNAL_STREAM="$(stat --format %d:%i "$2")"
            "$1" --bogus 2>"$2"; "$1" --bogus
            """
        let directory = try TemporaryDirectory()
        let file = try directory.write("", to: "journal")
        let finished = try await FinishedProcess([
            "sh", "-c", script, "sh", BuiltProducts.peerlist, file,
        ])
        #expect(finished.errors.hasPrefix("peerlist: there is no option"))
        #expect(try TextFile.read(file).hasPrefix("<3>peerlist: there is no option"))
        await directory.remove()
    }
}

/// A socket at which a service manager would listen.
private struct NotifySocket {
    private let directory: TemporaryDirectory
    private let descriptor: Int32
    private let name: String
    private let watchdog: Duration?

    init(isAbstract: Bool = false, watchdog: Duration? = nil) async throws {
        directory = try TemporaryDirectory()
        self.watchdog = watchdog
        let path = directory.path + "/notify"
        name = isAbstract ? "@" + path : path
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        descriptor = socket(AF_UNIX, kind, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = (isAbstract ? [0] : []) + Array(path.utf8)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, size)
            }
        }
        try #require(status == 0, "bind: \(errno)")
    }

    /// The environment that a service manager would set.
    func variable(_ variable: String) -> String? {
        switch variable {
        case "NOTIFY_SOCKET": name
        case "WATCHDOG_USEC": watchdog.map { "\(Int($0 / .microseconds(1)))" }
        default: nil
        }
    }

    /// Removes and returns the datagrams that have arrived.
    func receive() -> [String] {
        var states: [String] = []
        while true {
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
            guard count > 0 else { return states }
            states.append(String(decoding: bytes[..<count], as: UTF8.self))
        }
    }

    func remove() async {
        close(descriptor)
        await directory.remove()
    }
}
