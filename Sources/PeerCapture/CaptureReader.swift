// Splits the bytes of a capture, pcap or pcapng, into packets.

/// The position of a packet: its number from 1, and its offset in the capture.
package struct CapturePosition: Sendable, Equatable, CustomStringConvertible {
    package let packet: Int
    package let offset: Int

    /// Such as `packet 12, byte 4711`.
    package var description: String { "packet \(packet), byte \(offset)" }
}

/// A reader of captures (draft-ietf-opsawg-pcap, draft-ietf-opsawg-pcapng).
///
/// Bytes are appended as they arrive, and the packets that they complete are returned one by one. The reader keeps no
/// more than the bytes that were appended last and one unfinished block.
struct CaptureReader {
    /// A packet; its bytes are in ``buffer`` until more bytes are appended.
    struct Packet {
        /// The time in microseconds since 1970.
        var time: Int64
        /// The index of the interface in ``interfaceNames``.
        var interface: Int
        /// The type of the link layer's header, `LINKTYPE_…`.
        var linkType: UInt16
        /// The offset of the packet's header in the capture.
        var offset: Int
        /// The captured bytes in ``buffer``.
        var bytes: Range<Int>
        /// The length of the packet on the link.
        var originalLength: Int
    }

    /// The reason for which the rest of a capture cannot be read.
    struct Failure: Equatable {
        /// The offset of the part that cannot be read.
        let offset: Int
        let message: String
        /// Whether the capture ends in the middle of a packet.
        let isCutOff: Bool
    }

    /// The maximum length of a packet, as in libpcap.
    static let packetLimit = 262_144
    /// The maximum length of a block of pcapng, as in libpcap.
    static let blockLimit = 16 << 20
    /// The maximum number of interfaces.
    static let interfaceLimit = 1_024
    /// The maximum length of the name of an interface, with its VLANs, in bytes.
    static let nameLimit = 64
    /// The latest time, which ends the year 9999.
    static let latestTime: Int64 = 253_402_300_799_999_999

    private enum Format {
        /// The size of the header of a packet, and the number of fractions in a second.
        case pcap(headerSize: Int, fractions: UInt64, linkType: UInt16)
        case pcapng
    }

    private struct Interface {
        var number: Int
        var linkType: UInt16
        /// The number of units of time in a second.
        var units: UInt64 = 1_000_000
        /// The seconds to add to each time.
        var offset: Int64 = 0
    }

    /// The bytes that are not read yet, from ``head`` on.
    private(set) var buffer: [UInt8] = []
    private var head = 0
    /// The offset of the buffer's first byte in the capture.
    private var base = 0
    private var format: Format?
    private var isBigEndian = false
    /// The interfaces of the current section of a pcapng.
    private var section: [Interface] = []
    /// The names of the interfaces of all sections; an interface without a name has the name of the capture.
    private(set) var interfaceNames: [String]
    private var numbers: [String: Int] = [:]
    /// The time of the latest packet.
    private var latest: Int64 = 0
    /// The number of packets so far.
    private(set) var packetCount = 0
    /// The reason for which nothing more is read.
    private(set) var failure: Failure?

    /// Creates a reader; `name` is the name of an interface that has none.
    init(name: String) {
        let name = Self.interfaceName(Array(name.utf8)) ?? "_"
        interfaceNames = [name]
        numbers[name] = 0
    }

