// Judges the responses of a device by the rules of multicast DNS and DNS-SD.
import DNSMessages
import PeerList

/// A rule that responses may break.
enum DeviceRule: Int, CaseIterable, Comparable, Sendable {
    case hopLimit, foreignSource, notAuthoritative, hasQuestions, hasErrorCode
    case notUnique, uniquePointer, shortLife, withdrawsAndAnnounces, missingNegative
    case strayAddress, noPort, missingPointer, missingType, invalidText, longText, longType,
        controlCharacter

    static func < (left: DeviceRule, right: DeviceRule) -> Bool { left.rawValue < right.rawValue }

    /// The document and the section with the rule.
    var section: String {
        switch self {
        case .hopLimit, .foreignSource: "RFC 6762, section 11"
        case .notAuthoritative: "RFC 6762, section 18.4"
        case .hasQuestions: "RFC 6762, section 6"
        case .hasErrorCode: "RFC 6762, section 18.11"
        case .notUnique, .uniquePointer: "RFC 6762, section 10.2"
        case .shortLife: "RFC 6762, section 10"
        case .withdrawsAndAnnounces: "RFC 6762, section 10.1"
        case .missingNegative: "RFC 6762, section 6.1"
        case .strayAddress: "RFC 6762, section 6.2"
        case .noPort: "RFC 6763, section 8"
        case .missingPointer: "RFC 6763, section 4.1"
        case .missingType: "RFC 6763, section 9"
        case .invalidText: "RFC 6763, section 6.4"
        case .longText: "RFC 6763, section 6.2"
        case .longType: "RFC 6763, section 7.2"
        case .controlCharacter: "RFC 6763, section 4.1.1"
        }
    }

    /// The predicate of a sentence about the device that breaks the rule.
    var breach: String {
        switch self {
        case .hopLimit: "sends responses with another hop limit than 255"
        case .foreignSource: "sends from an address that is not on this link"
        case .notAuthoritative: "sends responses without the authoritative bit"
        case .hasQuestions: "repeats the questions in its responses"
        case .hasErrorCode: "sends responses with an error code"
        case .notUnique: "sends records of its own without the cache-flush bit"
        case .uniquePointer: "sends shared records with the cache-flush bit"
        case .shortLife: "lets records expire sooner than advised"
        case .withdrawsAndAnnounces: "withdraws records that it announces at the same time"
        case .missingNegative: "does not say which address families it lacks"
        case .strayAddress: "announces addresses that cannot work on this link"
        case .noPort: "announces services without a port"
        case .missingPointer: "does not answer for the type of its service"
        case .missingType: "does not list the type of its service"
        case .invalidText: "sends an invalid TXT record"
        case .longText: "sends a TXT record of more than 1300 bytes"
        case .longType: "has a service type of more than 15 characters"
        case .controlCharacter: "has control characters in a name"
        }
    }

    /// The consequence for those who look for the device.
    var consequence: String {
        switch self {
        case .hopLimit, .foreignSource: "some machines ignore its responses"
        case .notAuthoritative, .hasErrorCode: "strict machines ignore its responses"
        case .hasQuestions: "simple responders answer those questions again"
        case .notUnique: "former addresses and ports stay in caches until they expire"
        case .uniquePointer: "the services of other devices vanish from caches"
        case .shortLife: "it is asked more often, and vanishes from lists when answers are lost"
        case .withdrawsAndAnnounces: "it leaves and returns in lists"
        case .missingNegative: "a connection to it waits for the address that it does not have"
        case .strayAddress: "others wait for them in vain"
        case .noPort: "nothing can connect to them"
        case .missingPointer: "it is not found by those who browse for the type"
        case .missingType: "it is not found by those who browse for all types"
        case .invalidText: "programs may not find the values in it"
        case .longText:
            "it may not fit into a packet, and is not received where fragments are dropped"
        case .longType: "some programs cannot browse for it"
        case .controlCharacter: "lists show it in different ways"
        }
    }
}

/// The responses of a device, and the rules that they break.
struct DeviceRules: Sendable {
    /// The name and the type of records.
    private struct Key: Hashable {
        let name: DNSName
        let type: UInt16
    }

