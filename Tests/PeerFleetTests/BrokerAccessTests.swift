// Tests passwords, TLS files and the rights of users at a broker that is set up as documented.
import Glibc
import LabSupport
import PeerFleet
import Testing

@Suite struct BrokerAccessTests {
    /// Starts a broker with the documented files, without TLS.
    private func documentedBroker() async throws -> TestBroker {
        let folder = "\(BuiltProducts.package)/docs/examples/fleet"
        let text = try TextFile.read("\(folder)/peerlist.conf")
        let settings = text.split(separator: "\n")
            .filter { line in
                !["listener", "certfile", "keyfile"].contains { line.hasPrefix($0) }
            }
            .joined(separator: "\n")
            .replacing("/etc/mosquitto/peerlist.passwords", with: "DIRECTORY/passwords")
            .replacing("/etc/mosquitto/peerlist.acl", with: "\(folder)/peerlist.acl")
        return try await TestBroker(
            settings,
            passwords: ["cellar": "one", "hall": "two", "fleet": "three", "homeassistant": "four"])
    }

    @Test(arguments: [("cellar", "wrong"), ("stranger", "one")])
    func `a wrong password or user is refused`(user: String, password: String) async throws {
        let broker = try await documentedBroker()
        let client = BrokerClient(broker.access(user, password: password), id: "client")

        #expect(
            try await client.nextEvent() == .refused("wrong user name or password, or no access"))

