// Finds the datagrams of multicast DNS, SSDP and WS-Discovery in captured packets: link layer, IP, UDP.
import DNSMessages
import PeerModel
import SilentMessages

/// A datagram from or to the port of a protocol that is read.
struct Datagram: Equatable {
    /// The number of the interface in the header of the link layer, if it has one.
    var interfaceIndex: UInt32?
    /// The identifiers of the VLANs, the outermost first.
    var vlans: [UInt16] = []
    /// The MAC address of the sender on the link.
    var senderMAC: MACAddress?
    /// The address of the sender, of 4 or 16 bytes.
    var source: [UInt8] = []
    var sourcePort: UInt16 = 0
    var destinationPort: UInt16 = 0
    /// The time to live (IPv4) or the hop limit (IPv6) on arrival.
    var hopLimit: UInt8 = 0
    var payload: [UInt8] = []

    static let port = Belief.port
    /// The ports of all protocols that are read.
    static let ports = Set([port] + Statement.Speaker.allCases.compactMap(\.port))

    var family: AddressFamily { source.count == 4 ? .ipv4 : .ipv6 }
}

/// A fragment of a datagram of UDP (RFC 791, section 3.2; RFC 8200, section 4.5).
struct Fragment: Equatable {
    /// The headers of the link layer and of IP, as in the datagram.
    var header: Datagram
    /// The address to which it was sent.
    var destination: [UInt8]
    var identification: UInt32
    /// The protocol of the first bytes of the datagram.
    var nextHeader: UInt8
    /// The offset in the datagram in bytes.
    var offset: Int
    var isLast: Bool
    var bytes: [UInt8]

    /// The maximum length of a datagram.
    static let limit = 65_535

    /// Whether the fragment has a place in a datagram: all but the last one have a multiple of 8 bytes.
    var isValid: Bool {
        !bytes.isEmpty && (isLast || bytes.count.isMultiple(of: 8))
            && offset + bytes.count <= Self.limit
    }
}

/// The contents of a captured packet.
enum PacketContent: Equatable {
    case datagram(Datagram)
    /// A fragment of a datagram of UDP.
    case fragment(Fragment)
    /// A packet of which too few bytes were captured.
    case truncated
    /// A packet of a link whose headers are not known.
    case unknownLink
    /// A packet with more than ``vlanLimit`` VLAN tags.
    case tooManyVLANs
    /// Anything else.
    case other

    /// The maximum number of VLAN tags. Networks use two at most.
    static let vlanLimit = 4

    /// Reads a packet of a link type, captured in a range of a buffer.
    init(_ buffer: [UInt8], _ range: Range<Int>, linkType: UInt16, originalLength: Int) {
        var parser = PacketParser(
            buffer: buffer, range: range, isTruncated: range.count < originalLength)
        self = parser.parse(linkType)
    }

    /// Reads what follows the header of IP, or of its fragments.
    ///
    /// - Parameters:
    ///   - bytes: The bytes, which begin with the header of a protocol.
    ///   - nextHeader: The number of that protocol.
    ///   - header: The headers before it.
    ///   - isTruncated: Whether more bytes were sent.
    init(_ bytes: [UInt8], nextHeader: UInt8, header: Datagram, isTruncated: Bool = false) {
        var parser = PacketParser(bytes, after: header, isTruncated: isTruncated)
        self = parser.parse(nextHeader: nextHeader, at: 0, end: bytes.count)
    }
}

/// A parser of the headers of one packet.
private struct PacketParser {
    private let buffer: [UInt8]
    private let range: Range<Int>
    private let isTruncated: Bool
    private var datagram = Datagram()
    /// The range of the address to which the packet was sent.
    private var destination = 0..<0
    /// Whether the packet's headers were read already, and these are the bytes of its datagram.
    private let isInner: Bool

    init(buffer: [UInt8], range: Range<Int>, isTruncated: Bool) {
        (self.buffer, self.range, self.isTruncated) = (buffer, range, isTruncated)
        isInner = false
    }

    /// A parser of what follows headers that were read already.
    init(_ bytes: [UInt8], after header: Datagram, isTruncated: Bool) {
        (buffer, range, self.isTruncated) = (bytes, bytes.indices, isTruncated)
        (datagram, isInner) = (header, true)
    }

    /// The result for a packet that ends too early.
    private var short: PacketContent { isTruncated ? .truncated : .other }

    private func has(_ end: Int) -> Bool { end <= range.count }

    private func byte(_ index: Int) -> UInt8 { buffer[range.lowerBound + index] }

    private func number16(_ index: Int) -> UInt16 {
        UInt16(byte(index)) << 8 | UInt16(byte(index + 1))
    }

    private func number32(_ index: Int) -> UInt32 {
        UInt32(number16(index)) << 16 | UInt32(number16(index + 2))
    }

    private func array(_ indices: Range<Int>) -> [UInt8] {
        let start = range.lowerBound
        return Array(buffer[start + indices.lowerBound..<start + indices.upperBound])
    }