    /// The advised lives of records with a host name, and of others, in seconds.
    private static let lives = (host: UInt32(120), other: UInt32(4_500))
    /// The maximum numbers of records that are remembered, and of records that are named for a rule.
    private static let limits = (records: 4_096, named: 64)
    private static let typesName = DNSName("_services._dns-sd._udp.local")
    private static let nsec: UInt16 = 47
    /// The types of services that may have port 0: it reserves a name (RFC 6763, section 8), or there is nothing to connect
    /// to.
    private static let typesWithoutPort = ["_printer._tcp", "_device-info._tcp", "_adisk._tcp"]

    /// The names of the device's services.
    private let services: Set<DNSName>
    /// The types of the services.
    private let types: Set<DNSName>
    /// The interfaces of this machine, which tell the addresses on the link.
    private let interfaces: [LocalInterface]
    private let routes: RouteTable

    /// The number of responses.
    private(set) var packetCount = 0
    private var broken: [DeviceRule: Set<String>] = [:]
    /// The records, by whether they were announced, and whether they were withdrawn.
    private var heard: [Key: (announced: Bool, withdrawn: Bool)] = [:]
    private var listed: Set<DNSName> = []
    private var pointed: Set<DNSName> = []

    init(
        services: Set<DNSName>, interfaces: [LocalInterface], routes: RouteTable = RouteTable()
    ) {
        (self.services, self.interfaces, self.routes) = (services, interfaces, routes)
        types = Set(services.compactMap(Self.type))
    }

    /// Adds a packet of the device; queries are ignored.
    mutating func hear(_ packet: LinkPacket) {
        guard let message = DNSMessage(packet.bytes), message.isResponse else { return }
        packetCount += 1
        judge(packet, message)
        for record in message.answers + message.additionals {
            judge(record)
            judgeAddress(record, packet)
        }
    }

    /// The broken rules, in order, each with the records that break it; rules about whole packets have none.
    ///
    /// Call it when the device has had the time to answer all questions.
    var result: [(rule: DeviceRule, records: [String])] {
        var broken = broken
        for (key, state) in heard where state.announced && state.withdrawn {
            broken[.withdrawsAndAnnounces, default: []].insert(Self.title(key))
        }
        for (key, _) in heard where [DNSType.a, DNSType.aaaa].contains(key.type) {
            let other = key.type == DNSType.a ? DNSType.aaaa : DNSType.a
            if heard[Key(name: key.name, type: other)] == nil,
                heard[Key(name: key.name, type: Self.nsec)] == nil
            {
                broken[.missingNegative, default: []].insert(key.name.text)
            }
        }
        for service in services where heard[Key(name: service, type: DNSType.srv)] != nil {
            if !pointed.contains(service) {
                broken[.missingPointer, default: []].insert(service.text)
            }
            if let type = Self.type(of: service), !listed.contains(type) {
                broken[.missingType, default: []].insert(type.text)
            }
        }
        return broken.sorted { $0.key < $1.key }.map { ($0.key, $0.value.sorted()) }
    }

    private mutating func judge(_ packet: LinkPacket, _ message: DNSMessage) {
        if let limit = packet.hopLimit, limit != 255 { note(.hopLimit) }
        let local = interfaces.first { $0.interface == packet.path.interface }
        if let local, !local.has(packet.source), !local.reaches(packet.source) {
            note(.foreignSource, packet.source.description)
        }
        // The header is there, as the message was read.
        if packet.bytes[2] & 0x04 == 0 { note(.notAuthoritative) }
        if packet.bytes[3] & 0x0f != 0 { note(.hasErrorCode) }
        if !message.questions.isEmpty { note(.hasQuestions) }
    }

