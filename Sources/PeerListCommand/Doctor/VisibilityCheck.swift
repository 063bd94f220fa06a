// Do other machines that run peerlist see this one, and on which paths?
import PeerList

/// Judges the answers of other machines.
enum VisibilityCheck {
    /// What came of asking.
    struct Survey: Equatable, Sendable {
        /// The port at which answers were waited for.
        var port: UInt16
        /// How long they were waited for.
        var time = Duration.seconds(5)
        /// What arrived there.
        var harvest = VisibilityListener.Replies()
        /// Whether this machine's rules let that port in; `nil`: that is not known.
        var isLetIn: Bool?
        /// The host names of those that run peerlist and are heard now.
        var runners: [String] = []
        /// The host names of those that are remembered to run it, and are not heard now.
        var silentRunners: [String] = []
    }

    /// How many machines are told of one by one; anybody can claim to be many.
    private static let machineLimit = 32

    /// Judges answers.
    ///
    /// - Parameters:
    ///   - survey: What came of asking.
    ///   - interfaces: The interfaces that are used; who is on none of their links does not count.
    /// - Returns: What is to be told.
    static func findings(for survey: Survey, interfaces: [LocalInterface]) -> [Finding] {
        let views = views(survey.harvest.received, interfaces)
        let isConclusive = survey.time >= DoctorInquiry.conclusiveTime
        let hosts = Set(views.map { Identity.canonical($0.host) })
        func isMissing(_ host: String) -> Bool { !hosts.contains(Identity.canonical(host)) }
        // Where one answer comes in, the way is open; and who hides the name may be any of them.
        let isOpen = survey.isLetIn == true || !views.isEmpty
        let isSomebodyUnnamed = views.contains(where: \.isUnnamed)
        let silent = survey.runners.filter(isMissing)
        var found = views.prefix(machineLimit).map { finding($0, isConclusive: isConclusive) }
        if views.count > machineLimit {
            let rest = views.count - machineLimit
            found.append(Finding(.ok, "\(rest) more machines say that they see this one."))
        }
        if isConclusive {
            found += silent.prefix(machineLimit).map {
                unanswered($0, survey.port, isCertain: isOpen && !isSomebodyUnnamed)
            }
        }
        found += survey.silentRunners.filter(isMissing).prefix(machineLimit).map(remembered)
        if isConclusive {
            if found.isEmpty { found.append(nobody(survey.port)) }
        } else if views.isEmpty || !silent.isEmpty || views.contains(where: \.isPartial) {
            let observation = views.isEmpty ? "No reply arrived" : "Not all replies arrived"
            found.append(.tooShort(survey.time, observation))
        }
        let foreign = survey.harvest.received.count { place(of: $0, interfaces) == nil }
        let strays = survey.harvest.strayCount + foreign
        if strays > 0 {
            found.append(
                Finding(
                    .ok, "(\(strays) packets that arrived were not replies from this network.)",
                    facts: [Finding.Fact("strays", .number(strays))]))
        }
        return found
    }

    /// What one machine sees of this one through one interface of this one.
    private struct View {
        var host: String
        var interface: LocalInterface
        var addresses: Set<HostAddress> = []
        /// What its own interfaces are called.
        var theirs: Set<String> = []
        /// The families over which it sees this machine.
        var families: Set<AddressFamily> = []

        var isUnnamed: Bool { host == VisibilityReply.unnamed }
        /// The families over which it does not see this machine.
        var unseen: [AddressFamily] {
            interface.families.filter { !families.contains($0) }
        }
        /// The families over which it sees this machine and no reply arrived.
        var lost: [AddressFamily] {
            // A machine that hides its name cannot be recognized over both families.
            guard !isUnnamed else { return [] }
            return interface.families.filter { family in
                families.contains(family) && !addresses.contains { $0.family == family }
            }
        }
        var isPartial: Bool { !unseen.isEmpty || !lost.isEmpty }
        /// What people call it.
        var title: String {
            isUnnamed ? addresses.min()?.description ?? "a machine" : short(host)
        }
    }

    /// The interface whose link an answer came over: the one that it arrived on, where that is known.
    private static func place(of sight: ReceivedReply, _ interfaces: [LocalInterface])
        -> LocalInterface?
    {
        interfaces.first { local in
            local.reaches(sight.source)
                && (sight.interface == nil || sight.interface == local.interface.index)
        }
    }

