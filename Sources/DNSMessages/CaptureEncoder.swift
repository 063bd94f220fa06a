// Writes messages that were received as a capture that Wireshark and this project read.

/// The bytes of a capture in the format pcapng, of messages that were received by UDP (draft-ietf-opsawg-pcapng).
///
/// The kernel does not give a listener the headers of packets, so they are made from what it tells. The link type is that
/// of the interface `any`, `LINKTYPE_LINUX_SLL`, whose header has no addresses here: of packets that begin with IP, libpcap
/// reads the first interface alone. The bytes can be appended to a capture of this format.
package struct CaptureEncoder: Sendable {
    /// A message, and what the kernel tells about its packet.
    package struct Message: Sendable {
        package var bytes: [UInt8]
        /// The source address, of 4 or 16 bytes.
        package var source: [UInt8]
        package var port: UInt16
        /// The address to which it was sent, of as many bytes as the source, and the port.
        package var destination: (address: [UInt8], port: UInt16)
        package var hopLimit: UInt8
        /// The index of the interface.
        package var interface: Int32
        /// The time in microseconds since 1970.
        package var time: UInt64

        package init(
            _ bytes: [UInt8], from source: [UInt8], port: UInt16,
            to destination: (address: [UInt8], port: UInt16), hopLimit: UInt8, interface: Int32,
            time: UInt64
        ) {
            (self.bytes, self.source, self.port) = (bytes, source, port)
            self.destination = destination
            (self.hopLimit, self.interface, self.time) = (hopLimit, interface, time)
        }
    }

    /// The numbers of the interfaces in the capture, by their indexes.
    private var interfaces: [Int32: UInt32] = [:]
    private var bytes: [UInt8] = []

    /// Creates an encoder whose first bytes begin a section.
    package init() {
        // The order of bytes, the version 1.0, and a length that is not known.
        addBlock(0x0a0d_0d0a) { block in
            block.add(UInt32(0x1a2b_3c4d))
            block.add(UInt16(1))
            block.add(UInt16(0))
            block.add(UInt64.max)
        }
    }

    /// Adds a message; `name` is the name of its interface, and is needed once.
    package mutating func add(_ message: Message, onInterface name: String) {
        let number = number(of: message.interface, name)
        let packet = Self.linkHeader(message) + Self.packet(message)
        addBlock(6) { block in
            block.add(number)
            block.add(UInt32(truncatingIfNeeded: message.time >> 32))
            block.add(UInt32(truncatingIfNeeded: message.time))
            block.add(UInt32(packet.count))
            block.add(UInt32(packet.count))
            block += packet
        }
    }

    /// Removes and returns the bytes so far, which end with a whole block.
    package mutating func removeBytes() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    private mutating func number(of interface: Int32, _ name: String) -> UInt32 {
        if let number = interfaces[interface] { return number }
        let number = UInt32(interfaces.count)
        interfaces[interface] = number
        addBlock(1) { block in
            block.add(UInt16(113))  // LINKTYPE_LINUX_SLL
            block.add(UInt16(0))
            block.add(UInt32(0))  // no limit of the length
            block.add(UInt16(2))  // if_name
            block.add(UInt16(name.utf8.count))
            block += name.utf8
            block.pad()
            block.add(UInt32(0))  // the end of the options
        }
        return number
    }

    private mutating func addBlock(_ type: UInt32, _ body: (inout [UInt8]) -> Void) {
        var block: [UInt8] = []
        body(&block)
        block.pad()
        let length = UInt32(block.count + 12)
        bytes.add(type)
        bytes.add(length)
        bytes += block
        bytes.add(length)
    }

    /// The header of the link layer: whether the packet was sent to a group, no kind of hardware, no address in eight bytes,
    /// and the protocol.
    private static func linkHeader(_ message: Message) -> [UInt8] {
        let (first, isIPv4) = (
            message.destination.address.first ?? 0, message.source.count == 4
        )
        let isOfGroup = isIPv4 ? 224...239 ~= first : first == 0xff
        let (packetType, hardware): (UInt16, UInt16) = (isOfGroup ? 2 : 0, 0xffff)
        return packetType.bigEndianBytes + hardware.bigEndianBytes
            + [UInt8](repeating: 0, count: 10)
            + UInt16(isIPv4 ? 0x0800 : 0x86dd).bigEndianBytes
    }

    /// The packet of a message, with the headers of IP and UDP.
    private static func packet(_ message: Message) -> [UInt8] {
        let length = UInt16(truncatingIfNeeded: message.bytes.count + 8)
        let (target, port) = message.destination
        var datagram = message.port.bigEndianBytes + port.bigEndianBytes + length.bigEndianBytes
        datagram += [0, 0] + message.bytes
        if message.source.count == 4 {
            var header: [UInt8] = [0x45, 0] + (length + 20).bigEndianBytes + [0, 0, 0x40, 0]
            header += [message.hopLimit, 17, 0, 0] + message.source + target
            header.replaceSubrange(10..<12, with: checksum(header).bigEndianBytes)
            // In IPv4, a datagram may do without a checksum (RFC 768).
            return header + datagram
        }
        let pseudoHeader =
            message.source + target + [0, 0] + length.bigEndianBytes + [0, 0, 0, 17]
        let sum = checksum(pseudoHeader + datagram)
        datagram.replaceSubrange(6..<8, with: (sum == 0 ? 0xffff : sum).bigEndianBytes)
        return [0x60, 0, 0, 0] + length.bigEndianBytes + [17, message.hopLimit] + message.source
            + target + datagram
    }

    /// The checksum of the internet (RFC 1071).
    private static func checksum(_ bytes: [UInt8]) -> UInt16 {
        var sum: UInt32 = 0
        for index in stride(from: 0, to: bytes.count, by: 2) {
            let low = index + 1 < bytes.count ? bytes[index + 1] : 0
            sum += UInt32(bytes[index]) << 8 | UInt32(low)
            sum = sum & 0xffff + sum >> 16
        }
        return ~UInt16(truncatingIfNeeded: sum)
    }
}

extension UInt16 {
    fileprivate var bigEndianBytes: [UInt8] {
        [UInt8(truncatingIfNeeded: self >> 8), UInt8(truncatingIfNeeded: self)]
    }
}

extension [UInt8] {
    /// Appends a number with its lowest byte first.
    fileprivate mutating func add<Number: FixedWidthInteger>(_ number: Number) {
        for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    /// Appends zeros up to a multiple of four bytes.
    fileprivate mutating func pad() {
        append(contentsOf: [UInt8](repeating: 0, count: -count & 3))
    }
}