    /// Returns a name in which bytes that interfaces of Linux do not have are replaced, because it becomes a part of
    /// addresses; `nil` if it is empty.
    private static func interfaceName(_ bytes: some Collection<UInt8>) -> String? {
        let kept = bytes.prefix { $0 != 0 }.prefix(nameLimit).map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x3a, 0x40, 0x5f: byte
            default: UInt8(ascii: "_")
            }
        }
        return kept.isEmpty ? nil : String(decoding: kept, as: UTF8.self)
    }

    /// Whether bytes are the first four bytes of a capture.
    static func isCapture(_ start: [UInt8]) -> Bool {
        magic(start.prefix(4)) != nil
    }

    private enum Magic { case micro, nano, modified, section }

    private static func magic(_ start: ArraySlice<UInt8>) -> (kind: Magic, isBig: Bool)? {
        switch Array(start) {
        case [0xa1, 0xb2, 0xc3, 0xd4]: (.micro, true)
        case [0xd4, 0xc3, 0xb2, 0xa1]: (.micro, false)
        case [0xa1, 0xb2, 0x3c, 0x4d]: (.nano, true)
        case [0x4d, 0x3c, 0xb2, 0xa1]: (.nano, false)
        case [0xa1, 0xb2, 0xcd, 0x34]: (.modified, true)
        case [0x34, 0xcd, 0xb2, 0xa1]: (.modified, false)
        case [0x0a, 0x0d, 0x0d, 0x0a]: (.section, false)
        default: nil
        }
    }

    /// Appends bytes; the packets before must have been taken.
    mutating func append(_ bytes: [UInt8]) {
        guard failure == nil else { return }
        base += head
        buffer.removeFirst(head)
        head = 0
        buffer += bytes
    }

    /// Forgets the bytes from ``offset`` on, which are to be appended again.
    mutating func rewind() {
        base += head
        (buffer, head) = ([], 0)
    }

    /// Returns the next packet, or `nil` until more bytes are appended.
    mutating func next() -> Packet? {
        while failure == nil {
            switch format {
            case nil:
                guard readStart() else { return nil }
            case .pcap(let headerSize, let fractions, let linkType):
                guard available(headerSize) else { return nil }
                let length = Int(number32(8))
                guard length <= Self.packetLimit else {
                    fail("a packet of \(length) bytes is longer than any")
                    return nil
                }
                guard available(headerSize + length) else { return nil }
                let time = Self.time(
                    seconds: Int64(number32(0)), fraction: UInt64(number32(4)), of: fractions)
                return take(
                    time, interface: 0, linkType, from: headerSize, length,
                    original: Int(number32(12)), end: headerSize + length)
            case .pcapng:
                guard let length = blockLength(), available(length) else { return nil }
                if let packet = readBlock(length) { return packet }
            }
        }
        return nil
    }

    /// Ends the capture: bytes that are left are a part of a packet.
    mutating func finish() {
        guard failure == nil, head < buffer.count || format == nil else { return }
        failure = Failure(
            offset: base + head, message: "the capture is cut off", isCutOff: true)
    }

    /// The offset in the capture of what is read next.
    var offset: Int { base + head }

    private mutating func fail(_ message: String) {
        failure = Failure(offset: base + head, message: message, isCutOff: false)
    }

    private func available(_ count: Int) -> Bool { buffer.count - head >= count }

    /// Returns the number at an offset from ``head``.
    private func number32(_ offset: Int) -> UInt32 {
        let high = UInt32(number16(offset))
        let low = UInt32(number16(offset + 2))
        return isBigEndian ? high << 16 | low : low << 16 | high
    }

    private func number16(_ offset: Int) -> UInt16 {
        let (first, second) = (UInt16(buffer[head + offset]), UInt16(buffer[head + offset + 1]))
        return isBigEndian ? first << 8 | second : second << 8 | first
    }

    /// Reads the header of the file; returns `false` if more bytes are needed.
    private mutating func readStart() -> Bool {
        guard available(4) else { return false }
        guard let magic = Self.magic(buffer[head..<head + 4]) else {
            fail("this is no capture")
            return false
        }
        guard magic.kind != .section else {
            format = .pcapng
            return true
        }
        guard available(24) else { return false }
        isBigEndian = magic.isBig
        guard number16(4) == 2 else {
            fail("version \(number16(4)) of pcap is not known")
            return false
        }
        // The upper bits tell the length of a checksum after each packet.
        let linkType = UInt16(truncatingIfNeeded: number32(20))
        format = .pcap(
            headerSize: magic.kind == .modified ? 24 : 16,
            fractions: magic.kind == .nano ? 1_000_000_000 : 1_000_000, linkType: linkType)
        head += 24
        return true
    }

    private mutating func take(
        _ time: Int64, interface: Int, _ linkType: UInt16, from start: Int, _ length: Int,
        original: Int, end: Int
    ) -> Packet {
        let packet = Packet(
            time: time, interface: interface, linkType: linkType, offset: base + head,
            bytes: head + start..<head + start + length, originalLength: original)
        head += end
        latest = time
        packetCount += 1
        return packet
    }

    /// Returns a time in microseconds, bounded so that it has a date.
    private static func time(seconds: Int64, fraction: UInt64, of units: UInt64) -> Int64 {
        let seconds = min(max(seconds, 0), latestTime / 1_000_000)
        let product = min(fraction, units - 1).multipliedFullWidth(by: 1_000_000)
        let (part, _) = units.dividingFullWidth(product)
        return seconds * 1_000_000 + Int64(part)
    }
}

// MARK: pcapng

extension CaptureReader {
    private static let sectionBlock: UInt32 = 0x0a0d_0d0a

    /// Returns the length of the next block; `nil` if more bytes are needed, or the block is invalid.
    private mutating func blockLength() -> Int? {
        guard available(12) else { return nil }
        // A section has its own byte order; its type is the same in both.
        if number32(0) == Self.sectionBlock {
            switch Array(buffer[head + 8..<head + 12]) {
            case [0x1a, 0x2b, 0x3c, 0x4d]: isBigEndian = true
            case [0x4d, 0x3c, 0x2b, 0x1a]: isBigEndian = false
            default:
                fail("a section has an unknown byte order")
                return nil
            }
        }
        let length = Int(number32(4))
        guard 12...Self.blockLimit ~= length, length.isMultiple(of: 4) else {
            fail("a block has the length \(length)")
            return nil
        }
        return length
    }

