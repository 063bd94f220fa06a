// Counts what is sent on a link, and notices what should not be sent.
import DNSMessages
import PeerList

/// The traffic of multicast DNS on the paths of this machine, within bounds on what others can send.
struct LinkTraffic: Sendable {
    /// The packets of a source address.
    struct Sender: Equatable, Sendable {
        var packets = 0
        var bytes = 0
        var questions = 0
        var answers = 0
        /// The lowest hop limit of its responses; `nil` if all had 255.
        var hopLimit: Int?
    }

    /// Two addresses that send the same responses.
    struct Echo: Hashable, Sendable {
        /// The address that sent the first response.
        let first: HostAddress
        /// The address that repeated the response.
        let second: HostAddress
        let interface: String
    }

    /// A sender that claims one name after the other.
    struct Renaming: Hashable, Sendable {
        let sender: HostAddress
        /// The name without its number.
        let base: String
    }

    /// The maximum number of senders; the packets of others are counted together.
    static let senderLimit = 1_024
    /// The maximum numbers of echoes and of names that are told apart.
    private static let limit = 256
    /// The time within which the same response of another sender is a repetition.
    private static let echoTime = Duration.seconds(1)
    /// The maximum number of responses that are remembered for that time.
    private static let recentLimit = 4_096
    /// The shortest time between two attempts to claim a name (RFC 6762, section 8.1).
    private static let claimTime = Duration.milliseconds(200)

    private(set) var senders: [HostAddress: Sender] = [:]
    /// The packets of the senders that are too many.
    private(set) var others = Sender()
    private var echoCounts: [Echo: Int] = [:]
    private var claims: [Renaming: [(number: Int, time: Duration)]] = [:]
    /// The latest responses by the hashes of their bytes, oldest first.
    private var recent: [(hash: Int, source: HostAddress, path: NetworkPath, time: Duration)] = []
    /// The addresses of hosts by their names, to know the senders that are one machine.
    private var hosts: [DNSName: Set<[UInt8]>] = [:]
    /// The hosts whose addresses senders announce, by the senders' addresses.
    private(set) var announcedHosts: [HostAddress: Set<DNSName>] = [:]
    /// The maximum number of hosts of a sender.
    private static let hostLimit = 16
}

extension LinkTraffic {
    /// Adds a packet; packets that are no DNS message are counted.
    mutating func hear(_ packet: LinkPacket) {
        let message = DNSMessage(packet.bytes)
        if senders[packet.source] != nil || senders.count < Self.senderLimit {
            senders[packet.source, default: Sender()].add(packet, message)
        } else {
            others.add(packet, message)
        }
        guard let message else { return }
        noteHosts(message, from: packet.source)
        if message.isResponse { noteEcho(of: packet, message) } else { noteClaims(packet, message) }
    }

    /// The number of packets of all senders.
    var packetCount: Int { senders.values.reduce(others.packets) { $0 + $1.packets } }
    /// The size of the packets of all senders.
    var byteCount: Int { senders.values.reduce(others.bytes) { $0 + $1.bytes } }

    /// The pairs in which one sender repeats the other's responses, with the number of responses, most first.
    ///
    /// A machine with two addresses repeats itself, and so do two hosts that answer at the same time for one device.
    var echoes: [(echo: Echo, count: Int)] {
        echoCounts.filter { echo, count in
            count > 1
                && !hosts.values.contains {
                    $0.contains(echo.first.bytes) && $0.contains(echo.second.bytes)
                }
        }.map { ($0.key, $0.value) }.sorted {
            ($1.1, $0.0.first, $0.0.second) < ($0.1, $1.0.first, $1.0.second)
        }
    }

    /// The numbers under which senders claimed names one after the other, at least three.
    var renamings: [Renaming: [Int]] {
        claims.mapValues { $0.map(\.number) }.filter { $0.value.count > 2 }
    }

    private mutating func noteHosts(_ message: DNSMessage, from source: HostAddress) {
        guard message.isResponse else { return }
        for record in message.answers + message.additionals
        where [DNSType.a, DNSType.aaaa].contains(record.type) {
            if announcedHosts[source] != nil || announcedHosts.count < Self.senderLimit,
                announcedHosts[source, default: []].count < Self.hostLimit
            {
                announcedHosts[source, default: []].insert(record.name)
            }
            guard hosts[record.name] != nil || hosts.count < Self.senderLimit,
                hosts[record.name, default: []].count < Self.limit
            else { continue }
            hosts[record.name, default: []].insert(record.data)
        }
    }

    /// Notes that a response is the same as one of another sender shortly before.
    ///
    /// Two hosts may list the same type of service, so only a response with a record of one host counts.
    private mutating func noteEcho(of packet: LinkPacket, _ message: DNSMessage) {
        guard (message.answers + message.additionals).contains(where: { $0.isUnique && $0.ttl > 0 })
        else { return }
        let old = recent.prefix { packet.time - $0.time > Self.echoTime }.count
        recent.removeFirst(max(old, recent.count - Self.recentLimit + 1))
        let hash = packet.bytes.hashValue
        let former = recent.first { $0.hash == hash && $0.path == packet.path }
        if let former, former.source != packet.source {
            let echo = Echo(
                first: former.source, second: packet.source, interface: packet.path.interface.name)
            if echoCounts[echo] != nil || echoCounts.count < Self.limit {
                echoCounts[echo, default: 0] += 1
            }
        } else {
            recent.append((hash, packet.source, packet.path, packet.time))
        }
    }

    /// Notes the names for which a query probes (RFC 6762, section 8.1).
    private mutating func noteClaims(_ packet: LinkPacket, _ message: DNSMessage) {
        for name in Set(message.authorities.map(\.name)) {
            guard let label = name.labels.first else { continue }
            let (base, number) = Self.parts(of: String(decoding: label, as: UTF8.self))
            let rest = name.labels.dropFirst().map { String(decoding: $0, as: UTF8.self) }
            let key = Renaming(
                sender: packet.source, base: ([base] + rest).joined(separator: "."))
            let known = claims[key] ?? []
            // Three services of one name that are claimed at the same time are no attempts.
            guard known.isEmpty ? claims.count < Self.limit : known.count < Self.limit,
                known.last.map({ $0.number < number && packet.time - $0.time >= Self.claimTime })
                    ?? true
            else { continue }
            claims[key] = known + [(number, packet.time)]
        }
    }

    /// Returns a label without the number that a responder adds when the name is taken: `nas-2`, `NAS (2)`, `NAS #2`.
    static func parts(of label: String) -> (base: String, number: Int) {
        guard let match = label.wholeMatch(of: /(.+?)(?:-| #| \()(\d{1,9})\)?/),
            let number = Int(match.2), number > 1
        else { return (label, 1) }
        return (String(match.1), number)
    }
}

extension LinkTraffic.Sender {
    fileprivate mutating func add(_ packet: LinkPacket, _ message: DNSMessage?) {
        packets += 1
        bytes += packet.bytes.count
        guard let message else { return }
        questions += message.questions.count
        guard message.isResponse else { return }
        answers += message.answers.count
        if let limit = packet.hopLimit, limit != 255 { hopLimit = min(hopLimit ?? limit, limit) }
    }
}
