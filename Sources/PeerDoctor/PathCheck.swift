// Checks which way packets of multicast DNS pass between this machine and others.
import DNSMessages
import FoundationEssentials
import PeerList
import PeerText

/// The replies of other devices to queries for their services, by multicast and by unicast, and the verdicts on the paths.
struct PathCheck: Sendable {
    /// A device other than this machine.
    struct Device: Sendable {
        let name: String
        var addresses: Set<String> = []
        var services: [ServiceKey] = []
        /// The paths on which the device is or was announced.
        var paths: Set<NetworkPath> = []
    }

    /// The packets of a device that arrived on a path, and the times of the last ones.
    struct Arrivals: Equatable, Sendable {
        /// The questions, by the order in which they were sent, after which the device's services were sent by multicast.
        var answered: Set<Int> = []
        /// A reply to a query, by unicast.
        var unicastAnswer: Duration?
        /// Any response by multicast.
        var response: Duration?
    }

    /// The packets of devices, by path and device.
    struct Heard: Sendable {
        private let owners: [DNSName: Int]
        private let addresses: [String: Int]
        private let sendTimes: [Duration]
        fileprivate(set) var arrivals: [NetworkPath: [Int: Arrivals]] = [:]
        /// The devices with the address of a router to other networks.
        let routers: Set<Int>

        /// Creates the value before the first packet, for questions that are sent at certain times.
        init(_ devices: [Device], gateways: Set<String>, sendTimes: [Duration]) {
            var owners: [DNSName: Int] = [:]
            var addresses: [String: Int] = [:]
            for (index, device) in devices.enumerated() {
                for name in device.services.compactMap(ProbeMessage.name) { owners[name] = index }
                for address in device.addresses { addresses[address] = index }
            }
            (self.owners, self.addresses, self.sendTimes) = (owners, addresses, sendTimes)
            routers = Set(gateways.compactMap { addresses[$0] })
        }

        /// Adds a response of a device, which is recognized by its services or by the sender's address.
        mutating func hear(_ packet: LinkPacket) {
            guard let message = DNSMessage(packet.bytes), message.isResponse else { return }
            // A withdrawal is no sign of a device.
            let answers = message.answers.filter { $0.ttl > 0 }
            guard !answers.isEmpty else { return }
            var devices: Set<Int> = []
            for answer in answers where answer.type == DNSType.srv {
                if let owner = owners[answer.name] { devices.insert(owner) }
            }
            if packet.isUnicast {
                for device in devices { note(packet, of: device) { $0.unicastAnswer = $1 } }
                return
            }
            if let number = sendTimes.lastIndex(where: { $0 <= packet.time }),
                packet.time - sendTimes[number] <= PathCheck.answerTime
            {
                for device in devices {
                    note(packet, of: device) { arrivals, _ in
                        arrivals.answered.insert(number)
                    }
                }
            }
            if let sender = addresses[packet.source.description] { devices.insert(sender) }
            for device in devices { note(packet, of: device) { $0.response = $1 } }
        }

        private mutating func note(
            _ packet: LinkPacket, of device: Int, _ note: (inout Arrivals, Duration) -> Void
        ) {
            note(&arrivals[packet.path, default: [:]][device, default: Arrivals()], packet.time)
        }
    }

    /// A verdict on a path, as in JSON.
    enum Verdict: String, CaseIterable, Sendable {
        case bothWays = "both-ways"
        case unicastOnly = "unicast-only"
        case oneWay = "one-way"
        case membershipLost = "membership-lost"
        case isolated
        case unknown
    }

    /// The shortest time for which devices are asked: one round of questions, with the answers.
    static let shortestTime = Duration.seconds(3)
    /// The time within which a device answers (RFC 6762, section 6: 120 ms; more if answers are aggregated, or sent to a
    /// sleeping station).
    fileprivate static let answerTime = Duration.milliseconds(600)
    /// The number of questions of a round after which a device must be heard, so that it is no coincidence: devices also
    /// announce their services unasked.
    private static let answerCount = 2
    /// The maximum number of devices that are asked.
    static let deviceLimit = 64
    private static let nameLimit = 3
    /// The maximum number of silent devices that may have left one by one, rather than be cut off together.
    private static let coincidence = 2

