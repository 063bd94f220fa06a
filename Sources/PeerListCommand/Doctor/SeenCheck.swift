// Do other machines that run peerlist see this one, and on which paths?
import PeerList

/// Judges the answers of other machines.
enum SeenCheck {
    /// What came of asking.
    struct Survey: Equatable, Sendable {
        /// The port at which answers were waited for.
        var port: UInt16
        /// What arrived there.
        var harvest = SightListener.Harvest()
        /// The host names of those that announce that they run peerlist.
        var runners: [String] = []
    }

    /// How many machines are told of one by one; anybody can claim to be many.
    private static let machineLimit = 32

    /// Judges answers.
    ///
    /// - Parameters:
    ///   - survey: What came of asking.
    ///   - interfaces: This machine's interfaces; who is on none of their links does not count.
    /// - Returns: What is to be told.
    static func findings(for survey: Survey, interfaces: [LocalInterface]) -> [Finding] {
        let usable = interfaces.filter(\.isUsable)
        let views = views(survey.harvest.sights, usable)
        let hosts = Set(views.map { Identity.canonical($0.host) })
        let silent = survey.runners.filter { !hosts.contains(Identity.canonical($0)) }
        var found = views.prefix(machineLimit).map { finding($0) }
        if views.count > machineLimit {
            let rest = views.count - machineLimit
            found.append(Finding(.ok, "\(rest) more say that they see this machine."))
        }
        found += silent.prefix(machineLimit).map { unanswered($0, survey.port) }
        if found.isEmpty { found.append(nobody(survey.port)) }
        let foreign = survey.harvest.sights.count { sight in
            !usable.contains { $0.reaches(sight.source) }
        }
        let strays = survey.harvest.strayCount + foreign
        if strays > 0 {
            found.append(
                Finding(
                    .ok, "(\(strays) of what arrived was no answer from this network.)",
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
    }

    private static func views(_ sights: [Sight], _ interfaces: [LocalInterface]) -> [View] {
        var views: [[String]: View] = [:]
        for sight in sights {
            guard let local = interfaces.first(where: { $0.reaches(sight.source) }) else {
                continue
            }
            let key = [Identity.canonical(sight.message.host), local.interface.name]
            var view = views[key] ?? View(host: sight.message.host, interface: local)
            view.addresses.insert(sight.source)
            view.theirs.insert(sight.message.interface)
            view.families.insert(sight.message.family)
            views[key] = view
        }
        return views.values.sorted {
            ($0.host, $0.interface.interface.index) < ($1.host, $1.interface.interface.index)
        }
    }

    private static func finding(_ view: View) -> Finding {
        let own = view.interface.interface.name
        let expected = view.interface.families
        let seen = AddressFamily.allCases.filter(view.families.contains)
        let unseen = expected.filter { !view.families.contains($0) }
        let back = AddressFamily.allCases.filter { family in
            view.addresses.contains { $0.family == family }
        }
        let lost = seen.filter { !back.contains($0) && expected.contains($0) }
        let theirs = view.theirs.sorted().joined(separator: ", ")
        let other = view.theirs == [own] ? "" : " (there: \(theirs))"
        var text =
            "\(short(view.host)) sees this machine on \(own)\(other) over "
            + listed(seen.map(\.title))
        if !unseen.isEmpty { text += ", not over \(listed(unseen.map(\.title)))" }
        text += "."
        if !lost.isEmpty {
            text += " Its answers come back over \(listed(back.map(\.title))) alone."
        }
        let isWhole = unseen.isEmpty && lost.isEmpty
        return Finding(
            isWhole ? .ok : .warning, text, advice: isWhole ? nil : advice(unseen + lost),
            facts: [
                Finding.Fact("host", .text(view.host)),
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

    private static func unanswered(_ host: String, _ port: UInt16) -> Finding {
        Finding(
            .problem,
            "\(short(host)) runs peerlist and is heard here, but no answer of it arrives.",
            advice: """
                what this machine sends does not arrive there, or its answers to UDP port \(port) do \
                not arrive here: look at the firewalls of both, and at what is between them
                """,
            facts: [
                Finding.Fact("host", .text(host)), Finding.Fact("seenOver", .texts([])),
            ])
    }

    private static func nobody(_ port: UInt16) -> Finding {
        Finding(
            .unknown, "Nobody answered.",
            advice: """
                let 'peerlist' run on another machine of this network meanwhile; if one does, what \
                this machine sends does not arrive there, or a firewall here drops the answers, \
                which came to UDP port \(port) this time
                """)
    }

    /// What people call a host.
    private static func short(_ host: String) -> String {
        host.lowercased().hasSuffix(".local") ? String(host.dropLast(6)) : host
    }
}
