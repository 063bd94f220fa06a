// A session applies events, updates its outputs, and ends; the screen may be blocked meanwhile.
import DiffCore
import FoundationEssentials
import LabSupport
import PeerList
import PeerListTestSupport
import PeerRecording
import Testing

@testable import PeerSession
@testable import PeerText

@Suite(.timeLimit(.minutes(10))) struct SessionTests {
    private let inbox = AsyncStream<SessionMessage>.makeStream()
    private let events = AsyncStream<DiscoveryEvent>.makeStream()

    private func session(
        once: Once? = nil, _ log: OutputLog, failure: LineFailure? = nil,
        ledger: LedgerFile? = nil,
        verify: @escaping @Sendable ([UUID]) async -> Verification = { _ in .unanswered }
    ) -> Session<LinkSource> {
        Session(
            source: LinkSource(
                PeerListing(), backend: .daemon, verifier: BatchVerifier(verify: verify)),
            header: LineHeader(
                run: UUID(), observerHost: "me.local", observerID: UUID(), backend: "daemon",
                grouping: .device),
            once: once, inbox: (inbox.stream, inbox.continuation),
            outputs: [LoggingOutput(log, failure: failure)], ledger: ledger)
    }

    @Test func `a session writes the ledger at its end, and labels a device`() async throws {
        let directory = try TemporaryDirectory()
        let file = LedgerFile(path: directory.path + "/devices.json")
        let (log, id) = (OutputLog(), Identity.uuid(forName: "h1.local"))
        let (answers, answer) = AsyncStream<String?>.makeStream()
        discoverPeer()
        let running = Task { await session(log, ledger: file).run(events.stream) }
        await log.wait(for: "update arrived 1")
        inbox.continuation.yield(.label(id, "Printer") { answer.yield($0) })
        await log.wait(for: "update changed 1")
        inbox.continuation.yield(.label(UUID(), "Printer") { answer.yield($0) })
        var replies: [String?] = []
        for await reply in answers.prefix(2) { replies.append(reply) }
        #expect(replies == [nil, "the device is not known"])
        inbox.continuation.yield(.ended(.finished))
        #expect(await running.value == .finished)
        let devices = try file.read().ledger.devices
        #expect(devices[id]?.label == "Printer")
        #expect(devices.count == 1)
        await directory.remove()
    }

    @Test func `an empty label removes the label, and a name for one connection has none`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let file = LedgerFile(path: directory.path + "/devices.json")
        let log = OutputLog()
        let (answers, answer) = AsyncStream<String?>.makeStream()
        discoverPeer()
        discoverPeer("Android_7F3A9C11.local")
        let running = Task { await session(log, ledger: file).run(events.stream) }
        await log.wait(for: "update arrived 2")
        let (id, phone) = (
            Identity.uuid(forName: "h1.local"), Identity.uuid(forName: "android_7f3a9c11.local")
        )
        inbox.continuation.yield(.label(id, "Printer") { answer.yield($0) })
        inbox.continuation.yield(.label(id, "") { answer.yield($0) })
        inbox.continuation.yield(.label(phone, "Phone") { answer.yield($0) })
        var replies: [String?] = []
        for await reply in answers.prefix(3) { replies.append(reply) }
        #expect(replies.prefix(2) == [nil, nil])
        #expect(replies.last??.contains("for one connection") == true)
        inbox.continuation.yield(.ended(.finished))
        #expect(await running.value == .finished)
        let devices = try file.read().ledger.devices
        #expect(devices.keys.map(\.self) == [id])
        #expect(devices[id]?.label == nil)
        await directory.remove()
    }

    @Test func `a list that starts again adds to the ledger of another one`() async throws {
        let directory = try TemporaryDirectory()
        let file = LedgerFile(path: directory.path + "/devices.json")
        let log = OutputLog()
        discoverPeer()
        let running = Task { await session(log, ledger: file).run(events.stream) }
        await log.wait(for: "update arrived 1")
        // Another process sees another device, and labels the same one.
        let other = LedgerDevice(
            names: ["tv"], evidence: [], firstSeen: House.time(0), lastSeen: House.time(0))
        let id = Identity.uuid(forName: "h1.local")
        try file.change { ledger in
            ledger.note(Identity.uuid(forName: "tv.local"), other)
            ledger.note(id, other)
            ledger.setLabel("Printer", of: id)
        }
        inbox.continuation.yield(.ended(.finished))
        #expect(await running.value == .finished)
        let devices = try file.read().ledger.devices
        #expect(devices.count == 2)
        #expect(devices[id]?.label == "Printer")
        #expect(devices[id]?.evidence == ["host-name:h1.local"])
        await directory.remove()
    }

    @Test(arguments: ["", "{", "null", "\u{0}\u{1}", #"{"version":1,"devices":[7]}"#])
    func `a ledger of garbage is kept beside a new one, with a notice`(garbage: String)
        async throws
    {
        let directory = try TemporaryDirectory()
        let file = LedgerFile(path: directory.path + "/devices.json")
        try Data(garbage.utf8).write(to: URL(filePath: file.path))
        let log = OutputLog()
        discoverPeer()
        let running = Task { await session(log, ledger: file).run(events.stream) }
        await log.wait(for: "update arrived 1")
        inbox.continuation.yield(.ended(.finished))
        #expect(await running.value == .finished)
        #expect(await log.entries.filter { $0 == "notice ledger-damaged" }.count == 1)
        #expect(try TextFile.read(file.path + ".damaged-1") == garbage)
        let count = try file.read().ledger.devices.count
        #expect(count == 1)
        await directory.remove()
    }

    @Test func `the end of the initial fill comes before the update after it`() async {
        let log = OutputLog()
        discover(.running(host: "me.local"), at: 1_000_000)
        discoverPeer(at: 1_500_000)
        discover(.addresses(host: "h1.local", []), at: 1_600_000)
        discoverPeer("h2.local", at: 60_000_000)
        let running = Task { await session(log).run(events.stream) }
        await log.wait(for: "update arrived 2")
        inbox.continuation.yield(.ended(.finished))
        #expect(await running.value == .finished)
        #expect(
            await log.entries.prefix(4) == [
                "begin me.local", "update arrived 1", "fill over", "update arrived 2",
            ])
    }

    @Test func `a ledger that cannot be written is one notice`() async {
        let log = OutputLog()
        discoverPeer()
        let file = LedgerFile(path: "/proc/peerlist/devices.json")
        let running = Task { await session(log, ledger: file).run(events.stream) }
        await log.wait(for: "update arrived 1")
        inbox.continuation.yield(.ended(.finished))
        #expect(await running.value == .finished)
        #expect(
            await log.entries == [
                "begin me.local", "update arrived 1", "notice ledger-failed", "end finished 1",
                "close",
            ])
    }

    private func discover(_ kind: DiscoveryEvent.Kind, at microseconds: Int64 = 1) {
        events.continuation.yield(DiscoveryEvent(kind, at: Timestamp(microseconds: microseconds)))
    }

    private func discoverPeer(_ host: String = "h1.local", at time: Int64 = 1) {
        let name = host == "h1.local" ? "Web" : "Web on \(host)"
        let key = ServiceKey(name: name, type: "_http._tcp", domain: "local")
        discover(
            .found(
                Sighting(
                    service: key, interface: NetworkInterface(index: 2, name: "eth0"),
                    family: .ipv4)), at: time)
        discover(
            .resolved(
                key, Resolution(host: host, port: 80, txt: TXTRecord(), address: nil)), at: time)
    }

    @Test func `outputs are updated once for an event that changes the list, and not for others`()
        async
    {
        let log = OutputLog()
        discoverPeer()
        discover(.settled)
        discover(.lost(reason: "gone"))
        let running = Task { await session(log).run(events.stream) }
        await log.wait(for: "notice backend-lost")
        inbox.continuation.yield(.ended(.finished))
        #expect(await running.value == .finished)
        #expect(
            await log.entries == [
                "begin me.local", "update arrived 1", "update backend 1", "notice backend-lost",
                "end finished 1", "close",
            ])
    }

    @Test func `outputs get another header when the backend changes, and no update`() async {
        let log = OutputLog()
        discoverPeer()
        discover(.handedOver(to: .embedded, host: "me.local"))
        let running = Task { await session(log).run(events.stream) }
        await log.wait(for: "handed over to embedded")
        inbox.continuation.yield(.ended(.finished))
        #expect(await running.value == .finished)
        #expect(
            await log.entries == [
                "begin me.local", "update arrived 1", "handed over to embedded",
                "end finished 1", "close",
            ])
    }

    @Test func `once ends when discovery is quiet`() async {
        let log = OutputLog()
        discoverPeer()
        // A host whose addresses are unknown counts as an open lookup.
        discover(.addresses(host: "h1.local", []))
        let once = Once(
            timeout: .seconds(600), quiet: .milliseconds(1), patience: .seconds(600))
        let end = await session(once: once, log).run(events.stream)
        #expect(end == .finished)
        #expect(await log.entries.suffix(2) == ["end finished 1", "close"])
    }

    @Test(arguments: [
        DiscoveryEvent.Kind.deviceInfo(host: "h1.local", TXTRecord()),
        .hardware(host: "h1.local", []),
    ])
    func `once does not wait for what is learned of hosts`(
        described: DiscoveryEvent.Kind
    ) async {
        let log = OutputLog()
        discoverPeer()
        discover(.addresses(host: "h1.local", []))
        events.continuation.finish()
        let endless = EndlessEvents(
            beginning: events.stream,
            repeated: DiscoveryEvent(described, at: Timestamp(microseconds: 1)))
        let once = Once(
            timeout: .seconds(600), quiet: .milliseconds(50), patience: .seconds(600))
        let end = await session(once: once, log).run(endless)
        #expect(end == .finished)
        #expect(await log.entries.contains("notice deadline") == false)
    }

    @Test(arguments: [Duration.seconds(600), .zero])
    func `a session that reports its list once discovery is quiet goes on`(timeout: Duration) async
    {
        let log = OutputLog()
        let (lists, entry) = AsyncStream<(count: Int, isQuiet: Bool)>.makeStream()
        discoverPeer()
        discover(.addresses(host: "h1.local", []))
        let once = Once(
            timeout: timeout, quiet: .milliseconds(1), patience: .seconds(600)
        ) { entry.yield(($0.flatMap(\.items).count, $1)) }
        let running = Task { await session(once: once, log).run(events.stream) }
        for await list in lists.prefix(1) {
            #expect(timeout == .zero || list == (1, true))
        }
        discoverPeer("h2.local")
        await log.wait(for: "update arrived 2")
        inbox.continuation.yield(.ended(.interrupted))
        #expect(await running.value == .interrupted)
        #expect(await log.entries.suffix(2) == ["end interrupted 2", "close"])
    }

    @Test func `once waits longer before the network counts as empty`() async {
        let log = OutputLog()
        let once = Once(timeout: .seconds(600), quiet: .zero, patience: .milliseconds(60))
        let end = await session(once: once, log).run(events.stream)
        #expect(end == .nothingFound)
        #expect(await log.entries.suffix(2) == ["end finished 0", "close"])
    }

    private func found(_ key: ServiceKey) -> DiscoveryEvent {
        let sighting = Sighting(
            service: key, interface: NetworkInterface(index: 2, name: "eth0"), family: .ipv4)
        return DiscoveryEvent(.found(sighting), at: Timestamp(microseconds: 1))
    }

    private func findService(_ name: String) {
        events.continuation.yield(
            found(ServiceKey(name: name, type: "_http._tcp", domain: "local")))
    }

    @Test func `once does not wait for a lookup that is unanswered, and reports it`() async {
        let log = OutputLog()
        findService("Stale")
        discoverPeer()
        discover(.addresses(host: "h1.local", []))
        let once = Once(
            timeout: .seconds(600), quiet: .zero, unanswered: .milliseconds(1),
            patience: .seconds(600))
        let end = await session(once: once, log).run(events.stream)
        #expect(end == .finished)
        #expect(await log.entries.contains("notice deadline"))
    }

    @Test func `up to sixteen lookups count as unanswered after a while, and are named`() {
        var source = LinkSource(
            PeerListing(), backend: .daemon, verifier: BatchVerifier { _ in .unanswered })
        let once = Once(timeout: .seconds(600), patience: .zero)
        let now = ContinuousClock.now
        for number in 10..<10 + Once.unansweredLimit {
            let key = ServiceKey(name: "Web \(number)", type: "_http._tcp", domain: "local")
            _ = source.apply(found(key))
            #expect(source.isQuiet(once, since: now - once.unanswered))
            #expect(!source.isQuiet(once, since: now))
        }
        #expect(source.unansweredNames.first == "Web 10._http._tcp.local")
        #expect(
            Once.text(isLate: false, waitingFor: ["a", "b", "c", "d"])
                == "no answer for 'a', 'b', 'c' and 1 more")
        // Of more, some may not have been asked yet.
        let key = ServiceKey(name: "Web", type: "_http._tcp", domain: "local")
        _ = source.apply(found(key))
        #expect(!source.isQuiet(once, since: now - .seconds(100)))
    }

    @Test func `once ends at its timeout while a lookup is open, with a notice`() async {
        let log = OutputLog()
        findService("Web")
        let once = Once(timeout: .milliseconds(200), quiet: .zero, patience: .zero)
        let end = await session(once: once, log).run(events.stream)
        #expect(end == .nothingFound)
        #expect(await log.entries.contains("notice deadline"))
    }

    @Test(arguments: [
        (SessionEnd.interrupted, "interrupted"), (SessionEnd(.readerGone), "finished"),
        (SessionEnd(.tooSlow(waiting: 1 << 20)), "failed"),
    ])
    func `the last line has the reason for the end`(end: SessionEnd, reason: String) async {
        let log = OutputLog()
        inbox.continuation.yield(.ended(end))
        #expect(await session(log).run(events.stream) == end)
        #expect(await log.entries.contains("end \(reason) 0"))
    }

    @Test func `a failure of standard output ends the session, unless its reader has gone`() {
        #expect(SessionEnd(.readerGone) == .readerGone)
        guard case .failed(let text) = SessionEnd(.tooSlow(waiting: 1 << 20)) else {
            Issue.record("it is no failure")
            return
        }
        #expect(text.hasPrefix("standard output: "))
    }

    @Test func `events are handled while a peer is verified`() async {
        let log = OutputLog()
        let service = ServiceKey(name: "Web", type: "_http._tcp", domain: "local").id
        let (answers, answer) = AsyncStream<Verification>.makeStream()
        let (held, release) = AsyncStream<Void>.makeStream()
        discoverPeer()
        let session = session(log) { services in
            for await _ in held {}
            return .answered(Set(services), of: services.count)
        }
        let running = Task { await session.run(events.stream) }
        await log.wait(for: "update arrived 1")
        inbox.continuation.yield(.verify([Identity.uuid(forName: "h1.local")]) { answer.yield($0) })
        discover(.lost(reason: "gone"))
        await log.wait(for: "notice backend-lost")
        release.finish()
        #expect(await answers.first { _ in true } == .answered([service], of: 1))
        inbox.continuation.yield(.ended(.finished))
        #expect(await running.value == .finished)
    }

    @Test func `an item that is not listed cannot be verified`() async {
        let (answers, answer) = AsyncStream<Verification>.makeStream()
        inbox.continuation.yield(.verify([UUID()]) { answer.yield($0) })
        inbox.continuation.yield(.ended(.finished))
        _ = await session(OutputLog()).run(events.stream)
        #expect(await answers.first { _ in true } == .unavailable("there is nothing to verify"))
    }

    @Test func `a failing file is a notice and does not end the session`() async {
        let log = OutputLog()
        inbox.continuation.yield(.file(.failed(.diskFull)))
        inbox.continuation.yield(.file(.recovered))
        inbox.continuation.yield(.ended(.finished))
        #expect(await session(log).run(events.stream) == .finished)
        #expect(
            await log.entries.dropFirst().prefix(2) == ["notice disk-full", "notice output-back"])
    }

    @Test func `a session whose lines were not all written has failed`() async {
        inbox.continuation.yield(.ended(.finished))
        let end = await session(OutputLog(), failure: .diskFull).run(events.stream)
        #expect(end != .finished)
    }
}