        #expect(await client.stop())
        try await broker.remove()
    }

    @Test func `a client without a user is refused`() async throws {
        let broker = try await documentedBroker()
        let client = BrokerClient(broker.access(), id: "client")

        #expect(
            try await client.nextEvent() == .refused("wrong user name or password, or no access"))

        #expect(await client.stop())
        try await broker.remove()
    }

    @Test(arguments: [
        ("cellar", "peerlist/v1/cellar/cellar/status", true),
        ("cellar", "peerlist/v1/cellar/cellar/peers/1", true),
        ("cellar", "homeassistant/device_tracker/cellar/1/config", true),
        ("cellar", "peerlist/v1/office/cellar/status", false),
        ("cellar", "peerlist/v1/office/hall/status", false),
        ("cellar", "peerlist/v1/cellar", false),
        ("cellar", "homeassistant/device_tracker/hall/1/config", false),
        ("cellar", "homeassistant/status", false),
        ("cellar", "homeassistant/switch/1/config", false),
        ("fleet", "peerlist/v1/cellar/cellar/status", false),
        ("fleet", "peerlist/v1/cellar/fleet/status", false),
        ("fleet", "homeassistant/device_tracker/fleet/1/config", false),
        ("homeassistant", "peerlist/v1/cellar/cellar/status", false),
        ("homeassistant", "peerlist/v1/cellar/homeassistant/status", false),
        ("homeassistant", "homeassistant/device_tracker/homeassistant/1/config", false),
        ("homeassistant", "homeassistant/status", true),
    ])
    func `a user publishes to the topics that the documented rights allow`(
        user: String, topic: String, isAllowed: Bool
    ) async throws {
        let broker = try await documentedBroker()
        let passwords = ["cellar": "one", "fleet": "three", "homeassistant": "four"]
        let client = BrokerClient(broker.access(user, password: passwords[user]), id: "client")
        try await client.expect(.connected)

        let token = client.connection.publish([1], to: topic, retained: true)

        try await client.expect(.published(token, failure: isAllowed ? nil : "not authorised"))
        #expect(await client.stop())
        try await broker.remove()
    }

    @Test func `an observer reads its own topics only, and a fleet those of all observers`()
        async throws
    {
        let broker = try await documentedBroker()
        let hall = BrokerClient(broker.access("hall", password: "two"), id: "hall")
        let cellar = BrokerClient(broker.access("cellar", password: "one"), id: "cellar")
        try await hall.expect(.connected)
        try await hall.publish("a", to: "peerlist/v1/office/hall/status", retained: true)
        try await cellar.subscribe("peerlist/#")
        try await cellar.publish("c", to: "peerlist/v1/cellar/cellar/status", retained: true)
        #expect(try await cellar.message().text == "c")

        let fleet = BrokerClient(broker.access("fleet", password: "three"), id: "fleet")
        try await fleet.subscribe("peerlist/#")
        let texts = [try await fleet.message().text, try await fleet.message().text]

        #expect(texts.sorted() == ["a", "c"])
        for client in [hall, cellar, fleet] { #expect(await client.stop()) }
        try await broker.remove()
    }

    @Test func `a password is the first line of a file`() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("se cret\r\nsecond\n", to: "password")
        let empty = try directory.write("\nsecond\n", to: "empty")
        let large = try directory.write(.init(repeating: "a", count: 65_537), to: "large")

        #expect(try BrokerAccess.readPassword(file) == "se cret")
        for path in [empty, large, "\(directory.path)/missing", directory.path] {
            let error = #expect(throws: BrokerAccessError.self) {
                try BrokerAccess.readPassword(path)
            }
            #expect(error?.description.contains(path) == true)
        }
        await directory.remove()
    }

    @Test func `a password is waited for at a pipe, but not for ever, nor for more than a line`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let pipe = "\(directory.path)/pipe"
        let made = unsafe mkfifo(pipe, 0o600)
        try #require(made == 0)
        let error = #expect(throws: BrokerAccessError.self) {
            try BrokerAccess.readPassword(pipe, within: .milliseconds(20))
        }
        #expect(error?.description.contains("its writer took more than") == true)

        // It opens the pipe when that is read, and keeps it open.
        let writer = try RunningProcess([
            "sh", "-c", "exec 3> \"$0\"; echo secret >&3; exec tail -f /dev/null", pipe,
        ])
        #expect(try BrokerAccess.readPassword(pipe) == "secret")
        await writer.send(SIGTERM)
        await directory.remove()
    }

    @Test(arguments: [(0o600, false), (0o640, false), (0o604, true), (0o644, true)])
    func `a file that every user may read is noticed`(mode: mode_t, isNoticed: Bool) async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("secret\n", to: "password")
        unsafe chmod(file, mode)
        #expect(BrokerAccess.isReadableByAll(file) == isNoticed)
        #expect(!BrokerAccess.isReadableByAll(directory.path))
        #expect(!BrokerAccess.isReadableByAll(directory.path + "/missing"))
        await directory.remove()
    }

    @Test func `settings and files that cannot work are refused before connecting`() async throws {
        let directory = try TemporaryDirectory()
        let certificate = try directory.write("-----BEGIN CERTIFICATE-----\n", to: "certificate")
        let key = try directory.write("-----BEGIN PRIVATE KEY-----\n", to: "key")
        let encrypted = try directory.write("-----BEGIN ENCRYPTED PRIVATE KEY-----\n", to: "locked")
        let missing = "\(directory.path)/missing"
        let (plain, secure) = (try BrokerURL("mqtt://nas"), try BrokerURL("mqtts://nas"))

        try BrokerAccess(secure, caFile: certificate, certificate: certificate, key: key).check()
        let refused = [
            (BrokerAccess(secure, password: "secret"), "USER@HOST"),
            (BrokerAccess(plain, caFile: certificate), "mqtts://"),
            (BrokerAccess(secure, certificate: certificate), "together"),
            (BrokerAccess(secure, key: key), "together"),
            (BrokerAccess(secure, caFile: missing), "no such file"),
            (BrokerAccess(secure, caFile: key), "not a certificate"),
            (BrokerAccess(secure, certificate: certificate, key: certificate), "not a private key"),
            (BrokerAccess(secure, certificate: certificate, key: encrypted), "encrypted"),
        ]
        for (access, text) in refused {
            let error = #expect(throws: BrokerAccessError.self) { try access.check() }
            #expect(error?.description.contains(text) == true)
            #expect(error?.description.contains("secret") == false)
        }
        await directory.remove()
    }
}
