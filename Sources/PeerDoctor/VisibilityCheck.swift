// Checks which machines that run peerlist see this one, and on which paths.
import PeerList
import PeerText

enum VisibilityCheck {
    /// The maximum number of machines that get a finding of their own; anyone can claim to be many.
    private static let machineLimit = 32

    /// Returns a finding for each machine, and one for ignored packets.
    ///
    /// `isUnfiltered` means that no firewall of this machine was found that could drop replies.
    /// Replies from beyond the links of the active `interfaces` are ignored.
    static func findings(
        for probe: VisibilityProbe.Observations, isUnfiltered: Bool, settings: DaemonSettings?,
        interfaces: [LocalInterface]
    ) -> [Finding] {
        if let reason = probe.announceFailure {
            return [unannounced(by: probe.backend, reason: reason, settings: settings)]
        }
        let views = views(probe.replies.received, interfaces)
        let isConclusive = probe.devices.time >= Finding.conclusiveTime
        let hosts = Set(views.map { Identity.canonical($0.host) })
        func notHeard(of names: [String]) -> [String] {
            names.filter { !hosts.contains(Identity.canonical($0)) }
        }
        let missing = notHeard(of: probe.devices.peerlistHosts)
        let silent = notHeard(of: probe.devices.silentPeerlistHosts)

        var found = views.prefix(machineLimit).map { $0.finding(isConclusive: isConclusive) }
        if views.count > machineLimit {
            let rest = views.count - machineLimit
            found += .one(.ok, "\(rest) more machines report that they see this one.")
        }
        // A reply shows that replies can arrive; a reply without a name may be from any host.
        let isCertain = (isUnfiltered || !views.isEmpty) && !views.contains(where: \.isUnnamed)
        found += missing.prefix(isConclusive ? machineLimit : 0).map {
            noReply($0, probe.port, isCertain: isCertain)
        }
        found += silent.prefix(machineLimit).map { host in
            absent(
                host, .unknown, "ran peerlist before, but does not respond now.",
                advice: "if peerlist still runs there, packets of this machine do not arrive: "
                    + "check the firewalls of both machines, and the network between them")
        }
        if isConclusive, found.isEmpty {
            found += .one(
                .unknown, "No reply arrived.",
                advice: "run 'peerlist' on another machine of this network during this check; if "
                    + "it already runs, packets of this machine do not arrive there, or a firewall "
                    + "of this machine drops the replies: accept UDP port \(probe.port)")
        } else if !isConclusive, views.isEmpty {
            found.append(.tooShort(probe.devices.time, "No reply arrived"))
        } else if !isConclusive, !missing.isEmpty || views.contains(where: \.isPartial) {
            found.append(.tooShort(probe.devices.time, "Not all replies arrived"))
        }
        let accepted = views.reduce(0) { $0 + $1.replies.count }
        let strays = probe.replies.strayCount + probe.replies.received.count - accepted
        if strays > 0 {
            found += .one(
                .ok, "Ignored \(counted(strays, "unrelated packet")).",
                facts: [("strays", .number(strays))])
        }
        return found
    }

    private static func noReply(_ host: String, _ port: UInt16, isCertain: Bool) -> Finding {
        absent(
            host, isCertain ? .problem : .unknown,
            "runs peerlist and is visible from here, but did not reply.",
            advice: isCertain
                ? "the announcements of this machine do not arrive there, or the reply is lost: "
                    + "check the firewall of that machine, and the network between the two"
                : "accept replies to UDP port \(port) in the firewall of this machine ('nft insert "
                    + "rule … udp dport \(port) accept', 'ufw allow \(port)/udp') and try again; "
                    + "if that does not help, check the firewall of the other machine, and the "
                    + "network between the two")
    }

    private static func unannounced(
        by backend: Backend, reason: String, settings: DaemonSettings?
    ) -> Finding {
        let forbids = settings?.isOn("publish", "disable-user-service-publishing", otherwise: false)
        if backend == .daemon, forbids == true {
            return Finding(
                .warning, "Not tested: avahi-daemon does not announce services of programs.",
                advice: "see disable-user-service-publishing above; services that the daemon "
                    + "itself announces are visible nevertheless")
        }
        return Finding(
            .problem, "This machine cannot be announced, so others cannot see it: \(reason).",
            advice: backend == .daemon
                ? "see Settings of avahi-daemon above; 'journalctl -u avahi-daemon' may show why"
                : "see UDP port 5353 and Firewall above")
    }

