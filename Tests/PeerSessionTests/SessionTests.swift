// A session applies events, updates its outputs, acts when it is time, and ends.
@testable import PeerLedger
import DiffCore
import FoundationEssentials
import LabSupport
import PeerHappenings
import PeerModel
import PeerListTestSupport
import PeerRecording
import Synchronization
import Testing

@testable import PeerSession
@testable import PeerText

@Suite(.timeLimit(.minutes(10))) struct SessionTests {
    private let inbox = AsyncStream<SessionMessage>.makeStream()
    private let log = OutputLog()
    private let start = Moment(instant: .now, time: House.time(0))

    private func session(
        _ oneShot: OneShot? = nil, failure: LineFailure? = nil, isBehind: Bool = false,
        isGrouped: Bool = false, ledger: LedgerFile? = nil,
        verify: @escaping @Sendable ([UUID]) async -> Verification = { _ in .unanswered }
    ) -> Session<LinkSource> {
        Session(
            source: LinkSource(
                PeerListing(), backend: .daemon, verifier: BatchVerifier(verify: verify)),
            header: LineHeader(
                run: UUID(), observerHost: "me.local", observerID: UUID(), backend: "daemon",
                grouping: .device),
            oneShot: oneShot, inbox: (inbox.stream, inbox.continuation),
            outputs: [
                LoggingOutput(log, failure: failure, isBehind: isBehind, isGrouped: isGrouped)
            ], ledger: ledger)
    }

    /// Starts a session without its timer, which the test hands events, messages and the time.
    private func begin(
        _ oneShot: OneShot? = nil, isBehind: Bool = false, ledger: LedgerFile? = nil
    ) async -> Session<LinkSource> {
        let session = session(oneShot, isBehind: isBehind, ledger: ledger)
        await session.begin(at: start)
        return session
    }

    private func moment(_ seconds: Double) -> Moment {
        Moment(
            instant: start.instant + .milliseconds(Int((seconds * 1_000).rounded())),
            time: House.time(seconds))
    }

    private func key(_ host: String) -> ServiceKey {
        let name = host == "h1.local" ? "Web" : "Web on \(host)"
        return ServiceKey(name: name, type: "_http._tcp", domain: "local")
    }

    private func found(_ key: ServiceKey) -> DiscoveryEvent.Kind {
        .found(
            Sighting(
                service: key, interface: NetworkInterface(index: 2, name: "eth0"), family: .ipv4))
    }

    /// A host is found and resolved.
    private func discoverPeer(
        _ host: String = "h1.local", in session: Session<LinkSource>, at seconds: Double = 1
    ) async {
        let resolution = Resolution(host: host, port: 80, txt: TXTRecord(), address: nil)
        await discover(found(key(host)), in: session, at: seconds)
        await discover(.resolved(key(host), resolution), in: session, at: seconds)
    }

    /// The addresses of a host are known, so that no lookup is open.
    private func discoverAddresses(in session: Session<LinkSource>, at seconds: Double = 1) async {
        await discover(.addresses(host: "h1.local", []), in: session, at: seconds)
    }

    private func discover(
        _ kind: DiscoveryEvent.Kind, in session: Session<LinkSource>, at seconds: Double = 1
    ) async {
        let moment = moment(seconds)
        await session.apply(DiscoveryEvent(kind, at: moment.time), at: moment.instant)
    }

    private func label(
        _ host: String, _ text: String, in session: Session<LinkSource>
    ) async -> String? {
        let answer = Mutex<String?>("no answer")
        let id = Identity.uuid(forName: host)
        _ = await session.handle(
            .label(id, text) { text in answer.withLock { $0 = text } }, at: moment(2))
        return answer.withLock(\.self)
    }

    // MARK: The ledger

    private func withLedger(_ test: (LedgerFile) async throws -> Void) async throws {
        let directory = try TemporaryDirectory()
        try await test(LedgerFile(path: directory.path + "/devices.json"))
        await directory.remove()
    }

    @Test func `a session writes the ledger at its end, and labels a device`() async throws {
        try await withLedger { file in
            let session = await begin(ledger: file)
            await discoverPeer(in: session)
            #expect(await label("h1.local", "Printer", in: session) == nil)
            #expect(log.entries.last == "update changed 1")
            #expect(await label("h2.local", "Printer", in: session) == "the device is not known")
            #expect(await session.close(.finished, at: moment(3)) == .finished)
            let devices = try file.read().ledger.devices
            #expect(devices[Identity.uuid(forName: "h1.local")]?.label == "Printer")
            #expect(devices.count == 1)
        }
    }

    @Test func `an empty label removes the label, and a name for one connection has none`()
        async throws
    {
        try await withLedger { file in
            let session = await begin(ledger: file)
            await discoverPeer(in: session)
            await discoverPeer("android_7f3a9c11.local", in: session)
            #expect(await label("h1.local", "Printer", in: session) == nil)
            #expect(await label("h1.local", "", in: session) == nil)
            let fault = await label("android_7f3a9c11.local", "Phone", in: session)
            #expect(fault?.contains("for one connection") == true)
            _ = await session.close(.finished, at: moment(3))
            let devices = try file.read().ledger.devices
            #expect(devices.keys.map(\.self) == [Identity.uuid(forName: "h1.local")])
            #expect(devices.values.first?.label == nil)
        }
    }

    @Test func `a session adds to the ledger of another one`() async throws {
        try await withLedger { file in
            let session = await begin(ledger: file)
            await discoverPeer(in: session)
            // Another process sees another device, and labels the same one.
            let other = LedgerDevice(
                names: ["tv"], evidence: [], firstSeen: House.time(0), lastSeen: House.time(0))
            let id = Identity.uuid(forName: "h1.local")
            try file.change { ledger in
                ledger.note(Identity.uuid(forName: "tv.local"), other)
                ledger.note(id, other)
                ledger.setLabel("Printer", of: id)
            }
            _ = await session.close(.finished, at: moment(3))
            let devices = try file.read().ledger.devices
            #expect(devices.count == 2)
            #expect(devices[id]?.label == "Printer")
            #expect(devices[id]?.evidence == ["host-name:h1.local"])
        }
    }

    @Test func `a device is written a minute after its arrival, and a label in the file is shown`()
        async throws
    {
        try await withLedger { file in
            let session = await begin(ledger: file)
            #expect(await session.due == nil)
            await discoverPeer(in: session)
            // What happened is said, and the initial fill is over.
            _ = await session.handle(.due, at: moment(12))
            let due = try #require(await session.due)
            #expect(due == moment(61).instant)
            _ = await session.handle(.due, at: moment(60))
            #expect(try file.read().ledger.devices.isEmpty)
            let id = Identity.uuid(forName: "h1.local")
            try file.change { ledger in
                ledger.note(
                    id,
                    LedgerDevice(
                        names: [], evidence: [], firstSeen: House.time(0), lastSeen: House.time(0)))
                ledger.setLabel("Printer", of: id)
            }
            _ = await session.handle(.due, at: moment(61))
            // The file is written on another thread.
            for await message in inbox.stream.prefix(1) {
                _ = await session.handle(message, at: moment(62))
            }
            #expect(try file.read().ledger.devices[id]?.names == ["h1"])
            #expect(log.entries.last == "update changed 1")
            #expect(await session.due == nil)
        }
    }

    @Test func `what happened is said a second after it was handled, however late that was`() async
    {
        let session = await begin()
        let address = HostAddress(bytes: [10, 0, 0, 1], text: "10.0.0.1", interface: "eth0")
        let resolution = Resolution(
            host: "h1.local", port: 80, txt: TXTRecord(), address: address)
        for kind in [found(key("h1.local")), .resolved(key("h1.local"), resolution)] {
            let event = DiscoveryEvent(kind, at: House.time(1))
            await session.apply(event, at: moment(1).instant)
            await session.note(event, handledAt: moment(1.9).instant)
        }
        _ = await session.handle(.due, at: moment(2.5))
        #expect(!log.entries.contains("there h1"))
        _ = await session.handle(.due, at: moment(2.9))
        #expect(log.entries.contains("there h1"))
        _ = await session.close(.finished, at: moment(3))
    }

    @Test(arguments: ["", "{", "null", "\u{0}\u{1}", #"{"version":1,"devices":[7]}"#])
    func `a ledger of garbage is kept beside a new one, with a notice`(garbage: String)
        async throws
    {
        try await withLedger { file in
            try Data(garbage.utf8).write(to: URL(filePath: file.path))
            let session = await begin(ledger: file)
            await discoverPeer(in: session)
            _ = await session.close(.finished, at: moment(3))
            #expect(log.entries.filter { $0 == "notice ledger-damaged" }.count == 1)
            #expect(try TextFile.read(file.path + ".damaged-1") == garbage)
            #expect(try file.read().ledger.devices.count == 1)
        }
    }

    @Test func `a ledger that cannot be written is one notice`() async {
        let session = await begin(ledger: LedgerFile(path: "/proc/peerlist/devices.json"))
        await discoverPeer(in: session)
        _ = await session.handle(.due, at: moment(61))
        for await message in inbox.stream.prefix(1) {
            _ = await session.handle(message, at: moment(62))
        }
        #expect(await session.due == moment(122).instant)
        _ = await session.close(.finished, at: moment(63))
        #expect(
            log.entries == [
                "begin me.local", "update arrived 1", "fill over", "there h1",
                "notice ledger-failed",
                "end finished 1", "close",
            ])
    }

    // MARK: Events and outputs

    @Test func `the end of the initial fill comes before the update after it`() async {
        let session = await begin()
        await discover(.running(host: "me.local"), in: session, at: 1)
        await discoverPeer(in: session, at: 1.5)
        await discoverAddresses(in: session, at: 1.6)
        await discoverPeer("h2.local", in: session, at: 60)
        #expect(
            log.entries == [
                "begin me.local", "update arrived 1", "fill over", "there h1", "update arrived 2",
            ])
    }

    @Test(arguments: [false, true])
    func `what has not settled is said at the end, also to an output that groups the list`(
        isGrouped: Bool
    ) async {
        let session = session(isGrouped: isGrouped)
        await session.begin(at: start)
        await discoverPeer(in: session, at: 1)
        _ = await session.close(.interrupted, at: moment(1.2))
        #expect(log.entries.suffix(3) == ["there h1", "end interrupted 1", "close"])
    }

    @Test func `outputs are updated once for an event that changes the list, and not for others`()
        async
    {
        let session = await begin()
        await discoverPeer(in: session)
        await discover(.settled, in: session)
        await discover(.lost(reason: "gone"), in: session)
        #expect(
            log.entries == [
                "begin me.local", "update arrived 1", "update backend 1", "notice backend-lost",
            ])
    }

    @Test func `outputs get another header when the backend changes, and no update`() async {
        let session = await begin()
        await discoverPeer(in: session)
        await discover(.handedOver(to: .embedded, host: "me.local"), in: session)
        #expect(
            log.entries == ["begin me.local", "update arrived 1", "handed over to embedded"])
    }

    @Test func `an output that is behind gets a tick after a tenth of a second, and again`() async {
        let session = await begin(isBehind: true)
        await discoverPeer(in: session, at: 1)
        #expect(await session.due == moment(1.1).instant)
        _ = await session.handle(.due, at: moment(1.1))
        #expect(await session.due == moment(1.2).instant)
    }

    @Test func `an item that is not listed cannot be verified`() async {
        let (answers, answer) = AsyncStream<Verification>.makeStream()
        _ = await begin().handle(.verify([UUID()]) { answer.yield($0) }, at: start)
        #expect(await answers.first { _ in true } == .unavailable("there is nothing to verify"))
    }

    @Test func `events are handled while a peer is verified`() async {
        let (answers, answer) = AsyncStream<Verification>.makeStream()
        let (held, release) = AsyncStream<Void>.makeStream()
        let service = key("h1.local").id
        let session = session { services in
            for await _ in held {}
            return .answered(Set(services), of: services.count)
        }
        await session.begin(at: start)
        await discoverPeer(in: session)
        let id = Identity.uuid(forName: "h1.local")
        _ = await session.handle(.verify([id]) { answer.yield($0) }, at: start)
        await discover(.lost(reason: "gone"), in: session)
        #expect(log.entries.last == "notice backend-lost")
        release.finish()
        #expect(await answers.first { _ in true } == .answered([service], of: 1))
    }

    @Test func `a failing file is a notice and does not end the session`() async {
        let session = await begin()
        #expect(await session.handle(.file(.failed(.diskFull)), at: start) == nil)
        #expect(await session.handle(.file(.recovered), at: start) == nil)
        #expect(log.entries.dropFirst() == ["notice disk-full", "notice output-back"])
    }

    // MARK: One-shot sessions

    /// Handles the times of a session until it ends; returns the end, and when, in tenths of a second.
    private func end(
        of session: Session<LinkSource>, within tenths: Int = 100
    ) async -> (end: SessionEnd, tenths: Int)? {
        for tenth in 0...tenths {
            if let end = await session.handle(.due, at: moment(Double(tenth) / 10)) {
                return (end, tenth)
            }
        }
        return nil
    }

    @Test func `once ends a second after the latest news`() async throws {
        let session = await begin(OneShot(timeout: .seconds(600)))
        await discoverPeer(in: session)
        await discoverAddresses(in: session, at: 1)
        let (end, tenths) = try #require(await end(of: session))
        #expect(end == .finished && tenths == 20)
        #expect(await session.close(end, at: moment(2)) == .finished)
        #expect(log.entries.suffix(2) == ["end finished 1", "close"])
    }

    @Test func `once does not end while events wait, as those before them have waited`()
        async throws
    {
        let session = await begin(OneShot(timeout: .seconds(600)))
        await discoverPeer(in: session)
        await discoverAddresses(in: session, at: 1)
        #expect(await end(of: session, within: 15) == nil)
        let event = DiscoveryEvent(.settled, at: House.time(1))
        await session.apply(event, at: moment(2).instant, after: .seconds(1))
        #expect(await session.handle(.due, at: moment(2)) == nil)
        #expect(await session.due == moment(3).instant)
        #expect(await session.handle(.due, at: moment(3)) == .finished)
        #expect(!log.entries.contains("notice deadline"))
    }

    @Test func `once that was stopped reads what has come before it ends`() async throws {
        let session = await begin(OneShot(timeout: .seconds(20)))
        await discoverPeer(in: session, at: 0.4)
        await discoverAddresses(in: session, at: 0.5)
        // From 0.6 to 60 s.
        #expect(await session.handle(.due, at: moment(60)) == nil)
        let due = try #require(await session.due)
        #expect(due >= moment(60.5).instant && due <= moment(62).instant)
        await discoverAddresses(in: session, at: 60.2)
        for tenth in 0...30 {
            guard await session.handle(.due, at: moment(60.2 + Double(tenth) / 10)) == nil else {
                #expect(tenth >= 10)
                break
            }
            #expect(tenth < 30)
        }
        #expect(!log.entries.contains("notice deadline"))
    }

    @Test(arguments: [
        DiscoveryEvent.Kind.deviceInfo(host: "h1.local", TXTRecord()),
        .hardware(host: "h1.local", []),
    ])
    func `once does not wait for what is learned of hosts`(
        described: DiscoveryEvent.Kind
    ) async throws {
        let session = await begin(OneShot(timeout: .seconds(600)))
        await discoverPeer(in: session)
        await discoverAddresses(in: session, at: 1)
        #expect(await end(of: session, within: 18) == nil)
        await discover(described, in: session, at: 1.9)
        #expect(await end(of: session)?.tenths == 20)
        #expect(!log.entries.contains("notice deadline"))
    }

    @Test(arguments: [false, true])
    func `a session that reports its list once discovery is quiet goes on`(isLate: Bool) async {
        let lists = Mutex<[(count: Int, isQuiet: Bool)]>([])
        let timeout = Duration.milliseconds(isLate ? 1_500 : 600_000)
        let oneShot = OneShot(timeout: timeout) { list, isQuiet in
            lists.withLock { $0.append((list.flatMap(\.items).count, isQuiet)) }
        }
        let session = await begin(oneShot)
        await discoverPeer(in: session)
        await discoverAddresses(in: session, at: 1)
        #expect(await end(of: session) == nil)
        #expect(lists.withLock { $0.map(\.count) } == [1])
        #expect(lists.withLock { $0.map(\.isQuiet) } == [!isLate])
        await discoverPeer("h2.local", in: session, at: 20)
        #expect(await session.close(.interrupted, at: moment(20)) == .interrupted)
        #expect(log.entries.suffix(2) == ["end interrupted 2", "close"])
    }

    @Test(arguments: [false, true])
    func `a search reports what was found and is waited for, until its end`(isCut: Bool) async {
        let texts = Mutex<[String?]>([])
        var oneShot = OneShot(timeout: .seconds(600))
        oneShot.progress = { text in texts.withLock { $0.append(text) } }
        let session = await begin(oneShot)
        await discoverPeer(in: session)
        await discover(found(key("stale.local")), in: session, at: 0.5)
        let found = texts.withLock { $0 }
        #expect(found.first == "0 devices, waiting for 1 answer", "\(found)")
        #expect(found.last == "1 device, waiting for 2 answers", "\(found)")
        if !isCut { #expect(await end(of: session) != nil) }
        _ = await session.close(isCut ? .interrupted : .finished, at: moment(9))
        #expect(texts.withLock { $0 }.last == .some(nil))
    }

    @Test func `once waits four seconds before the network counts as empty`() async throws {
        let session = await begin(OneShot(timeout: .seconds(600)))
        let (end, tenths) = try #require(await end(of: session))
        #expect(end == .finished && tenths == 40)
        #expect(await session.close(end, at: moment(4)) == .nothingFound)
        #expect(log.entries.suffix(2) == ["end finished 0", "close"])
    }

    @Test func `once waits two seconds for a lookup that is unanswered, and reports it`()
        async throws
    {
        let session = await begin(OneShot(timeout: .seconds(600)))
        await discoverPeer(in: session)
        await discoverAddresses(in: session, at: 1)
        await discover(found(key("stale.local")), in: session, at: 1)
        let (end, tenths) = try #require(await end(of: session))
        #expect(end == .finished && tenths == 30)
        #expect(log.entries.last == "notice deadline")
    }

    @Test func `up to sixteen lookups count as unanswered after a while, and are named`() {
        var source = LinkSource(
            PeerListing(), backend: .daemon, verifier: BatchVerifier { _ in .unanswered })
        let oneShot = OneShot(timeout: .seconds(600))
        func isQuiet(_ silence: Duration) -> Bool {
            source.isQuiet(oneShot, silence: silence, age: .seconds(600))
        }
        for number in 10..<10 + OneShot.unansweredLimit {
            let key = ServiceKey(name: "Web \(number)", type: "_http._tcp", domain: "local")
            _ = source.apply(DiscoveryEvent(found(key), at: House.time(1)))
            #expect(isQuiet(oneShot.unanswered))
            #expect(!isQuiet(oneShot.unanswered - .milliseconds(1)))
        }
        #expect(source.unansweredNames.first == "Web 10._http._tcp.local")
        #expect(
            OneShot.text(isLate: false, waitingFor: ["a", "b", "c", "d"])
                == "no answer for 'a', 'b', 'c' and 1 more")
        // Of more, some may not have been asked yet.
        _ = source.apply(DiscoveryEvent(found(key("h1.local")), at: House.time(1)))
        #expect(!isQuiet(.seconds(100)))
    }

    @Test func `once verifies devices that a cache may have kept, and waits for the result`()
        async throws
    {
        for isAnswered in [true, false] {
            let asked = Mutex<[[UUID]]>([])
            let session = session(OneShot(timeout: .seconds(600), verifies: true)) { ids in
                asked.withLock { $0.append(ids) }
                return .unanswered
            }
            await session.begin(at: start)
            await discoverPeer(in: session)
            await discoverAddresses(in: session, at: 1)
            #expect(await end(of: session, within: 20) == nil)
            if isAnswered {
                for await message in inbox.stream {
                    guard case .verified = message else { continue }
                    #expect(await session.handle(message, at: moment(5)) == nil)
                    break
                }
                #expect(asked.withLock(\.count) == 1)
            }
            // Soon after the result, or after 6 s.
            let end = isAnswered ? 5.1 : 8
            #expect(await session.handle(.due, at: moment(end - 0.05)) == nil)
            #expect(await session.handle(.due, at: moment(end)) == .finished)
        }
    }

    @Test func `once does not verify a list without a daemon, nor this machine`() {
        var source = LinkSource(
            PeerListing(), backend: .embedded, verifier: BatchVerifier { _ in .unanswered })
        let key = ServiceKey(name: "Web", type: "_http._tcp", domain: "local")
        _ = source.apply(DiscoveryEvent(found(key), at: House.time(1)))
        let resolution = Resolution(host: "h1.local", port: 80, txt: TXTRecord(), address: nil)
        _ = source.apply(DiscoveryEvent(.resolved(key, resolution), at: House.time(1)))
        #expect(source.devices.snapshot.numberOfItems == 1 && source.cachedDevices.isEmpty)
        _ = source.apply(
            DiscoveryEvent(.handedOver(to: .daemon, host: "me.local"), at: House.time(2)))
        #expect(source.cachedDevices.count == 1)
        _ = source.apply(DiscoveryEvent(.running(host: "h1.local"), at: House.time(3)))
        #expect(source.cachedDevices.isEmpty)
    }

    @Test func `once ends at its timeout while a lookup is open, with a notice`() async throws {
        let session = await begin(OneShot(timeout: .seconds(2)))
        await discover(found(key("h1.local")), in: session, at: 1)
        let (end, tenths) = try #require(await end(of: session))
        #expect(end == .finished && tenths == 20)
        #expect(log.entries.last == "notice deadline")
    }

    @Test func `a session is due when its list may be quiet, and at its timeout`() async {
        let session = await begin(OneShot(timeout: .milliseconds(1_020)))
        #expect(await session.due == moment(1).instant)
        _ = await session.handle(.due, at: moment(1))
        #expect(await session.due == moment(1.02).instant)
    }

    // MARK: The whole run

    /// The timer of the session itself: a timeout of zero is due at once.
    @Test func `a session wakes by itself when it is due`() async {
        let (events, _) = AsyncStream<DiscoveryEvent>.makeStream()
        #expect(await session(OneShot(timeout: .zero)).run(events) == .nothingFound)
    }

    @Test func `messages are handled while events never stop`() async {
        let event = DiscoveryEvent(.deviceInfo(host: "h1.local", TXTRecord()), at: House.time(1))
        let (asked, ask) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let running = Task { await session().run(EndlessEvents(event: event, first: ask)) }
        for await _ in asked.prefix(1) {}
        inbox.continuation.yield(.ended(.interrupted))
        #expect(await running.value == .interrupted)
    }

    @Test(arguments: [
        (SessionEnd.interrupted, "interrupted"), (SessionEnd(.readerGone), "finished"),
        (SessionEnd(.tooSlow(waiting: 1 << 20)), "failed"),
    ])
    func `the last line has the reason for the end`(end: SessionEnd, reason: String) async {
        let (events, _) = AsyncStream<DiscoveryEvent>.makeStream()
        inbox.continuation.yield(.ended(end))
        #expect(await session().run(events) == end)
        #expect(log.entries.contains("end \(reason) 0"))
    }

    @Test func `a failure of standard output ends the session, unless its reader has gone`() {
        #expect(SessionEnd(.readerGone) == .readerGone)
        guard case .failed(let text) = SessionEnd(.tooSlow(waiting: 1 << 20)) else {
            Issue.record("it is no failure")
            return
        }
        #expect(text.hasPrefix("standard output: "))
    }

    @Test func `a session whose lines were not all written has failed`() async {
        let session = session(failure: .diskFull)
        #expect(await session.close(.finished, at: start) != .finished)
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
        #expect(await sizes.reduce(into: []) { $0.append($1) }.sorted() == [44, 128, 128])
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
private final class OutputLog: Sendable {
    private let texts = Mutex<[String]>([])
    var entries: [String] { texts.withLock(\.self) }
    func add(_ entry: String) { texts.withLock { $0.append(entry) } }
}

/// An output that records its calls.
private final class LoggingOutput: ListOutput {
    private let log: OutputLog
    private let failure: LineFailure?
    let isBehind: Bool
    let isGrouped: Bool

    init(_ log: OutputLog, failure: LineFailure?, isBehind: Bool, isGrouped: Bool) {
        (self.log, self.failure) = (log, failure)
        (self.isBehind, self.isGrouped) = (isBehind, isGrouped)
    }

    func handle(_ event: OutputEvent, at time: Timestamp, list: () -> [ListSection]) {
        let count = list().flatMap(\.items).count
        switch event {
        case .began(let header): log.add("begin \(header.observerHost)")
        case .handedOver(let header): log.add("handed over to \(header.backend)")
        case .updated(_, .event(let update)):
            log.add("update \(update.cause.rawValue) \(count)")
        case .updated(_, let step): log.add("\(step) \(count)")
        case .noticed(let notice): log.add("notice \(notice.code.rawValue)")
        case .ended(let reason): log.add("end \(reason.rawValue) \(count)")
        case .fill(.over): log.add("fill over")
        case .happened(let events):
            for case .item(let event) in events {
                log.add("\(event.event.rawValue) \(event.item.name)")
            }
        case .lost: log.add("lost")
        case .answered(_, let answers): log.add("answered \(answers.count)")
        case .fill, .sighted, .sources, .tick, .reopened: break
        }
    }

    func close(within limit: Duration) async -> LineFailure? {
        log.add("close")
        return failure
    }
}

/// An event that is repeated without end.
private struct EndlessEvents: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let event: DiscoveryEvent
    /// Yields when an event is asked for.
    let first: AsyncStream<Void>.Continuation

    func makeAsyncIterator() -> Self { self }

    mutating func next(
        isolation actor: isolated (any Actor)?
    ) async throws(Never) -> DiscoveryEvent? {
        first.yield()
        return event
    }
}
