// Checks what is sent on the link: how much, by whom, and whether something repeats it.
import PeerModel
import PeerText

/// The traffic on the link for a time, and its findings.
struct LinkCheck: Sendable {
    let traffic: LinkTraffic
    let time: Duration
    /// The paths that were listened on.
    let paths: [NetworkPath]
    /// The names of machines by the texts of their addresses.
    var names: [String: String] = [:]

    /// The number of packets a second above which a sender is a storm: a record may be sent once a second (RFC 6762,
    /// section 6).
    private static let stormRate = 10.0
    /// The maximum numbers of senders: in a sentence, and in the facts.
    private static let limits = (sentence: 3, facts: 64)

    var findings: [Finding] {
        guard !paths.isEmpty else { return .unheard }
        return [amount] + storms + echoes + renamings + hopLimits
    }

    private var sorted: [(address: HostAddress, sender: LinkTraffic.Sender)] {
        traffic.senders.map { ($0.key, $0.value) }
            .sorted { ($1.1.packets, $0.0) < ($0.1.packets, $1.0) }
    }

    /// An address, with the name of its machine if that is known.
    private func title(_ address: HostAddress) -> String {
        names[address.description].map { "\($0) (\(address))" } ?? address.description
    }

    private func perMinute(_ count: Int) -> Int {
        Int((Double(count) * 60 / max(time / .seconds(1), 0.001)).rounded())
    }

    private var amount: Finding {
        guard traffic.packetCount > 0 else {
            return Finding(.ok, "Nothing was sent within \(time.inSeconds).", facts: [])
        }
        let most = sorted.prefix(Self.limits.sentence).map { address, sender in
            "\(title(address)) \(perMinute(sender.packets))"
        }
        let rest = traffic.senders.count - most.count
        let more = rest > 0 ? ", \(counted(rest, "other"))" : ""
        let minute = counted(perMinute(traffic.packetCount), "packet")
        return Finding(
            .ok,
            "\(minute) and \(size(perMinute(traffic.byteCount))) a minute: "
                + most.joined(separator: ", ") + more + ".",
            facts: [
                ("packetsPerMinute", .number(perMinute(traffic.packetCount))),
                ("bytesPerMinute", .number(perMinute(traffic.byteCount))),
                (
                    "senders",
                    .senders(
                        sorted.prefix(Self.limits.facts).map { address, sender in
                            LinkSender(
                                address: address.description, name: names[address.description],
                                packetsPerMinute: perMinute(sender.packets),
                                bytesPerMinute: perMinute(sender.bytes),
                                questions: sender.questions, answers: sender.answers)
                        })
                ),
                ("omittedSenders", .number(max(0, traffic.senders.count - Self.limits.facts))),
            ])
    }

    private var storms: [Finding] {
        let limit = Self.stormRate * (time / .seconds(1))
        return sorted.filter { Double($0.sender.packets) > limit }.prefix(Self.limits.sentence)
            .map { address, sender in
                let kind = sender.questions > sender.answers ? "questions" : "answers"
                return Finding(
                    .warning,
                    "\(title(address)) sends \(perMinute(sender.packets)) packets a minute, most of "
                        + "them \(kind).",
                    advice:
                        "find the program on it that asks or announces again and again; a record "
                        + "may be sent once a second (RFC 6762, section 6)",
                    facts: [("sender", .text(address.description))])
            }
    }

    private var echoes: [Finding] {
        traffic.echoes.prefix(Self.limits.sentence).map { echo, count in
            Finding(
                .warning,
                "\(echo.interface): \(title(echo.second)) repeats what \(title(echo.first)) sends, "
                    + "\(count) times within \(time.inSeconds).",
                advice: "a reflector or a bridge sends packets back to the network from which they "
                    + "came; let only one reflector connect two networks, and none of them twice",
                facts: [
                    ("first", .text(echo.first.description)),
                    ("second", .text(echo.second.description)), ("count", .number(count)),
                ])
        }
    }

    private var renamings: [Finding] {
        traffic.renamings.sorted { ($0.key.base, $0.key.sender) < ($1.key.base, $1.key.sender) }
            .prefix(Self.limits.sentence).map { renaming, numbers in
                let last = numbers.last ?? 1
                return Finding(
                    .warning,
                    "\(title(renaming.sender)) renames \(quoted(renaming.base)) again and again, and "
                        + "has come to number \(last).",
                    advice:
                        "another device answers for the name, or a reflector repeats the device's "
                        + "own packets to it",
                    facts: [
                        ("sender", .text(renaming.sender.description)),
                        ("name", .text(renaming.base)), ("number", .number(last)),
                    ])
            }
    }

    private var hopLimits: [Finding] {
        let wrong = sorted.filter { $0.sender.hopLimit != nil }
        guard !wrong.isEmpty else { return [] }
        let named = wrong.map { "\(title($0.address)) with \($0.sender.hopLimit ?? 0)" }
        return .one(
            .warning,
            "Responses have another hop limit than 255: \(listed(named, limit: Self.limits.sentence)).",
            advice: "they came through a router or a reflector, or the responder breaks RFC 6762, "
                + "section 11; some devices ignore them",
            facts: [("responders", .texts(wrong.map(\.address.description)))])
    }

    private func size(_ bytes: Int) -> String {
        bytes < 1_000 ? "\(bytes) bytes" : "\((bytes + 500) / 1_000) KB"
    }
}