    private static func views(_ sights: [ReceivedReply], _ interfaces: [LocalInterface]) -> [View] {
        var views: [[String]: View] = [:]
        for sight in sights {
            guard let local = place(of: sight, interfaces) else { continue }
            let isUnnamed = sight.reply.host == VisibilityReply.unnamed
            let host =
                isUnnamed ? sight.source.description : Identity.canonical(sight.reply.host)
            let key = [host, local.interface.name]
            var view = views[key] ?? View(host: sight.reply.host, interface: local)
            view.addresses.insert(sight.source)
            view.theirs.insert(sight.reply.interface)
            view.families.insert(sight.reply.family)
            views[key] = view
        }
        return views.values.sorted {
            ($0.host, $0.interface.interface.index) < ($1.host, $1.interface.interface.index)
        }
    }

    /// Judges what one machine sees; what is missing counts only after a conclusive time.
    private static func finding(_ view: View, isConclusive: Bool) -> Finding {
        let own = view.interface.interface.name
        let seen = AddressFamily.allCases.filter(view.families.contains)
        let unseen = isConclusive ? view.unseen : []
        let lost = isConclusive ? view.lost : []
        let back = AddressFamily.allCases.filter { family in
            view.addresses.contains { $0.family == family }
        }
        let theirs = view.theirs.sorted().joined(separator: ", ")
        let other = view.theirs == [own] ? "" : " (there: \(theirs))"
        var text =
            "\(view.title) sees this machine on \(own)\(other) over "
            + listed(seen.map(\.title))
        if !unseen.isEmpty { text += ", not over \(listed(unseen.map(\.title)))" }
        text += "."
        if !lost.isEmpty {
            text += " Its replies arrive over \(listed(back.map(\.title))) only."
        }
        let isWhole = unseen.isEmpty && lost.isEmpty
        return Finding(
            isWhole ? .ok : .warning, text, advice: isWhole ? nil : advice(unseen + lost),
            facts: [
                Finding.Fact("host", .text(view.isUnnamed ? "" : view.host)),
                Finding.Fact("interface", .text(own)),
                Finding.Fact("theirInterfaces", .texts(view.theirs.sorted())),
                Finding.Fact("addresses", .texts(view.addresses.sorted().map(\.description))),
                Finding.Fact("seenOver", .texts(seen.map(\.rawValue))),
                Finding.Fact("notSeenOver", .texts(unseen.map(\.rawValue))),
                Finding.Fact("answersLostOver", .texts(lost.map(\.rawValue))),
            ])
    }

    private static func advice(_ families: [AddressFamily]) -> String {
        let groups = Set(families).map { $0 == .ipv4 ? "224.0.0.251" : "ff02::fb" }.sorted()
        return """
            let UDP port 5353 to \(listed(groups)) pass on both machines and on what is between \
            them: firewalls, access points, switches with IGMP or MLD snooping
            """
    }

    private static func unanswered(_ host: String, _ port: UInt16, isCertain: Bool) -> Finding {
        Finding(
            isCertain ? .problem : .unknown,
            "\(short(host)) runs peerlist and is visible from here, but did not reply.",
            advice: isCertain
                ? """
                the announcements of this machine do not arrive there, or the reply is dropped on \
                its way: check the firewall there, and the network between the two
                """
                : """
                let UDP port \(port) in here, for the replies ('nft insert rule … udp dport \(port) \
                accept', 'ufw allow \(port)/udp'), and try again; if that does not help, check the \
                firewall there, and the network between the two
                """,
            facts: [
                Finding.Fact("host", .text(host)), Finding.Fact("seenOver", .texts([])),
            ])
    }

    private static func remembered(_ host: String) -> Finding {
        Finding(
            .unknown, "\(short(host)) ran peerlist before, and does not answer now.",
            advice: """
                if it still runs there, packets of this machine do not arrive: check the firewalls \
                of both, and the network between them
                """,
            facts: [
                Finding.Fact("host", .text(host)), Finding.Fact("seenOver", .texts([])),
            ])
    }

    private static func nobody(_ port: UInt16) -> Finding {
        Finding(
            .unknown, "No reply arrived.",
            advice: """
                run 'peerlist' on another machine of this network meanwhile; if one runs, packets \
                of this machine do not arrive there, or a firewall here drops the replies: let UDP \
                port \(port) in
                """)
    }

    /// What people call a host.
    fileprivate static func short(_ host: String) -> String {
        host.lowercased().hasSuffix(".local") ? String(host.dropLast(6)) : host
    }
}