    /// Combines replies by machine and by the interface of this machine on whose link it is.
    private static func views(
        _ replies: [ReceivedReply], _ interfaces: [LocalInterface]
    ) -> [RemoteView] {
        var views: [[String]: RemoteView] = [:]
        for received in replies {
            let link = interfaces.first { local in
                local.reaches(received.source)
                    && (received.interface ?? local.interface.index) == local.interface.index
            }
            guard let link else { continue }
            let host = received.reply.host
            let isUnnamed = host == VisibilityReply.unnamed
            let name = isUnnamed ? received.source.description : Identity.canonical(host)
            views[[name, link.interface.name], default: RemoteView(host: host, interface: link)]
                .replies.append(received)
        }
        return views.values.sorted {
            ($0.host, $0.interface.interface.index) < ($1.host, $1.interface.interface.index)
        }
    }

    /// Returns the finding about a machine whose reply did not arrive.
    private static func absent(
        _ host: String, _ outcome: DoctorOutcome, _ text: String, advice: String
    ) -> Finding {
        Finding(
            outcome, "\(shortName(host)) \(text)", advice: advice,
            facts: [("host", .text(host)), ("seenOver", .texts([]))])
    }
}

/// The packets of this machine that reach another machine through one interface.
private struct RemoteView {
    let host: String
    let interface: LocalInterface
    var replies: [ReceivedReply] = []

    var isUnnamed: Bool { host == VisibilityReply.unnamed }
    /// Whether the machine does not see this one, or its replies do not arrive, over some family.
    var isPartial: Bool { !unseen.isEmpty || !lost.isEmpty }

    private var seen: [AddressFamily] { families { $0.reply.family } }
    private var returned: [AddressFamily] { families { $0.source.family } }
    private var unseen: [AddressFamily] { interface.families.filter { !seen.contains($0) } }
    /// The families over which the machine sees this one, but no reply arrived. Replies without a
    /// name over two families cannot be matched with each other.
    private var lost: [AddressFamily] {
        interface.families.filter { !isUnnamed && seen.contains($0) && !returned.contains($0) }
    }

    private func families(_ family: (ReceivedReply) -> AddressFamily) -> [AddressFamily] {
        AddressFamily.allCases.filter(replies.map(family).contains)
    }

    /// Returns the finding; missing families count only after a conclusive time.
    func finding(isConclusive: Bool) -> Finding {
        let own = interface.interface.name
        let (unseen, lost) = isConclusive ? (unseen, lost) : ([], [])
        let remote = Set(replies.map(\.reply.interface)).sorted()
        let addresses = Set(replies.map(\.source)).sorted().map(\.description)
        let name = isUnnamed ? addresses[0] : shortName(host)
        let there = remote == [own] ? "" : " (there: \(remote.joined(separator: ", ")))"
        var text = "\(name) sees this machine on \(own)\(there) over \(seen.titles)"
        text += unseen.isEmpty ? "." : ", not over \(unseen.titles)."
        if !lost.isEmpty { text += " Its replies arrive over \(returned.titles) only." }
        let groups = Set(unseen + lost).map { $0 == .ipv4 ? "224.0.0.251" : "ff02::fb" }.sorted()
        let advice =
            "let UDP port 5353 to \(listed(groups)) pass on both machines and on everything between "
            + "them: firewalls, access points, switches with IGMP or MLD snooping"
        return Finding(
            groups.isEmpty ? .ok : .warning, text, advice: groups.isEmpty ? nil : advice,
            facts: [
                ("host", .text(isUnnamed ? "" : host)), ("interface", .text(own)),
                ("theirInterfaces", .texts(remote)), ("addresses", .texts(addresses)),
                ("seenOver", .families(seen)), ("notSeenOver", .families(unseen)),
                ("answersLostOver", .families(lost)),
            ])
    }
}

private func shortName(_ host: String) -> String {
    host.lowercased().hasSuffix(".local") ? String(host.dropLast(6)) : host
}
