// Checks which machines that run peerlist see this one, and on which paths.
import PeerList

/// Checks which machines that run peerlist see this one.
enum VisibilityCheck {
    /// The maximum number of machines that get a finding of their own; anyone can claim to be many.
    private static let machineLimit = 32

    /// Returns a finding for each machine, and one for ignored packets.
    ///
    /// - Parameters:
    ///   - probe: The observations.
    ///   - isUnfiltered: Whether no firewall of this machine was found that could drop replies.
    ///   - settings: The settings of avahi-daemon, if they are readable.
    ///   - interfaces: The active interfaces; replies from beyond their links are ignored.
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
        func isMissing(_ host: String) -> Bool { !hosts.contains(Identity.canonical(host)) }
        let missing = probe.devices.peerlistHosts.filter(isMissing)

        var found = views.prefix(machineLimit).map { $0.finding(isConclusive: isConclusive) }
        if views.count > machineLimit {
            let rest = views.count - machineLimit
            found.append(Finding(.ok, "\(rest) more machines report that they see this one."))
        }
        if isConclusive {
            // A received reply shows that replies can arrive; one without a name may be from any host.
            let isCertain =
                (isUnfiltered || !views.isEmpty) && !views.contains(where: \.isUnnamed)
            found += missing.prefix(machineLimit).map {
                noReply($0, probe.port, isCertain: isCertain)
            }
        }
        let silentHosts = probe.devices.silentPeerlistHosts.filter(isMissing)
        found += silentHosts.prefix(machineLimit).map(silent)
        if isConclusive, found.isEmpty {
            found.append(nothingReceived(probe.port))
        } else if !isConclusive, views.isEmpty {
            found.append(.tooShort(probe.devices.time, "No reply arrived"))
        } else if !isConclusive, !missing.isEmpty || views.contains(where: \.isPartial) {
            found.append(.tooShort(probe.devices.time, "Not all replies arrived"))
        }
        let foreign = probe.replies.received.count { link(of: $0, interfaces) == nil }
        let strays = probe.replies.strayCount + foreign
        if strays > 0 {
            found.append(
                Finding(
                    .ok, "Ignored \(strays) unrelated packet\(strays == 1 ? "" : "s").",
                    facts: [("strays", .number(strays))]))
        }
        return found
    }

    /// Returns the finding that the probe could not be announced.
    private static func unannounced(
        by backend: Backend, reason: String, settings: DaemonSettings?
    ) -> Finding {
        let isRefused =
            backend == .daemon
            && settings?.isOn("publish", "disable-user-service-publishing", otherwise: false)
                == true
        guard !isRefused else {
            return Finding(
                .warning, "Not tested: avahi-daemon does not announce services of programs.",
                advice: """
                    see disable-user-service-publishing above; services that the daemon itself \
                    announces are visible nevertheless
                    """)
        }
        return Finding(
            .problem, "This machine cannot be announced, so others cannot see it: \(reason).",
            advice: backend == .daemon
                ? "see Settings of avahi-daemon above; 'journalctl -u avahi-daemon' may show why"
                : "see UDP port 5353 and Firewall above")
    }

    /// Returns the interface on whose link the sender of a reply is.
    private static func link(
        of reply: ReceivedReply, _ interfaces: [LocalInterface]
    ) -> LocalInterface? {
        interfaces.first { local in
            local.reaches(reply.source)
                && (reply.interface == nil || reply.interface == local.interface.index)
        }
    }

    /// Combines replies by machine and by interface of this machine.
    private static func views(
        _ replies: [ReceivedReply], _ interfaces: [LocalInterface]
    ) -> [View] {
        var views: [[String]: View] = [:]
        for received in replies {
            guard let local = link(of: received, interfaces) else { continue }
            let reply = received.reply
            let isUnnamed = reply.host == VisibilityReply.unnamed
            let host = isUnnamed ? received.source.description : Identity.canonical(reply.host)
            let key = [host, local.interface.name]
            var view = views[key] ?? View(host: reply.host, interface: local)
            view.addresses.insert(received.source)
            view.remoteInterfaces.insert(reply.interface)
            view.families.insert(reply.family)
            views[key] = view
        }
        return views.values.sorted {
            ($0.host, $0.interface.interface.index) < ($1.host, $1.interface.interface.index)
        }
    }

    private static func noReply(_ host: String, _ port: UInt16, isCertain: Bool) -> Finding {
        let certain = """
            the announcements of this machine do not arrive there, or the reply is lost: check the \
            firewall of that machine, and the network between the two
            """
        let uncertain = """
            accept replies to UDP port \(port) in the firewall of this machine \
            ('nft insert rule … udp dport \(port) accept', 'ufw allow \(port)/udp') and try \
            again; if that does not help, check the firewall of the other machine, and the network \
            between the two
            """
        return Finding(
            isCertain ? .problem : .unknown,
            "\(shortName(host)) runs peerlist and is visible from here, but did not reply.",
            advice: isCertain ? certain : uncertain,
            facts: [("host", .text(host)), ("seenOver", .texts([]))])
    }

    private static func silent(_ host: String) -> Finding {
        Finding(
            .unknown, "\(shortName(host)) ran peerlist before, but does not respond now.",
            advice: """
                if peerlist still runs there, packets of this machine do not arrive: check the \
                firewalls of both machines, and the network between them
                """,
            facts: [("host", .text(host)), ("seenOver", .texts([]))])
    }

    private static func nothingReceived(_ port: UInt16) -> Finding {
        Finding(
            .unknown, "No reply arrived.",
            advice: """
                run 'peerlist' on another machine of this network during this check; if it already \
                runs, packets of this machine do not arrive there, or a firewall of this machine \
                drops the replies: accept UDP port \(port)
                """)
    }
}

