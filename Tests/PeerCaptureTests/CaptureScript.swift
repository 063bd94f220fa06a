// Writes DNS messages, packets and captures for tests.
import DNSMessages
import PeerModel

/// A record of a message.
struct ScriptRecord {
    var name: String
    var type: UInt16
    var data: [UInt8]
    var ttl: UInt32 = 120
    var isUnique = false

    static func bytes16(_ numbers: UInt16...) -> [UInt8] {
        numbers.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
    }

    /// Returns a name in wire form; dots end labels, but for the first label of a service, which is given whole.
    static func wire(_ name: String) -> [UInt8] {
        var labels = name.split(separator: ".").map(String.init)
        if let type = labels.firstIndex(where: { $0.hasPrefix("_") }), type > 1 {
            labels = [labels[..<type].joined(separator: ".")] + labels[type...]
        }
        return labels.flatMap { [UInt8($0.utf8.count)] + $0.utf8 } + [0]
    }

    static func pointer(_ type: String, _ instance: String, ttl: UInt32 = 4_500) -> ScriptRecord {
        ScriptRecord(
            name: "\(type).local", type: DNSType.ptr, data: wire("\(instance).\(type).local"),
            ttl: ttl)
    }

    static func location(
        _ service: String, _ host: String, port: UInt16 = 80, ttl: UInt32 = 120
    ) -> ScriptRecord {
        ScriptRecord(
            name: "\(service).local", type: DNSType.srv,
            data: bytes16(0, 0, port) + wire("\(host).local"), ttl: ttl, isUnique: true)
    }

    static func text(_ service: String, _ strings: [String], ttl: UInt32 = 4_500) -> ScriptRecord {
        let data = strings.flatMap { [UInt8($0.utf8.count)] + $0.utf8 }
        return ScriptRecord(
            name: "\(service).local", type: DNSType.txt, data: data.isEmpty ? [0] : data, ttl: ttl,
            isUnique: true)
    }

    static func address(
        _ host: String, _ bytes: [UInt8], ttl: UInt32 = 120, isUnique: Bool = true
    ) -> ScriptRecord {
        ScriptRecord(
            name: "\(host).local", type: bytes.count == 4 ? DNSType.a : DNSType.aaaa, data: bytes,
            ttl: ttl, isUnique: isUnique)
    }

    /// All records of a service of a host.
    static func service(
        _ instance: String, _ type: String, on host: String, _ address: [UInt8],
        _ strings: [String] = [], ttl: UInt32? = nil
    ) -> [ScriptRecord] {
        let name = "\(instance).\(type)"
        var records = [
            pointer(type, instance), location(name, host), text(name, strings),
            .address(host, address),
        ]
        if let ttl { for index in records.indices { records[index].ttl = ttl } }
        return records
    }

    var bytes: [UInt8] {
        Self.wire(name)
            + Self.bytes16(type, isUnique ? 0x8001 : 1, UInt16(ttl >> 16), UInt16(ttl & 0xffff))
            + Self.bytes16(UInt16(data.count)) + data
    }
}

/// Returns a response with records as its answers, or a query with them as known answers.
func message(_ records: [ScriptRecord], isResponse: Bool = true) -> [UInt8] {
    ScriptRecord.bytes16(0, isResponse ? 0x8400 : 0, 0, UInt16(records.count), 0, 0)
        + records.flatMap(\.bytes)
}

/// A packet of multicast DNS, layer by layer.
struct ScriptPacket {
    var payload: [UInt8]
    var source: [UInt8] = [192, 168, 1, 5]
    var mac: [UInt8] = [0x02, 0, 0, 0, 0, 5]
    var port: UInt16 = 5353
    var destination: UInt16 = 5353
    var hopLimit: UInt8 = 255

    private func bytes16(_ numbers: UInt16...) -> [UInt8] {
        numbers.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
    }

    var udp: [UInt8] { bytes16(port, destination, UInt16(payload.count + 8), 0) + payload }

    /// The packet from its IP header on; `extensions` come between IPv6 and UDP.
    func ip(extensions: [[UInt8]] = []) -> [UInt8] {
        if source.count == 4 {
            return [0x45, 0] + bytes16(UInt16(udp.count + 20), 0, 0) + [hopLimit, 17, 0, 0]
                + source + [224, 0, 0, 251] + udp
        }
        // The first byte of an extension is its own number here, which moves to the header before it.
        let numbers = extensions.map { $0[0] } + [17]
        let chain = zip(extensions, numbers.dropFirst()).flatMap { [$1] + $0.dropFirst() }
        let group: [UInt8] = [0xff, 2] + [UInt8](repeating: 0, count: 13) + [0xfb]
        return [0x60, 0, 0, 0] + bytes16(UInt16(chain.count + udp.count)) + [numbers[0], hopLimit]
            + source + group + chain + udp
    }

    /// Returns the packets of fragments, from their IP headers on, each of a range of the datagram's bytes; `options`
    /// says whether options of the destination come between IPv6 and UDP.
    func fragments(
        _ ranges: [Range<Int>], identification: UInt16 = 7, options: Bool = false
    ) -> [[UInt8]] {
        let datagram = (options ? [17, 0, 1, 4, 0, 0, 0, 0] : []) + udp
        return ranges.map { range in
            let bytes = datagram[range.clamped(to: 0..<datagram.count)]
            let isLast = range.upperBound >= datagram.count
            if source.count == 4 {
                let field = UInt16(range.lowerBound / 8) | (isLast ? 0 : 0x2000)
                return [0x45, 0] + bytes16(UInt16(bytes.count + 20), identification, field)
                    + [hopLimit, 17, 0, 0] + source + [224, 0, 0, 251] + bytes
            }
            let group: [UInt8] = [0xff, 2] + [UInt8](repeating: 0, count: 13) + [0xfb]
            return [0x60, 0, 0, 0] + bytes16(UInt16(bytes.count + 8)) + [44, hopLimit] + source
                + group + [options ? 60 : 17, 0]
                + bytes16(UInt16(range.lowerBound) | (isLast ? 0 : 1), 0, identification) + bytes
        }
    }