@Suite(.timeLimit(.minutes(10))) struct BatchVerifierTests {
    private static let items = (0..<300).map { _ in [UUID()] }

    @Test func `many items are verified in batches, and the results are added up`() async {
        let (sizes, size) = AsyncStream<Int>.makeStream()
        // The last batch does not answer.
        let verifier = BatchVerifier { services in
            size.yield(services.count)
            return services.count == 44
                ? .unanswered : .answered(Set(services.dropFirst()), of: services.count)
        }
        let sum = await verifier.verify(Self.items, backend: "avahi-daemon")
        #expect(sum.answeredServices?.count == 254)
        size.finish()
        #expect(await sizes.reduce(into: []) { $0.append($1) } == [128, 128, 44])
    }

    @Test func `a backend that hangs makes verification unavailable in time`() async {
        let (held, release) = AsyncStream<Void>.makeStream()
        let verifier = BatchVerifier(limit: .milliseconds(10)) { _ in
            for await _ in held {}
            return .unanswered
        }
        let result = await verifier.verify(Self.items, backend: "avahi-daemon")
        #expect(result == .unavailable("avahi-daemon does not answer"))
        release.finish()
    }
}

/// The calls of an output, as text.
private actor OutputLog {
    private(set) var entries: [String] = []
    private var waiting: (entry: String, continuation: CheckedContinuation<Void, Never>)?

    func add(_ entry: String) {
        entries.append(entry)
        guard let waiting, waiting.entry == entry else { return }
        self.waiting = nil
        waiting.continuation.resume()
    }

    func wait(for entry: String) async {
        guard !entries.contains(entry) else { return }
        await withCheckedContinuation { waiting = (entry, $0) }
    }
}

