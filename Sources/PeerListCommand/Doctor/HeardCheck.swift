// Who else is heard here, and on which paths?
import FoundationEssentials
import PeerList

/// Judges who was heard while answers were waited for.
enum HeardCheck {
    /// Others, as the list has them, and as they answer.
    struct Survey: Equatable, Sendable {
        /// The names of the machines that are heard now.
        var machines: [String] = []
        /// The paths on which they are announced.
        var paths: [NetworkPath] = []
        /// The names of those that are remembered, and did not answer.
        var remembered: [String] = []
        /// The host names of those that run peerlist, of the heard and of the remembered.
        var runners: [String] = []
        var silentRunners: [String] = []
        /// Whether nobody could be called, so that all are remembered and may be there.
        var isUnasked = false
        /// How long replies were waited for.
        var time = Duration.seconds(5)
    }

    /// How many machines are named.
    private static let nameLimit = 6

    /// The machines of a list that are not this one, and whose name is known.
    static func others(in listing: PeerListing) -> [Peer] {
        listing.sections.flatMap(\.items).compactMap { item in
            // A peer without a host may be a service of this machine that is not yet resolved.
            let peer = item.peer
            guard !peer.isSelf, peer.host != nil else { return nil }
            return peer
        }
    }

    /// What the list says of others.
    ///
    /// - Parameters:
    ///   - listing: The list.
    ///   - answered: Those that answered when they were called; `nil`: nobody could be called.
    ///   - time: How long replies were waited for.
    /// - Returns: What is to be judged.
    static func survey(
        _ listing: PeerListing, answered: Set<UUID>?, within time: Duration
    ) -> Survey {
        var survey = Survey()
        survey.isUnasked = answered == nil
        survey.time = time
        let others = others(in: listing)
        let heard = others.filter { answered?.contains($0.id) == true }
        let silent = others.filter { answered?.contains($0.id) != true }
        survey.machines = heard.map(\.name)
        survey.paths = listing.paths(of: heard.map(\.id))
        survey.remembered = silent.map(\.name)
        survey.runners = heard.filter(\.runsPeerlist).compactMap(\.host)
        survey.silentRunners = silent.filter(\.runsPeerlist).compactMap(\.host)
        return survey
    }

    /// Judges it.
    static func findings(for survey: Survey) -> [Finding] {
        var found = survey.machines.isEmpty ? [] : [heard(survey)]
        if !survey.remembered.isEmpty { found.append(remembered(survey)) }
        guard found.isEmpty else { return found }
        guard survey.time >= DoctorInquiry.conclusiveTime else {
            return [.tooShort(survey.time, "No other device was heard")]
        }
        return [
            Finding(
                .unknown, "No other device is heard; perhaps there is none.",
                advice: """
                    run 'peerlist --announce' on another machine of this network, and then \
                    'peerlist doctor' here again; routers, guest networks and many VPNs separate \
                    networks
                    """)
        ]
    }

    private static func heard(_ survey: Survey) -> Finding {
        let interfaces = Set(survey.paths.map(\.interface)).sorted().map { name in
            let families = survey.paths.filter { $0.interface == name }.map(\.family.title)
            return "\(name) over \(listed(families))"
        }
        return Finding(
            .ok, "\(named(survey.machines)), on \(listed(interfaces)).",
            facts: [
                Finding.Fact("machines", .texts(survey.machines)),
                Finding.Fact("paths", .objects(survey.paths.map(\.facts))),
            ])
    }

    private static func remembered(_ survey: Survey) -> Finding {
        let names = named(survey.remembered)
        let facts = [Finding.Fact("remembered", .texts(survey.remembered))]
        guard !survey.isUnasked else {
            return Finding(
                .unknown, "Seen before, but they cannot be queried now: \(names).", facts: facts)
        }
        // Beside others that are heard, one that has gone is nothing to look into.
        return Finding(
            survey.machines.isEmpty ? .unknown : .ok, "Seen before, but silent now: \(names).",
            advice: survey.machines.isEmpty
                ? """
                if one of them is there, packets of this machine do not arrive there, or its replies \
                do not arrive here: check the firewalls of both, and the network between them
                """ : nil,
            facts: facts)
    }

    private static func named(_ machines: [String]) -> String {
        let names = machines.prefix(nameLimit)
        return machines.count > names.count
            ? names.joined(separator: ", ") + " and \(machines.count - names.count) more"
            : listed(Array(names))
    }
}

extension Peer {
    /// Whether it announces that a list runs there; one that asks whether it is seen is none.
    fileprivate var runsPeerlist: Bool {
        services.contains {
            $0.type == LinkBrowser.identityType && $0.txt[VisibilityNonce.key] == nil
        }
    }
}

extension NetworkPath {
    /// For scripts.
    fileprivate var facts: [Finding.Fact] {
        [
            Finding.Fact("interface", .text(interface)),
            Finding.Fact("family", .text(family.rawValue)),
        ]
    }
}
