// Tests the identifier of a machine, from its machine id or a stored random one.
import Foundation
import Testing
@testable import PeerList

@Suite struct MachineIdentityTests {
    @Test func `the machine's identifier is a hash of its machine id`()
        throws
    {
        var machine = MachineIdentity(environment: ["HOME": "/nonexistent"])
        machine.machineIDPath = try temporaryFile("0123456789abcdef0123456789abcdef\n")
        defer { try? FileManager.default.removeItem(atPath: machine.machineIDPath) }
        // uuidgen --sha1 --namespace 01234567-89ab-cdef-0123-456789abcdef --name peerlist
        #expect(
            machine.announcedID()?.uuidString.lowercased()
                == "8c027686-6e89-5d13-a5ff-9c1d656d076a")
    }

    @Test func `without a machine id a random identifier is stored`() throws {
        var machine = MachineIdentity(environment: [:])
        machine.machineIDPath = "/nonexistent"
        machine.statePath = try temporaryFile("") + ".d/peerlist/id"
        let first = try #require(machine.announcedID())
        #expect(machine.announcedID() == first)
        #expect(first.uuid.6 >> 4 == 5)
        machine.statePath = "/proc/peerlist/id"
        #expect(machine.announcedID() == nil)
    }

    private func temporaryFile(_ text: String) throws -> String {
        let path = FileManager.default.temporaryDirectory.path + "/peerlist-\(UUID().uuidString)"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }
}
