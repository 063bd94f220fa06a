// Tests the driver of the engine: events reach a slow reader in order, and waiting calls end with it.
import FoundationEssentials
import Glibc
import PeerListTestSupport
import StackProtocol
import Synchronization
import Testing

@testable import PeerList

@Suite(.timeLimit(.minutes(5))) struct LinkBrowserTests {
    /// A stack whose browses each report a number of settled events at once.
    private final class FloodingStack: LookupStack, @unchecked Sendable {
        // @unchecked: used on the browser's loop only.
        let count: Int
        let loop: EventLoop
        let onDelivery: @Sendable () -> Void

        init(_ count: Int, on loop: EventLoop, onDelivery: @escaping @Sendable () -> Void) {
            (self.count, self.loop, self.onDelivery) = (count, loop, onDelivery)
        }

        var status: StackStatus { StackStatus(state: .running, hostName: "me.local") }

        func open(
            _ request: LookupRequest, receive: @escaping @Sendable (LookupEvent) -> Void
        ) throws(StackError) -> any Lookup {
            if case .types = request {
                for _ in 0..<count {
                    loop.post { [onDelivery] in
                        onDelivery()
                        receive(.settled)
                    }
                }
            }
            return NoLookup()
        }

        func close() {}
        func abandon() {}
    }

    /// A stack with one service, which goes at once, after a closure was called.
    private final class PassingStack: LookupStack, @unchecked Sendable {
        // @unchecked: used on the browser's loop only.
        let loop: EventLoop
        let onBrowse, beforeRemoval: @Sendable () -> Void

        init(
            on loop: EventLoop, onBrowse: @escaping @Sendable () -> Void,
            beforeRemoval: @escaping @Sendable () -> Void
        ) {
            (self.loop, self.onBrowse, self.beforeRemoval) = (loop, onBrowse, beforeRemoval)
        }

        var status: StackStatus { StackStatus(state: .running, hostName: "me.local") }

        func open(
            _ request: LookupRequest, receive: @escaping @Sendable (LookupEvent) -> Void
        ) throws(StackError) -> any Lookup {
            switch request {
            case .types:
                onBrowse()
                loop.post { receive(.typeAppeared("_http._tcp", domain: "local")) }
            case .services("_http._tcp", _, let path) where path.family != .ipv6:
                let instance = ServiceInstance(name: "Web", type: "_http._tcp", domain: "local")
                let path = NetworkPath(interface: 2, family: .ipv4)
                loop.post { [beforeRemoval] in
                    receive(.serviceAppeared(instance, path))
                    beforeRemoval()
                    receive(.serviceDisappeared(instance, path))
                    receive(.settled)
                }
            default: break
            }
            return NoLookup()
        }

        func close() {}
        func abandon() {}
    }

    /// A stack without services, which fails when it is told to.
    private final class FailingStack: LookupStack, Sendable {
        let hasFailed = Mutex(false)

        var status: StackStatus {
            StackStatus(
                state: hasFailed.withLock(\.self) ? .failed : .running, hostName: "me.local")
        }

        func open(
            _ request: LookupRequest, receive: @escaping @Sendable (LookupEvent) -> Void
        ) throws(StackError) -> any Lookup { NoLookup() }

        func close() {}
        func abandon() {}
    }

    private final class NoLookup: Lookup {
        func close() {}
    }

    private func browser(
        _ count: Int, onDelivery: @escaping @Sendable () -> Void = {}
    ) -> LinkBrowser {
        LinkBrowser(
            BrowseOptions(), asking: .daemon, on: EventLoop(),
            Self.system { loop, _, _ throws(StackError) in
                FloodingStack(count, on: loop, onDelivery: onDelivery)
            })
    }

    /// A system without a network, which connects to this daemon.
    private static func system(
        _ connectDaemon:
            @escaping @Sendable (EventLoop, Bool, @escaping @Sendable () -> Void)
            throws(StackError) -> any LookupStack
    ) -> DiscoverySystem {
        var system = DiscoverySystem.live()
        system.connectDaemon = connectDaemon
        system.watchInterfaces = { nil }
        system.askForTypes = { _, _ in AsyncStream { $0.finish() } }
        system.interfaces = { [] }
        return system
    }

    @Test func `the stack waits for a slow reader, who loses no event`() async throws {
        let count = LinkBrowser.eventLimit + 2_000
        let delivered = Mutex(0)
        let browser = browser(count) { delivered.withLock { $0 += 1 } }
        _ = try await browser.start()
        while delivered.withLock(\.self) < LinkBrowser.eventLimit - 2 { await Task.yield() }
        // The jobs of the browser run while its loop is paused.
        for _ in 0..<100 { _ = await browser.backend }
        #expect(delivered.withLock(\.self) <= LinkBrowser.eventLimit)
        var settled = 0
        for await event in browser.events {
            if event.kind == .settled { settled += 1 }
            if settled == count { break }
        }
        #expect(settled == count)
        await browser.stop()
    }

    @Test func `a program that was stopped reads what has come before devices are gone`()
        async throws
    {
        let failing = FailingStack()
        let start = ContinuousClock.now
        let stop = Mutex(Duration.zero)
        let report = Mutex<(@Sendable () -> Void)?>(nil)
        var system = Self.system { loop, _, changed throws(StackError) in
            guard failing.hasFailed.withLock(\.self) else {
                report.withLock { $0 = changed }
                return failing
            }
            return PassingStack(on: loop) {
                stop.withLock { $0 = .seconds(20) }
            } beforeRemoval: {
            }
        }
        system.readClocks = {
            ClockReading(now: ContinuousClock.now - start + stop.withLock(\.self))
        }
        let browser = LinkBrowser(BrowseOptions(), asking: .daemon, on: EventLoop(), system)
        _ = try await browser.start()
        failing.hasFailed.withLock { $0 = true }
        report.withLock(\.self)?()
        var kinds: [String] = []
        for await event in browser.events {
            switch event.kind {
            case .lost: kinds.append("lost")
            case .backendChanged: kinds.append("back")
            case .found: kinds.append("found")
            case .caughtUp: kinds.append("caught up")
            default: continue
            }
            if ["found", "caught up"].contains(kinds.last) { break }
        }
        #expect(kinds == ["lost", "back", "found"])
        await browser.stop()
    }

    @Test func `the loss of an interface is known before the removals that follow from it`()
        async throws
    {
        var ends: [Int32] = [0, 0]
        let type = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        try #require(unsafe socketpair(AF_UNIX, type, 0, &ends) == 0)
        let (notified, kernel) = (ends[0], ends[1])
        defer { close(kernel) }
        let address = LocalInterface.Address(
            HostAddress(bytes: [10, 0, 0, 1], interface: "eth0"), prefixLength: 24)
        let up = LocalInterface(NetworkInterface(index: 2, name: "eth0"), addresses: [address])
        let interface = Mutex(up)
        var system = Self.system { loop, _, _ throws(StackError) in
            PassingStack(on: loop) {
            } beforeRemoval: {
                interface.withLock { $0.isUp = false }
                // One byte is a notification.
                unsafe _ = write(kernel, [1], 1)
            }
        }
        system.interfaces = { [interface.withLock(\.self)] }
        system.watchInterfaces = { InterfaceNotifications(descriptor: notified) }
        let browser = LinkBrowser(BrowseOptions(), asking: .daemon, on: EventLoop(), system)
        _ = try await browser.start()
        var kinds: [DiscoveryEvent.Kind] = []
        for await event in browser.events {
            if [.found(sighting("Web")), .removed(sighting("Web"))].contains(event.kind) {
                kinds.append(event.kind)
            }
            guard case .linkLost = event.kind else { continue }
            kinds.append(event.kind)
            break
        }
        let lost = NetworkInterface(index: 2, name: "eth0")
        #expect(
            kinds == [
                .found(sighting("Web")), .linkLost(lost, [.ipv4], reason: "eth0 is down"),
            ])
        await browser.stop()
    }

    @Test func `a browser whose reader has stopped reading can be stopped`() async throws {
        let browser = browser(LinkBrowser.eventLimit + 2_000)
        _ = try await browser.start()
        var events = browser.events.makeAsyncIterator()
        #expect(await events.next(isolation: nil) != nil)
        await browser.stop()
        #expect(await browser.verify([]) == .unavailable("discovery was stopped"))
    }

    @Test func `calls that wait end when the browser is stopped`() async throws {
        var system = DiscoverySystem.live()
        let (asked, entry) = AsyncStream<Void>.makeStream()
        let silence = AsyncStream<Void>.makeStream()
        system.isDaemonSilent = {
            entry.yield()
            for await _ in silence.stream {}
            return true
        }
        let browser = LinkBrowser(BrowseOptions(), asking: .auto, on: EventLoop(), system)
        let starting = Task { try await browser.start() }
        for await _ in asked { break }
        await browser.stop()
        await #expect(throws: BackendError("discovery was stopped")) { try await starting.value }
        #expect(await browser.verify([]) == .unavailable("discovery was stopped"))
        silence.continuation.finish()
    }

    @Test func `the neighbour table is read when the engine asks for it`() async throws {
        var system = DiscoverySystem.live()
        let (read, entry) = AsyncStream<Void>.makeStream()
        system.neighbours = {
            entry.yield()
            return NeighbourTable()
        }
        system.connectDaemon = { loop, _, _ throws(StackError) in
            FloodingStack(0, on: loop, onDelivery: {})
        }
        system.askForTypes = { _, _ in AsyncStream { $0.finish() } }
        system.interfaces = { [] }
        let browser = LinkBrowser(BrowseOptions(), asking: .daemon, on: EventLoop(), system)
        _ = try await browser.start()
        _ = await browser.verify([])
        for await _ in read { break }
        await browser.stop()
    }

    @Test func `a stream of peers that finds no backend says so once, and goes on trying`()
        async throws
    {
        let attempts = Mutex(0)
        let (connections, connected) = AsyncStream<Void>.makeStream()
        let (errors, failed) = AsyncStream<BackendError>.makeStream()
        var browser = PeerBrowser()
        browser.backend = .daemon
        browser.retryInterval = .zero
        browser.onUnavailable = { failed.yield($0) }
        browser.system = { _ in
            Self.system { loop, _, _ throws(StackError) in
                let attempt = attempts.withLock { count in
                    count += 1
                    return count
                }
                guard attempt > 3 else { throw .disconnected }
                connected.yield()
                return FloodingStack(0, on: loop, onDelivery: {})
            }
        }
        let reading = Task { [browser] in for await _ in browser.peers {} }
        for await _ in connections { break }
        reading.cancel()
        failed.finish()
        var messages: [String] = []
        for await error in errors { messages.append(error.description) }
        #expect(messages.count == 1)
        #expect(messages.first?.hasPrefix("avahi-daemon cannot be asked") == true)
    }

    @Test func `a stream of peers starts the helper at the path that is named`() async throws {
        let (errors, failed) = AsyncStream<BackendError>.makeStream()
        var browser = PeerBrowser()
        browser.backend = .embedded
        browser.helper = "/nowhere/peerlist-mdns"
        browser.onUnavailable = { failed.yield($0) }
        let reading = Task { [browser] in for await _ in browser.peers {} }
        for await error in errors {
            #expect(error.description.hasSuffix(": there is no /nowhere/peerlist-mdns"))
            break
        }
        reading.cancel()
    }

    @Test func `a full queue has room again when half of it was read`() async {
        let (rooms, entry) = AsyncStream<Void>.makeStream()
        let queue = EventQueue(limit: 4, onFull: {}, onRoom: { entry.yield() })
        let event = DiscoveryEvent(.settled, at: Timestamp(microseconds: 1))
        for _ in 1...3 { queue.append(event) }
        #expect(!queue.isFull)
        queue.append(event)
        #expect(queue.isFull)
        var events = queue.events.makeAsyncIterator()
        _ = await events.next(isolation: nil)
        #expect(queue.isFull)
        _ = await events.next(isolation: nil)
        #expect(!queue.isFull)
        entry.finish()
        #expect(await rooms.reduce(0) { count, _ in count + 1 } == 1)
        queue.finish()
        _ = await (events.next(isolation: nil), events.next(isolation: nil))
        #expect(await events.next(isolation: nil) == nil)
    }
}
