// A session applies events, updates its outputs, and ends.
import FoundationEssentials
import PeerList
import PeerRecording
import Testing

@testable import PeerListCommand

@Suite(.timeLimit(.minutes(10))) struct SessionTests {
    private let inbox = AsyncStream<SessionMessage>.makeStream()
    private let events = AsyncStream<DiscoveryEvent>.makeStream()

    private func session(
        once: Session.Once? = nil, _ log: OutputLog, failure: LineFailure? = nil,
        verify: @escaping @Sendable ([UUID]) async -> Verification = { _ in .unanswered }
    ) -> Session {
        Session(
            listing: PeerListing(),
            header: LineHeader(
                run: UUID(), observerHost: "me.local", observerID: UUID(), backend: "daemon",
                grouping: .device),
            once: once, inbox: (inbox.stream, inbox.continuation),
            outputs: [LoggingOutput(log, failure: failure)],
            verifier: BatchVerifier(verify: verify))
    }

    private func discover(_ kind: DiscoveryEvent.Kind) {
        events.continuation.yield(DiscoveryEvent(kind, at: Timestamp(microseconds: 1)))
    }

    private func discoverPeer(_ host: String = "h1.local") {
        let name = host == "h1.local" ? "Web" : "Web on \(host)"
        let key = ServiceKey(name: name, type: "_http._tcp", domain: "local")
        discover(
            .found(
                Sighting(
                    service: key, interface: NetworkInterface(index: 2, name: "eth0"),
                    family: .ipv4)))
        discover(
            .resolved(
                key, Resolution(host: host, port: 80, txt: TXTRecord(), address: nil)))
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
        inbox.continuation.yield(.quit)
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
        inbox.continuation.yield(.quit)
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
        let once = Session.Once(
            timeout: .seconds(600), quiet: .milliseconds(1), patience: .seconds(600))
        let end = await session(once: once, log).run(events.stream)
        #expect(end == .finished)
        #expect(await log.entries.suffix(2) == ["end finished 1", "close"])
    }

    @Test func `once waits longer before the network counts as empty`() async {
        let log = OutputLog()
        let once = Session.Once(timeout: .seconds(600), quiet: .zero, patience: .milliseconds(60))
        let end = await session(once: once, log).run(events.stream)
        #expect(end == .nothingFound)
        #expect(await log.entries.suffix(2) == ["end finished 0", "close"])
    }

    @Test func `once ends at its timeout while a lookup is open, with a notice`() async {
        let log = OutputLog()
        let key = ServiceKey(name: "Web", type: "_http._tcp", domain: "local")
        discover(
            .found(
                Sighting(
                    service: key, interface: NetworkInterface(index: 2, name: "eth0"),
                    family: .ipv4)))
        let once = Session.Once(timeout: .milliseconds(200), quiet: .zero, patience: .zero)
        let end = await session(once: once, log).run(events.stream)
        #expect(end == .nothingFound)
        #expect(await log.entries.contains("notice deadline"))
    }

    @Test(arguments: [
        (SessionMessage.signalled, SessionEnd.interrupted, "interrupted"),
        (.outputFailed(.readerGone), .readerGone, "finished"),
        (.outputFailed(.tooSlow(waiting: 1 << 20)), .failed(""), "failed"),
    ])
    func `the last line has the reason for the end`(
        message: SessionMessage, end: SessionEnd, reason: String
    ) async {
        let log = OutputLog()
        inbox.continuation.yield(message)
        let ended = await session(log).run(events.stream)
        if case .failed(let text) = ended {
            #expect(end == .failed("") && text.contains("standard output"))
        } else {
            #expect(ended == end)
        }
        #expect(await log.entries.contains("end \(reason) 0"))
    }

    @Test func `events are handled while a peer is verified`() async {
        let log = OutputLog()
        let service = ServiceKey(name: "Web", type: "_http._tcp", domain: "local").id
        let (answers, answer) = AsyncStream<Verification>.makeStream()
        let (held, release) = AsyncStream<Void>.makeStream()
        discoverPeer()
        let session = session(log) { services in
            for await _ in held {}
            return .answered(services: services == [service] ? 1 : 0, of: services.count)
        }
        let running = Task { await session.run(events.stream) }
        await log.wait(for: "update arrived 1")
        inbox.continuation.yield(.verify([Identity.uuid(forName: "h1.local")]) { answer.yield($0) })
        discover(.lost(reason: "gone"))
        await log.wait(for: "notice backend-lost")
        release.finish()
        #expect(await answers.first { _ in true } == .answered(services: 1, of: 1))
        inbox.continuation.yield(.quit)
        #expect(await running.value == .finished)
    }

    @Test func `an item that is not listed cannot be verified`() async {
        let (answers, answer) = AsyncStream<Verification>.makeStream()
        inbox.continuation.yield(.verify([UUID()]) { answer.yield($0) })
        inbox.continuation.yield(.quit)
        _ = await session(OutputLog()).run(events.stream)
        #expect(await answers.first { _ in true } == .unavailable("there is nothing to verify"))
    }

    @Test func `a failing file is a notice and does not end the session`() async {
        let log = OutputLog()
        inbox.continuation.yield(.file(.failed(.diskFull)))
        inbox.continuation.yield(.file(.recovered))
        inbox.continuation.yield(.quit)
        #expect(await session(log).run(events.stream) == .finished)
        #expect(
            await log.entries.dropFirst().prefix(2) == ["notice disk-full", "notice output-back"])
    }

    @Test func `a session whose lines were not all written has failed`() async {
        inbox.continuation.yield(.quit)
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
                ? .unanswered : .answered(services: services.count - 1, of: services.count)
        }
        let sum = await verifier.verify(Self.items, backend: "avahi-daemon")
        #expect(sum == .answered(services: 254, of: 300))
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

    func begin(_ header: LineHeader, at time: Timestamp) {
        entries.yield("begin \(header.observerHost)")
    }

    func handedOver(_ header: LineHeader) {
        entries.yield("handed over to \(header.backend)")
    }

    func update(_ update: PeerListUpdate, list: @autoclosure () -> [ListSection]) {
        entries.yield("update \(update.cause.rawValue) \(list().flatMap(\.items).count)")
    }

    func notice(_ notice: Notice, list: @autoclosure () -> [ListSection]) {
        entries.yield("notice \(notice.code.rawValue)")
    }

    func end(
        _ reason: LineEncoder.EndReason, at time: Timestamp, list: @autoclosure () -> [ListSection]
    ) {
        entries.yield("end \(reason.rawValue) \(list().flatMap(\.items).count)")
    }

    func close(within limit: Duration) async -> LineFailure? {
        entries.yield("close")
        entries.finish()
        await written.value
        return failure
    }
}
