// Examines one device, or this machine itself: what it sends, and which rules that breaks.
import DNSMessages
import PeerList
import PeerText

/// Finds devices on the link, and listens to what they send when they are asked for all of their records.
struct DeviceExamination {
    /// The times at which a device is asked, as any packet may be lost.
    private static let sendTimes: [Duration] = [.zero, .milliseconds(1_200), .milliseconds(2_400)]
    /// The time to listen for, which is longer.
    private static let listeningTime = Duration.milliseconds(4_000)
    /// The maximum number of addresses of an interface; a stranger can send in the name of this machine.
    private static let addressLimit = 64
    private static let typesName = DNSName("_services._dns-sd._udp.local")

    private let interfaces: [LocalInterface]

    init(_ interfaces: [LocalInterface] = LocalInterface.all()) { self.interfaces = interfaces }

    /// Browses for a time, and returns the host name of this machine and the devices of the link.
    static func browse(
        for time: Duration
    ) async throws(BackendError) -> (host: String, devices: [Peer]) {
        let browser = LinkBrowser()
        let host = try await browser.start()
        let reading = Task { @Sendable in
            var listing = PeerListing()
            for await event in browser.events { _ = listing.apply(event) }
            return listing.sections.flatMap(\.items).map(\.peer)
        }
        try? await Task.sleep(for: time)
        await browser.stop(within: .seconds(1))
        return (host, await reading.value)
    }

    /// Asks a device for all of its records, and judges what it sends itself.
    func rules(of device: Peer) async -> (rules: DeviceRules, paths: [NetworkPath]) {
        let services = device.services.compactMap {
            ProbeMessage.name(of: ServiceKey(name: $0.name, type: $0.type, domain: $0.domain))
        }
        let addresses = Set(device.addresses)
        let start = DeviceRules(
            services: Set(services), interfaces: interfaces, routes: .current(interfaces))
        let heard = await LinkListener.fold(
            on: paths, for: Self.listeningTime, asking: Self.questions(services, host: device.host),
            at: Self.sendTimes, into: start
        ) { rules, packet in
            if addresses.contains(packet.source.description) { rules.hear(packet) }
        }
        return (heard.value, heard.paths)
    }

    /// Asks for the addresses of this machine, and returns those with which it answers, by its interfaces.
    func answeredAddresses(of host: String) async -> [String: Set<HostAddress>] {
        guard let name = DNSName(host) else { return [:] }
        let questions = DNSQuery.messages([(name, DNSType.a), (name, DNSType.aaaa)])
        let heard = await LinkListener.fold(
            on: paths, for: Self.listeningTime, asking: questions, at: Self.sendTimes,
            into: [String: Set<HostAddress>]()
        ) { [interfaces] addresses, packet in
            guard interfaces.contains(where: { $0.has(packet.source) }),
                let message = DNSMessage(packet.bytes), message.isResponse
            else { return }
            let interface = packet.path.interface.name
            for address in Self.addresses(of: name, in: message, on: interface)
            where addresses[interface, default: []].count < Self.addressLimit {
                addresses[interface, default: []].insert(address)
            }
        }
        return heard.value
    }

    /// Returns the addresses of a host in a message; data of another size than an address has is left out.
    static func addresses(
        of host: DNSName, in message: DNSMessage, on interface: String
    ) -> [HostAddress] {
        (message.answers + message.additionals).filter { $0.name == host && $0.ttl > 0 }
            .compactMap { HostAddress(of: $0, on: interface) }
    }

    private var paths: [NetworkPath] { interfaces.filter(\.isUsable).flatMap(\.paths) }

    private static func questions(_ services: [DNSName], host: String?) -> [[UInt8]] {
        let types = Set(services.compactMap(DeviceRules.type))
        var questions = ([typesName].compactMap(\.self) + types).map { ($0, DNSType.ptr) }
        for service in services {
            questions += [DNSType.srv, DNSType.txt].map { (service, $0) }
        }
        if let host = host.flatMap({ DNSName($0) }) {
            questions += [DNSType.a, DNSType.aaaa].map { (host, $0) }
        }
        return DNSQuery.messages(questions)
    }
}

extension DeviceRules {
    /// Returns the findings about a device.
    func findings(on paths: [NetworkPath]) -> [Finding] {
        guard !paths.isEmpty else { return .unheard }
        guard packetCount > 0 else {
            return .one(
                .unknown, "It sent nothing itself when it was asked for its records.",
                advice:
                    "it is off, asleep or behind a router that answers for it; 'peerlist --once "
                    + "--vouching' tells who does")
        }
        let broken = result
        let heard = Finding(
            .ok, "\(counted(packetCount, "response")) heard.",
            facts: [("responses", .number(packetCount))])
        guard !broken.isEmpty else {
            return [heard, Finding(.ok, "It breaks no rule that can be seen from here.")]
        }
        return [heard]
            + broken.map { rule, records in
                let named = records.isEmpty ? "" : ": \(PeerText.listed(records, limit: 3))"
                return Finding(
                    .warning,
                    "It \(rule.breach) (\(rule.section)), so \(rule.consequence)\(named).",
                    facts: [
                        ("name", .text("\(rule)")), ("rule", .text(rule.section)),
                        ("records", .texts(records)),
                    ])
            }
    }
}

extension [Finding] {
    /// The finding that nothing can be heard.
    static var unheard: Self {
        .one(
            .unknown, "Nothing can be heard, because another program has port 5353 for itself.",
            advice: "if it is avahi-daemon, set disallow-other-stacks=no in its settings")
    }
}
