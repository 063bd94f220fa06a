// Tests reading the kernel's neighbour table, in a network namespace, and looking up addresses in it.
import Glibc
import LabSupport
import PeerList
import PeerListTestSupport
import PeerSystem
import Testing

@Suite struct NeighbourTableTests {
    private let eth0 = NetworkInterface(index: 2, name: "eth0")
    private let eth1 = NetworkInterface(index: 3, name: "eth1")

    private func mac(_ last: UInt8) throws -> MACAddress {
        try #require(MACAddress(bytes: [2, 0, 0, 0, 0, last]))
    }

    private func address(_ bytes: [UInt8]) -> HostAddress {
        HostAddress(bytes: bytes, interface: "eth0")
    }

    private func linkLocal(_ last: UInt8) -> [UInt8] {
        [0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [last]
    }

    @Test func `each MAC address of a host's addresses is found once, in order`() throws {
        var table = NeighbourTable()
        table.add(try mac(9), of: [10, 0, 0, 1], interface: 2)
        table.add(try mac(9), of: linkLocal(1), interface: 2)
        table.add(try mac(1), of: [10, 0, 0, 2], interface: 3)
        let addresses = [[10, 0, 0, 1], [10, 0, 0, 2], [10, 0, 0, 3], linkLocal(1)].map(address)
        let (first, last) = (try mac(1), try mac(9))
        #expect(table.hardwareAddresses(of: addresses, on: [eth0, eth1]) == [first, last])
        #expect(table.hardwareAddresses(of: addresses, on: [eth0]) == [last])
        #expect(table.hardwareAddresses(of: [], on: [eth0]).isEmpty)
    }

    @Test func `a link-local address counts on its own interface only`() throws {
        var table = NeighbourTable()
        table.add(try mac(1), of: linkLocal(1), interface: 3)
        let address = address(linkLocal(1))
        #expect(table.hardwareAddresses(of: [address], on: [eth0, eth1]).isEmpty)
        table.add(try mac(2), of: linkLocal(1), interface: 2)
        let found = table.hardwareAddresses(of: [address], on: [eth0, eth1])
        #expect(found.map(\.description) == ["020000000002"])
    }

    @Test func `the table of this machine can be read`() {
        #expect(NeighbourTable.current().count <= 2 * NeighbourTable.limit)
    }

    @Test(.enabled(if: Lab.isRoot, "only root has network namespaces"))
    func `entries with a known MAC address are read, of both families, up to the limit`()
        async throws
    {
        let table = await neighbours(
            """
            neigh add 10.0.0.1 lladdr 02:00:00:00:00:01 nud permanent dev br0
            neigh add 10.0.0.2 lladdr 02:00:00:00:00:02 nud stale dev br0
            neigh add 10.0.0.3 lladdr 02:00:00:00:00:03 nud noarp dev br0
            neigh add 10.0.0.4 nud failed dev br0
            neigh add 10.0.0.5 lladdr 00:00:00:00:00:00 nud permanent dev br0
            neigh add fe80::6 lladdr 02:00:00:00:00:06 nud reachable dev br0
            """)
        let index = try #require(table.index)
        let br0 = NetworkInterface(index: index, name: "br0")
        let addresses =
            (1...5).map { HostAddress(bytes: [10, 0, 0, $0], interface: "br0") } + [
                HostAddress(bytes: linkLocal(6), interface: "br0")
            ]
        let found = table.neighbours.hardwareAddresses(of: addresses, on: [br0])
        #expect(
            found.map(\.description) == ["020000000001", "020000000002", "020000000006"])
        #expect(table.neighbours.count == 3)
    }

    @Test(.enabled(if: Lab.isRoot, "only root has network namespaces"))
    func `of more entries than the limit that many are read`() async {
        let commands = (0..<NeighbourTable.limit + 100).map { number in
            """
            neigh add 10.0.\(number / 256).\(number % 256) lladdr 02:00:00:00:00:01 \
            nud permanent dev br0
            """
        }
        let table = await neighbours(commands.joined(separator: "\n"))
        // Entries of multicast addresses are among those that are read.
        let limit = NeighbourTable.limit
        #expect((limit - 10...limit).contains(table.neighbours.count))
    }

    /// Returns the table of a new network namespace with a bridge `br0`, and the bridge's index, after commands of ip(8).
    private func neighbours(
        _ commands: String
    ) async -> (neighbours: NeighbourTable, index: Int32?) {
        await withCheckedContinuation { continuation in
            // The namespace is that of a thread, and ends with it.
            let code = startThread {
                typealias Unshare = @convention(c) (Int32) -> Int32
                // The module does not name it; the C library has it.
                let symbol = unsafe dlsym(nil, "unshare")
                let unshare = unsafe symbol.map { unsafe unsafeBitCast($0, to: Unshare.self) }
                let newNetworkNamespace: Int32 = 0x4000_0000
                guard unshare?(newNetworkNamespace) == 0,
                    unsafe system("ip link add br0 type bridge && ip link set br0 up") == 0,
                    let pipe = unsafe popen("ip -batch -", "w")
                else { return continuation.resume(returning: (NeighbourTable(), nil)) }
                unsafe fputs(commands + "\n", pipe)
                unsafe pclose(pipe)
                let index = NetworkInterface(named: "br0")?.index
                continuation.resume(returning: (NeighbourTable.current(), index))
            }
            if code != 0 { continuation.resume(returning: (NeighbourTable(), nil)) }
        }
    }
}