    mutating func parse(_ linkType: UInt16) -> PacketContent {
        switch linkType {
        case 1: return parseEthernet()
        // Linux cooked, versions 1 and 2: of the "any" interface.
        case 113:
            guard has(16) else { return short }
            if number16(4) == 6 { datagram.senderMAC = MACAddress(bytes: array(6..<12)) }
            return parse(etherType: number16(14), at: 16)
        case 276:
            guard has(20) else { return short }
            datagram.interfaceIndex = number32(4)
            if byte(11) == 6 { datagram.senderMAC = MACAddress(bytes: array(12..<18)) }
            return parse(etherType: number16(0), at: 20)
        // Raw IP; 12 and 14 are numbers that some systems write.
        case 12, 14, 101, 228, 229: return parseIP(at: 0)
        // Loopback: a number of the address family; the IP header tells more.
        case 0, 108:
            guard has(4) else { return short }
            return parseIP(at: 4)
        default: return .unknownLink
        }
    }

    private mutating func parseEthernet() -> PacketContent {
        guard has(14) else { return short }
        datagram.senderMAC = MACAddress(bytes: array(6..<12))
        return parse(etherType: number16(12), at: 14)
    }

    private mutating func parse(etherType: UInt16, at start: Int) -> PacketContent {
        var (type, start, tags) = (etherType, start, 0)
        while [0x8100, 0x88a8, 0x9100].contains(type) {
            guard has(start + 4) else { return short }
            tags += 1
            guard tags <= PacketContent.vlanLimit else { return .tooManyVLANs }
            let vlan = number16(start) & 0x0fff
            // 0 only gives a priority.
            if vlan != 0 { datagram.vlans.append(vlan) }
            (type, start) = (number16(start + 2), start + 4)
        }
        return type == 0x0800 || type == 0x86dd ? parseIP(at: start) : .other
    }

    private mutating func parseIP(at start: Int) -> PacketContent {
        guard has(start + 1) else { return short }
        switch byte(start) >> 4 {
        case 4: return parseIPv4(at: start)
        case 6: return parseIPv6(at: start)
        default: return .other
        }
    }

    private mutating func parseIPv4(at start: Int) -> PacketContent {
        guard has(start + 20) else { return short }
        let size = Int(byte(start) & 0x0f) * 4
        guard size >= 20, byte(start + 9) == 17 else { return .other }
        datagram.hopLimit = byte(start + 8)
        datagram.source = array(start + 12..<start + 16)
        destination = start + 16..<start + 20
        let (field, end) = (number16(start + 6), start + Int(number16(start + 2)))
        guard field & 0x3fff == 0 else {
            return parseFragment(
                at: start + size, end: end, nextHeader: 17, UInt32(number16(start + 4)),
                offset: Int(field & 0x1fff) * 8, isLast: field & 0x2000 == 0)
        }
        return parse(nextHeader: 17, at: start + size, end: end)
    }

    private mutating func parseIPv6(at start: Int) -> PacketContent {
        guard has(start + 40) else { return short }
        datagram.hopLimit = byte(start + 7)
        datagram.source = array(start + 8..<start + 24)
        destination = start + 24..<start + 40
        return parse(
            nextHeader: byte(start + 6), at: start + 40, end: start + 40 + Int(number16(start + 4)))
    }

    /// Passes over the extension headers of IPv6; `end` is that of the packet.
    mutating func parse(nextHeader: UInt8, at start: Int, end: Int) -> PacketContent {
        var (next, header) = (nextHeader, start)
        while next != 17 {
            guard [0, 43, 44, 51, 60].contains(next) else { return .other }
            guard has(header + 8) else { return short }
            let size: Int
            switch next {
            case 44:
                // Fragments of a fragment are not sent.
                guard !isInner else { return .other }
                size = 8
                let field = number16(header + 2)
                // A datagram of one fragment is none of several (RFC 6946).
                guard field & 0xfff9 == 0 else {
                    return parseFragment(
                        at: header + size, end: end, nextHeader: byte(header),
                        number32(header + 4), offset: Int(field & 0xfff8), isLast: field & 1 == 0)
                }
            case 51: size = (Int(byte(header + 1)) + 2) * 4
            default: size = (Int(byte(header + 1)) + 1) * 8
            }
            (next, header) = (byte(header), header + size)
        }
        return parseUDP(at: header)
    }

    private func parseFragment(
        at start: Int, end: Int, nextHeader: UInt8, _ identification: UInt32, offset: Int,
        isLast: Bool
    ) -> PacketContent {
        // Before UDP, a fragment may have the options of its destination.
        guard [17, 60].contains(nextHeader), start < end else { return .other }
        guard has(end) else {
            // Of a later fragment it is not known whether it is of multicast DNS.
            guard isTruncated, offset == 0, start < range.count else { return .other }
            let content = PacketContent(
                array(start..<range.count), nextHeader: nextHeader, header: datagram,
                isTruncated: true)
            return content == .other ? .other : .truncated
        }
        let fragment = Fragment(
            header: datagram, destination: array(destination), identification: identification,
            nextHeader: nextHeader, offset: offset, isLast: isLast, bytes: array(start..<end))
        return fragment.isValid ? .fragment(fragment) : .other
    }

    private mutating func parseUDP(at start: Int) -> PacketContent {
        guard has(start + 8) else { return short }
        datagram.sourcePort = number16(start)
        datagram.destinationPort = number16(start + 2)
        guard
            [datagram.sourcePort, datagram.destinationPort].contains(where: Datagram.ports.contains)
        else { return .other }
        let end = start + Int(number16(start + 4))
        guard end >= start + 8 else { return .other }
        guard has(end) else { return short }
        datagram.payload = array(start + 8..<end)
        return .datagram(datagram)
    }
}
