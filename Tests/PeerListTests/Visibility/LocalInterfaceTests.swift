// The interfaces of this machine and the addresses on their links; reading small files.
import PeerList
import PeerListTestSupport
import PeerSystem
import Testing

@Suite struct LocalInterfaceTests {
    private let eth0 = NetworkInterface(index: 2, name: "eth0")

    private func interface(
        isPointToPoint: Bool = false, _ bytes: [UInt8]? = nil, bits: Int = 32
    ) -> LocalInterface {
        let addresses = bytes.map {
            LocalInterface.Address(HostAddress(bytes: $0, interface: "eth0"), prefixLength: bits)
        }
        return LocalInterface(
            eth0, isPointToPoint: isPointToPoint, addresses: addresses.map { [$0] } ?? [])
    }

    @Test func `the loopback interface is listed with its address and is not usable`() throws {
        let loopback = try #require(LocalInterface.all().first { $0.isLoopback })
        #expect(loopback.addresses.contains { $0.address.isLoopback })
        #expect(!loopback.isUsable)
    }

    @Test func `a point-to-point interface is active only where that is allowed`() {
        let tunnel = interface(isPointToPoint: true, [10, 0, 0, 1])
        #expect(tunnel.isUsable)
        #expect(tunnel.isActive(allowingPointToPoint: true))
        #expect(!tunnel.isActive(allowingPointToPoint: false))
        #expect(!interface(isPointToPoint: true).isActive(allowingPointToPoint: true))
    }

    @Test(
        arguments: [
            ([10, 0, 0, 1], 24, [10, 0, 0, 200], true), ([10, 0, 0, 1], 24, [10, 0, 1, 1], false),
            ([10, 0, 0, 1], 20, [10, 0, 15, 1], true), ([10, 0, 0, 1], 20, [10, 0, 16, 1], false),
            ([10, 0, 0, 1], 0, [10, 0, 0, 2], false), ([10, 0, 0, 1], 32, [10, 0, 0, 2], false),
            ([10, 0, 0, 0], 31, [10, 0, 0, 1], true), ([10, 0, 0, 1], 30, [10, 0, 0, 3], false),
        ] as [([UInt8], Int, [UInt8], Bool)])
    func `an address is on the link if it shares the prefix of an own address`(
        own: [UInt8], bits: Int, other: [UInt8], isReached: Bool
    ) {
        let address = HostAddress(bytes: other, interface: "eth0")
        #expect(interface(own, bits: bits).reaches(address) == isReached)
    }

    @Test func `an address is formatted as the system formats it`() {
        let bytes: [UInt8] = [0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [1]
        #expect(HostAddress(bytes: bytes, interface: "eth0").description == "fe80::1%eth0")
        #expect(HostAddress(bytes: [10, 0, 0, 1], interface: "eth0").description == "10.0.0.1")
    }

    @Test func `only regular files up to the limit are read`() throws {
        #expect(try readFile("/proc/self/comm").isEmpty == false)
        #expect(throws: SmallFileError.system(2)) { try readFile("/nowhere/at/all") }
        #expect(throws: SmallFileError.notRegular) { try readFile("/dev/zero") }
        #expect(throws: SmallFileError.notRegular) { try readFile("/") }
        #expect(throws: SmallFileError.tooLarge) { try readFile("/proc/self/stat", limit: 9) }
        #expect(readText("/nowhere/at/all") == nil)
    }
}
