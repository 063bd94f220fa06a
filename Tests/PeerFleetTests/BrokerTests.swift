// Tests connections to a real broker.
import Glibc
import LabSupport
import PeerFleet
import Testing

@Suite struct BrokerTests {
    @Test(arguments: [0, 1])
    func `a published message reaches a subscriber and is reported`(quality: Int) async throws {
        let broker = try await TestBroker()
        let subscriber = BrokerClient(broker.access(), id: "subscriber")
        let publisher = BrokerClient(broker.access(), id: "publisher")
        try await subscriber.subscribe("a/+")
        try await publisher.expect(.connected)

        let token = publisher.connection.publish(
            [1, 0, 255], to: "a/b", retained: false, quality: quality)

        try await publisher.expect(.published(token, failure: nil))
        let message = BrokerMessage(topic: "a/b", payload: [1, 0, 255], isRetained: false)
        #expect(try await subscriber.message() == message)
        #expect(await subscriber.stop())
        #expect(await publisher.stop())
        try await broker.remove()
    }

    @Test func `stored messages are delivered to a subscription that asks for them`() async throws {
        let broker = try await TestBroker()
        let publisher = BrokerClient(broker.access(), id: "publisher")
        try await publisher.expect(.connected)
        try await publisher.publish("stored", to: "a", retained: true)

        let reader = BrokerClient(broker.access(), id: "reader")
        try await reader.subscribe("a")
        #expect(try await reader.message().isRetained)
        let listener = BrokerClient(broker.access(), id: "listener")
        try await listener.subscribe("a", sendsRetained: false)
        try await publisher.publish("new", to: "a", retained: true)

        let message = try await listener.message()
        #expect(message.text == "new")
        #expect(!message.isRetained)
        for client in [publisher, reader, listener] { #expect(await client.stop()) }
        try await broker.remove()
    }

    @Test func `an ended subscription delivers nothing more`() async throws {
        let broker = try await TestBroker()
        let client = BrokerClient(broker.access(), id: "client")
        try await client.subscribe("a")
        client.connection.subscribe("b")
        client.connection.unsubscribe("a")
        try await client.expect(.unsubscribed(filter: "a"))

        try await client.publish("unread", to: "a")
        client.connection.publish([], to: "b", retained: false)

        #expect(try await client.message().topic == "b")
        #expect(await client.stop())
        try await broker.remove()
    }

    @Test func `invalid topics and filters are reported and do not end the connection`()
        async throws
    {
        let broker = try await TestBroker()
        let client = BrokerClient(broker.access(), id: "client")
        try await client.expect(.connected)

        let token = client.connection.publish([], to: "a/#", retained: false)
        client.connection.subscribe("a/#/b")

        let failure = try await client.next { event -> String?? in
            if case .published(token, let failure) = event { failure } else { nil }
        }
        #expect(failure != nil)
        let refusal = try await client.next { event -> String?? in
            if case .subscribed("a/#/b", let failure) = event { failure } else { nil }
        }
        #expect(refusal != nil)
        try await client.publish("valid", to: "a")
        #expect(await client.stop())
        try await broker.remove()
    }

    @Test func `more messages than can be unacknowledged are all acknowledged, in order`()
        async throws
    {
        let broker = try await TestBroker("allow_anonymous true\nmax_queued_messages 0")
        let client = BrokerClient(broker.access(), id: "client")
        try await client.subscribe("a")

        let count = 5_000
        let tokens = (0..<count).map {
            client.connection.publish(Array("\($0)".utf8), to: "a", retained: false)
        }

        var (texts, acknowledged): ([String], [Int]) = ([], [])
        while texts.count < count || acknowledged.count < count {
            switch try await client.nextEvent() {
            case .message(let message): texts.append(message.text)
            case .published(let token, let failure):
                acknowledged.append(token)
                #expect(failure == nil)
            case let other: Issue.record("\(other)")
            }
        }
        #expect(texts == (0..<count).map(String.init))
        #expect(acknowledged == tokens)
        #expect(await client.stop())
        try await broker.remove()
    }

    @Test func `a payload above the limit is dropped and reported`() async throws {
        let broker = try await TestBroker()
        let client = BrokerClient(broker.access(), id: "client") { $0.greatestPayload = 1_000 }
        try await client.subscribe("a")

        client.connection.publish(.init(repeating: 1, count: 1_001), to: "a", retained: false)
        client.connection.publish(.init(repeating: 2, count: 1_000), to: "a", retained: false)

        try await client.expect(.oversized(topic: "a", count: 1_001))
        #expect(try await client.message().payload.first == 2)
        // The broker does not deliver packets of 16 times the size.
        client.connection.publish(.init(repeating: 3, count: 20_000), to: "a", retained: false)
        client.connection.publish(.init(repeating: 4, count: 1), to: "a", retained: false)
        let event = try await client.next { event -> BrokerEvent? in
            if case .published = event { nil } else { event }
        }
        #expect(event == .message(BrokerMessage(topic: "a", payload: [4], isRetained: false)))
        #expect(await client.stop())
        try await broker.remove()
    }

    @Test func `the will is published when another client connects with the same identifier`()
        async throws
    {
        let broker = try await TestBroker()
        let watcher = BrokerClient(broker.access(), id: "watcher")
        try await watcher.subscribe("status")
        let will = RetainedMessage(topic: "status", payload: Array("offline".utf8))
        let first = BrokerClient(broker.access(), id: "same") {
            $0.will = will
            $0.firstRetry = .seconds(3_600)
            $0.greatestRetry = .seconds(3_600)
        }
        try await first.expect(.connected)

        let second = BrokerClient(broker.access(), id: "same")
        try await second.expect(.connected)

        // mosquitto before 2.0.15 does not give the reason.
        try await first.next { event -> Void? in if case .lost = event { () } else { nil } }
        #expect(try await watcher.message().text == "offline")
        for client in [first, second, watcher] { #expect(await client.stop()) }
        try await broker.remove()
    }

    @Test(
        arguments: [
            ("20 03 00 00 00 e0 02 8e 00", "lost: session taken over"),
            ("20 03 00 8a 00", "refused: banned"),
            ("20 02 00 01", "refused: the broker does not support MQTT 5"),  // of MQTT 3.1.1
        ])
    func `the reason of a broker that closes the connection is reported`(
        packets: String, reason: String
    ) async throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/socket"
        let script = """
            import socket, sys
            server = socket.socket(socket.AF_UNIX)
            server.bind(sys.argv[1])
            server.listen()
            print("ready", flush=True)
            client, _ = server.accept()
            client.recv(1000)
            client.sendall(bytes.fromhex(sys.argv[2]))
            client.recv(1000)
            """
        let broker = try RunningProcess(["python3", "-c", script, path, packets])
        try await broker.line(within: .seconds(60))
        let client = BrokerClient(BrokerAccess(BrokerURL(socket: path)), id: "client")

        let reported = try await client.next { event -> String? in
            switch event {
            case .lost(let reason, _): "lost: \(reason)"
            case .refused(let reason): "refused: \(reason)"
            default: nil
            }
        }
        #expect(reported == reason)

        #expect(await client.stop())
        #expect(try await broker.end(within: .seconds(60)) == 0)
        await directory.remove()
    }

    @Test func `stopping publishes what was requested before and a last message, and no will`()
        async throws
    {
        let broker = try await TestBroker()
        let watcher = BrokerClient(broker.access(), id: "watcher")
        try await watcher.subscribe("a/#")
        let client = BrokerClient(broker.access(), id: "client") {
            $0.will = RetainedMessage(topic: "a/status", payload: Array("will".utf8))
        }
        try await client.expect(.connected)

        for number in 1...100 {
            client.connection.publish(Array("\(number)".utf8), to: "a/number", retained: false)
        }
        let last = RetainedMessage(topic: "a/status", payload: Array("offline".utf8))
        #expect(await client.stop(last))
        #expect(!(await client.stop(last)))
        try await watcher.publish("end", to: "a/end")

        var texts: [String] = []
        while texts.last != "end" { texts.append(try await watcher.message().text) }
        #expect(texts == (1...100).map(String.init) + ["offline", "end"])
        #expect(await watcher.stop())
        try await broker.remove()
    }

    @Test func `after the broker was killed and started again, there is a new connection`()
        async throws
    {
        let broker = try await TestBroker()
        let client = BrokerClient(broker.access(), id: "client")
        try await client.subscribe("a/#")

        try await broker.end(SIGKILL)
        try await client.next { event -> Void? in if case .lost = event { () } else { nil } }
        client.connection.publish([], to: "a/dropped", retained: false)
        try await broker.start()

        try await client.subscribe("a/#")
        try await client.publish("again", to: "a/b")
        #expect(await client.stop())
        try await broker.remove()
    }

    @Test func `while there is no broker, the time between attempts doubles up to a limit`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let access = BrokerAccess(BrokerURL(socket: "\(directory.path)/socket"))
        let client = BrokerClient(access, id: "client") {
            $0.firstRetry = .milliseconds(8)
            $0.greatestRetry = .milliseconds(100)
        }

        for limit in [8, 16, 32, 64, 100, 100] {
            let (reason, delay) = try await client.next { event in
                if case .lost(let reason, let delay) = event { (reason, delay) } else { nil }
            }
            #expect(reason == "no such file or directory")
            #expect(delay >= .milliseconds(limit) / 2 && delay <= .milliseconds(limit))
        }
        #expect(await client.stop())
        await directory.remove()
    }