    let devices: [Device]
    let heard: Heard
    /// The paths that were listened on.
    let paths: [NetworkPath]
    /// The paths on which this machine's own multicast comes back.
    let returned: Set<NetworkPath>
    /// The time for which the devices were asked.
    let time: Duration
    /// The time for which this machine had listened before.
    var lead = Duration.zero

    /// Returns the times at which devices are asked: at the start, every minute, and at the end. Any packet may be lost, and
    /// a record is sent once a second at most (RFC 6762, section 6).
    static func sendTimes(for time: Duration) -> [Duration] {
        let seconds = Int(time / .seconds(1))
        let starts =
            [Duration.zero] + stride(from: 60, to: seconds - 6, by: 60).map { .seconds($0) }
        let rounds = starts.filter { $0 < lastRound(of: time) } + [lastRound(of: time)]
        return rounds.flatMap { start in
            [0, 1_100, 2_200].map { start + .milliseconds($0) }
        }
    }

    /// Returns the time at which devices are asked for the last time.
    private static func lastRound(of time: Duration) -> Duration {
        time < shortestTime * 2 ? .zero : time - shortestTime
    }
}

extension PathCheck {
    /// The verdict on a path, and its evidence.
    private struct Judgement {
        let path: NetworkPath
        let verdict: Verdict
        /// The devices that the verdict is about.
        var devices: [String] = []
        /// The time at which the last response arrived, if none does any more.
        var end: Duration?
        /// The reason why nothing is known.
        var reason = ""
    }

    var findings: [Finding] {
        guard !paths.isEmpty else { return .unheard }
        let interfaces = Dictionary(grouping: paths, by: \.interface)
        return interfaces.sorted { $0.key.name < $1.key.name }.flatMap { _, paths in
            let judgements = paths.sorted().map(judgement)
            let groups = Dictionary(grouping: judgements) {
                [$0.verdict.rawValue, $0.reason, $0.devices.joined(separator: "\n")]
            }
            let found = groups.values.sorted { $0[0].path < $1[0].path }.map(finding)
            return found + partialFindings(on: paths.sorted())
        }
    }

    /// Returns the devices with certain arrivals on some of the paths.
    private func devices(on paths: [NetworkPath], where isIncluded: (Arrivals) -> Bool) -> Set<Int>
    {
        Set(paths.flatMap { (heard.arrivals[$0] ?? [:]).filter { isIncluded($0.value) }.keys })
    }

    private var lastRound: Duration { Self.lastRound(of: time) }

    /// Returns the devices that hear questions on some of the paths, and are heard, when asked for the last time.
    private func answering(on paths: [NetworkPath]) -> Set<Int> {
        let questions = Self.sendTimes(for: time).indices.suffix(3)
        return devices(on: paths) { arrivals in
            guard let response = arrivals.response, response >= lastRound else { return false }
            let count = arrivals.answered.intersection(questions).count
            return count >= Self.answerCount || isRecent(arrivals.unicastAnswer)
        }
    }

    private func answeringByUnicast(on paths: [NetworkPath]) -> Set<Int> {
        devices(on: paths) { isRecent($0.unicastAnswer) }
    }

    private func responding(on paths: [NetworkPath]) -> Set<Int> {
        devices(on: paths) { $0.response != nil }
    }

    private func isRecent(_ time: Duration?) -> Bool { time.map { $0 >= lastRound } ?? false }

    private func titles(_ devices: Set<Int>) -> [String] {
        devices.sorted().map { self.devices[$0].name }
    }

