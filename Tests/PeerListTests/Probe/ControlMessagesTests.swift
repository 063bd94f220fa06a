// Tests the reading of what the kernel tells about a packet beside its bytes.
import StackProtocol
import Testing

@Suite struct ControlMessagesTests {
    /// A message of cmsg(3), with padding.
    private func message(_ level: UInt8, _ type: UInt8, _ data: [UInt8], size: Int? = nil)
        -> [UInt8]
    {
        let length = UInt8(size ?? 16 + data.count)
        let head: [UInt8] = [length, 0, 0, 0, 0, 0, 0, 0, level, 0, 0, 0, type, 0, 0, 0]
        return head + data + [UInt8](repeating: 0, count: -data.count & 7)
    }

    @Test func `hop limits, interfaces, destinations and descriptors are read in both families`() {
        let address = [UInt8](repeating: 9, count: 16)
        let ipv4 = ControlMessages(
            message(0, 2, [255, 0, 0, 0])
                + message(0, 8, [3, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]))
        #expect(ipv4.hopLimit == 255 && ipv4.interface == 3)
        #expect(ipv4.destination == [2, 2, 2, 2])
        let ipv6 = ControlMessages(
            message(41, 52, [1, 0, 0, 0]) + message(41, 50, address + [7, 0, 0, 0]))
        #expect(ipv6.destination == address)
        #expect(ipv6.hopLimit == 1 && ipv6.interface == 7 && ipv6.descriptors == [])
        let passed = ControlMessages(message(1, 1, [5, 0, 0, 0]))
        #expect(passed.descriptors == [5] && passed.hopLimit == nil)
    }

    @Test func `what is cut short or of another kind is left out`() {
        let info = message(41, 50, [UInt8](repeating: 9, count: 16) + [7, 0, 0, 0])
        let none = ControlMessages([])
        for bytes in [
            Array(info.prefix(35)), message(41, 50, [7, 0, 0, 0]), message(41, 50, [], size: 15),
            message(40, 50, [UInt8](repeating: 9, count: 20)),
            [UInt8](repeating: 0xff, count: 64), [UInt8](repeating: 0, count: 64),
        ] { #expect(ControlMessages(bytes) == none) }
    }
}
