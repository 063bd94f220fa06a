// Who else is heard here, and on which paths?
import PeerList

/// Judges who was heard while answers were waited for.
enum HeardCheck {
    /// Others, as the list has them.
    struct Survey: Equatable, Sendable {
        /// The names of the machines.
        var machines: [String] = []
        /// The paths on which they are heard.
        var paths: [NetworkPath] = []
        /// The host names of those that announce that they run peerlist.
        var runners: [String] = []
    }

    /// How many machines are named.
    private static let nameLimit = 6

    /// What the list says of the machines that are not this one.
    static func survey(_ listing: PeerListing) -> Survey {
        var survey = Survey()
        var others: [Peer] = []
        for case .peer(let peer) in listing.sections.flatMap(\.items) where !peer.isSelf {
            // A peer without a host may be a service of this machine that is not yet resolved.
            guard let host = peer.host else { continue }
            others.append(peer)
            // One that asks whether it is seen is no list that answers.
            let runs = peer.services.contains {
                $0.type == LinkBrowser.identityType && $0.txt[SightNonce.key] == nil
            }
            if runs { survey.runners.append(host) }
        }
        survey.machines = others.map(\.name)
        survey.paths = listing.paths(of: others.map(\.id))
        return survey
    }

    /// Judges it.
    static func findings(for survey: Survey) -> [Finding] {
        guard !survey.machines.isEmpty else {
            return [
                Finding(
                    .unknown, "Nobody else is heard; perhaps nobody is there.",
                    advice: """
                        run 'peerlist --announce' on another machine of this network, and then \
                        'peerlist doctor' here once more; a router, a guest network and many VPNs \
                        part networks
                        """)
            ]
        }
        let count = survey.machines.count
        let names = survey.machines.prefix(nameLimit)
        let named =
            count > names.count
            ? names.joined(separator: ", ") + " and \(count - names.count) more"
            : listed(Array(names))
        let interfaces = Set(survey.paths.map(\.interface)).sorted().map { name in
            let families = survey.paths.filter { $0.interface == name }.map(\.family.title)
            return "\(name) over \(listed(families))"
        }
        let facts = [
            Finding.Fact("machines", .texts(survey.machines)),
            Finding.Fact("paths", .objects(survey.paths.map(\.facts))),
        ]
        return [
            Finding(.ok, "\(named), on \(listed(interfaces)).", facts: facts)
        ]
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
