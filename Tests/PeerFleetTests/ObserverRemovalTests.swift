// Tests what is removed of an observer at a real broker, and what Home Assistant is told of a fleet there.
import FoundationEssentials
import LabSupport
import PeerModel
import PeerListTestSupport
import PeerRecording
import Testing

@testable import PeerFleet

@Suite struct ObserverRemovalTests {
    private static let peer = Peer.host("tv").announcing(.announced(1))

    /// Returns the messages that an observer leaves, by the topic.
    private static func messages(
        of name: ObserverName, _ state: ObserverStatus.State?, interval: Int? = nil
    ) -> [String: [UInt8]] {
        let home = HomeAssistant(of: name, topics: topics, version: "1")
        var messages = [
            topics.peer(peer.id, of: name): peer.message(1),
            home.stateTopic(peer.id): Array("home".utf8),
            home.configTopic(peer.id): home.config(of: peer),
        ]
        var status = state.map { ObserverStatus($0) }
        status?.interval = interval
        messages[topics.status(of: name)] = status?.payload
        return messages
    }

    private func remove(_ word: String, _ broker: TestBroker) async -> ObserverRemoval.Outcome {
        await ObserverRemoval.remove(
            word, broker.access(), homeAssistant: HomeAssistant.standardPrefix, within: .seconds(60)
        ) { _, _ in }
    }

    private func publish(_ messages: [String: [UInt8]], to broker: TestBroker) async throws {
        let client = BrokerClient(broker.access(), id: "observer")
        try await client.expect(.connected)
        for (topic, payload) in messages {
            try await client.publish(
                String(decoding: payload, as: UTF8.self), to: topic, retained: true)
        }
        await client.stop()
    }

    /// The topics of the messages that a broker keeps.
    private func keptTopics(of broker: TestBroker) async throws -> Set<String> {
        let read = try await FinishedProcess(
            [
                "mosquitto_sub", "--unix", broker.socket, "-t", "#", "--retained-only", "-W", "1",
                "-F", "%t",
            ], within: .seconds(60))
        return Set(read.output.split(separator: "\n").map(String.init))
    }

    @Test(arguments: ["cellar", "home/cellar"])
    func `all that an observer has left is removed, and nothing of others`(word: String)
        async throws
    {
        let broker = try await TestBroker()
        let other = Self.messages(of: .attic, .online).merging(
            Self.messages(of: ObserverName(site: "home", observer: "cellar2"), .offline)
        ) { $1 }
        try await publish(other, to: broker)
        try await publish(Self.messages(of: .cellar, .offline), to: broker)
        #expect(await remove(word, broker) == .removed(.cellar, count: 4))
        #expect(try await keptTopics(of: broker) == Set(other.keys))
        #expect(await remove("cellar", broker) == .unknown)
        #expect(await remove("home/cellar", broker) == .unknown)
        try await broker.remove()
    }

    @Test func `what has lost its status is removed by its full name`() async throws {
        let broker = try await TestBroker()
        try await publish(Self.messages(of: .cellar, nil), to: broker)
        #expect(await remove("cellar", broker) == .unknown)
        #expect(await remove("home/cellar", broker) == .removed(.cellar, count: 3))
        #expect(try await keptTopics(of: broker).isEmpty)
        try await broker.remove()
    }

    @Test func `an observer that is online is not removed, and neither is one of several`()
        async throws
    {
        let broker = try await TestBroker()
        let name = ObserverName(site: "office", observer: "cellar")
        let messages = Self.messages(of: .cellar, .online)
            .merging(Self.messages(of: name, .offline)) { $1 }
        try await publish(messages, to: broker)
        #expect(await remove("cellar", broker) == .several([.cellar, name]))
        #expect(await remove("home/cellar", broker) == .online(.cellar, host: ""))
        #expect(try await keptTopics(of: broker) == Set(messages.keys))
        try await broker.remove()
    }

    @Test func `an observer that only the broker takes for online is removed after a while`()
        async throws
    {
        let broker = try await TestBroker()
        try await publish(Self.messages(of: .cellar, .online, interval: 10), to: broker)
        #expect(await remove("cellar", broker) == .removed(.cellar, count: 4))
        try await broker.remove()
    }

    @Test func `a list of a fleet tells Home Assistant of its devices`() async throws {
        let broker = try await TestBroker()
        let home = HomeAssistant(of: nil, topics: topics, version: "1")
        let reader = BrokerClient(broker.access(), id: "reader")
        try await reader.subscribe("homeassistant/#")
        reader.connection.subscribe("peerlist/v1/trackers/+")
        try await reader.expect(.subscribed(filter: "peerlist/v1/trackers/+", failure: nil))
        let publisher = HomePublisher(
            HomeTrackers(home, after: HomeTrackers.standardTime, isOfKinds: true), topics
        ) { Issue.record("\($0) \($1)") }
        publisher.start(broker.access())
        publisher.updated(
            ItemChanges(at: House.time(0), arrivals: [Self.peer.id: .peer(Self.peer)]))
        let messages = [
            try await reader.message(), try await reader.message(), try await reader.message(),
        ]
        #expect(
            messages.map(\.topic) == [
                "peerlist/v1/trackers/status", home.stateTopic(Self.peer.id),
                home.configTopic(Self.peer.id),
            ])
        #expect(messages[1].text == "home")
        #expect(messages[2].payload == home.config(of: Self.peer))
        await publisher.stop(within: .seconds(60))
        #expect(try await reader.message().text.contains("offline"))
        await reader.stop()
        try await broker.remove()
    }
}