    private func judgement(on path: NetworkPath) -> Judgement {
        guard returned.contains(path) else {
            return Judgement(
                path: path, verdict: .unknown,
                reason: "the multicast of this machine does not come back; see Multicast loopback "
                    + "above")
        }
        let others = paths.filter { $0.interface == path.interface && $0.family != path.family }
        let routers = heard.routers
        let answering = answering(on: [path]).subtracting(routers)
        if !answering.isEmpty {
            return Judgement(path: path, verdict: .bothWays, devices: titles(answering))
        }
        let unicast = answeringByUnicast(on: [path]).subtracting(routers)
        let heard = responding(on: [path]).subtracting(routers)
        // Devices that answer over the other family by multicast, and did so over this one, or still do by unicast.
        let known = Set(devices.indices.filter { devices[$0].paths.contains(path) })
        let lost = self.answering(on: others).subtracting(routers)
            .intersection(unicast.union(heard).union(known))
        if !lost.isEmpty {
            let end = lost.compactMap { self.heard.arrivals[path]?[$0]?.response }.max()
            return Judgement(
                path: path, verdict: .membershipLost, devices: titles(lost), end: end)
        }
        if !unicast.isEmpty {
            return Judgement(path: path, verdict: .unicastOnly, devices: titles(unicast))
        }
        // A device that answered before may have left.
        let deaf = heard.subtracting(
            devices(on: [path]) {
                $0.unicastAnswer != nil || $0.answered.count >= Self.answerCount
            })
        if !deaf.isEmpty {
            return Judgement(path: path, verdict: .oneWay, devices: titles(deaf))
        }
        return silence(on: path, [path] + others)
    }

    /// Returns the verdict on a path on which no device but a router is heard.
    private func silence(on path: NetworkPath, _ all: [NetworkPath]) -> Judgement {
        let present = responding(on: all).union(answeringByUnicast(on: all))
        let routers = present.intersection(heard.routers)
        let isAlone = !routers.isEmpty && routers == present
        let silent = devices.indices.filter {
            !heard.routers.contains($0) && !devices[$0].paths.isDisjoint(with: all)
        }
        if isAlone, silent.count > Self.coincidence {
            return Judgement(path: path, verdict: .isolated, devices: titles(Set(silent)))
        }
        return Judgement(
            path: path, verdict: .unknown,
            reason: isAlone
                ? "only the router answers (\(listed(titles(routers), limit: Self.nameLimit))): "
                    + "there is no other device, or stations are isolated from each other"
                : "no other device answers over it")
    }

    /// The finding about paths of one interface with the same verdict and devices.
    private func finding(_ judgements: [Judgement]) -> Finding {
        let first = judgements[0]
        let paths = judgements.map(\.path)
        let (interface, families) = (first.path.interface.name, paths.map(\.family))
        let over = "over \(families.titles)"
        let names = listed(first.devices, limit: Self.nameLimit)
        let verb = first.devices.count == 1 ? "answers" : "answer"
        let facts: [(String, Finding.Value)] = [
            ("interface", .text(interface)), ("families", .families(families)),
            ("verdict", .text(first.verdict.rawValue)),
            ("seconds", .number(Int((time / .seconds(1)).rounded()))),
            ("answeringByMulticast", .texts(titles(answering(on: paths)))),
            ("answeringByUnicast", .texts(titles(answeringByUnicast(on: paths)))),
            ("heard", .texts(titles(responding(on: paths)))),
        ]
        func finding(_ outcome: DoctorOutcome, _ text: String, _ advice: String? = nil) -> Finding {
            Finding(outcome, "\(interface): \(text)", advice: advice, facts: facts)
        }
        switch first.verdict {
        case .bothWays:
            return finding(.ok, "multicast works both ways \(over): \(names) \(verb).")
        case .unicastOnly:
            return finding(
                .problem,
                "\(names) \(verb) by unicast only \(over), so what devices send to all does not "
                    + "arrive.",
                "the access point does not repeat what Wi-Fi stations send by multicast: turn off "
                    + "'multicast to unicast', 'multicast enhancement' and 'IGMP snooping' there, or "
                    + "connect one of the two by cable")
        case .oneWay:
            return finding(
                .warning,
                "\(names) \(first.devices.count == 1 ? "is" : "are") heard \(over), but \(verb) no "
                    + "question, so multicast of this machine does not arrive there.",
                "check the settings for multicast of the access point, and the firewall of the "
                    + "other device")
        case .membershipLost:
            let snooping = families == [.ipv4] ? "IGMP snooping" : "MLD snooping"
            let since =
                first.end.map { " any more, the last after \(Int((lead + $0) / .seconds(1))) s" }
                ?? ""
            let other = families == [.ipv4] ? "IPv6" : "IPv4"
            return finding(
                .warning,
                "nothing that \(names) \(first.devices.count == 1 ? "sends" : "send") to all comes "
                    + "\(over)\(since), and \(first.devices.count == 1 ? "it" : "they") \(verb) over "
                    + "\(other).",
                "a switch or access point with \(snooping) forgets its listeners after about four "
                    + "minutes if no querier asks for them: turn on a querier in the router or "
                    + "switch, or \(snooping) off; a firewall that drops UDP port 5353 over "
                    + "\(families.titles) does the same")
        case .isolated:
            return finding(
                .problem, "only the router answers; silent: \(names).",
                "unless they have all left, stations are isolated from each other: turn off 'AP "
                    + "isolation' or 'client isolation' in the access point, and leave a guest "
                    + "network")
        case .unknown:
            return finding(.unknown, "not known \(over): \(first.reason).")
        }
    }