/// The view that one machine has of this one through one interface of this one.
private struct View {
    let host: String
    /// The interface of this machine.
    let interface: LocalInterface
    /// The addresses from which replies arrived.
    var addresses: Set<HostAddress> = []
    /// The names of the other machine's interfaces.
    var remoteInterfaces: Set<String> = []
    /// The families over which the other machine sees this one.
    var families: Set<AddressFamily> = []

    var isUnnamed: Bool { host == VisibilityReply.unnamed }
    /// Whether the machine does not see this one, or its replies do not arrive, over some family.
    var isPartial: Bool { !unseen.isEmpty || !lost.isEmpty }

    /// The families over which the machine does not see this one.
    private var unseen: [AddressFamily] { interface.families.filter { !families.contains($0) } }
    /// The families over which replies arrived.
    private var returned: [AddressFamily] {
        AddressFamily.allCases.filter { addresses.map(\.family).contains($0) }
    }
    /// The families over which the machine sees this one, but no reply arrived.
    ///
    /// Replies without a name over two families cannot be matched with each other.
    private var lost: [AddressFamily] {
        interface.families.filter {
            !isUnnamed && families.contains($0) && !returned.contains($0)
        }
    }

    /// Returns the finding; missing families count only after a conclusive time.
    func finding(isConclusive: Bool) -> Finding {
        let own = interface.interface.name
        let seen = AddressFamily.allCases.filter(families.contains)
        let (unseen, lost) = isConclusive ? (unseen, lost) : ([], [])
        let remote = remoteInterfaces.sorted()
        let name = isUnnamed ? addresses.min()?.description ?? "a machine" : shortName(host)
        let there = remote == [own] ? "" : " (there: \(remote.joined(separator: ", ")))"
        var text = "\(name) sees this machine on \(own)\(there) over \(seen.titles)"
        text += unseen.isEmpty ? "." : ", not over \(unseen.titles)."
        if !lost.isEmpty { text += " Its replies arrive over \(returned.titles) only." }
        let groups = Set(unseen + lost).map { $0 == .ipv4 ? "224.0.0.251" : "ff02::fb" }.sorted()
        let advice = """
            let UDP port 5353 to \(listed(groups)) pass on both machines and on everything between \
            them: firewalls, access points, switches with IGMP or MLD snooping
            """
        return Finding(
            groups.isEmpty ? .ok : .warning, text, advice: groups.isEmpty ? nil : advice,
            facts: [
                ("host", .text(isUnnamed ? "" : host)), ("interface", .text(own)),
                ("theirInterfaces", .texts(remote)),
                ("addresses", .texts(addresses.sorted().map(\.description))),
                ("seenOver", .families(seen)), ("notSeenOver", .families(unseen)),
                ("answersLostOver", .families(lost)),
            ])
    }
}

/// Returns a host name without its domain `local`.
private func shortName(_ host: String) -> String {
    host.lowercased().hasSuffix(".local") ? String(host.dropLast(6)) : host
}
