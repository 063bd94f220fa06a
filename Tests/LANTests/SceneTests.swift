// Tests with realistic devices on a LAN, listed by both backends.
import LabSupport
import PeerModel
import PeerListTestSupport
import PeerRecording
import Testing

@Suite(.needsLab, .serialized, .timeLimit(.minutes(10))) struct SceneTests {
    @Test(arguments: ["daemon", "embedded"])
    func `every device is listed with exactly what it announces, leaves and returns`(
        backend: String
    ) async throws {
        try await Lab.with { lab in
            let responder = try lab.start("h1", Self.responder(in: lab))
            try await responder.line(within: .seconds(60)) { $0.hasPrefix("ready") }
            let observer = try ListObserver(lab, on: "h2", "--backend", backend)
            try await expect(Scene.peers, in: observer)
            #expect(await observer.list.begin["backend"].string == backend)

            let television = "Living Room TV"
            try lab.directory.write("leave \(television)\n", to: Self.commands)
            let host = try #require(Scene.devices.first { $0.name == television }).host
            try await expect(Scene.peers.filter { $0.host != host }, in: observer)
            try lab.directory.write("return \(television)\n", to: Self.commands)
            try await expect(Scene.peers, in: observer)

            let operations = await observer.list.operations
            #expect(operations.count { $0 == "departed delete" } == 1, "\(operations)")
            #expect(await observer.list.notices.isEmpty)
        }
    }

    @Test func `a browsed subtype lists the services that have it`() async throws {
        try await Lab.with { lab in
            let responder = try lab.start("h1", Self.responder(in: lab))
            try await responder.line(within: .seconds(60)) { $0.hasPrefix("ready") }
            let observer = try ListObserver(
                lab, on: "h2", "--type", "_universal._sub._ipp._tcp")
            let printers = zip(Scene.devices, Scene.peers).compactMap { device, peer -> Peer? in
                let ipp = device.services.filter {
                    $0.type == "_ipp._tcp" && $0.subtypes?.contains("_universal") == true
                }
                var peer = peer
                peer.services = ipp.map { instance in
                    var service = instance.service
                    service.subtypes = ["_universal"]
                    return service
                }
                return ipp.isEmpty ? nil : peer
            }
            #expect(printers.count > 1, "otherwise this test shows nothing")
            try await expect(printers, in: observer)
        }
    }

    private static let commands = "commands"

    private static func responder(in lab: Lab) -> [String] {
        [
            "python3", BuiltProducts.package + "/Tests/Lab/load.py", "--devices", Scene.file,
            "--commands", "\(lab.directory.path)/\(commands)",
        ]
    }

    /// Expects the list to become that of the peers, in their order and with every byte of their texts.
    private func expect(_ peers: [Peer], in observer: ListObserver) async throws {
        var encoder = LineEncoder()
        let line = encoder.begin(
            House.header(.device), sections: peers.sections(.device), at: House.time(0))
        var expected = FoldedList()
        try expected.fold(String(decoding: line, as: UTF8.self))
        let present = expected.present
        // Records of a device arrive one by one, the model of a computer last.
        do {
            try await observer.list(within: .seconds(60)) { list in
                let listed = list.present
                return listed.count == present.count
                    && present.allSatisfy { listed[$0.key]?.bytes == $0.value.bytes }
            }
        } catch {
            let listed = await observer.list.present
            let different = present.filter { listed[$0.key]?.bytes != $0.value.bytes }
            for (id, peer) in different { Issue.record("\(listed[id] ?? .null) is not \(peer)") }
            throw error
        }
        #expect(await observer.list.items.map { $0["id"] } == expected.items.map { $0["id"] })
    }
}

extension JSON {
    /// The value in bytes, members in the order of their keys: `==` of strings also holds for other
    /// bytes of the same characters.
    fileprivate var bytes: [UInt8] {
        switch self {
        case .array(let elements): elements.flatMap { $0.bytes + [0x2c] }
        case .object(let members):
            members.sorted { $0.key < $1.key }.flatMap { Array($0.key.utf8) + $0.value.bytes }
        default: Array("\(self)".utf8)
        }
    }
}