    /// The findings about devices that answer by unicast only where others answer by multicast.
    private func partialFindings(on paths: [NetworkPath]) -> [Finding] {
        let groups = Dictionary(grouping: paths) { path -> Set<Int> in
            let answering = answering(on: [path]).subtracting(heard.routers)
            let unicast = answeringByUnicast(on: [path]).subtracting(heard.routers)
            return answering.isEmpty ? [] : unicast.subtracting(answering)
        }
        return groups.filter { !$0.key.isEmpty }.sorted { $0.value[0] < $1.value[0] }.map {
            stations, paths in
            let names = titles(stations)
            let families = paths.map(\.family)
            return Finding(
                .warning,
                "\(paths[0].interface.name): \(listed(names, limit: Self.nameLimit)) "
                    + "\(names.count == 1 ? "answers" : "answer") by unicast only over "
                    + "\(families.titles).",
                advice: "the access point of that device does not repeat its multicast, or its "
                    + "responder sends none",
                facts: [
                    ("interface", .text(paths[0].interface.name)),
                    ("families", .families(families)), ("unicastOnly", .texts(names)),
                ])
        }
    }
}

extension PathCheck {
    /// Asks devices on paths for a time, and listens to what they send.
    static func run(
        _ devices: [Device], on paths: [NetworkPath], returned: Set<NetworkPath>,
        gateways: Set<String>, for time: Duration, after lead: Duration
    ) async -> PathCheck {
        let devices = Array(devices.prefix(deviceLimit))
        let services = devices.flatMap(\.services)
        let times = sendTimes(for: time)
        let heard = await LinkListener.fold(
            on: paths, for: time, asking: ProbeMessage.questions(for: services),
            askingByUnicast: ProbeMessage.questions(for: services, wantsUnicast: true),
            at: times, into: Heard(devices, gateways: gateways, sendTimes: times)
        ) { $0.hear($1) }
        return PathCheck(
            devices: devices, heard: heard.value, paths: heard.paths, returned: returned,
            time: time, lead: lead)
    }

    /// Returns the devices of a list other than this machine; devices that responded come first.
    static func devices(of listing: PeerListing, responded: Set<UUID>) -> [Device] {
        let others = HeardCheck.others(in: listing)
        let asked = Set(HeardCheck.services(of: others))
        let responds = { (device: Peer) in
            device.services.contains { responded.contains($0.id) }
        }
        return (others.filter(responds) + others.filter { !responds($0) }).map { peer in
            Device(
                name: peer.name, addresses: Set(peer.addresses),
                services: peer.services.filter { asked.contains($0.id) }.map {
                    ServiceKey(name: $0.name, type: $0.type, domain: $0.domain)
                }, paths: Set(listing.paths(of: [peer.id])))
        }
    }
}