    @Test func `a broker that answers nothing is noticed by the keep-alive`() async throws {
        let broker = try await TestBroker()
        let client = BrokerClient(broker.access(), id: "client") { $0.keepAlive = .seconds(5) }
        try await client.expect(.connected)

        try await broker.pause()
        // Once for the connection that is lost, and once for one that is not answered.
        for _ in 1...2 {
            try await client.next { event -> Void? in
                if case .lost("no answer for 5 seconds", _) = event { () } else { nil }
            }
        }
        await broker.send(SIGCONT)

        try await client.expect(.connected)
        #expect(await client.stop())
        try await broker.remove()
    }

    @Test func `stopping ends within its limit while the broker answers nothing`() async throws {
        let broker = try await TestBroker()
        let watcher = BrokerClient(broker.access(), id: "watcher")
        try await watcher.subscribe("a")
        let client = BrokerClient(broker.access(), id: "client") {
            $0.will = RetainedMessage(topic: "a", payload: Array("will".utf8))
            $0.keepAlive = .seconds(3_600)
        }
        try await client.expect(.connected)

        try await broker.pause()
        let last = RetainedMessage(topic: "b", payload: [])
        #expect(!(await client.connection.stop(last, within: .milliseconds(100))))
        await broker.send(SIGCONT)

        #expect(try await watcher.message().text == "will")
        #expect(await watcher.stop())
        try await broker.remove()
    }
}