    /// The packet on Ethernet, of its bytes from the IP header on.
    func ethernet(_ ip: [UInt8], vlans: [UInt16] = []) -> [UInt8] {
        let tags = vlans.enumerated().flatMap { bytes16($0 == 0 ? 0x88a8 : 0x8100, $1) }
        return [1, 0, 0x5e, 0, 0, 0xfb] + mac + tags + bytes16(etherType) + ip
    }

    var etherType: UInt16 { source.count == 4 ? 0x0800 : 0x86dd }

    func ethernet(vlans: [UInt16] = []) -> [UInt8] { ethernet(ip(), vlans: vlans) }

    /// Linux cooked, version 1.
    var cooked: [UInt8] { bytes16(2, 1, 6) + mac + [0, 0] + bytes16(etherType) + ip() }

    /// Linux cooked, version 2, of an interface.
    func cooked2(_ interface: UInt16) -> [UInt8] {
        bytes16(etherType, 0, 0, interface, 1) + [2, 6] + mac + [0, 0] + ip()
    }
}

/// A capture in the making.
struct ScriptCapture {
    enum Kind { case pcap, nanoseconds, modified, pcapng }

    var kind = Kind.pcap
    var isBigEndian = false
    private(set) var bytes: [UInt8] = []
    private(set) var offsets: [Int] = []
    /// The units of time in a second, for each interface.
    private var ticks: [Double] = []

    init(
        _ kind: Kind = .pcap, isBigEndian: Bool = false, linkType: UInt16 = 1,
        interfaces: [(name: String?, linkType: UInt16)] = [], descriptions: [String] = [],
        resolutions: [UInt8] = []
    ) {
        (self.kind, self.isBigEndian) = (kind, isBigEndian)
        switch kind {
        case .pcapng:
            addBlock(
                0x0a0d_0d0a, number(0x1a2b_3c4d) + half(1) + half(0) + number(.max) + number(.max))
            let interfaces = interfaces.isEmpty ? [(nil, linkType)] : interfaces
            for (index, interface) in interfaces.enumerated() {
                var options = interface.0.map { option(2, Array($0.utf8)) } ?? []
                if index < descriptions.count {
                    options += option(3, Array(descriptions[index].utf8))
                }
                let resolution = index < resolutions.count ? resolutions[index] : 6
                options += option(9, [resolution])
                ticks.append(
                    resolution & 0x80 != 0
                        ? Double(1 << (resolution & 0x7f))
                        : (0..<resolution).reduce(1) { power, _ in power * 10 })
                addBlock(1, half(interface.1) + half(0) + number(262_144) + options + number(0))
            }
        default:
            let magic: UInt32 =
                switch kind {
                case .nanoseconds: 0xa1b2_3c4d
                case .modified: 0xa1b2_cd34
                default: 0xa1b2_c3d4
                }
            bytes =
                number(magic) + half(2) + half(4) + number(0) + number(0) + number(262_144)
                + number(UInt32(linkType))
        }
    }

    private func ordered(_ bytes: [UInt8]) -> [UInt8] { isBigEndian ? bytes : bytes.reversed() }
    private func half(_ value: UInt16) -> [UInt8] {
        ordered([UInt8(value >> 8), UInt8(value & 0xff)])
    }
    private func number(_ value: UInt32) -> [UInt8] {
        ordered([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) })
    }
    private func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }
    private func option(_ code: UInt16, _ value: [UInt8]) -> [UInt8] {
        half(code) + half(UInt16(value.count)) + padded(value)
    }

    mutating func addBlock(_ type: UInt32, _ body: [UInt8]) {
        let length = number(UInt32(body.count + 12))
        bytes += number(type) + length + body + length
    }

    /// Adds a packet at a time in seconds; `original` is its length on the link.
    mutating func add(
        _ packet: [UInt8], at time: Double, interface: UInt32 = 0, original: Int? = nil
    ) {
        offsets.append(bytes.count)
        let micros = UInt64((time * 1_000_000).rounded())
        let length = number(UInt32(packet.count)) + number(UInt32(original ?? packet.count))
        switch kind {
        case .pcapng:
            let unit = Int(interface) < ticks.count ? ticks[Int(interface)] : 1_000_000
            let seconds = time.rounded(.down)
            let time = UInt64(seconds) * UInt64(unit) + UInt64(((time - seconds) * unit).rounded())
            addBlock(
                6,
                number(interface) + number(UInt32(time >> 32))
                    + number(UInt32(truncatingIfNeeded: time))
                    + length + padded(packet))
        default:
            let fraction = UInt32(micros % 1_000_000) * (kind == .nanoseconds ? 1_000 : 1)
            bytes += number(UInt32(micros / 1_000_000)) + number(fraction) + length
            if kind == .modified { bytes += [UInt8](repeating: 0, count: 8) }
            bytes += packet
        }
    }
}
