// Tests a fleet that reads a broker to which another one is bridged, while the bridge is cut.
import FoundationEssentials
import Glibc
import LabSupport
import PeerFleet
import PeerModel
import PeerListTestSupport
import PeerRecording
import PeerSystem
import Testing

@Suite struct BridgeTests {
    private static let (tv, phone) = (Peer.host("tv"), Peer.host("phone"))

    @Test func `a departure while a bridge is cut is known at the other broker when it is back`()
        async throws
    {
        let ports = try await freePorts(2)
        let near = try await TestBroker("allow_anonymous true\nlistener \(ports[0]) 127.0.0.1")
        let far = try await TestBroker(
            """
            allow_anonymous true
            connection near
            address 127.0.0.1:\(ports[1])
            topic # in 1
            cleansession true
            restart_timeout 1
            """)
        var link = try await relay(from: ports[1], to: ports[0])
        let publisher = PeerPublisher(
            .attic, topics: topics, status: ObserverStatus(.syncing),
            trackers: HomeTrackers(
                HomeAssistant(of: .attic, topics: topics, version: "1"), after: nil)
        ) { Issue.record("\($0)") }
        var script = ListScript()
        func show(_ peers: [Peer]) {
            let update = script.change(.changed, at: House.time(0), to: peers.sections(.device))
            publisher.updated(update.items)
        }
        publisher.start(House.header(.device), near.access())
        show([Self.tv, Self.phone])
        var fleet = FarFleet(far)
        try await fleet.list("phone", "tv")

        await link.send(SIGKILL)
        _ = try await link.end(within: .seconds(60))
        show([Self.phone])
        try await kept(at: near) { $0 == [topics.peer(Self.phone.id, of: .attic)] }
        link = try await relay(from: ports[1], to: ports[0])
        try await fleet.list("phone")
        // The other broker keeps the peer; who reads it then does not list it either.
        try await kept(at: far) { $0.count == 2 }
        var fresh = FarFleet(far)
        try await fresh.list("phone")
        #expect(fresh.isSettled)

        // It returns, and passes the bridge as any other.
        show([Self.tv, Self.phone])
        try await fleet.list("phone", "tv")
        #expect(await publisher.stop(within: .seconds(60)))
        await link.send(SIGKILL)
        for broker in [near, far] { try await broker.remove() }
    }

    /// Waits until the topics of peers that a broker keeps meet a condition.
    private func kept(
        at broker: TestBroker, where matches: ([String]) -> Bool
    ) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while true {
            let read = try await FinishedProcess(
                [
                    "mosquitto_sub", "--unix", broker.socket, "-t", topics.peers(of: .attic),
                    "--retained-only", "-W", "1", "-F", "%t",
                ], within: .seconds(60))
            let found = read.output.split(separator: "\n").map(String.init)
            if matches(found) { return }
            try #require(ContinuousClock.now < end, "\(found)")
        }
    }

    private func freePorts(_ count: Int) async throws -> [Int] {
        let script = """
            import socket
            sockets = [socket.socket() for _ in range(\(count))]
            for one in sockets:
                one.bind(("127.0.0.1", 0))
                print(one.getsockname()[1])
            """
        return try await FinishedProcess(["python3", "-c", script], within: .seconds(60)).output
            .split(separator: "\n").compactMap { Int($0) }
    }

    /// Starts a program that passes connections of a port on to another one.
    private func relay(from port: Int, to other: Int) async throws -> RunningProcess {
        let script = """
            import asyncio
            async def copy(source, sink):
                while data := await source.read(65536):
                    sink.write(data)
                    await sink.drain()
                sink.close()
            async def serve(reader, writer):
                far_reader, far_writer = await asyncio.open_connection("127.0.0.1", \(other))
                await asyncio.gather(copy(reader, far_writer), copy(far_reader, writer))
            async def main():
                server = await asyncio.start_server(serve, "127.0.0.1", \(port))
                print("ready", flush=True)
                await server.serve_forever()
            asyncio.run(main())
            """
        let process = try RunningProcess(["python3", "-c", script])
        try await process.line(within: .seconds(60)) { $0 == "ready" }
        return process
    }
}

/// The list of a fleet that reads a broker.
private struct FarFleet {
    private let feeds: [FleetFeed]
    private var listing = FleetListing()

    init(_ broker: TestBroker) {
        let access = broker.access()
        feeds = FleetFeed.feeds(of: [access.url], FleetSelection())
        for feed in feeds { feed.start(access) }
    }

    var isSettled: Bool { listing.isSettled }

    /// Waits until the list is settled and has these devices.
    mutating func list(_ names: String...) async throws {
        let end = ContinuousClock.now + .seconds(120)
        while !listing.isSettled || listing.sections.peers.map(\.name) != names {
            let shown = listing.sections.peers.map(\.name)
            let event = await withTimeout(end - .now) { [events = FleetFeed.events(of: feeds)] in
                await events.first { _ in true }
            }
            _ = listing.apply(try #require(event ?? nil, "the list is \(shown)"))
        }
    }
}
