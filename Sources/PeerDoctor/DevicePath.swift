// Follows the path to a device, from its announcement to its ports, and finds the first step that fails.
import PeerModel
import PeerText

/// The path to a device that is announced: its addresses can work, a machine answers there, and so do its ports.
struct DevicePath: Sendable {
    let device: Peer
    /// The answers at the addresses that can work.
    let answers: [AddressAnswer]

    /// The findings, the first step that fails before the others; the steps after it are left out.
    var findings: [Finding] {
        guard !device.isSelf else { return [] }
        var passed = [announced]
        for step in [addresses, machine, ports] {
            guard let step else { continue }
            guard step.outcome == .ok else { return [step] + passed }
            passed.append(step)
        }
        return passed
    }

    private var announced: Finding {
        Finding(
            .ok,
            "It is announced: \(counted(device.services.count, "service"))"
                + (device.host.map { " on \($0)." } ?? "."))
    }

    /// Whether an address can work, by the networks and routes of this machine.
    private var addresses: Finding? {
        let announced = device.announcedAddresses
        guard !announced.isEmpty else {
            return Finding(
                .problem, "It announces no address.", facts: [("step", .text("addresses"))])
        }
        let notes = announced.map { address in
            device.obstacle(at: address).map { "\(address): \($0)" } ?? "\(address) can work"
        }
        let facts: [(key: String, value: Finding.Value)] = [
            ("step", .text("addresses")),
            ("reach", .texts(announced.map { "\($0)=\(device.reach[$0]?.rawValue ?? "unknown")" })),
        ]
        guard device.isUnreachable else {
            return Finding(.ok, notes.joined(separator: "; ") + ".", facts: facts)
        }
        return Finding(
            .problem,
            "None of its addresses can work from here: " + notes.joined(separator: "; ") + ".",
            advice: "correct its network settings, or the route of this machine", facts: facts)
    }

    /// Whether the device answers at an address.
    private var machine: Finding? {
        guard !answers.isEmpty else { return nil }
        let texts = answers.map { "\($0.address): \($0.text)" }
        let facts: [(key: String, value: Finding.Value)] = [
            ("step", .text("machine")), ("answers", .texts(texts)),
        ]
        let text = texts.joined(separator: "; ") + "."
        if answers.contains(where: \.isOfDevice) { return Finding(.ok, text, facts: facts) }
        let isSleeping = device.vouchedBy?.rule == .sleepProxy
        let isKnown = AddressAnswer.isThere(answers) == false
        return Finding(
            isSleeping ? .warning : isKnown ? .problem : .unknown, text,
            advice: isKnown && !isSleeping ? "it is off, asleep or has another address now" : nil,
            facts: facts)
    }

    /// Whether an announced TCP port accepts connections.
    private var ports: Finding? {
        let asked = answers.filter { $0.isOfDevice && !$0.ports.isEmpty }
        guard !asked.isEmpty, !asked.contains(where: { $0.isOpen() }) else { return nil }
        let isRefused = asked.contains { $0.ports.values.contains(.closed) }
        return Finding(
            .problem,
            "The machine answers, and none of its announced TCP ports does.",
            advice: isRefused
                ? "the program behind the service does not run, or listens on another port or address"
                : "a firewall of the device, or between, drops the connections",
            facts: [("step", .text("ports"))])
    }
}