    private mutating func judge(_ record: DNSMessage.Record) {
        let key = Key(name: record.name, type: record.type)
        if heard[key] == nil, heard.count >= Self.limits.records { return }
        if record.ttl == 0 {
            heard[key, default: (false, false)].withdrawn = true
            return
        }
        heard[key, default: (false, false)].announced = true
        let isShared = record.type == DNSType.ptr && !record.name.isReverse
        let title = Self.title(key)
        if isShared == record.isUnique { note(isShared ? .uniquePointer : .notUnique, title) }
        let isOfHost =
            [DNSType.a, DNSType.aaaa, DNSType.srv].contains(record.type) || record.name.isReverse
        let life = isOfHost ? Self.lives.host : Self.lives.other
        if record.ttl < life, record.type != Self.nsec {
            note(.shortLife, "\(title) \(record.ttl) s instead of \(life)")
        }
        switch record.type {
        case DNSType.ptr:
            guard let target = record.target else { return }
            if record.name == Self.typesName {
                if types.contains(target) { listed.insert(target) }
            } else if services.contains(target) {
                pointed.insert(target)
            }
        case DNSType.srv:
            judgeName(record.name)
            judgePort(record)
        case DNSType.txt: judgeText(record.data, title)
        default: break
        }
    }

    /// Notes an address that works for no machine on the link; this machine may announce addresses of its bridges.
    private mutating func judgeAddress(_ record: DNSMessage.Record, _ packet: LinkPacket) {
        let interface = packet.path.interface.name
        guard record.ttl > 0,
            let address = HostAddress(of: record, on: interface),
            !interfaces.contains(where: { $0.has(packet.source) }),
            routes.reach(of: address, on: [interface], isReflected: false) == .impossible
        else { return }
        note(.strayAddress, address.description)
    }

    private mutating func judgePort(_ record: DNSMessage.Record) {
        guard record.data.count > 6, record.data[4] == 0, record.data[5] == 0,
            let type = record.name.serviceParts?.type,
            !Self.typesWithoutPort.contains(type.lowercased())
        else { return }
        note(.noPort, record.name.text)
    }

    private mutating func judgeName(_ name: DNSName) {
        guard let parts = name.serviceParts else { return }
        let type = parts.type.dropFirst().prefix { $0 != "." }
        if type.utf8.count > 15 { note(.longType, parts.type) }
        if parts.instance?.unicodeScalars.contains(where: {
            $0.properties.generalCategory == .control
        })
            == true
        {
            note(.controlCharacter, name.text)
        }
    }

    private mutating func judgeText(_ data: [UInt8], _ title: String) {
        if data.count > 1_300 { note(.longText, title) }
        var rest = data[...]
        while let count = rest.popFirst() {
            let string = rest.prefix(Int(count))
            rest = rest.dropFirst(Int(count))
            let key = string.prefix { $0 != UInt8(ascii: "=") }
            // An empty string alone is a record without attributes (RFC 6763, section 6.1).
            let isEmpty = count == 0 && data.count == 1
            if string.count < count || key.isEmpty && !isEmpty
                || !key.allSatisfy({ 0x20...0x7e ~= $0 })
            {
                return note(.invalidText, title)
            }
        }
        if data.isEmpty { note(.invalidText, title) }
    }

    private mutating func note(_ rule: DeviceRule, _ record: String? = nil) {
        guard broken[rule, default: []].count < Self.limits.named else { return }
        broken[rule, default: []].formUnion([record].compactMap(\.self))
    }

    /// Returns the name of a service's type.
    static func type(of service: DNSName) -> DNSName? {
        service.serviceParts.flatMap { DNSName("\($0.type).\($0.domain)") }
    }

    private static func title(_ key: Key) -> String {
        let names = [
            DNSType.a: "A", DNSType.aaaa: "AAAA", DNSType.ptr: "PTR", DNSType.srv: "SRV",
            DNSType.txt: "TXT", nsec: "NSEC",
        ]
        return "\(key.name.text) \(names[key.type] ?? "type \(key.type)")"
    }
}

extension HostAddress {
    /// Returns the address of an address record that was heard on an interface; `nil` for other records, and for data of
    /// another size than an address has.
    init?(of record: DNSMessage.Record, on interface: String) {
        guard [DNSType.a: 4, DNSType.aaaa: 16][record.type] == record.data.count else {
            return nil
        }
        self.init(bytes: record.data, interface: interface)
    }
}

extension DNSName {
    /// Whether the name stands for an address (RFC 1035, section 3.5).
    fileprivate var isReverse: Bool { labels.last.map(Array.init) == Array("arpa".utf8) }
}