    /// Reads a whole block; returns its packet, if it is one.
    private mutating func readBlock(_ length: Int) -> Packet? {
        guard number32(length - 4) == number32(4) else {
            fail("a block has two lengths")
            return nil
        }
        switch number32(0) {
        case Self.sectionBlock:
            guard length >= 28, number16(12) == 1 else {
                fail("this version of pcapng is not known")
                return nil
            }
            section = []
        case 1: readInterface(length)
        case 6: return readPacket(length, at: 28, interface: Int(truncatingIfNeeded: number32(8)))
        // The obsolete packet block counts drops, too.
        case 2: return readPacket(length, at: 28, interface: length >= 32 ? Int(number16(8)) : 0)
        case 3: return readSimplePacket(length)
        default: break
        }
        if failure == nil { head += length }
        return nil
    }

    private mutating func readInterface(_ length: Int) {
        guard length >= 20, section.count < Self.interfaceLimit else {
            return fail("an interface is invalid, or there are more than \(Self.interfaceLimit)")
        }
        var interface = Interface(number: 0, linkType: number16(8))
        var (name, description): (String?, String?)
        var option = 16
        while option + 4 <= length - 4, number16(option) != 0 {
            let (code, size) = (number16(option), Int(number16(option + 2)))
            let start = option + 4
            guard start + size <= length - 4 else { return fail("an option is too long") }
            let value = buffer[head + start..<head + start + size]
            switch code {
            case 2: name = Self.interfaceName(value)
            case 3: description = Self.interfaceName(value)
            case 9 where size == 1:
                guard let units = Self.units(value[value.startIndex]) else {
                    return fail("an interface has an unknown resolution of times")
                }
                interface.units = units
            case 14 where size == 8:
                let (first, second) = (UInt64(number32(start)), UInt64(number32(start + 4)))
                interface.offset = Int64(
                    bitPattern: isBigEndian ? first << 32 | second : second << 32 | first)
            default: break
            }
            option = start + (size + 3) & ~3
        }
        // The path of a device of Windows, such as `\Device\NPF_{…}`, is not the name under which its user knows it.
        if name?.contains("_Device_") == true, description != nil { name = nil }
        guard let number = number(ofInterface: name ?? description ?? interfaceNames[0]) else {
            return fail("there are more than \(Self.interfaceLimit) interfaces")
        }
        interface.number = number
        section.append(interface)
    }

    private mutating func number(ofInterface name: String) -> Int? {
        if let number = numbers[name] { return number }
        guard interfaceNames.count < Self.interfaceLimit else { return nil }
        numbers[name] = interfaceNames.count
        interfaceNames.append(name)
        return interfaceNames.count - 1
    }

    /// Returns the units of time in a second, which are a power of ten, or of two.
    private static func units(_ resolution: UInt8) -> UInt64? {
        let exponent = Int(resolution & 0x7f)
        if resolution & 0x80 != 0 { return exponent < 64 ? 1 << exponent : nil }
        return exponent < 20 ? (0..<exponent).reduce(1) { power, _ in power * 10 } : nil
    }

    private mutating func readPacket(_ length: Int, at start: Int, interface: Int) -> Packet? {
        guard length >= 32 else {
            fail("a packet is invalid")
            return nil
        }
        let captured = Int(number32(20))
        guard captured <= length - 32, section.indices.contains(interface) else {
            fail(
                captured <= length - 32
                    ? "a packet has an unknown interface" : "a packet is longer than its block")
            return nil
        }
        let interface = section[interface]
        let ticks = UInt64(number32(12)) << 32 | UInt64(number32(16))
        let (seconds, isOver) = Int64(clamping: ticks / interface.units)
            .addingReportingOverflow(interface.offset)
        let time = Self.time(
            seconds: isOver ? 0 : seconds, fraction: ticks % interface.units, of: interface.units)
        return take(
            time, interface: interface.number, interface.linkType, from: start, captured,
            original: Int(number32(24)), end: length)
    }

    /// Reads a packet without a time, which has the time of the packet before.
    private mutating func readSimplePacket(_ length: Int) -> Packet? {
        guard length >= 16, let interface = section.first else {
            fail("a packet has no interface")
            return nil
        }
        let original = Int(number32(8))
        return take(
            latest, interface: interface.number, interface.linkType, from: 12,
            min(original, length - 16), original: original, end: length)
    }
}
