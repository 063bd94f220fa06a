// Checks which other devices are present, and on which paths.
import FoundationEssentials
import PeerList

/// Checks which other devices are present.
enum HeardCheck {
    /// The other devices in a list, by whether they responded to a query.
    struct Survey: Equatable, Sendable {
        /// The names of the present devices.
        var present: [String] = []
        /// The paths on which the present devices are announced.
        var paths: [NetworkPath] = []
        /// The names of the cached devices that did not respond.
        var silent: [String] = []
        /// The host names of the present devices that run peerlist.
        var peerlistHosts: [String] = []
        /// The host names of the silent devices that ran peerlist.
        var silentPeerlistHosts: [String] = []
        /// Whether the devices could be queried; if not, all of them count as silent.
        var isQueried = true
        /// The time for which replies were collected.
        var time = Duration.seconds(5)
    }

    /// The maximum number of devices that are named.
    private static let nameLimit = 6

    /// Returns the devices of a list other than this machine whose host name is known.
    static func others(in listing: PeerListing) -> [Peer] {
        listing.sections.flatMap(\.items).compactMap { item in
            // A peer without a host may be an unresolved service of this machine.
            let peer = item.peer
            guard !peer.isSelf, peer.host != nil else { return nil }
            return peer
        }
    }

    /// Divides the devices of a list by whether they responded.
    ///
    /// - Parameters:
    ///   - listing: The list.
    ///   - responded: The devices that responded, or `nil` if none could be queried.
    ///   - time: The time for which replies were collected.
    /// - Returns: The devices by group.
    static func survey(
        _ listing: PeerListing, responded: Set<UUID>?, within time: Duration
    ) -> Survey {
        let others = others(in: listing)
        let present = others.filter { responded?.contains($0.id) == true }
        let silent = others.filter { responded?.contains($0.id) != true }
        return Survey(
            present: present.map(\.name), paths: listing.paths(of: present.map(\.id)),
            silent: silent.map(\.name),
            peerlistHosts: present.filter(\.runsPeerlist).compactMap(\.host),
            silentPeerlistHosts: silent.filter(\.runsPeerlist).compactMap(\.host),
            isQueried: responded != nil, time: time)
    }

    static func findings(for survey: Survey) -> [Finding] {
        var found: [Finding] = []
        if !survey.present.isEmpty { found.append(present(survey)) }
        if !survey.silent.isEmpty { found.append(silent(survey)) }
        guard found.isEmpty else { return found }
        guard survey.time >= Finding.conclusiveTime else {
            return [.tooShort(survey.time, "No other device was found")]
        }
        return [
            Finding(
                .unknown, "No other device was found; there may be none.",
                advice: """
                    run 'peerlist --announce' on another machine of this network, then run \
                    'peerlist doctor' here again; routers, guest networks and many VPNs separate \
                    networks
                    """)
        ]
    }

    private static func present(_ survey: Survey) -> Finding {
        let interfaces = Set(survey.paths.map(\.interface.name)).sorted().map { name in
            "\(name) over "
                + survey.paths.filter { $0.interface.name == name }.map(\.family).titles
        }
        let paths = survey.paths.map { path -> [Finding.Fact] in
            [
                .init("interface", .text(path.interface.name)),
                .init("family", .text(path.family.rawValue)),
            ]
        }
        return Finding(
            .ok, "\(named(survey.present)), on \(listed(interfaces)).",
            facts: [.init("machines", .texts(survey.present)), .init("paths", .objects(paths))])
    }

    private static func silent(_ survey: Survey) -> Finding {
        let names = named(survey.silent)
        let facts: [Finding.Fact] = [.init("remembered", .texts(survey.silent))]
        guard survey.isQueried else {
            return Finding(
                .unknown, "Seen before, but they cannot be queried now: \(names).", facts: facts)
        }
        // A device that left is unremarkable while others are present.
        guard survey.present.isEmpty else {
            return Finding(.ok, "Seen before, but silent now: \(names).", facts: facts)
        }
        return Finding(
            .unknown, "Seen before, but silent now: \(names).",
            advice: """
                if one of them is on the network, packets are lost in one direction: check the \
                firewalls of both machines, and the network between them
                """, facts: facts)
    }

    private static func named(_ devices: [String]) -> String {
        let rest = devices.count - nameLimit
        return rest > 0
            ? devices.prefix(nameLimit).joined(separator: ", ") + " and \(rest) more"
            : listed(devices)
    }
}

extension Peer {
    /// Whether the device announces that it runs peerlist; a visibility probe does not count.
    fileprivate var runsPeerlist: Bool {
        services.contains {
            $0.type == Identity.serviceType && $0.txt[VisibilityNonce.key] == nil
        }
    }
}
