// The interfaces of this machine, and who is on their links.
import Testing

@testable import PeerList

@Suite struct LocalInterfaceTests {
    @Test func `the loopback is there, with its address`() throws {
        let loopback = try #require(LocalInterface.all().first { $0.isLoopback })
        #expect(loopback.addresses.contains { $0.address.isLoopback })
        #expect(!loopback.isUsable)
    }

    @Test func `an interface that leads to one machine is used where such are`() {
        let tunnel = LocalInterface(
            eth0, isPointToPoint: true,
            addresses: [LocalInterface.Address(address(1), prefixLength: 32)])
        #expect(tunnel.isUsable)
        #expect(tunnel.isActive(allowingPointToPoint: true))
        #expect(!tunnel.isActive(allowingPointToPoint: false))
        #expect(!LocalInterface(eth0, isPointToPoint: true).isActive(allowingPointToPoint: true))
    }

    @Test(
        arguments: [
            ([10, 0, 0, 1], 24, [10, 0, 0, 200], true), ([10, 0, 0, 1], 24, [10, 0, 1, 1], false),
            ([10, 0, 0, 1], 20, [10, 0, 15, 1], true), ([10, 0, 0, 1], 20, [10, 0, 16, 1], false),
            ([10, 0, 0, 1], 0, [10, 0, 0, 2], false), ([10, 0, 0, 1], 32, [10, 0, 0, 2], false),
            ([10, 0, 0, 0], 31, [10, 0, 0, 1], true), ([10, 0, 0, 1], 30, [10, 0, 0, 3], false),
        ] as [([UInt8], Int, [UInt8], Bool)])
    func `an address is on the link where it has the prefix of an own one`(
        own: [UInt8], bits: Int, other: [UInt8], isReached: Bool
    ) {
        let interface = LocalInterface(
            eth0,
            addresses: [
                LocalInterface.Address(
                    HostAddress(bytes: own, interface: "eth0"), prefixLength: bits)
            ])
        #expect(interface.reaches(HostAddress(bytes: other, interface: "eth0")) == isReached)
    }

    @Test func `an address is written as the system writes it`() {
        let bytes: [UInt8] = [0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [1]
        #expect(HostAddress(bytes: bytes, interface: "eth0").description == "fe80::1%eth0")
        #expect(HostAddress(bytes: [10, 0, 0, 1], interface: "eth0").description == "10.0.0.1")
    }
}