/// An output that records its calls.
private final class LoggingOutput: ListOutput {
    private let entries: AsyncStream<String>.Continuation
    private let written: Task<Void, Never>
    private let failure: LineFailure?

    init(_ log: OutputLog, failure: LineFailure?) {
        let (stream, entries) = AsyncStream<String>.makeStream()
        self.entries = entries
        self.failure = failure
        written = Task { for await entry in stream { await log.add(entry) } }
    }

    var isBehind: Bool { false }

    func handle(_ event: OutputEvent, at time: Timestamp, list: () -> [ListSection]) {
        let count = list().flatMap(\.items).count
        switch event {
        case .began(let header): entries.yield("begin \(header.observerHost)")
        case .handedOver(let header): entries.yield("handed over to \(header.backend)")
        case .updated(let update): entries.yield("update \(update.cause.rawValue) \(count)")
        case .noticed(let notice): entries.yield("notice \(notice.code.rawValue)")
        case .ended(let reason): entries.yield("end \(reason.rawValue) \(count)")
        case .fill(.over): entries.yield("fill over")
        case .fill, .sighted, .observers, .tick, .reopened: break
        }
    }

    func close(within limit: Duration) async -> LineFailure? {
        entries.yield("close")
        entries.finish()
        await written.value
        return failure
    }
}

/// Events, followed by one that is repeated without end.
private struct EndlessEvents: AsyncSequence, Sendable {
    let beginning: AsyncStream<DiscoveryEvent>
    let repeated: DiscoveryEvent

    func makeAsyncIterator() -> Iterator {
        Iterator(beginning: beginning.makeAsyncIterator(), repeated: repeated)
    }

    struct Iterator: AsyncIteratorProtocol {
        var beginning: AsyncStream<DiscoveryEvent>.Iterator
        let repeated: DiscoveryEvent

        mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(Never) -> DiscoveryEvent? {
            await beginning.next(isolation: actor) ?? repeated
        }
    }
}
